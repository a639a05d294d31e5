package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model/store"
	counting "palimpsest/model/tokens"
)

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

// factors are those that were set in the window, with the flags put in. They are good to
// know and not needed: without a database that can be read, the defaults are used, and the
// name of every number says which it was.
func (a *app) factors(r *readFlags) (counting.Factors, error) {
	x := a.keptFactors()
	var err error
	for _, f := range r.Factor {
		if x, err = x.With(f.family, f.value); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (a *app) keptFactors() (x counting.Factors) {
	if a.kept != nil {
		return *a.kept
	}
	var limits map[string]int
	_ = a.peek(func(st *store.Store) error {
		_, err := st.Setting(a.ctx, session.FactorsSetting, &x)
		_, err2 := st.Setting(a.ctx, session.LimitsSetting, &limits)
		return errors.Join(err, err2)
	})
	counting.SetOwnLimits(limits)
	return x
}
