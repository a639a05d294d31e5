package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"palimpsest/cli/live"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/store"
)

// doctorCmd says whether what this program does beside agents works.
type doctorCmd struct {
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// diagnosis is one thing that works, or does not.
type diagnosis struct {
	Of    string `json:"of"`
	State state  `json:"state"`
	Says  string `json:"says"`
	Do    string `json:"do"` // one sentence; "": nothing is to be done
}

// state is how a thing is.
type state string

// The states. Only a fault makes the verb fail.
const (
	works state = "works"
	off   state = "off"
	fault state = "fault"
)

func (c *doctorCmd) Run(a *app) error {
	var list []diagnosis
	for _, find := range []func(*app) ([]diagnosis, error){findDatabase, findGateways, findTools, findHookErrors} {
		found, err := find(a)
		if err != nil {
			return err
		}
		list = append(list, found...)
	}
	ill := slices.ContainsFunc(list, func(f diagnosis) bool { return f.State == fault })
	if c.JSON {
		if err := a.printJSON(list); err != nil {
			return err
		}
	} else {
		table(a.out, values(list, func(f *diagnosis) string { return row(string(f.State), f.Of, f.Says) })...)
		for _, f := range list {
			if f.Do != "" {
				fmt.Fprintf(a.out, "\n%s: %s\n", f.Of, f.Do)
			}
		}
	}
	if ill {
		return silent(exitFailed)
	}
	return nil
}

// findDatabase is whether records can be kept.
func findDatabase(a *app) ([]diagnosis, error) {
	f := diagnosis{Of: "database", State: works}
	path, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	f.Says, _ = store.WithoutPassword(path)
	st, err := a.ifThere()
	switch {
	case err != nil:
		f.State, f.Says, f.Do = fault, sentence(err), "palimpsest records check says more."
		return []diagnosis{f}, nil
	case st == nil:
		f.State, f.Says = off, f.Says+", made with the first record"
		return []diagnosis{f}, nil
	}
	defer st.Close()
	list, err := st.Live(a.ctx, time.Time{})
	if err != nil {
		f.State, f.Says = fault, sentence(err)
	} else if len(list) > 0 {
		f.Says += "; the last call that was noted: " + list[0].Changed.Local().Format(time.DateTime)
	}
	return []diagnosis{f}, nil
}

// findGateways is which gateways answer, and which were killed.
func findGateways(a *app) (list []diagnosis, err error) {
	all, err := runs()
	for _, r := range all {
		h, gone := r.health(a.ctx)
		f := diagnosis{Of: "gateway", State: works, Says: r.Address}
		if r.Tool != "" {
			f.Says += " of run " + r.Tool
		}
		switch {
		case gone:
			f.State, f.Says, f.Do = fault, f.Says+" was killed and left files", "palimpsest unwrap removes them; so does the next run."
		case h == nil:
			f.State, f.Says = off, f.Says+" is stopped for a while"
		default:
			f.Says += healthText(h)
			for name, m := range h.Models {
				if m.Assumed {
					f.Do = fmt.Sprintf("The limit of %s is assumed: start the gateway with --model-limit N.", name)
				}
			}
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		list = []diagnosis{{"gateway", off, "none answers", "palimpsest run claude starts one, and the agent with it."}}
	}
	return list, err
}

// healthText is how a gateway is.
func healthText(h *live.Health) string {
	text := fmt.Sprintf(" in mode %s; %s", h.Mode, plural(h.Calls, "call"))
	if !h.Last.IsZero() {
		text += ", the last " + h.Last.Local().Format(time.DateTime)
	}
	if h.Record != "" {
		text += fmt.Sprintf("; compacted last %s, %s", h.Fired.Local().Format(time.DateTime), h.Record)
	}
	for name, m := range h.Models {
		text += fmt.Sprintf("; %s: limit %s", name, thousands(m.Limit))
		if m.Trigger > 0 {
			text += ", threshold " + thousands(m.Trigger)
		}
		if m.Factor > 0 {
			text += ", counts × " + figure.Decimal(m.Factor, 2)
		}
	}
	return text
}

// findTools is how each tool that is here stands to this program.
func findTools(a *app) (list []diagnosis, err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, t := range toolconfig.All() {
		folder, err := model.UserPath(t.Folder)
		if err != nil {
			return nil, err
		}
		program, missing := exec.LookPath(t.Program)
		if _, none := os.Stat(folder); none != nil && missing != nil {
			continue
		}
		says := program
		if missing != nil {
			says = "is not found as " + t.Program
		}
		f := diagnosis{t.Name, works, says, ""}
		s := reading(exe)
		if entered, takes := t.Entered(s); takes && entered {
			f.Says += "; entered as a server of tools"
		} else if takes {
			f.Says += "; not entered as a server of tools"
		}
		f.asks(a, t, s)
		list = append(list, f)
		if t.Events != nil {
			hook, err := findHook(a, t, s)
			if err != nil {
				return nil, err
			}
			list = append(list, hook)
		}
	}
	return list, nil
}

// asks says where a tool that a person starts by itself asks a gateway that is not there.
func (f *diagnosis) asks(a *app, t *toolconfig.Tool, s *toolconfig.Start) {
	s.Path = func(name string) string { return name }
	s.Base = func(upstream string) string {
		if strings.HasPrefix(upstream, "http://127.0.0.1:") || strings.HasPrefix(upstream, "http://localhost:") {
			_, err := live.AskHealth(a.ctx, strings.TrimSuffix(upstream, "/v1"))
			switch {
			case err == nil:
				f.Says += "; asks the gateway at " + upstream
			case !errors.Is(err, live.ErrNoGateway):
				f.State, f.Says = fault, f.Says+"; asks "+upstream+", where nothing answers"
				f.Do = "Start what answers there, or take the address out of its variable or settings."
			}
		}
		return upstream
	}
	_ = t.Start(s) // one that can't be started so asks no gateway
}

// findHook is whether a tool calls this program before and after it compacts.
func findHook(a *app, t *toolconfig.Tool, s *toolconfig.Start) (diagnosis, error) {
	h, err := newHookState(t.HookFile(s.Self[0] + " hook"))
	f := diagnosis{t.Name + ", hook", works, h.path + ": " + h.text(), ""}
	install := "palimpsest hook install --in " + t.Key()
	switch {
	case err != nil:
		return f, err
	case len(h.events) == 0:
		f.State, f.Do = off, install+" records its own compactions; so does palimpsest run "+t.Program+"."
		return f, nil
	case len(h.events) < len(t.Events):
		f.State, f.Do = fault, install+" adds the events that lack."
	}
	if _, err := exec.LookPath(h.program); err != nil {
		f.State, f.Says = fault, f.Says+"; it calls "+h.program+", which is not there"
		f.Do = "palimpsest unwrap takes it out, and " + install + " puts it in."
	}
	if h.last() == "" {
		f.Says += "; never called"
		if !t.Reviewed(s, h.path) {
			f.State, f.Do = fault, t.Then
		}
	} else {
		f.Says += "; last called " + h.last()
	}
	return f, nil
}

// findHookErrors is what went wrong last in a hook.
func findHookErrors(*app) ([]diagnosis, error) {
	said := lastError()
	if said == "" {
		return nil, nil
	}
	return []diagnosis{{"hooks", off, "the last error: " + said, ""}}, nil
}
