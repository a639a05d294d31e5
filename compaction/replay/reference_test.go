package replay

import (
	"context"
	"strconv"

	"palimpsest/compaction"
	"palimpsest/model"
)

// reference is replay as the definition tells it: before every call the live
// list is taken, a line is built on it and a plan made; nothing is kept from one
// call to the next but the list. It is slow and has no part in the program.
func reference(ctx context.Context, th *model.Thread, tokens []int32, p model.Policy, sum Summariser) *Timeline {
	p, _ = compaction.Normalise(p)
	tl := &Timeline{Policy: p}
	items := []model.Item{}
	sizes, texts := map[string]int{}, map[string]compaction.Text{}
	var back compaction.BackOff
	next, last, step := 0, -1000, int32(0)
	var sent []model.Item // of the call before
	for at, stored := range th.History {
		m := &th.Messages[stored]
		isCall := m.Kind == model.KindAssistant && (m.Step == 0 || m.Step != step)
		step = m.Step
		if !isCall {
			continue
		}
		for ; next < at; next++ {
			items = append(items, model.Item{Msg: th.History[next]})
		}
		line := func() *compaction.Line {
			return compaction.NewLine(compaction.Source{Thread: th, At: at, Items: items, Fixed: p.Fixed,
				Tokens: func(i int32, cleared bool) int32 {
					if cleared {
						return min(tokens[i], compaction.NoteTokens)
					}
					return tokens[i]
				},
				SummaryTokens: func(r string) int32 { return int32(sizes[r]) },
				SummaryChars: func(it model.Item) int {
					switch {
					case it.Msg >= 0:
						return int(tokens[it.Msg]) * 3
					case texts[it.Record].Text != "":
						return len([]rune(texts[it.Record].Text))
					}
					return sizes[it.Record] * 3
				}})
		}
		l := line()
		i := len(tl.Calls)
		c := Call{At: int32(at)}
		if m.Usage != nil {
			c.Recorded = int64(m.Usage.Input)
		}
		pl := l.Plan(p, compaction.Options{Wait: back.Left(at)})
		c.Clause, c.Missing = nearestOf(pl.Clauses)
		before := append([]model.Item(nil), items...)
		switch {
		case pl.Outcome == compaction.WouldWait && pl.Why.Code == "back-off":
			c.State, c.Missing = BackedOff, int64(back.Left(at))
			tl.Totals.BackedOff++
		case pl.Outcome == compaction.WouldWait:
			c.State = Waits
		default:
			var d *compaction.Draft
			var err error
			if sum == nil {
				d = &compaction.Draft{Plan: pl}
			} else {
				d, err = compaction.MakeDraft(ctx, l, p, compaction.Options{}, func(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
					return sum(ctx, pl, func(r string) string { return texts[r].Text })
				})
			}
			back = back.After(d, err, at, p.BackOff)
			switch {
			case err != nil:
				c.State = Failed
				tl.Totals.Failed++
				tl.Refusals = append(tl.Refusals, tl.causes.failure(i, err))
			case d.Plan.Outcome != compaction.WouldApply:
				c.State = Refused
				tl.Totals.Refused++
				tl.Refusals = append(tl.Refusals, tl.causes.refusal(i, d.Plan.Why))
			default:
				c.State = Fired
				f := Firing{Call: i, At: at, Passes: d.Plan.Passes, Before: d.Plan.Before, After: d.Plan.After, Removed: d.Plan.Removed,
					Cleared: d.Plan.ClearedN, Text: d.Text.Text, Again: i-last <= Soon}
				if d.Plan.Insert >= 0 {
					f.Record = strconv.Itoa(len(sizes) + 1)
					f.Summary = d.Plan.Summary
					sizes[f.Record], texts[f.Record] = f.Summary, d.Text
				}
				last = i
				items = d.Plan.Apply(f.Record)
				f.Range = wentFrom(l, before, items)
				f.Resent = resent(line(), sent, items)
				tl.Firings = append(tl.Firings, f)
				tl.Totals.add(f)
			}
		}
		c.Tokens = line().Usage().Tokens
		tl.Calls = append(tl.Calls, c)
		// The cache by its definition: the longest common beginning of two requests.
		same, read := 0, int64(p.Fixed)
		for same < len(sent) && same < len(items) && sent[same] == items[same] {
			same++
		}
		l = line()
		read += l.Span(0, same)
		if len(tl.Calls) == 1 {
			read = 0
		}
		tl.Totals.CacheRead += read
		tl.Totals.CacheWrite += c.Tokens - read
		tl.Totals.Input += c.Tokens
		tl.Totals.Uncompacted += int64(p.Fixed)
		for _, m := range th.History[:at] {
			tl.Totals.Uncompacted += int64(tokens[m])
		}
		tl.Totals.Largest = max(tl.Totals.Largest, c.Tokens)
		if p.Window > 0 && c.Tokens > int64(p.Window) {
			tl.Totals.Over++
		}
		tl.Totals.Calls++
		sent = append(sent[:0], items...)
	}
	tl.Totals.After.Tokens = int64(p.Fixed)
	for ; next < len(th.History); next++ {
		items = append(items, model.Item{Msg: th.History[next]})
	}
	for _, it := range items {
		tl.Totals.After.Messages++
		switch n := 0; {
		case it.Msg < 0:
			tl.Totals.After.Tokens += int64(sizes[it.Record])
		default:
			if n = int(tokens[it.Msg]); it.Cleared {
				n = min(n, compaction.NoteTokens)
			}
			tl.Totals.After.Tokens += int64(n)
		}
	}
	return tl
}

// add is what one firing adds to the totals.
func (t *Totals) add(f Firing) {
	t.Firings++
	t.Resent += f.Resent
	if f.Again {
		t.Thrash++
	}
	if f.Record != "" {
		t.Summaries++
		t.SummaryInput += f.Removed.Tokens
		t.SummaryOutput += int64(f.Summary)
	}
}

// nearestOf is the first clause that fires, else the one of which most is
// reached, from what a plan says of them.
func nearestOf(clauses []compaction.ClauseState) (clause int16, missing int64) {
	clause, best := int16(-1), -1.0
	for i, c := range clauses {
		limit := c.Limit
		if c.Clause.Share == 0 && c.Clause.At.Unit == model.Steps {
			limit++ // fires above
		}
		if c.Fires {
			return int16(i), limit - c.Measure
		}
		if s := float64(c.Measure) / float64(limit); !c.Unknown && s > best {
			clause, missing, best = int16(i), limit-c.Measure, s
		}
	}
	return clause, missing
}

// wentFrom spans the history positions of what is in the list no more.
func wentFrom(l *compaction.Line, before, after []model.Item) model.Range {
	stands := map[int32]bool{}
	for _, it := range after {
		stands[it.Msg] = true
	}
	var r model.Range
	for i, it := range before {
		if h := l.History(i); it.Msg >= 0 && !stands[it.Msg] {
			if r.To == 0 {
				r.From = h
			}
			r.To = h + 1
		}
	}
	return r
}

// resent weighs what the request before held word for word but not where the
// new one begins as it did.
func resent(l *compaction.Line, sent, items []model.Item) int64 {
	had := map[model.Item]bool{}
	for _, it := range sent {
		had[it] = true
	}
	n, same := int64(0), true
	for i, it := range items {
		if same = same && i < len(sent) && sent[i] == it; !same && had[it] {
			n += l.Span(i, i+1)
		}
	}
	return n
}
