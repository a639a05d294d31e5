package workbench

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// open reports whether there is a history to set parameters for.
func (p *ParamPane) open() bool { return p.d.Session() != nil }

// reach brings the row of a parameter into sight, wherever the person is, and puts the
// focus there.
func (p *ParamPane) reach(key string, row fyne.CanvasObject, focus func(fyne.Canvas)) {
	p.c.Run("workbench")
	if pane := p.c.ByID["hideParameters"]; !pane.Checked() {
		pane.Run()
	}
	if p.All == slices.Contains(knobs, key) {
		p.Show(!p.All)
	}
	scroll, d := p.scroll, fyne.CurrentApp().Driver()
	at := d.AbsolutePositionForObject(row).Y - d.AbsolutePositionForObject(scroll.Content).Y
	if at < scroll.Offset.Y || at+row.Size().Height > scroll.Offset.Y+scroll.Size().Height {
		scroll.ScrollToOffset(fyne.NewPos(0, at-kit.Px(8)))
	}
	focus(p.w.Canvas())
}

// paramRow is the row of a parameter, and what puts the focus into it.
func (p *ParamPane) paramRow(x *model.Param) (row fyne.CanvasObject, focus func(fyne.Canvas)) {
	switch x.Value(new(model.Policy)).(type) {
	case *[]model.Clause:
		return p.clauses, func(c fyne.Canvas) {
			r := p.Trigger[0]
			if !p.clauses.Visible() {
				r = p.window
			}
			r.Field.Focus(c)
		}
	case *[]model.Range:
		return p.pinsRow(x)
	case *bool:
		return p.switchRow(x)
	case *string:
		return p.choiceRow(x)
	}
	n := numberOf(x)
	p.special(x, &n)
	r := newParamRow(p, n)
	if p.Rows = append(p.Rows, r); x.Key == "tail" {
		p.window = r
	}
	return r.obj, r.Field.Focus
}

// numberOf describes a parameter that is a number by its row of the table.
func numberOf(x *model.Param) number {
	n := number{
		key: x.Key, Label: words.T(x.Word), help: paramHelp(x), units: unitsOf(x), enabled: x.Used,
		get: func(q *model.Policy) model.Amount {
			v, u, _ := x.Number(q)
			return model.Amount{N: int(v), Unit: u}
		},
		set:   func(q *model.Policy, a model.Amount) { x.SetNumber(q, float64(a.N), a.Unit) },
		check: func(q *model.Policy) *show.Problem { return show.CheckParam(x.Key, q, 0) },
		shown: func(a model.Amount) string {
			if a.N == 0 && x.Zero != "" {
				return show.ZeroWords(x)
			}
			return show.FieldWords(a)
		},
		convert: func(_ *model.Policy, a model.Amount, to model.Unit) model.Amount {
			return model.Amount{N: a.N, Unit: to}
		},
	}
	if len(x.Units) == 1 && x.Rank == model.Main { // what is looked at often needs no unit
		n.get = func(q *model.Policy) model.Amount {
			v, _, _ := x.Number(q)
			return model.Amount{N: int(v)}
		}
	}
	if len(x.Scale) > 0 {
		n.most = func(q *model.Policy, u model.Unit) int { return scaleOf(x, q, u) }
	}
	return n
}

// unitsOf are the units to choose from; none where there is no choice. Groups
// can be set by the verbs only.
func unitsOf(x *model.Param) []model.Unit {
	if len(x.Units) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Units), func(u model.Unit) bool { return u == model.Groups })
}

// scaleOf is the right end of a parameter's slider.
func scaleOf(x *model.Param, q *model.Policy, u model.Unit) int {
	if u == "" {
		u = x.Units[0]
	}
	s := x.Scale[u]
	if s.Share > 0 {
		return shareOr(q.Window, s.Share, s.Number)
	}
	return s.Number
}

// shareOr is a share of the window, or a value while it is unknown.
func shareOr(window int, share float64, otherwise int) int {
	if window <= 0 {
		return otherwise
	}
	return int(float64(window) * share)
}

// formWords are the words of a form where those of the table do not fit: the
// label, and the text beside a switch.
var formWords = map[string]struct{ label, text string }{
	"firstUser":  {"parameter.start", "parameters.firstUser"},
	"tiers":      {"parameter.tiers", "parameters.byLength"},
	"noThinking": {"parameter.thinking", "parameters.noThinking"},
}

// switchRow is a parameter that is on or off.
func (p *ParamPane) switchRow(x *model.Param) (fyne.CanvasObject, func(fyne.Canvas)) {
	label, text := x.Word, x.Word
	if w, ok := formWords[x.Key]; ok {
		label, text = w.label, w.text
	}
	check := kit.NewCheck(words.T(text), false, func(on bool) { p.d.Planning.Set(func(q *model.Policy) { *x.Value(q).(*bool) = on }) })
	p.others = append(p.others, func(q *model.Policy) { check.SetOn(*x.Value(q).(*bool)) })
	return p.line(x, label, kit.Row(0, check, kit.Spring())), func(c fyne.Canvas) { c.Focus(check) }
}

// choiceRow is a parameter that is one of some words.
func (p *ParamPane) choiceRow(x *model.Param) (fyne.CanvasObject, func(fyne.Canvas)) {
	names := make([]string, len(x.Choices))
	for i, c := range x.Choices {
		names[i] = words.T(x.Key + "." + c)
	}
	set := func(i int) { p.d.Planning.Set(func(q *model.Policy) { *x.Value(q).(*string) = x.Choices[i] }) }
	at := func(q *model.Policy) int { return max(0, slices.Index(x.Choices, *x.Value(q).(*string))) }
	choice := kit.NewSelect(names, 0, set)
	p.others = append(p.others, func(q *model.Policy) { choice.Select(at(q)) })
	return p.line(x, x.Word, kit.Sized(0, 24, choice)), func(c fyne.Canvas) { c.Focus(choice) }
}

// line is a parameter that is no number.
func (p *ParamPane) line(x *model.Param, label string, o fyne.CanvasObject) fyne.CanvasObject {
	back := kit.NewReset(words.T("do.default"), func() {
		p.d.Planning.Set(func(q *model.Policy) {
			def := p.d.Planning.Defaults()
			x.Copy(q, &def)
		})
	})
	p.others = append(p.others, func(q *model.Policy) {
		def := p.d.Planning.Defaults()
		back.SetEnabled(!reflect.DeepEqual(x.Value(q), x.Value(&def)))
	})
	return kit.Row(6, paramName(x, label), kit.Stretch(o), back)
}

// paramName is the name of a parameter, which says under the pointer what it is for.
func paramName(x *model.Param, word string) fyne.CanvasObject {
	return kit.Sized(labelWidth, 24, kit.Hinted(kit.Label(words.T(word)).Fit(), paramHelp(x)))
}

// paramHelp says what a parameter is for.
func paramHelp(x *model.Param) func() string {
	return func() string { return words.T("param.help." + x.Key) }
}

func (p *ParamPane) pinsRow(x *model.Param) (fyne.CanvasObject, func(fyne.Canvas)) {
	list := kit.NewText("", kit.ColorMuted, 12).Fit()
	count := kit.NewText("", kit.ColorText, 13).Right().Fit()
	back := kit.NewIconButton(kit.GlyphClose, words.T("parameters.unpinAll"), func() {
		p.d.Planning.Set(func(q *model.Policy) { x.Copy(q, new(model.Policy)) })
	})
	p.others = append(p.others, func(q *model.Policy) {
		n := 0
		for _, r := range *x.Value(q).(*[]model.Range) {
			n += r.To - r.From
		}
		list.SetText(show.ParamWords(x, q))
		count.SetText(words.Int(int64(n)))
		back.SetEnabled(n > 0)
	})
	return kit.Row(6, paramName(x, x.Word), kit.Stretch(list),
		kit.Sized(40, 24, kit.Pad(0, 9, 0, 0, kit.Hinted(count, paramHelp(x)))), back), func(c fyne.Canvas) { c.Focus(back) }
}
