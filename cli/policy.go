package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/store"
)

const policyFileHelp = "Start from a built-in preset, one stored in the database, or a JSON file (default: balanced). The other flags change it."

// policyFlags change a preset. What is not given stays as the preset has it.
type policyFlags struct {
	Preset           string   `group:"policy" placeholder:"NAME|FILE" help:"${policyfile}"`
	ContextWindow    number   `group:"policy" placeholder:"N" help:"The model's limit in tokens. Default: as the file or the table of models tells."`
	Reserve          number   `group:"policy" placeholder:"N" help:"Tokens kept free for the answer."`
	Trigger          []clause `group:"policy" sep:"none" placeholder:"80%" help:"When to compact: 80%, 120000 (tokens), 40msgs, 5steps. Repeatable: any one fires."`
	Window           amount   `group:"policy" placeholder:"N" help:"Recent tail that stays word for word: 10msgs, 5steps, 3turns, 20000tok. A plain number is messages."`
	Batch            amount   `group:"policy" placeholder:"N" help:"The most one pass takes, in the same units; 0 is all before the tail."`
	Target           number   `group:"policy" placeholder:"N" help:"Tokens that must be reached once it has fired."`
	MinGain          number   `group:"policy" placeholder:"N" help:"Messages a pass must free at least."`
	KeepFirstUser    *bool    `group:"policy" negatable:"" help:"Keep the first user message."`
	Strategy         string   `group:"policy" placeholder:"NAME" enum:"extract,structured,table,ledger,model,model+ledger,drop,clear," default:"" help:"How the summary is made: extract, structured (JSON), table, ledger (literal facts that are likeliest to be needed); model asks one (see below), model+ledger puts the ledger behind its words; drop leaves the messages out, clear only clears old tool results."`
	SummaryBudget    amount   `group:"policy" placeholder:"N" help:"Most one summary may take: 1500chars, 1000tok."`
	LayerBudget      amount   `group:"policy" placeholder:"N" help:"Most all summaries may take together."`
	Adaptive         *bool    `group:"policy" negatable:"" help:"Let window and batch follow the length so far."`
	Pin              []pins   `group:"policy" sep:"none" placeholder:"N[-M],…" help:"Messages that stay, by the numbers preview prints."`
	ClearToolResults clearing `group:"policy" placeholder:"N" help:"Replace old tool results by a note, but the newest N; off turns a preset's clearing off."`
	OnFailure        string   `group:"policy" placeholder:"WHAT" enum:"keep,extract,truncate," default:"" help:"When the summary can't be made: keep, extract or truncate."`
	IfTriggered      bool     `group:"policy" help:"Act only if the trigger fires; else refuse and tell how far it is."`
}

// policy is the preset with the flags put in. st is asked for stored presets
// only when the name is no built-in one.
func (f *policyFlags) policy(a *app) (model.Policy, error) {
	p, err := a.preset(f.Preset)
	if err != nil {
		return p, err
	}
	set := func(v number, to *int) {
		if v.set {
			*to = v.n
		}
	}
	set(f.ContextWindow, &p.Window)
	set(f.Reserve, &p.Reserve)
	set(f.Target, &p.Target)
	set(f.MinGain, &p.MinGain.Messages)
	if err := f.amounts(&p); err != nil {
		return p, err
	}
	if len(f.Trigger) > 0 {
		p.Triggers = nil
		for _, c := range f.Trigger {
			p.Triggers = append(p.Triggers, c.Clause)
		}
	}
	if f.KeepFirstUser != nil {
		p.KeepFirstUser = *f.KeepFirstUser
	}
	if f.Adaptive != nil {
		p.Adaptive = *f.Adaptive
	}
	if f.Strategy != "" {
		p.Strategy = model.Strategy(f.Strategy)
	}
	if f.OnFailure != "" {
		p.OnFailure = model.OnFailure(f.OnFailure)
	}
	if c := f.ClearToolResults; c.defined {
		p.Clear.On, p.Clear.Keep = !c.off, c.keep
	}
	return p, nil
}

func (f *policyFlags) amounts(p *model.Policy) error {
	for _, v := range []struct {
		flag  string
		given amount
		to    *model.Amount
		plain model.Unit
		more  []model.Unit
	}{
		{"--window", f.Window, &p.Tail, model.Messages, []model.Unit{model.Groups, model.Steps, model.Turns, model.Tokens}},
		{"--batch", f.Batch, &p.Batch, model.Messages, []model.Unit{model.Groups, model.Steps, model.Turns, model.Tokens}},
		{"--summary-budget", f.SummaryBudget, &p.Budget, model.Tokens, []model.Unit{model.Chars}},
		{"--layer-budget", f.LayerBudget, &p.LayerBudget, model.Tokens, []model.Unit{model.Chars}},
	} {
		if !v.given.set {
			continue
		}
		a, err := v.given.in(v.flag, v.plain, v.more...)
		if err != nil {
			return err
		}
		*v.to = a
	}
	return nil
}

// pinned is the pins, which must lie within a history of n messages.
func (f *policyFlags) pinned(n int) ([]model.Range, error) {
	var out []model.Range
	for _, p := range f.Pin {
		for _, r := range p.ranges {
			if r.To > n {
				return nil, usage("There is no message %d to pin: the history has %d.", r.To, n)
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// preset finds a preset: built in, stored, or a file.
func (a *app) preset(name string) (model.Policy, error) {
	if name == "" {
		return compaction.Default(), nil
	}
	builtIn := compaction.Presets()
	for _, l := range compaction.LookAlikes() {
		builtIn = append(builtIn, l.Preset)
	}
	for _, p := range builtIn {
		if strings.EqualFold(p.ID, name) || strings.EqualFold(p.Title, name) {
			p.Policy.Preset = p.ID
			return p.Policy, nil
		}
	}
	if strings.HasSuffix(strings.ToLower(name), ".json") || strings.ContainsAny(name, `/\`) {
		return presetFile(name)
	}
	if st, err := a.existing(); err == nil {
		defer st.Close()
		p, err := st.Preset(a.ctx, name)
		if err == nil {
			p.Policy.Preset = p.Name
			return p.Policy, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return model.Policy{}, err
		}
	}
	p, err := presetFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return p, usage("There is no preset %q, built in or stored, and no such file. See palimpsest presets.", name)
	}
	return p, err
}

// presetFile reads a policy, or {title, policy}. A field that is not named is
// that of the default preset.
func presetFile(path string) (model.Policy, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return model.Policy{}, fmt.Errorf("read the preset: %w", err)
	}
	bad := func(err error) (model.Policy, error) {
		return model.Policy{}, usage("%s is no preset: %v. See docs/json.md for its fields.", path, err)
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(b, &given); err != nil {
		return bad(err)
	}
	title := path
	if inner, ok := given["policy"]; ok {
		if t, ok := given["title"]; ok {
			if err := json.Unmarshal(t, &title); err != nil {
				return bad(err)
			}
		}
		given = nil
		if err := json.Unmarshal(inner, &given); err != nil {
			return bad(err)
		}
	}
	return mergePolicy(given, title, bad)
}

func mergePolicy(given map[string]json.RawMessage, title string, bad func(error) (model.Policy, error)) (model.Policy, error) {
	whole := map[string]json.RawMessage{}
	def := compaction.Default()
	def.Preset = title
	text, err := json.Marshal(def)
	if err == nil {
		err = json.Unmarshal(text, &whole)
	}
	if err != nil {
		return bad(err)
	}
	for k, v := range given {
		whole[k] = v
	}
	if text, err = json.Marshal(whole); err != nil {
		return bad(err)
	}
	var p model.Policy
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return bad(err)
	}
	return p, checkPolicy(p, bad)
}

// checkPolicy refuses words that no policy knows; numbers out of range are
// brought to their nearest legal value later.
func checkPolicy(p model.Policy, bad func(error) (model.Policy, error)) error {
	known := func(what, got string, list ...string) error {
		for _, s := range list {
			if got == s {
				return nil
			}
		}
		_, err := bad(fmt.Errorf("%s %q is not known", what, got))
		return err
	}
	err := errors.Join(
		known("strategy", string(p.Strategy), strategies()...),
		known("former", string(p.Former), string(model.MergeFormer), string(model.LayerFormer)),
		known("onFailure", string(p.OnFailure), string(model.KeepEverything), string(model.ExtractInstead), string(model.TruncateAtHard)))
	for _, a := range []model.Amount{p.Tail, p.Batch, p.Budget, p.LayerBudget} {
		err = errors.Join(err, knownUnit(a.Unit, bad))
	}
	for _, c := range p.Triggers {
		err = errors.Join(err, knownUnit(c.At.Unit, bad))
	}
	return err
}

// strategies are the names of all strategies.
func strategies() []string {
	var out []string
	for _, s := range model.Strategies() {
		out = append(out, string(s))
	}
	return out
}

func knownUnit(u model.Unit, bad func(error) (model.Policy, error)) error {
	if u == "" || units[string(u)] == u {
		return nil
	}
	_, err := bad(fmt.Errorf("unit %q is not known", u))
	return err
}
