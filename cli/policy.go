package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// policyFlags change a preset. What is not given stays as the preset has it.
type policyFlags struct {
	Preset       string           `group:"policy" placeholder:"NAME|FILE" help:"${policyFile}"`
	kong.Plugins `group:"policy"` // one struct, with a field for each of paramFlags
	Pin          []pins           `group:"policy" sep:"none" placeholder:"N[-M],…" help:"${pin}"`
	IfTriggered  bool             `group:"policy" help:"Act only if the threshold is reached; else refuse and say how far it is."`
}

// paramFlags are the parameters that have a flag.
var paramFlags = slices.DeleteFunc(slices.Clone(model.Params()), func(x *model.Param) bool { return x.Flag.Name == "" })

// addParams makes the flags of the table of parameters; the grammar must have
// them before anything is parsed.
func (f *policyFlags) addParams() {
	fields := make([]reflect.StructField, len(paramFlags))
	for i, x := range paramFlags {
		tag := fmt.Sprintf("name:%q help:%q", x.Flag.Name, x.Flag.Help)
		if len(x.Also) > 0 {
			tag += fmt.Sprintf(" aliases:%q", strings.Join(x.Also, ","))
		}
		if x.Flag.Placeholder != "" {
			tag += fmt.Sprintf(" placeholder:%q", x.Flag.Placeholder)
		}
		var value any
		switch x.Value(new(model.Policy)).(type) {
		case *int:
			value = number{}
			if x.Switch(new(model.Policy)) != nil {
				value = switched{}
			}
		case *model.Amount:
			value = amount{}
		case *[]model.Clause:
			value, tag = []clause(nil), tag+` sep:"none"`
		case *bool:
			value, tag = (*bool)(nil), tag+` negatable:""`
		case *string:
			value, tag = "", tag+fmt.Sprintf(` default:"" enum:"%s,"`, strings.Join(slices.Concat(x.Choices,
				slices.Sorted(maps.Keys(x.Formerly))), ","))
		}
		name := strings.ToUpper(x.Key[:1]) + x.Key[1:]
		fields[i] = reflect.StructField{Name: name, Type: reflect.TypeOf(value), Tag: reflect.StructTag(tag)}
	}
	f.Plugins = kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}
}

// given is the value of a parameter's flag, and whether it was set.
func (f *policyFlags) given(key string) (any, bool) {
	i := slices.IndexFunc(paramFlags, func(x *model.Param) bool { return x.Key == key })
	v := reflect.ValueOf(f.Plugins[0]).Elem().Field(i)
	return v.Interface(), !v.IsZero()
}

// policy is the preset with the flags put in.
func (f *policyFlags) policy(a *app) (model.Policy, error) {
	p, err := a.preset(f.Preset)
	if err != nil {
		return p, err
	}
	return f.changed(p)
}

// fitting is the policy for a thread: where no preset is named, the flags over
// the one that such a thread is opened with.
func (f *policyFlags) fitting(s *session.Session, p model.Policy) (model.Policy, error) {
	base := s.File().OpensWith(s.Ref())
	if f.Preset != "" || base.Preset == p.Preset {
		return p, nil
	}
	q, err := f.changed(base)
	if p.Strategy.Asks() { // a model was named
		q.Strategy = p.Strategy
	}
	return q, err
}

// changed is a policy with the flags put in.
func (f *policyFlags) changed(p model.Policy) (model.Policy, error) {
	for _, x := range paramFlags {
		if v, set := f.given(x.Key); set {
			if err := setParam(x, &p, v); err != nil {
				return p, err
			}
		}
	}
	if v, set := f.given("trigger"); set && p.Sliding() { // beside a tail, which says then how much stays
		p.Triggers = []model.Clause{compaction.TriggerAt(v.([]clause)[0].At.N, model.Steps)}
	}
	return p, nil
}

// setParam sets a parameter to what its flag says.
func setParam(x *model.Param, p *model.Policy, given any) error {
	switch v := given.(type) {
	case number:
		x.SetNumber(p, float64(v.n), "")
	case switched:
		*x.Switch(p) = !v.off
		x.SetNumber(p, float64(v.n), "")
	case amount:
		if v.Unit == "" {
			unit, err := x.Plainly(p, v.N)
			if err != nil {
				return usage("--%s %s%s.", x.Flag.Name, err, mistaken(x, "--"))
			}
			v.Unit = unit
		}
		if !slices.Contains(x.Units, v.Unit) {
			return usage("--%s can't be in %s; it takes %v.", x.Flag.Name, v.Unit, x.Units)
		}
		x.SetNumber(p, float64(v.N), v.Unit)
	case []clause:
		var list []model.Clause
		for _, c := range v {
			if unit, err := x.Plainly(p, c.At.N); c.plain && err == nil {
				c.At.Unit = unit
			}
			list = append(list, c.Clause)
		}
		p.SetTriggers(list)
	case *bool:
		*x.Value(p).(*bool) = *v
	case string:
		*x.Value(p).(*string) = x.Today(v)
	}
	return nil
}

// mistaken is what is said of a large number for the window, which may be meant for the
// model's limit; "" for any other parameter.
func mistaken(x *model.Param, dashes string) string {
	if x.Name() != "window" {
		return ""
	}
	return ". The model's limit is " + dashes + "model-limit"
}

// pinned is the pins, which must be within a history of n messages.
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
	if name == dash || strings.HasSuffix(strings.ToLower(name), ".json") || strings.ContainsAny(name, `/\`) {
		return a.stdin.presetFile(name)
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
	p, err := a.stdin.presetFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		names := values(builtIn, func(p *compaction.Preset) string { return p.ID })
		return p, usage("There is no preset %q, built in or stored, and no such file.%s See palimpsest presets.", name, meant(name, names))
	}
	return p, err
}

// presetFile reads a policy, or {title, policy}. A field that is not named is
// that of the default preset.
func (in *input) presetFile(path string) (model.Policy, error) {
	b, err := in.content(path)
	if err != nil {
		return model.Policy{}, &model.Problem{Code: "cannot-read", What: fmt.Sprintf("The preset %s can't be read.", path),
			Why: systemSays(err), Next: "Check the path. palimpsest presets lists what is built in or stored.", Err: err}
	}
	p, err := compaction.ReadPreset(b, path)
	if err != nil {
		err = usage("%s is no preset: %v. See docs/json.md for its fields.", path, err)
	}
	return p, err
}
