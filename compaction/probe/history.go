package probe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"palimpsest/model"
)

// Message is a message of a history.
type Message struct {
	*model.Message
	Num   int // as a person counts it
	Parts []model.Part
}

// call is a call that the agent made, with its result.
type call struct {
	num    int // of the message that made it
	at     int // place in the history
	tool   string
	args   map[string]any
	result string
	failed bool
	ended  int // number of the message of the result
}

// calls are the calls of a history, in order, with their results as far as they stand in it.
func calls(history []Message) (out []call) {
	place := map[string]int{}
	for at, m := range history {
		for _, p := range m.Parts {
			switch p.Kind {
			case model.PartCall:
				c := call{num: m.Num, at: at, tool: p.Name, args: map[string]any{}}
				if json.Unmarshal([]byte(p.Text), &c.args) != nil {
					c.args = map[string]any{"input": p.Text}
				}
				place[p.CallID] = len(out)
				out = append(out, c)
			case model.PartResult:
				if i, ok := place[p.CallID]; ok {
					c := &out[i]
					c.result, c.ended, c.failed = c.result+p.Text, m.Num, c.failed || p.Error || m.Error || like("exited", p.Text)
				}
			}
		}
	}
	return out
}

// arg is the first argument of a call, by these names, that is a text.
func (c *call) arg(names ...string) string {
	for _, n := range names {
		switch v := c.args[n].(type) {
		case string:
			if v != "" {
				return v
			}
		case []any: // a command as a list: its last word is the script
			if len(v) > 0 {
				s, _ := v[len(v)-1].(string)
				return s
			}
		}
	}
	return ""
}

// command is the shell command of a call without the folder it ran in; "": it is none.
func (c *call) command() string {
	switch strings.ToLower(c.tool) {
	case "bash", "shell", "exec_command", "local_shell", "shell_command", "execute_bash", "run_shell_command",
		"terminal", "execute_command":
		return strings.TrimSpace(patterns()["elsewhere"].ReplaceAllString(c.arg("command", "cmd", "script"), ""))
	}
	return ""
}

// changed are the files that a call wrote.
func (c *call) changed() (out []string) {
	if c.failed || c.ended == 0 || strings.HasPrefix(c.result, "Error") || strings.Contains(c.result, "verification failed") ||
		strings.Contains(c.result, "doesn't want to proceed") {
		return nil
	}
	switch strings.ToLower(c.tool) {
	case "edit", "write", "multiedit", "edit_file", "write_file", "str_replace", "replace", "create_file":
		if p := c.file(); p != "" {
			out = append(out, p)
		}
	case "apply_patch", "patch", "shell", "exec_command":
		for _, m := range groups("patched", c.arg("input", "patch", "command", "cmd")) {
			out = append(out, strings.TrimSpace(m[0]))
		}
	}
	return out
}

func (c *call) file() string {
	return c.arg("file_path", "filePath", "path", "notebook_path", "filename")
}

// files are those that a call names: its argument, and the paths in its command.
func (c *call) files() (out []string) {
	if f := c.file(); f != "" {
		out = append(out, f)
	}
	for _, m := range groups("path", c.command()) {
		if !strings.Contains(m[0], "..") { // a range of commits, or a place that is not told
			out = append(out, m[0])
		}
	}
	return out
}

// mainArg is the argument by which a call differs from others of its tool, on one line.
func (c *call) mainArg() string {
	s := cmp.Or(c.command(), c.file(), c.arg("pattern", "query", "url", "prompt", "description", "subject"))
	return oneLine(s, 110)
}

// Text is a message as a reader gets it.
func (m *Message) Text() string {
	var b strings.Builder
	for _, p := range m.Parts {
		who := m.Kind.String()
		switch p.Kind {
		case model.PartMedia, model.PartOpaque:
			continue
		case model.PartReasoning:
			who += ", thinking"
		case model.PartCall:
			who += " calls " + p.Name
			p.Text = escapes.Replace(p.Text)
		}
		fmt.Fprintf(&b, "[%d] %s: %s\n", m.Num, who, p.Text)
	}
	return b.String()
}

// escapes makes the arguments of a call readable.
var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`)

// texts are the texts of a message of one kind of part.
func (m *Message) texts(kind model.PartKind) (out []string) {
	for _, p := range m.Parts {
		if p.Kind == kind && p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return out
}

// oneLine is a text on one line, cut to a length in code points.
func oneLine(text string, most int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// near is a path by its name and the folder it is in, which any spelling of it has.
func near(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	folder := path.Base(path.Dir(file))
	if folder == "." || folder == "/" {
		return ""
	}
	return folder + "/" + path.Base(file)
}
