package auto

import (
	"slices"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Pin keeps messages of the full history word for word, with the calls and results
// they belong to, whatever is compacted or left out. The ranges take the place of
// those before; none: nothing is pinned. What has gone already stays gone. Pins
// are saved with the state.
func (a *Compactor) Pin(ranges ...model.Range) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mem.pinned = slices.Clone(ranges)
	a.mem.touch(a.clock.Now())
}

// pins are the entries of the runtime list that the configuration keeps, as the
// line of the list counts them.
func (m *memory) pins(c *Config) []model.Range {
	if len(m.pinned) == 0 && !c.KeepFirstUser {
		return nil
	}
	first := -1
	if c.KeepFirstUser {
		first = slices.IndexFunc(m.history, func(h held) bool { return h.typed() })
	}
	var out []model.Range
	for i := range m.runtime {
		at := m.runtime[i].hist
		if at < 0 {
			continue
		}
		if at == first || slices.ContainsFunc(m.pinned, func(r model.Range) bool { return at >= r.From && at < r.To }) {
			out = append(out, model.Range{From: i, To: i + 1})
		}
	}
	return out
}

// protected are the entries in what a plan takes that stay.
func protected(pl *compaction.Plan) []int {
	var out []int
	for _, r := range pl.Runs.All() {
		if r.Goes() {
			continue
		}
		for k := max(r.From, pl.Taken.From); k < min(r.To, pl.Taken.To); k++ {
			out = append(out, k)
		}
	}
	return out
}

// keptBy are the entries of the list that the configuration keeps, with the
// groups they belong to, whatever has to go.
func (m *memory) keptBy(c *Config) []int {
	pins := m.pins(c)
	if pins == nil {
		return nil
	}
	p := compaction.BasePolicy()
	p.Pins, p.Strategy = pins, model.Drop
	p.Tail, p.MinGain = model.Amount{N: 1, Unit: model.Messages}, model.Gain{}
	var out []int
	for _, r := range m.line().Plan(p, compaction.Options{Manual: true}).Runs.All() {
		for i := r.From; i < r.To && r.Fate == model.Pinned; i++ {
			out = append(out, i)
		}
	}
	return out
}

// except is a part of a list without some entries.
func except(list []held, r model.Range, kept []int) []held {
	out := make([]held, 0, r.To-r.From)
	for i := r.From; i < r.To; i++ {
		if !slices.Contains(kept, i) {
			out = append(out, list[i])
		}
	}
	return out
}
