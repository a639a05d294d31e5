package toolconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Tool is a program with an agent in it: how it is started so that it asks a gateway,
// where its hooks are, and how its compaction is configured. What is empty is not known
// of it. In paths ~ is the home folder.
type Tool struct {
	ID      string // as a person types it for its settings and hooks, "claude-code"
	Name    string // as its makers spell it
	Program string // as it is typed in a shell
	Folder  string // is there where it was ever started

	session string   // the header with the number of its session
	summary []string // words in which it asks a model for a summary when it compacts by itself

	start   func(s *Start) error
	servers []place // where its servers of the Model Context Protocol are entered

	Hooks  string // the file with its hooks
	Events []HookEvent
	wait   int    // how long it waits for a hook: seconds, or milliseconds
	Then   string // what a person does when hooks were installed; "": nothing

	File    string   // where its settings usually are
	Checked string   // version or commit, and date, of what was read
	Notes   []string // how its rule differs from what a policy can say, one sentence each
	kind    syntax
	say     func(p model.Policy, c config) ([]setting, error)
	read    func(c config, p *model.Policy)
}

// HookEvent is an event at which a program runs our command.
type HookEvent struct {
	Name    string
	Matcher string // of the event's kinds; "": all
}

// Start is how a program is started so that it asks a gateway for its models and has this
// program's tools and hooks, for this one time: by arguments and variables, and by files
// that stand in for the person's.
type Start struct {
	Env  func(name string) string
	Read func(path string) []byte     // nil: there is no such file
	Base func(upstream string) string // the gateway's address for a server
	Path func(name string) string     // where a file of this run is
	Self []string                     // this program, with the flag of its database

	Args  []string // before the person's own
	Vars  map[string]string
	Files map[string][]byte // of this run, by their names
	Loans []Loan

	tool *Tool
}

// Loan is a person's file of which a program reads, and may write, a copy.
type Loan struct {
	File  string    `json:"file"`  // the person's
	Copy  string    `json:"copy"`  // the copy's name among the files of the run
	Was   string    `json:"was"`   // hash of the person's
	Given string    `json:"given"` // hash of the copy as the program found it
	Back  []setting `json:"back"`  // what a text is given before it becomes the person's
}

// place is a member of a person's file.
type place struct{ file, member string }

// Result is a policy as the configuration of a tool.
type Result struct {
	Text []byte         // the whole configuration
	Does model.Policy   // what the tool will do: Text, read back
	Lost []*model.Param // parameters of which the tool does something else than was asked, in the order of the table
}

// setting is one value of a configuration; a nil value removes it.
type setting struct {
	Path  []string `json:"path"`
	Value any      `json:"value"`
}

func set(path string, value any) setting { return setting{strings.Split(path, "."), value} }

// config is a configuration that is read: the value at a path, a bool, number,
// string, []any or map[string]any, and whether there is one.
type config func(path ...string) (any, bool)

// number is the number at a path, which may also be spelled as a string.
func (c config) number(path string) (float64, bool) {
	v, _ := c(strings.Split(path, ".")...)
	switch n := v.(type) {
	case string:
		f, err := strconv.ParseFloat(n, 64)
		return f, err == nil
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// is reports whether the switch at a path is set, and set to on.
func (c config) is(path string, on bool) bool {
	v, _ := c(strings.Split(path, ".")...)
	return v == on
}

// Write puts a policy into a configuration; old may be empty. The error is a
// [model.Problem]: the configuration can't be read or patched, or the policy needs
// a context window to be said.
func (t *Tool) Write(p model.Policy, old []byte) (Result, error) {
	p, _ = compaction.Normalise(p)
	p = p.InTokens() // what tools keep is no share of the window
	c, err := t.kind.parse(old)
	if err != nil {
		return Result{}, t.unreadable(err)
	}
	list, err := t.say(p, c)
	if err == errNoClause { // the tool counts nothing but tokens
		list, err = nil, nil
	}
	if err != nil {
		return Result{}, err
	}
	var r Result
	patch := func(text []byte) ([]byte, error) { return t.kind.patch(text, list) }
	if r.Text, err = keepingEnds(old, patch); err != nil {
		return Result{}, t.unreadable(err)
	}
	if r.Does, err = t.Read(r.Text, p.Window); err != nil {
		return Result{}, err
	}
	for _, x := range model.Params() {
		if !same(x, p, r.Does) {
			r.Lost = append(r.Lost, x)
		}
	}
	return r, nil
}

// Read returns what the tool does under a configuration, which may be empty, with
// a context window of so many tokens; 0: unknown, then shares stay shares.
func (t *Tool) Read(text []byte, window int) (model.Policy, error) {
	c, err := t.kind.parse(text)
	if err != nil {
		return model.Policy{}, t.unreadable(err)
	}
	p := t.base()
	p.Preset, p.Window = "", window
	t.read(c, &p)
	return p, nil
}

func (t *Tool) unreadable(err error) error {
	why := strings.TrimRight(err.Error(), ".") + "."
	if library, said, _ := strings.Cut(why, ": "); library == "hujson" || library == "toml" {
		why = "It is not well formed: " + said
	}
	why = strings.ToUpper(why[:1]) + why[1:]
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		why = "It holds no object with settings, but this: " + kind.Value + "."
	}
	return &model.Problem{Code: "tool-config", What: fmt.Sprintf("This configuration of %s can't be read or changed.", t.Name),
		Why: why, Next: "Mend the file, or write into an empty one and copy.", Err: err}
}

// ofModel are the parameters that the model decides, not the tool.
var ofModel = []string{"window", "reserve", "fixed"}

// same reports whether a parameter means the same in two policies that have the
// same context window.
func same(x *model.Param, p, q model.Policy) bool {
	switch {
	case slices.Contains(ofModel, x.Key), !x.Used(&p) && !x.Used(&q):
		return true
	case x.SwitchedOff(&p) || x.SwitchedOff(&q):
		return x.SwitchedOff(&p) && x.SwitchedOff(&q)
	}
	v, w := x.Value(&p), x.Value(&q)
	switch a := v.(type) {
	case *[]model.Clause:
		return sameTriggers(*a, *w.(*[]model.Clause), p.Window)
	case *[]model.Range:
		return slices.Equal(*a, *w.(*[]model.Range))
	case *model.Amount:
		if b := w.(*model.Amount); a.N == 0 && b.N == 0 {
			return true
		}
	}
	return reflect.DeepEqual(v, w)
}

// sameTriggers compares clauses one by one; a share counts as the tokens that it
// is, to a thousandth of the window.
func sameTriggers(a, b []model.Clause, window int) bool {
	return slices.EqualFunc(a, b, func(x, y model.Clause) bool {
		if x == y {
			return true
		}
		n, okN := clauseTokens(x, window)
		m, okM := clauseTokens(y, window)
		return okN && okM && math.Abs(float64(n-m)) <= max(1, float64(window)/1000) ||
			x.Share > 0 && y.Share > 0 && math.Abs(x.Share-y.Share) < .001
	})
}

// clauseTokens is where a clause fires, in tokens; false: it counts something
// else, or a share of a window that is unknown.
func clauseTokens(c model.Clause, window int) (int, bool) {
	switch {
	case c.Share > 0:
		return int(math.Round(c.Share * float64(window))), window > 0
	case c.At.Unit == model.Tokens:
		return c.At.N, true
	}
	return 0, false
}

// errNoClause says that no clause is in tokens.
var errNoClause = errors.New("no clause of the threshold is in tokens")

// triggerTokens is the least number of tokens at which a policy fires.
func triggerTokens(p model.Policy) (int, error) {
	least, found := 0, false
	for _, c := range p.Triggers {
		if c.Share > 0 && p.Window == 0 {
			return 0, errWindow
		}
		if n, ok := clauseTokens(c, p.Window); ok && (!found || n < least) {
			least, found = n, true
		}
	}
	if !found {
		return 0, errNoClause
	}
	return least, nil
}

var errWindow = &model.Problem{Code: "tool-window", What: "The model limit is not known.",
	Why:  "This tool and this policy give the threshold in different terms, tokens and a share of the limit.",
	Next: "Say it: --model-limit 200000."}

// tokens is a trigger at so many tokens. Every call is over a limit below zero.
func tokens(n int) []model.Clause {
	return []model.Clause{compaction.TriggerAt(max(0, n), model.Tokens)}
}

// base is what the tool does without a setting: its published look-alike, with the
// model that the tool really asks, without a limit of the summary.
func (t *Tool) base() model.Policy {
	p := compaction.BasePolicy()
	for _, l := range compaction.LookAlikes() {
		if l.ID == "like-"+t.ID {
			p = l.Policy
		}
	}
	p.Strategy, p.Budget = model.ModelText, model.Amount{Unit: model.Tokens}
	return p
}

// decimal spells a number without trailing zeros.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
