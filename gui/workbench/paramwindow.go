package workbench

import (
	"slices"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/pattern"
	"palimpsest/model/tokens"
)

// usualLimits are the model limits that one press sets.
var usualLimits = []int{200_000, 1_000_000}

// specialWindow puts the model above its limit and the usual limits beside it, says where
// the value comes from, and offers what recorded compactions speak for.
func (p *ParamPane) specialWindow(n *number) {
	p.models = kit.NewButton(words.T("window.models"), kit.Secondary, nil).OpensMenu().Fit()
	p.models.OnTapped = func() { kit.ShowMenuUnder(p.models, p.windowMenu()) }
	var names []string
	for _, limit := range usualLimits {
		names = append(names, words.TokensShort(int64(limit)))
	}
	chips := kit.NewSegments(names, -1, func(i int) { p.d.Planning.Set(func(q *model.Policy) { q.Window = usualLimits[i] }) })
	p.others = append(p.others, func(q *model.Policy) {
		s, whole := p.d.Session(), words.T("window.models")
		if s != nil && s.Model() != "" {
			whole = s.Model()
		}
		p.models.SetText(shortModel(whole))
		p.models.SetTip(words.T("window.models.tip", "model", whole))
		p.models.SetEnabled(s != nil)
		chips.Select(slices.Index(usualLimits, q.Window))
		chips.SetEnabled(s != nil)
	})
	n.left = chips
	n.above = kit.Row(6, kit.Sized(limitWidth, 24, kit.Label(words.T("parameters.model")).Fit()), kit.Stretch(p.models))
	n.caption = p.windowCaption
	n.offer = p.windowOffer
}

// shortModel leaves out what every name of a family has, and the date.
var modelNoise = pattern.New(`^.*/|^claude-|-\d{8}$`)

func shortModel(name string) string {
	return modelNoise.ReplaceAllString(modelNoise.ReplaceAllString(name, ""), "")
}

// windowCaption says where the context window is from.
func (p *ParamPane) windowCaption(q *model.Policy) string {
	s := p.d.Session()
	if s == nil {
		return ""
	}
	w := s.Window().Under(*q)
	return words.T("window.from."+string(w.From), "date", tableDate(w.Table), "tokens", words.Tokens(w.Largest),
		"compacted", words.Tokens(w.Compacted))
}

// windowOffer is what recorded automatic compactions speak for, while that is not the
// value.
func (p *ParamPane) windowOffer(q *model.Policy) (text string, use func(q *model.Policy)) {
	s := p.d.Session()
	if s == nil || q.Window != s.Window().Tokens {
		return "", nil // a person has chosen
	}
	switch n, at := s.Window().Suggested, s.Window().Compacted; {
	case s.Window().From == session.WindowAssumed:
		return words.T("window.assumed", "window", words.TokensShort(larger)), func(q *model.Policy) {
			q.Window = larger
			p.d.RememberLimit(s.Model(), larger)
		}
	case n > 0:
		return words.T("window.suggest", "at", words.Tokens(at), "window", words.TokensShort(int64(n))),
			func(q *model.Policy) { q.Window = n }
	}
	return "", nil
}

const larger = 1_000_000 // what most models have that are not in the table

// windowMenu lists what the context window may be: what the file and its recorded
// compactions say, the models of the table with its date, and any other number.
func (p *ParamPane) windowMenu() (items []kit.MenuItem) {
	s := p.d.Session()
	if s == nil {
		return nil
	}
	now, w := p.d.Planning.Params().Window, s.Window()
	use := func(text string, n int) {
		items = append(items, kit.MenuItem{Text: text, Checked: n == now, Run: func() {
			p.d.Planning.Set(func(q *model.Policy) { q.Window = n })
		}})
	}
	if w.From == session.WindowOfFile || w.From == session.WindowOfCalls {
		use(words.T("window.ofFile", "window", words.TokensShort(int64(w.Tokens))), w.Tokens)
	}
	if n := w.Suggested; n > 0 {
		use(words.T("window.asRecorded", "window", words.TokensShort(int64(n))), n)
	}
	table := tokens.WindowTable(s.Model())
	if len(table) > 0 {
		if len(items) > 0 {
			items = append(items, kit.Rule)
		}
		items = append(items, kit.MenuItem{Text: words.T("window.table", "date", tableDate(table[0].Source)), Disabled: true})
		checked := slices.ContainsFunc(items, func(x kit.MenuItem) bool { return x.Checked })
		for _, m := range table {
			use(words.T("window.model", "model", m.Model, "window", words.TokensShort(int64(m.Tokens))), m.Tokens)
			if last := &items[len(items)-1]; last.Checked { // one size has many models: the one in use is marked
				last.Checked = !checked && (w.From != session.WindowOfTable || shortModel(s.Model()) == shortModel(m.Model))
				checked = checked || last.Checked
			}
		}
	}
	return append(items, kit.Rule, kit.MenuItem{Text: words.T("window.other"), Run: p.typeWindow},
		kit.MenuItem{Text: words.T("window.remember", "model", s.Model(), "window", words.TokensShort(int64(now))),
			Disabled: now == 0 || s.Model() == "", Run: func() { p.d.RememberLimit(s.Model(), now) }})
}

// typeWindow gives the keyboard to the field of the context window.
func (p *ParamPane) typeWindow() {
	for _, r := range p.Rows {
		if r.Spec.left != nil && r.Spec.offer != nil {
			r.Field.Focus(p.w.Canvas())
		}
	}
}

var yearMonth = pattern.New(`\d{4}-\d{2}`)

// tableDate is the month at which a number of the table was read.
func tableDate(source string) string { return yearMonth.FindString(source) }
