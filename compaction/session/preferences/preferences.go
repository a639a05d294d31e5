// Package preferences learns from the records what a person would rather have
// (spec X7): what was restored, edited and pinned in the histories of a project
// becomes suggestions for its parameters. Nothing is ever applied by itself.
package preferences

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Kind is what is suggested.
type Kind string

// The kinds.
const (
	LongerTail   Kind = "longer-tail"    // compactions were restored: keep twice the recent tail
	KeepFacts    Kind = "keep-facts"     // summaries were edited: list literal facts behind their words
	KeepFirstAsk Kind = "keep-first-ask" // one of the first two messages was pinned: keep the person's first one
)

// Least is how often something has to happen before it is a preference.
const Least = 3

// Suggestion is a preference of a project: the folder that its histories are in.
type Suggestion struct {
	Project string
	Kind    Kind
	Times   int      // how often
	Of      int      // of so many compactions of the project
	Records []string // those it was learned from, the newest first
	Newest  int64    // of these, when it was made; Unix microseconds
}

// Key names a suggestion, to erase it by.
func (s *Suggestion) Key() string { return string(s.Kind) + " " + s.Project }

// Apply is a policy with what is suggested. It is called when a person wants it.
func (s *Suggestion) Apply(p model.Policy) model.Policy {
	switch s.Kind {
	case LongerTail:
		p.Tail.N *= 2
	case KeepFacts:
		if p.Strategy.Asks() {
			p.Strategy = model.ModelLedger
		} else {
			p.Strategy = model.Ledger
		}
	case KeepFirstAsk:
		p.KeepFirstUser = true
	}
	return p
}

// Erased says up to when the records of a suggestion count no more, by its key.
type Erased map[string]int64

// Setting is the name under which the database keeps what is erased.
const Setting = "preferences.erased"

// mostRead bounds how many records are looked at, the newest.
const mostRead = 2000

// List returns the suggestions of a database, what happened oftenest first.
func List(ctx context.Context, st *store.Store) ([]Suggestion, error) {
	var erased Erased
	if _, err := st.Setting(ctx, Setting, &erased); err != nil {
		return nil, err
	}
	list, err := st.Records(ctx, store.Filter{Limit: mostRead, Full: true, Outcomes: []model.Outcome{model.Applied},
		But: []model.Cause{model.CauseRestore, model.CauseReplay}})
	if err != nil {
		return nil, err
	}
	return Of(list, erased), nil
}

// Erase forgets a suggestion: what it was learned from counts no more. The records
// stay.
func Erase(ctx context.Context, st *store.Store, s *Suggestion) error {
	erased := Erased{}
	if _, err := st.Setting(ctx, Setting, &erased); err != nil {
		return err
	}
	if erased == nil {
		erased = Erased{}
	}
	erased[s.Key()] = s.Newest
	return st.SetSetting(ctx, Setting, erased)
}

// Of are the suggestions that records, the newest first, speak for.
func Of(list []model.Record, erased Erased) []Suggestion {
	found, total := map[string]*Suggestion{}, map[string]int{}
	pinned := map[string]bool{} // histories: their pins are in each of their records
	for i := range list {
		rec := &list[i]
		project := projectOf(rec.Path)
		total[project]++
		for _, kind := range signs(rec) {
			s := &Suggestion{Project: project, Kind: kind}
			at := rec.Time.UnixMicro()
			if at <= erased[s.Key()] || kind == KeepFirstAsk && pinned[rec.Path] {
				continue
			}
			pinned[rec.Path] = pinned[rec.Path] || kind == KeepFirstAsk
			if known := found[s.Key()]; known != nil {
				s = known
			} else {
				found[s.Key()] = s
			}
			s.Times++
			s.Newest = max(s.Newest, at)
			s.Records = append(s.Records, rec.ID)
		}
	}
	out := []Suggestion{}
	for _, s := range found {
		if s.Of = total[s.Project]; s.Times >= Least {
			out = append(out, *s)
		}
	}
	slices.SortFunc(out, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), strings.Compare(a.Key(), b.Key()))
	})
	return out
}

// projectOf is the folder of a file; the histories of embedded agents are one
// project each.
func projectOf(path string) string {
	if _, agent := session.ConversationID(path); agent {
		return path
	}
	return filepath.Dir(path)
}

// signs are what a record says of the wishes of a person.
func signs(rec *model.Record) (out []Kind) {
	if rec.Off {
		out = append(out, LongerTail)
	}
	if rec.Edited && rec.Strategy != model.Ledger && rec.Strategy != model.ModelLedger {
		out = append(out, KeepFacts)
	}
	first := func(r model.Range) bool { return r.From < 2 && r.To > 0 }
	if !rec.Policy.KeepFirstUser && slices.ContainsFunc(rec.Policy.Pins, first) {
		out = append(out, KeepFirstAsk)
	}
	return out
}
