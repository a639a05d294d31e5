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

// ownRules lists what is withheld besides what looks like a secret: kinds that can be
// switched, and a person's own words. What is changed is tried on the session that is open.
//
//	Rules   your own: words or an expression, withheld wherever they are   [Add a rule…]
//	[x] keys, tokens, passwords  [x] e-mail addresses  [x] …  [ ] telephone numbers
//	[x] build host    larch-ci-[0-9]+\.lan    expression                                  ×
type ownRules struct {
	p    *privacyPage
	d    *desk.Desk
	obj  *fyne.Container
	rows *fyne.Container

	Kinds map[redact.Kind]*kit.Check
}

func newOwnRules(p *privacyPage) *ownRules {
	o := &ownRules{p: p, d: p.x.W.Desk, rows: kit.Column(0), Kinds: map[redact.Kind]*kit.Check{}}
	add := kit.NewButton(words.T("ownrules.add"), kit.Secondary, o.Add)
	add.SetTip(words.T("ownrules.add.tip"))
	o.obj = kit.Column(0, kit.Row(10, kit.Label(words.T("ownrules.title")).Bold(),
		kit.Stretch(kit.NewParagraph(words.T("ownrules.what"), kit.ColorMuted, 12, 3)), add), o.kinds(), o.rows)
	o.show()
	return o
}

// kinds are the switches of what is looked for without words of one's own.
func (o *ownRules) kinds() fyne.CanvasObject {
	always := kit.NewCheck(words.T("privacy.kind.secret"), true, nil)
	always.SetTip(words.T("privacy.kind.secret.tip"))
	always.Disable()
	marks := []fyne.CanvasObject{always}
	for _, k := range redact.Switched {
		c := kit.NewCheck(words.T("privacy.kind."+string(k)), redact.LooksFor(o.d.OwnRules(), k), func(on bool) { o.turn(k, on) })
		c.SetTip(words.T("privacy.kind.tip"))
		marks, o.Kinds[k] = append(marks, c), c
	}
	return kit.Pad(4, 0, 4, 0, kit.Lines(18, marks...))
}

// turn has a kind looked for, or lets it through.
func (o *ownRules) turn(k redact.Kind, on bool) {
	list := slices.DeleteFunc(slices.Clone(o.d.OwnRules()), func(r redact.Own) bool { return r.Kind == k })
	if redact.LooksFor(list, k) != on {
		list = append(list, redact.Own{Kind: k, Off: !on})
	}
	o.d.SetOwnRules(list)
	o.changed()
}

func (o *ownRules) show() {
	o.rows.Objects = nil
	for i, r := range o.d.OwnRules() {
		if r.Kind != "" {
			continue
		}
		kind := words.T("ownrules.words")
		if r.Expr {
			kind = words.T("ownrules.expr")
		}
		drop := kit.NewIconButton(kit.GlyphClose, words.T("ownrules.remove", "name", r.Name), func() { o.remove(i) })
		use := kit.NewCheck(r.Name, !r.Off, func(on bool) { o.use(i, on) })
		use.SetTip(words.T("ownrules.use.tip", "name", r.Name))
		o.rows.Add(kit.Sized(0, 26, kit.Row(10, kit.Sized(150, 18, use),
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

// use has a rule withhold what it finds, or not for now.
func (o *ownRules) use(i int, on bool) {
	list := slices.Clone(o.d.OwnRules())
	list[i].Off = !on
	o.d.SetOwnRules(list)
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
