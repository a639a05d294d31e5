package recorded

import (
	"context"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Holds reports whether a session's file holds compactions that can be a side.
func Holds(s *session.Session) bool { return slices.ContainsFunc(s.Thread().Found, theirs) }

// Side is the run as the file holds it, to be compared with what settings would have done:
// what each call was sent, and the compactions with what they left and their summaries.
// Now it changes nothing. Its policy is p without a trigger. The index of facts is built
// if need be. Errors are those of reading the file and of ctx.
func Side(ctx context.Context, s *session.Session, p model.Policy) (session.Side, error) {
	if _, err := s.Insight.Facts(ctx, nil); err != nil {
		return session.Side{}, err
	}
	p.Triggers = nil
	tl := &replay.Timeline{Policy: p, Texts: true}
	sent := map[int]int64{}
	for _, x := range s.Curve(p.Fixed) {
		sent[x.History] = x.Counted
	}
	h := s.History()
	for k, at := range h.Calls() {
		c := replay.Call{At: at, Clause: -1, Tokens: sent[int(at)], Recorded: h.Recorded(k)}
		tl.Calls = append(tl.Calls, c)
		tl.Totals.Input += c.Tokens
		tl.Totals.Largest = max(tl.Totals.Largest, c.Tokens)
		tl.Totals.Uncompacted += h.Before(int(at)) + h.Fixed(&p)
		if p.Window > 0 && c.Tokens > int64(p.Window) {
			tl.Totals.Over++
		}
	}
	tl.Totals.Calls = len(tl.Calls)
	tl.Totals.After = s.Plan(p, compaction.Options{}).Before
	if err := firings(ctx, s, tl); err != nil {
		return session.Side{}, err
	}
	return session.Side{Plan: s.Plan(p, compaction.Options{}), Timeline: tl, Needed: s.Insight.NeededLater(tl), Recorded: true}, nil
}

// firings adds the compactions that the file holds but clearings of single results.
func firings(ctx context.Context, s *session.Session, tl *replay.Timeline) error {
	m := measurer{s: s, th: s.Thread(), position: positions(s.Thread()), tools: tools(s.Thread())}
	err := m.eachFound(ctx, func(i int, found *model.Found, r *model.Record) error {
		if err := m.cut(&Page{Found: i}, found, r.Summary); err != nil {
			return err
		}
		c := &m.cuts[len(m.cuts)-1]
		f := replay.Firing{Call: len(tl.Calls), At: found.At, Passes: 1, Record: r.ID, Text: c.summary, Summary: s.CountText(c.summary),
			Before: r.Before, After: r.After}
		f.Context = &replay.Context{Gone: c.removed, Kept: c.kept, Stands: []model.Item{{Msg: -1, Record: r.ID}}}
		for _, text := range c.others {
			f.Text += "\n" + text
		}
		if n := len(tl.Firings); n > 0 {
			f.Context.Merged = []model.Item{{Msg: -1, Record: tl.Firings[n-1].Record}}
		}
		for k := range tl.Calls {
			if int(tl.Calls[k].At) >= found.At {
				f.Call = k
				break
			}
		}
		tl.Texts = tl.Texts && c.summary != "" // one that can't be read says nothing of what it held
		place(&f, tl)
		tl.Firings = append(tl.Firings, f)
		tl.Totals.Summaries++
		tl.Totals.SummaryOutput += int64(f.Summary)
		return nil
	})
	tl.Totals.Firings = len(tl.Firings)
	return err
}

// place puts sizes where the file records none: those of the calls beside the firing. It
// says whether the firing followed soon upon another.
func place(f *replay.Firing, tl *replay.Timeline) {
	if f.Call < len(tl.Calls) {
		tl.Calls[f.Call].State = replay.Fired
		if f.After.Tokens == 0 {
			f.After.Tokens = tl.Calls[f.Call].Tokens
		}
	}
	if f.Call > 0 && f.Before.Tokens == 0 {
		f.Before.Tokens = tl.Calls[f.Call-1].Tokens
	}
	if n := len(tl.Firings); n > 0 && f.Call-tl.Firings[n-1].Call <= replay.Soon {
		f.Again = true
		tl.Totals.Thrash++
	}
}
