// Package doors finds out whether the parts beside agents work: the database, the gateways that
// answer, the agents' programs, and their hooks. The verb doctor and the window ask it, and both
// have its words.
package doors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/assets"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// Diagnosis is one thing that works, or does not.
type Diagnosis struct {
	Of    Line
	State State
	Says  []Line
	Do    *Line // one sentence; nil: nothing is to be done
}

// State is how a thing is.
type State string

// The states.
const (
	Works State = "works"
	Off   State = "off" // it is not used
	Fault State = "fault"
)

// Line is words by their key in assets/lang/doctor, with pairs of a name and a value that they
// speak of.
type Line struct {
	Key  string
	Args []any
}

func line(key string, args ...any) Line { return Line{"doctor." + key, args} }

func (d *Diagnosis) say(key string, args ...any) { d.Says = append(d.Says, line(key, args...)) }

func (d *Diagnosis) do(key string, args ...any) { l := line(key, args...); d.Do = &l }

var english = sync.OnceValue(func() (texts map[string]string) {
	text, err := assets.Lang.ReadFile("lang/doctor.en.json")
	if err = errors.Join(err, json.Unmarshal(text, &texts)); err != nil {
		panic(err) // it is built into the program, and a test reads it
	}
	return texts
})

// English spells a line.
func (l *Line) English() string {
	var pairs []string
	for i := 0; i+1 < len(l.Args); i += 2 {
		pairs = append(pairs, fmt.Sprintf("{{.%v}}", l.Args[i]), fmt.Sprint(l.Args[i+1]))
	}
	return strings.NewReplacer(pairs...).Replace(english()[l.Key])
}

// Database is the database of the asker.
type Database struct {
	Path string // or address, without a password
	// Sessions lists the sessions that were noted in it, the last first; false: there is no
	// database yet.
	Sessions func(ctx context.Context) (list []model.LiveSession, there bool, err error)
	Why      func(error) string // an error in the words of who asks
}

// Find looks at all of it.
func Find(ctx context.Context, db Database) ([]Diagnosis, error) {
	list := []Diagnosis{findDatabase(ctx, db)}
	all, err := Runs()
	for _, r := range all {
		list = append(list, findGateway(ctx, &r))
	}
	if len(all) == 0 {
		d := Diagnosis{Of: line("gateway"), State: Off}
		d.say("noGateway")
		d.do("do.run")
		list = append(list, d)
	}
	exe, fault := os.Executable()
	if err := errors.Join(err, fault); err != nil {
		return nil, err
	}
	for _, t := range toolconfig.All() {
		found, err := findTool(ctx, t, Reading(exe), db.Why)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	if said := LastError(); said != "" {
		list = append(list, Diagnosis{Of: line("hooks"), State: Off, Says: []Line{line("lastError", "said", said)}})
	}
	return list, nil
}

// findDatabase is whether records can be kept.
func findDatabase(ctx context.Context, db Database) Diagnosis {
	d := Diagnosis{Of: line("database"), State: Works}
	if db.Path != "" {
		d.say("at", "place", db.Path)
	}
	list, there, err := db.Sessions(ctx)
	switch {
	case err != nil:
		d.State = Fault
		d.say("at", "place", db.Why(err))
		d.do("do.check")
	case !there:
		d.State = Off
		d.say("notMade")
	case len(list) > 0:
		d.say("noted", "time", when(list[0].Changed))
	}
	return d
}

func when(t time.Time) string { return t.Local().Format(time.DateTime) }

// findGateway is whether a gateway answers, or was killed.
func findGateway(ctx context.Context, r *Run) Diagnosis {
	d := Diagnosis{Of: line("gateway"), State: Works}
	if r.Tool == "" {
		d.say("at", "place", r.Address)
	} else {
		d.say("ofRun", "place", r.Address, "tool", r.Tool)
	}
	switch h, gone := r.Health(ctx); {
	case gone:
		d.State = Fault
		d.say("killed")
		d.do("do.unwrap")
	case h == nil:
		d.State = Off
		d.say("stopped")
	default:
		d.answers(h)
	}
	return d
}

// answers says how a gateway is.
func (d *Diagnosis) answers(h *Health) {
	d.say("mode", "mode", h.Mode)
	d.say("calls", "calls", figure.Int(int64(h.Calls)))
	if !h.Last.IsZero() {
		d.say("last", "time", when(h.Last))
	}
	if h.Record != "" {
		d.say("compacted", "time", when(h.Firing), "record", h.Record)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Models)) {
		m := h.Models[name]
		d.say("limit", "model", name, "limit", figure.Int(int64(m.Limit)))
		if m.Trigger > 0 {
			d.say("threshold", "tokens", figure.Int(int64(m.Trigger)))
		}
		if m.Factor > 0 {
			d.say("factor", "factor", figure.Decimal(m.Factor, 2))
		}
		if m.Assumed {
			d.do("do.limit", "model", name)
		}
	}
}

// findTool is how a tool stands to this program, if it is here.
func findTool(ctx context.Context, t *toolconfig.Tool, s *toolconfig.Start, why func(error) string) ([]Diagnosis, error) {
	folder, err := model.UserPath(t.Folder)
	if err != nil {
		return nil, err
	}
	program, missing := exec.LookPath(t.Program)
	if _, none := os.Stat(folder); none != nil && missing != nil {
		return nil, nil
	}
	d := Diagnosis{Of: line("tool", "tool", t.Name), State: Works}
	if missing == nil {
		d.say("at", "place", program)
	} else {
		d.State = Off
		d.say("missing", "program", t.Program)
	}
	if entered, takes := t.Entered(s); takes && entered {
		d.say("entered")
	} else if takes {
		d.say("notEntered")
	}
	d.asks(ctx, t, s)
	if t.Events == nil {
		return []Diagnosis{d}, nil
	}
	hook, err := findHook(t, s, why)
	return []Diagnosis{d, hook}, err
}

// asks says where a tool that a person starts by itself asks a gateway that is not there.
func (d *Diagnosis) asks(ctx context.Context, t *toolconfig.Tool, s *toolconfig.Start) {
	s.Path = func(name string) string { return name }
	s.Base = func(upstream string) string {
		if strings.HasPrefix(upstream, "http://127.0.0.1:") || strings.HasPrefix(upstream, "http://localhost:") {
			_, err := AskHealth(ctx, strings.TrimSuffix(upstream, "/v1"))
			switch {
			case err == nil:
				d.say("asks", "place", upstream)
			case !errors.Is(err, errNoGateway):
				d.State = Fault
				d.say("asksNothing", "place", upstream)
				d.do("do.address")
			}
		}
		return upstream
	}
	_ = t.Start(s) // one that can't be started so asks no gateway
}

// findHook is whether a tool calls this program before and after it compacts.
func findHook(t *toolconfig.Tool, s *toolconfig.Start, why func(error) string) (Diagnosis, error) {
	h, err := NewHook(t.HookFile(s.Self[0] + " hook"))
	d := Diagnosis{Of: line("hook", "tool", t.Name), State: Works}
	switch {
	case h.Err != nil:
		d.say("file", "place", h.Path, "says", why(h.Err))
	case len(h.Events) == 0:
		d.say("notInstalled", "place", h.Path)
	default:
		d.say("file", "place", h.Path, "says", strings.Join(h.Events, ", "))
	}
	switch {
	case err != nil:
		return d, err
	case len(h.Events) == 0:
		d.State = Off
		d.do("do.install", "key", t.Key(), "program", t.Program)
		return d, nil
	case len(h.Events) < len(t.Events):
		d.State = Fault
		d.do("do.complete", "key", t.Key())
	}
	if _, err := exec.LookPath(h.Program); err != nil {
		d.State = Fault
		d.say("callsNothing", "program", h.Program)
		d.do("do.again", "key", t.Key())
	}
	if last := h.Last(); last != "" {
		d.say("called", "time", last)
		return d, nil
	}
	d.say("never")
	if !t.Reviewed(s, h.Path) {
		d.State = Fault
		d.do("do.review", "tool", t.Name)
	}
	return d, nil
}
