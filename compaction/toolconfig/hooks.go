package toolconfig

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// HookFile is the file of a program with the commands that it runs at an event: JSON with
// a member "hooks", which has for each event a list of groups of commands.
type HookFile struct {
	*Tool
	command string // as it is installed
}

// HookFile is the file in which a program is told to call a command.
func (t *Tool) HookFile(command string) HookFile { return HookFile{t, command} }

type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
}

type hookCommand struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"`
}

// ours reports whether a command is this program's hook, also of a copy elsewhere and
// with flags that a person added.
func (h HookFile) ours(command string) bool {
	words := strings.Fields(command)
	i := slices.Index(words, "hook")
	return i > 0 && (words[0] == strings.Fields(h.command)[0] || strings.Contains(strings.Join(words[:i], " "), "palimpsest"))
}

// Calls lists the events of a file at which our command runs, and the program that is called at
// the last of them.
func (h HookFile) Calls(old []byte) (events []string, program string, err error) {
	var file struct {
		Hooks map[string][]hookGroup `json:"hooks"`
	}
	if err := unmarshal(old, &file); err != nil {
		return nil, "", h.unreadable(err)
	}
	for _, e := range h.Events {
		for _, g := range file.Hooks[e.Name] {
			for _, c := range g.Hooks {
				if h.ours(c.Command) && !slices.Contains(events, e.Name) {
					events, program = append(events, e.Name), strings.Fields(c.Command)[0]
				}
			}
		}
	}
	return events, program, nil
}

// Install adds the command to each event that has none of ours; others stay as they
// are. Installing twice is installing once.
func (h HookFile) Install(old []byte) ([]byte, error) { return keepingEnds(old, h.install) }

func (h HookFile) install(old []byte) ([]byte, error) {
	root, there, err := h.parse(old)
	if err != nil {
		return nil, err
	}
	for _, e := range h.Events {
		if slices.Contains(there, e.Name) {
			continue
		}
		group := hookGroup{e.Matcher, []hookCommand{{"command", h.command, h.wait}}}
		if at := root.Find("/hooks/" + e.Name); at != nil {
			err = appendElement(at, group)
		} else {
			err = setMember(&root, []string{"hooks", e.Name}, []hookGroup{group}, 1)
		}
		if err != nil {
			return nil, h.unreadable(err)
		}
	}
	return root.Pack(), nil
}

// Remove takes our command out of every event; groups and events that held nothing
// else go with it.
func (h HookFile) Remove(old []byte) ([]byte, error) { return keepingEnds(old, h.remove) }

func (h HookFile) remove(old []byte) ([]byte, error) {
	root, there, err := h.parse(old)
	if err != nil || len(there) == 0 {
		return old, err
	}
	for _, event := range there {
		groups, ok := root.Find("/hooks/" + event).Value.(*hujson.Array)
		if !ok {
			continue
		}
		comma := groups.Elements[len(groups.Elements)-1].AfterExtra // after the last one
		groups.Elements = slices.DeleteFunc(groups.Elements, func(g hujson.Value) bool {
			list := g.Find("/hooks")
			if list == nil {
				return false
			}
			commands, ok := list.Value.(*hujson.Array)
			if !ok {
				return false
			}
			commands.Elements = slices.DeleteFunc(commands.Elements, func(c hujson.Value) bool {
				at := c.Find("/command")
				if at == nil {
					return false
				}
				text, ok := at.Value.(hujson.Literal)
				return ok && text.Kind() == '"' && h.ours(text.String())
			})
			return len(commands.Elements) == 0
		})
		if n := len(groups.Elements); n > 0 {
			groups.Elements[n-1].AfterExtra = comma
		} else {
			if err := setMember(&root, []string{"hooks", event}, nil, 1); err != nil {
				return nil, h.unreadable(err)
			}
		}
	}
	if o, ok := root.Find("/hooks").Value.(*hujson.Object); ok && len(o.Members) == 0 {
		if err := setMember(&root, []string{"hooks"}, nil, 1); err != nil {
			return nil, h.unreadable(err)
		}
	}
	return root.Pack(), nil
}

// parse also lists the events at which our command runs.
func (h HookFile) parse(old []byte) (root hujson.Value, there []string, err error) {
	if there, _, err = h.Calls(old); err != nil {
		return root, there, err
	}
	if root, err = parsed(old); err == nil {
		err = h.unambiguous(&root)
	}
	if err != nil {
		err = h.unreadable(err)
	}
	return root, there, err
}

// unambiguous says where a file has the member for hooks, or for one of the events, twice.
func (h HookFile) unambiguous(root *hujson.Value) error {
	o, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	i, err := onlyMember(o, "hooks")
	if err != nil || i < 0 {
		return err
	}
	if o, ok = o.Members[i].Value.Value.(*hujson.Object); ok {
		for _, e := range h.Events {
			if _, err := onlyMember(o, e.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendElement adds an element after the last one of a list.
func appendElement(at *hujson.Value, value any) error {
	list, ok := at.Value.(*hujson.Array)
	if !ok {
		return fmt.Errorf("the event is not a list")
	}
	b, err := json.MarshalIndent(value, "      ", "  ")
	if err != nil {
		return err
	}
	fresh, err := hujson.Parse(b)
	if err != nil {
		return err
	}
	fresh.BeforeExtra = append(commentBehind(&list.AfterExtra), "\n      "...)
	if n := len(list.Elements); n > 0 {
		last := &list.Elements[n-1]
		fresh.AfterExtra, last.AfterExtra = last.AfterExtra, nil
	} else {
		list.AfterExtra = hujson.Extra("\n    ")
	}
	list.Elements = append(list.Elements, fresh)
	return nil
}
