package cli

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model/store"
	counting "palimpsest/model/tokens"
)

type factorsCmd struct {
	Set   []factor `sep:"none" placeholder:"FAMILY=N" help:"Keep a factor, as claude=1.25. Repeatable."`
	Reset []string `sep:"none" placeholder:"FAMILY" help:"Take a family's default again. Repeatable."`
	JSON  bool     `name:"json" help:"Print JSON (docs/json.md)."`
}

// familyFactor is one entry of the JSON of factors.
type familyFactor struct {
	Family  string  `json:"family"`
	Factor  float64 `json:"factor"`
	Default float64 `json:"default"`
	Set     bool    `json:"set"`
}

// factor is a family with its factor: "claude=1.25".
type factor struct {
	family string
	value  float64
}

// UnmarshalText reads it.
func (f *factor) UnmarshalText(b []byte) error {
	name, number, ok := strings.Cut(string(b), "=")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil {
		return fmt.Errorf("%q is not a family with its factor, as in claude=1.25", b)
	}
	if _, err := counting.Factors(nil).With(name, v); err != nil {
		return err
	}
	f.family, f.value = name, v
	return nil
}

// into puts the factor among others.
func (f factor) into(x counting.Factors) (counting.Factors, error) { return x.With(f.family, f.value) }

func (c *factorsCmd) Run(a *app) error {
	open, changes := a.ifThere, len(c.Set)+len(c.Reset) > 0
	if changes {
		open = a.writable
	}
	st, err := open()
	if err != nil {
		return err
	}
	var x counting.Factors
	if st != nil {
		defer st.Close()
		_, err = st.Setting(a.ctx, session.FactorsSetting, &x)
	}
	if err == nil && changes {
		if x, err = c.changed(x); err == nil {
			err = st.SetSetting(a.ctx, session.FactorsSetting, x)
		}
	}
	if err != nil {
		return err
	}
	var list []familyFactor
	rows := []string{"family\tfactor\tdefault"}
	for _, f := range counting.Families() {
		one := familyFactor{Family: f.Name, Factor: x.Of(f), Default: f.Factor}
		one.Set = one.Factor != one.Default
		list = append(list, one)
		rows = append(rows, fmt.Sprintf("%s\t%.2f\t%.2f", f.Name, one.Factor, one.Default))
	}
	if c.JSON {
		return a.printJSON(list)
	}
	table(a.out, rows...)
	table(a.out, "Tokens are counted with o200k_base and multiplied. "+
		"A file that reports usage has a factor of its own, fitted to it.")
	return nil
}

// changed are factors with the flags put in.
func (c *factorsCmd) changed(x counting.Factors) (_ counting.Factors, err error) {
	for _, name := range c.Reset {
		if x, err = x.Without(name); err != nil {
			return nil, usage("%s", sentence(err)+".")
		}
	}
	for _, f := range c.Set {
		if x, err = f.into(x); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// factors are those that were set in the window or by a verb, with the flags put
// in. They are good to know and not needed: without a database that can be read,
// the defaults are used, and the name of every number says which it was.
func (a *app) factors(r *readFlags) (counting.Factors, error) {
	x := a.keptFactors()
	var err error
	for _, f := range r.Factor {
		if x, err = f.into(x); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (a *app) keptFactors() (x counting.Factors) {
	if a.kept != nil {
		return *a.kept
	}
	err := a.peek(func(st *store.Store) error {
		_, err := st.Setting(a.ctx, session.FactorsSetting, &x)
		return err
	})
	if err != nil {
		return nil
	}
	return x
}
