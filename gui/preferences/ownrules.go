package preferences

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/summarize/redact"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// ownRules lists what a person has withheld besides what looks like a secret. A rule
// that is added is tried on the session that is open.
//
//	Rules of your own   words or an expression, withheld wherever they stand   [Add a rule…]
//	build host    larch-ci-[0-9]+\.lan    expression                                      ×
type ownRules struct {
	p    *privacyPage
	d    *desk.Desk
	obj  *fyne.Container
	rows *fyne.Container
}

func newOwnRules(p *privacyPage) *ownRules {
	o := &ownRules{p: p, d: p.x.W.Desk, rows: kit.Column(0)}
	add := kit.NewButton(words.T("ownrules.add"), kit.Secondary, o.Add)
	add.SetTip(words.T("ownrules.add.tip"))
	o.obj = kit.Column(0, kit.Row(10, kit.Label(words.T("ownrules.title")).Bold(),
		kit.Stretch(kit.NewParagraph(words.T("ownrules.what"), kit.ColorMuted, 12, 3)), add), o.rows)
	o.show()
	return o
}

func (o *ownRules) show() {
	o.rows.Objects = nil
	for i, r := range o.d.OwnRules() {
		kind := words.T("ownrules.words")
		if r.Expr {
			kind = words.T("ownrules.expr")
		}
		drop := kit.NewIconButton(kit.GlyphClose, words.T("ownrules.remove", "name", r.Name), func() { o.remove(i) })
		o.rows.Add(kit.Sized(0, 26, kit.Row(10, kit.Sized(150, 18, kit.Label(r.Name).Fit()),
			kit.Stretch(kit.NewText(r.Find, kit.ColorText, 12).Mono().Fit()), kit.NewText(kind, kit.ColorMuted, 12), drop)))
	}
	o.rows.Refresh()
	o.obj.Refresh()
	if o.p.body != nil {
		o.p.body.Refresh()
	}
}

func (o *ownRules) remove(i int) {
	o.d.SetOwnRules(slices.Delete(slices.Clone(o.d.OwnRules()), i, i+1))
	o.changed()
}

// changed shows the rules, and what they find.
func (o *ownRules) changed() {
	o.show()
	if !o.p.try.Disabled() {
		o.p.look()
	}
}

// Add asks for a rule.
func (o *ownRules) Add() {
	var dlg *kit.Dialog
	name, find := kit.NewTextField(words.T("ownrules.name.hint"), nil).Plain(), kit.NewTextField(words.T("ownrules.find.hint"), nil).Plain()
	kind := kit.NewSegments([]string{words.T("ownrules.words"), words.T("ownrules.expr")}, 0, nil)
	rule := func() redact.Own {
		return redact.Own{Name: strings.TrimSpace(name.Text()), Find: strings.TrimSpace(find.Text()), Expr: kind.Selected() == 1}
	}
	var do *kit.Button
	add := func() {
		if rule().Check() == nil {
			dlg.Hide()
			o.d.SetOwnRules(append(slices.Clone(o.d.OwnRules()), rule()))
			o.changed()
		}
	}
	do = kit.NewButton(words.T("ownrules.do"), kit.Primary, add)
	check := func() {
		r := rule()
		caption := words.T("ownrules.caption", "name", strings.Join(strings.Fields(r.Name), "-"))
		switch err := r.Check(); {
		case r.Name == "" || r.Find == "":
			caption = words.T("ownrules.needs")
		case err != nil:
			caption = words.T("ownrules.unread")
		}
		do.SetEnabled(r.Check() == nil)
		do.SetTip(caption)
		dlg.SetCaption(caption)
	}
	name.OnChanged, find.OnChanged, kind.OnChanged = func(string) { check() }, func(string) { check() }, func(int) { check() }
	name.OnSubmitted, find.OnSubmitted = func(string) { add() }, func(string) { add() }
	body := kit.NewFormOf(120, 24, 8).Wide(words.T("ownrules.name"), name).Wide(words.T("ownrules.find"), find).
		Row(words.T("ownrules.is"), kind)
	dlg = kit.NewDialog(words.T("ownrules.add.title"), "", kit.Pad(14, 16, 14, 16, body.Rows()), 560, 0)
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close), do)
	check()
	dlg.ShowOn(o.p.x.W.Win.Canvas())
	name.FocusOn(o.p.x.W.Win.Canvas())
}
