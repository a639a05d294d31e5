package workbench

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// mainRows are the parameters that are always in view.
func (p *ParamPane) mainRows() []fyne.CanvasObject {
	return []fyne.CanvasObject{p.windowRow(), p.reserveRow(), p.clauses, p.tailRow(), p.batchRow(),
		p.clearRow(), p.strategyRow(), p.budgetRow(), p.pinsRow()}
}

func (p *ParamPane) windowRow() fyne.CanvasObject {
	return p.row(number{
		Label: words.T("parameter.window"),
		get:   func(q *model.Policy) model.Amount { return model.Amount{N: q.Window} },
		set:   func(q *model.Policy, a model.Amount) { q.Window = a.N },
		check: show.CheckWindow,
		shown: func(a model.Amount) string {
			if a.N == 0 {
				return words.Unknown
			}
			return words.Int(int64(a.N))
		},
		caption: func(q *model.Policy) string {
			s := p.d.Session()
			switch {
			case s == nil:
				return ""
			case q.Window == 0:
				return words.T("parameters.unknown")
			}
			return show.Shortened(s.Model(), 40)
		},
	})
}

func (p *ParamPane) reserveRow() fyne.CanvasObject {
	return p.row(number{
		Label: words.T("parameter.reserve"),
		get:   func(q *model.Policy) model.Amount { return model.Amount{N: q.Reserve} },
		set:   func(q *model.Policy, a model.Amount) { q.Reserve = a.N },
		most:  func(q *model.Policy, _ model.Unit) int { return shareOr(q.Window, .5, 64000) },
		check: func(q *model.Policy) *show.Problem {
			if q.Reserve < q.Window && q.Reserve == p.d.Params().Reserve {
				return nil // as it stands, the trigger says it
			}
			return show.CheckReserve(q)
		},
	})
}

// shareOr is a share of the window, or a value while it is unknown.
func shareOr(window int, share float64, otherwise int) int {
	if window <= 0 {
		return otherwise
	}
	return int(float64(window) * share)
}

var ClauseUnits = []model.Unit{show.Percent, model.Tokens, model.Messages, model.Steps, model.Turns}

// clauseSpec describes one clause of the trigger.
func (p *ParamPane) clauseSpec(k int) number {
	label := words.T("parameter.trigger")
	if k > 0 {
		label = words.T("parameters.orTrigger")
	}
	return number{
		Label: label,
		units: ClauseUnits,
		get: func(q *model.Policy) model.Amount {
			if k >= len(q.Triggers) {
				return model.Amount{Unit: show.Percent}
			}
			return show.ClauseAmount(q.Triggers[k])
		},
		set: func(q *model.Policy, a model.Amount) { show.SetClause(q, k, a) },
		most: func(q *model.Policy, u model.Unit) int {
			switch u {
			case show.Percent:
				return 100
			case model.Tokens:
				return shareOr(q.Window, 1, 200000)
			case model.Messages:
				return 200
			}
			return 60
		},
		check:   func(q *model.Policy) *show.Problem { return show.CheckTrigger(q, k) },
		caption: func(q *model.Policy) string { return p.clauseCaption(q, k) },
		convert: p.convertClause,
		more:    func() []kit.MenuItem { return p.ClauseMenu(k) },
		shown: func(a model.Amount) string {
			if a.N == 0 && a.Unit == show.Percent {
				return words.T("parameters.off")
			}
			if q := p.d.Params(); k < len(q.Triggers) && a.Unit == show.Percent && show.ClauseAmount(q.Triggers[k]) == a {
				return show.ShareWords(q.Triggers[k].Share) // the tenths that a preset or a sweep has set
			}
			return show.FieldWords(a)
		},
	}
}

func (p *ParamPane) clauseCaption(q *model.Policy, k int) string {
	if k >= len(q.Triggers) {
		return words.T("parameters.neverFires")
	}
	c := q.Triggers[k]
	gauge := compaction.GaugeOf(c, q.Window)
	if at := gauge.Tokens(); at > 0 {
		return words.T("parameters.compactsAt", "tokens", at)
	}
	if c.Share > 0 {
		return words.T("parameters.needsWindow")
	}
	if gauge.Above() {
		return words.T("parameters.above", "amount", show.AmountWords(c.At))
	}
	return words.T("parameters.at", "amount", show.AmountWords(c.At))
}

func (p *ParamPane) convertClause(q *model.Policy, a model.Amount, to model.Unit) model.Amount {
	switch {
	case to == show.Percent && q.Window > 0 && a.Unit == model.Tokens:
		return model.Amount{N: min(max(a.N*100/q.Window, 1), 100), Unit: to}
	case to == show.Percent:
		return model.Amount{N: 80, Unit: to}
	case to == model.Tokens && a.Unit == show.Percent:
		return model.Amount{N: shareOr(q.Window, float64(a.N)/100, 100000), Unit: to}
	case to == model.Tokens:
		return model.Amount{N: shareOr(q.Window, .8, 100000), Unit: to}
	case to == model.Messages:
		return model.Amount{N: 40, Unit: to}
	}
	return model.Amount{N: 10, Unit: to}
}

// ClauseMenu adds and removes clauses.
func (p *ParamPane) ClauseMenu(k int) []kit.MenuItem {
	items := []kit.MenuItem{{Text: words.T("parameters.addTrigger"), Run: func() {
		p.d.Set(func(q *model.Policy) { show.SetClause(q, len(q.Triggers), p.freeClause(q)) })
	}}}
	if q := p.d.Params(); len(q.Triggers) > 1 {
		items = append(items, kit.MenuItem{Text: words.T("parameters.removeTrigger"), Run: func() {
			p.d.Set(func(q *model.Policy) { show.RemoveClause(q, k) })
		}})
	}
	return items
}

// freeClause is a clause in a unit that no other one has.
func (p *ParamPane) freeClause(q *model.Policy) model.Amount {
	for _, u := range []model.Unit{show.Percent, model.Messages, model.Steps, model.Turns} {
		if !slices.ContainsFunc(q.Triggers, func(c model.Clause) bool { return show.ClauseAmount(c).Unit == u }) {
			return p.convertClause(q, model.Amount{}, u)
		}
	}
	return p.convertClause(q, model.Amount{}, model.Tokens)
}

var tailUnits = []model.Unit{model.Tokens, model.Messages, model.Steps, model.Turns}

func notAdaptive(q *model.Policy) bool { return !q.Adaptive }

func (p *ParamPane) tailRow() fyne.CanvasObject {
	return p.row(number{
		Label: words.T("parameter.tail"),
		units: tailUnits,
		get:   func(q *model.Policy) model.Amount { return q.Tail },
		set:   func(q *model.Policy, a model.Amount) { q.Tail = a },
		most: func(q *model.Policy, u model.Unit) int {
			switch u {
			case model.Tokens:
				return shareOr(q.Window, .5, 100000)
			case model.Messages:
				return 100
			}
			return 40
		},
		check:   show.CheckTail,
		enabled: notAdaptive,
		caption: func(q *model.Policy) string { return p.tailCaption(q) },
		convert: func(q *model.Policy, a model.Amount, to model.Unit) model.Amount {
			if pl := p.d.Plan(); pl != nil {
				return model.Amount{N: pl.Line.CountFrom(pl.TailFrom, to), Unit: to}
			}
			return model.Amount{N: 10, Unit: to}
		},
	})
}

// tailCaption tells what the tail of the plan holds.
func (p *ParamPane) tailCaption(q *model.Policy) string {
	pl, s := p.d.Plan(), p.d.Session()
	if pl == nil || s == nil {
		return ""
	}
	if q.Adaptive {
		return words.T("parameters.byTiers", "amount", show.AmountWords(pl.Policy.Tail))
	}
	n := words.T("count.messages", "count", pl.Line.Len()-pl.TailFrom)
	if q.Tail.Unit == model.Tokens {
		units := words.T("count.turns", "count", pl.Line.CountFrom(pl.TailFrom, model.Turns))
		if h := s.Thread().History; len(h) > 0 && s.Thread().Messages[h[0]].Step > 0 {
			units = words.T("count.steps", "count", pl.Line.CountFrom(pl.TailFrom, model.Steps))
		}
		return words.T("parameters.tailHolds", "messages", n, "turns", units)
	}
	return words.T("parameters.tailHolds", "messages", n,
		"turns", words.T("count.tokens", "tokens", show.TokenCount(p.d, pl.Line.Span(pl.TailFrom, pl.Line.Len())), "count", 2))
}

func (p *ParamPane) batchRow() fyne.CanvasObject {
	return p.row(number{
		Label: words.T("parameter.batch"),
		units: []model.Unit{model.Messages, model.Steps, model.Turns, model.Tokens},
		get: func(q *model.Policy) model.Amount {
			a := q.Batch
			if a.Unit == "" {
				a.Unit = model.Messages
			}
			return a
		},
		set: func(q *model.Policy, a model.Amount) { q.Batch = a },
		most: func(q *model.Policy, u model.Unit) int {
			if u == model.Tokens {
				return shareOr(q.Window, .5, 100000)
			}
			return 100
		},
		enabled: notAdaptive,
		shown: func(a model.Amount) string {
			if a.N == 0 {
				return words.T("parameters.all")
			}
			return show.FieldWords(a)
		},
		caption: func(q *model.Policy) string {
			switch pl := p.d.Plan(); {
			case q.Adaptive && pl != nil:
				return words.T("parameters.byTiers", "amount", show.AmountWords(pl.Policy.Batch))
			case q.Batch.N == 0:
				return words.T("parameters.batchAll")
			}
			return words.T("parameters.batchMost", "amount", show.AmountWords(q.Batch))
		},
		convert: func(_ *model.Policy, a model.Amount, to model.Unit) model.Amount {
			n := map[model.Unit]int{model.Messages: 30, model.Steps: 10, model.Turns: 5, model.Tokens: 20000}[to]
			if a.N == 0 {
				n = 0
			}
			return model.Amount{N: n, Unit: to}
		},
	})
}

// clearRow switches the clearing of tool results, and says how many stay.
func (p *ParamPane) clearRow() fyne.CanvasObject {
	kind := kit.NewMenuLink("", nil)
	kind.OnTapped = func() {
		on := p.d.Params().Clear.On
		ShowMenuUnder(p.w, kind, []kit.MenuItem{
			{Text: words.T("parameters.clearOff"), Checked: !on, Run: func() { p.d.Set(func(q *model.Policy) { q.Clear.On = false }) }},
			{Text: words.T("parameters.clearOn"), Checked: on, Run: func() {
				p.d.Set(func(q *model.Policy) {
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
		if clears(q) {
			text = words.T("parameters.keepNewest")
		}
		kind.SetText(text)
		kind.SetEnabled(q.Strategy != model.ClearOnly)
	})
	return p.row(number{
		Label:   words.T("parameter.clear"),
		get:     func(q *model.Policy) model.Amount { return model.Amount{N: q.Clear.Keep} },
		set:     func(q *model.Policy, a model.Amount) { q.Clear.Keep = a.N },
		left:    kit.Row(0, kind, kit.Spring()),
		enabled: clears,
		shown: func(a model.Amount) string {
			if q := p.d.Params(); !clears(&q) {
				return words.T("parameters.off")
			}
			return words.Int(int64(a.N))
		},
		caption: func(q *model.Policy) string {
			pl := p.d.Plan()
			if !clears(q) || pl == nil {
				return ""
			}
			return words.T("parameters.cleared", "count", pl.ClearedN)
		},
	})
}

func clears(q *model.Policy) bool { return q.Clear.On || q.Strategy == model.ClearOnly }

var strategies = model.Strategies()

func (p *ParamPane) strategyRow() fyne.CanvasObject {
	names := make([]string, len(strategies))
	for i, s := range strategies {
		names[i] = words.T("strategy." + string(s))
	}
	sel := kit.NewSelect(names, 0, func(i int) { p.d.Set(func(q *model.Policy) { q.Strategy = strategies[i] }) })
	p.others = append(p.others, func(q *model.Policy) { sel.Select(slices.Index(strategies, q.Strategy)) })
	return p.line(words.T("parameter.strategy"), kit.Sized(0, 24, sel),
		func(q, def *model.Policy) { q.Strategy = def.Strategy },
		func(q, def *model.Policy) bool { return q.Strategy != def.Strategy })
}

func (p *ParamPane) budgetRow() fyne.CanvasObject {
	return p.row(number{
		Label: words.T("parameter.budget"),
		units: []model.Unit{model.Tokens, model.Chars},
		get:   func(q *model.Policy) model.Amount { return q.Budget },
		set:   func(q *model.Policy, a model.Amount) { q.Budget = a },
		most: func(_ *model.Policy, u model.Unit) int {
			if u == model.Chars {
				return 20000
			}
			return 12000
		},
		enabled: summarises,
		shown: func(a model.Amount) string {
			if a.N == 0 {
				return words.T("parameters.noLimit")
			}
			return show.FieldWords(a)
		},
		caption: func(q *model.Policy) string {
			dr := p.d.Draft()
			if !summarises(q) || dr == nil || dr.Text.Text == "" {
				return ""
			}
			if q.Budget.Unit == model.Chars {
				return words.T("parameters.draftUses", "amount", show.AmountWords(model.Amount{N: len([]rune(dr.Text.Text)), Unit: model.Chars}))
			}
			return words.T("parameters.draftUses", "amount", show.AmountWords(model.Amount{N: dr.Text.Tokens, Unit: model.Tokens}))
		},
		convert: func(_ *model.Policy, a model.Amount, to model.Unit) model.Amount {
			if to == model.Chars {
				return model.Amount{N: a.N * 4, Unit: to}
			}
			return model.Amount{N: a.N / 4, Unit: to}
		},
	})
}

// summarises reports whether the strategy makes a text.
func summarises(q *model.Policy) bool {
	return q.Strategy != model.Drop && q.Strategy != model.ClearOnly
}

func (p *ParamPane) pinsRow() fyne.CanvasObject {
	list := kit.NewText("", kit.ColorMuted, 12).Fit()
	count := kit.NewText("", kit.ColorText, 13).Right().Fit()
	back := kit.NewIconButton(kit.GlyphClose, words.T("parameters.unpinAll"), func() {
		p.d.Set(func(q *model.Policy) { q.Pins = nil })
	})
	p.others = append(p.others, func(q *model.Policy) {
		n := 0
		for _, r := range q.Pins {
			n += r.To - r.From
		}
		text := words.T("parameters.noPins")
		if n > 0 {
			text = show.RangeWords(q.Pins)
		}
		list.SetText(text)
		count.SetText(words.Int(int64(n)))
		back.SetEnabled(n > 0)
	})
	return kit.Row(6, kit.Sized(labelWidth, 24, kit.Label(words.T("parameter.pins")).Fit()), kit.Stretch(list),
		kit.Sized(40, 24, kit.Pad(0, 9, 0, 0, count)), back)
}
