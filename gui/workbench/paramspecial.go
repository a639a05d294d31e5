package workbench

import (
	"strings"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// special adds to a row what the table can't say: what the value does to the
// open history, and how it is carried over to another unit.
func (p *ParamPane) special(x *model.Param, n *number) {
	switch x.Key {
	case "window":
		p.specialWindow(n)
	case "reserve":
		n.check = func(q *model.Policy) *show.Problem {
			if q.Reserve < q.Window && q.Reserve == p.d.Planning.Params().Reserve {
				return nil // what is set already is the trigger's to say
			}
			return show.CheckParam(x.Key, q, 0)
		}
	case "tail":
		p.inForce(n)
		n.caption = p.tailCaption
		n.convert = func(q *model.Policy, a model.Amount, to model.Unit) model.Amount {
			if pl := p.d.Planning.Plan(); pl != nil {
				return tailFrom(pl, pl.TailFrom, to)
			}
			return model.Amount{N: 10, Unit: to}
		}
	case "batch":
		p.inForce(n)
		n.caption = p.batchCaption
		n.convert = convertBatch
	case "gain":
		n.Label = words.T("parameter.gain")
	case "gainTokens":
		n.Label = "" // the second half of the row above
	case "keep":
		p.specialClear(x, n)
	case "budget":
		n.caption = p.budgetCaption
		n.enabled = func(q *model.Policy) bool { return x.Used(q) && !p.ofSteps() }
		n.convert = convertText(x)
	case "layer":
		n.caption = func(q *model.Policy) string {
			return strings.TrimSuffix(shareCaption(q.LayerBudget, q.LayerInForce()), " · ")
		}
		n.convert = convertText(x)
	case "fixed":
		n.caption = func(*model.Policy) string { return words.T("parameters.fixedMeans") }
	}
}

// inForce lets a row show the number of the adaptive tier that is in force, and begin
// with it when the number is changed, which ends the adaptive sizes.
func (p *ParamPane) inForce(n *number) {
	get, set := n.get, n.set
	now := func(q *model.Policy) model.Policy {
		if pl := p.d.Planning.Plan(); pl != nil {
			return pl.Line.Tiered(*q)
		}
		return *q
	}
	n.enabled = nil
	n.get = func(q *model.Policy) model.Amount {
		tier := now(q)
		return get(&tier)
	}
	n.set = func(q *model.Policy, a model.Amount) {
		*q = now(q)
		set(q, a)
	}
}

// tailCaption says what the tail of the plan holds.
func (p *ParamPane) tailCaption(q *model.Policy) string {
	pl, s := p.d.Planning.Plan(), p.d.Session()
	if pl == nil || s == nil {
		return ""
	}
	if tier := pl.Line.Tiered(*q); q.Adaptive {
		return words.T("parameters.byTiers", "amount", show.AmountWords(tier.Tail))
	}
	n := words.T("count.messages", "count", pl.Line.Len()-pl.TailFrom)
	if pl.TailFrom < pl.TailAsked() {
		if at := pl.Line.History(pl.TailFrom); at >= 0 {
			return words.T("parameters.tailMoved", "messages", n, "n", at+1)
		}
	}
	if tail := q.TailInForce(); tail.Unit == model.Tokens {
		units := words.T("count.turns", "count", pl.Line.CountFrom(pl.TailFrom, model.Turns))
		if h := s.Thread().History; len(h) > 0 && s.Thread().Messages[h[0]].Step > 0 {
			units = words.T("count.steps", "count", pl.Line.CountFrom(pl.TailFrom, model.Steps))
		}
		return shareCaption(q.Tail, tail) + words.T("parameters.tailHolds", "messages", n, "turns", units)
	}
	size := pl.Line.Span(pl.TailFrom, pl.Line.Len())
	return words.T("parameters.tailHolds", "messages", n,
		"turns", words.T("count.tokens", "tokens", show.TokenCount(p.d, size), "count", size))
}

// shareCaption says what a share of the context window comes to, before what
// else a caption says: "= 20K · ". It is "" for other amounts.
func shareCaption(set, inForce model.Amount) string {
	if set.Unit != model.Percent {
		return ""
	}
	return "= " + words.TokensShort(int64(inForce.N)) + " · "
}

func (p *ParamPane) batchCaption(q *model.Policy) string {
	switch pl := p.d.Planning.Plan(); {
	case q.Adaptive && pl != nil:
		tier := pl.Line.Tiered(*q)
		return words.T("parameters.byTiers", "amount", show.AmountWords(tier.Batch))
	case q.Batch.N == 0:
		return words.T("parameters.batchAll")
	}
	if pl := p.d.Planning.Plan(); pl != nil && pl.Passes > 1 {
		return words.T("parameters.batchPasses", "amount", show.AmountWords(q.Batch), "n", pl.Passes)
	}
	return words.T("parameters.batchMost", "amount", show.AmountWords(q.Batch))
}

// convertBatch takes a usual number in the other unit; all stays all.
func convertBatch(_ *model.Policy, a model.Amount, to model.Unit) model.Amount {
	n := map[model.Unit]int{model.Messages: 30, model.Steps: 10, model.Turns: 5, model.Tokens: 20000}[to]
	if a.N == 0 {
		n = 0
	}
	return model.Amount{N: n, Unit: to}
}

// ofSteps reports whether the plan is a step history, which limits all its summaries
// together and none of them alone.
func (p *ParamPane) ofSteps() bool {
	pl := p.d.Planning.Plan()
	return pl != nil && pl.Steps != (compaction.StepWindow{})
}

func (p *ParamPane) budgetCaption(q *model.Policy) string {
	if q.Strategy == model.Drop || q.Strategy == model.ClearOnly {
		return ""
	}
	if p.ofSteps() {
		return words.T("parameters.budgetOfSteps")
	}
	comesTo := shareCaption(q.Budget, q.BudgetInForce())
	dr := p.d.DraftSet.Draft()
	if dr == nil || dr.Text.Text == "" {
		return strings.TrimSuffix(comesTo, " · ")
	}
	uses := model.Amount{N: dr.Text.Tokens, Unit: model.Tokens}
	if q.Budget.Unit == model.Chars {
		uses = model.Amount{N: utf8.RuneCountInString(dr.Text.Text), Unit: model.Chars}
	}
	return comesTo + words.T("parameters.draftUses", "amount", show.AmountWords(uses))
}

// convertText carries the size of a text over to another unit. A code point counts
// as a quarter of a token.
func convertText(x *model.Param) func(*model.Policy, model.Amount, model.Unit) model.Amount {
	return func(q *model.Policy, a model.Amount, to model.Unit) model.Amount {
		if now, share := x.InForce(q); share {
			a = now
		}
		if a.Unit == model.Chars {
			a.N /= 4
		}
		switch {
		case a.N == 0: // no limit
		case to == model.Chars:
			a.N *= 4
		case to == model.Percent && q.Window > 0:
			a.N = min(max((a.N*100+q.Window/2)/q.Window, 1), 100)
		case to == model.Percent:
			a.N = 2
		}
		return model.Amount{N: a.N, Unit: to}
	}
}

// specialClear puts the switch of the clearing of tool results beside the number
// of those that stay.
func (p *ParamPane) specialClear(x *model.Param, n *number) {
	kind := kit.NewMenuLink("", nil)
	kind.OnTapped = func() {
		on := p.d.Planning.Params().Clear.On
		kit.ShowMenuUnder(kind, []kit.MenuItem{
			{Text: words.T("parameters.clearOff"), Checked: !on, Run: func() {
				p.d.Planning.Set(func(q *model.Policy) { q.Clear.On = false })
			}},
			{Text: words.T("parameters.clearOn"), Checked: on, Run: func() {
				p.d.Planning.Set(func(q *model.Policy) {
					q.Clear.On = true
					if q.Clear.Keep == 0 && q.Clear.Above == 0 {
						q.Clear.Keep, q.Clear.Above = 5, 200
					}
				})
			}},
		})
	}
	p.others = append(p.others, func(q *model.Policy) {
		text := words.T("parameters.leftAlone")
		if x.Used(q) {
			text = words.T("parameters.keepNewest")
		}
		kind.SetText(text)
		kind.SetEnabled(q.Strategy != model.ClearOnly)
	})
	n.left = kit.Row(0, kind, kit.Spring())
	n.shown = func(a model.Amount) string {
		if q := p.d.Planning.Params(); !x.Used(&q) {
			return words.T(x.Off)
		}
		return words.Int(int64(a.N))
	}
	n.caption = func(q *model.Policy) string {
		pl := p.d.Planning.Plan()
		if !x.Used(q) || pl == nil {
			return ""
		}
		return words.T("parameters.cleared", "count", pl.ClearedN)
	}
}
