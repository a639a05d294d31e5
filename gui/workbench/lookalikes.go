package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

func isLookAlike(id string) bool { _, ok := show.LookAlike(id); return ok }

// lookAlikes is the list of presets after well-known engines: what each sets, where
// that was read, what the engine does otherwise; and, for the engine that wrote the
// history, what it really did beside what the preset would have done.
type lookAlikes struct {
	d        *desk.Desk
	list     []compaction.LookAlike
	rows     *kit.List
	name     *kit.Text
	source   *kit.Text
	values   *kit.Paragraph
	differ   *kit.Paragraph
	beside   *kit.Text
	real     *kit.List
	recorded []session.Recorded
	lived    *replay.Timeline
	shown    int
}

// ShowLookAlikes lets a person read and use one.
func ShowLookAlikes(d *desk.Desk, win fyne.Window) {
	s := d.Session()
	if s == nil {
		return
	}
	p := &lookAlikes{d: d, list: compaction.LookAlikes(), shown: -1}
	p.rows = kit.NewList(26, func() int { return len(p.list) }, func() kit.ListRow { return newLookAlikeRow(p) })
	p.rows.OnSelect = p.show
	p.name, p.source = kit.Label("").Bold().Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
	p.values, p.differ = kit.NewParagraph("", kit.ColorText, 12, 6), kit.NewParagraph("", kit.ColorMuted, 12, 6)
	p.beside = kit.NewText("", kit.ColorMuted, 12).Fit()
	p.real = kit.NewList(24, func() int { return len(p.recorded) }, func() kit.ListRow { return newBesideRow(p) })
	p.real.Choosable = func(int) bool { return false }
	detail := kit.Pad(8, 14, 8, 14,
		kit.Column(6, kit.Sized(0, 20, p.name), kit.Sized(0, 18, p.source), kit.Sized(0, 52, p.values), kit.Sized(0, 66, p.differ),
			kit.NewRule(), kit.Sized(0, 20, p.beside), kit.Stretch(p.real)))
	var dlg *kit.Dialog
	use := func() {
		if i := p.rows.Selected(); i >= 0 {
			dlg.Hide()
			q := p.list[i].Policy
			q.Preset = p.list[i].ID
			d.Planning.UsePreset(q)
		}
	}
	p.rows.OnOpen = func(int) { use() }
	dlg = kit.NewDialog(words.T("lookalike.title"), words.T("lookalike.about"),
		kit.NewSplit(false, kit.Pad(4, 4, 4, 4, p.rows), detail, kit.KeepFirst, 210).Within(), 940, 500)
	dlg.SetCaption(words.T("lookalike.note"))
	dlg.OnKey = func(k *fyne.KeyEvent) bool { return p.rows.Key(k.Name) }
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close), kit.NewButton(words.T("lookalike.use"), kit.Primary, use))
	first := 0
	own, ofFile := s.LookAlike()
	for i, l := range p.list {
		if l.ID == d.Planning.Params().Preset || first == 0 && ofFile && l.ID == own.ID {
			first = i
		}
	}
	p.rows.Select(first)
	p.show(first)
	dlg.ShowOn(win.Canvas())
}

// show shows one of them.
func (p *lookAlikes) show(i int) {
	if i == p.shown {
		return
	}
	p.shown = i
	l := p.list[i]
	p.name.SetText(words.T("lookalike.name", "engine", l.Engine))
	p.source.SetText(words.T("lookalike.source", "source", words.T("lookalike.source."+strings.TrimPrefix(l.ID, "like-")), "date", l.Date))
	p.values.Set(strings.Join(lookAlikeValues(l), " · "), kit.ColorText)
	differs := l.Differs
	if translation, ok := show.Translated("lookalike.differs." + l.ID); ok {
		differs = translation
	}
	p.differ.Set(words.T("lookalike.differs", "what", differs), kit.ColorMuted)
	p.recorded, p.lived = nil, nil
	p.real.Update()
	s := p.d.Session()
	own, ofFile := s.LookAlike()
	switch {
	case len(s.Thread().Found) == 0:
		p.beside.SetText(words.T("lookalike.noneRecorded"))
		return
	case !ofFile || own.ID != l.ID:
		p.beside.SetText(words.T("lookalike.otherEngine", "count", len(s.Thread().Found)))
	default:
		p.beside.SetText(words.T("lookalike.beside", "count", len(s.Thread().Found)))
	}
	p.d.ReplayUnder(s.Adapt(l.Policy), func(tl *replay.Timeline) {
		if p.shown == i && p.d.Session() == s {
			p.recorded, p.lived = s.PairRecorded(tl), tl
			p.real.Update()
		}
	})
}

// lookAlikeValues is what the preset sets, in words.
func lookAlikeValues(l compaction.LookAlike) (out []string) {
	for _, line := range strings.Split(strings.TrimSpace(show.PolicyText(l.Policy)), "\n") {
		if !strings.HasPrefix(line, words.T("parameter.preset")+":") && !strings.HasPrefix(line, words.T("parameter.window")+":") {
			out = append(out, line)
		}
	}
	return out
}

// lookAlikeRow is one engine of the list.
type lookAlikeRow struct {
	p    *lookAlikes
	obj  *fyne.Container
	name *kit.Text
	own  *kit.Text
}

func newLookAlikeRow(p *lookAlikes) *lookAlikeRow {
	r := &lookAlikeRow{p: p, name: kit.Label("").Fit(), own: kit.NewText("", kit.ColorAccent, 11).Right()}
	r.obj = kit.Pad(0, 8, 0, 10, kit.Row(6, kit.Stretch(r.name), kit.Sized(76, 0, r.own)))
	return r
}

// Object is what the list shows.
func (r *lookAlikeRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows an engine.
func (r *lookAlikeRow) Fill(i int, _ bool) {
	l := r.p.list[i]
	r.name.SetText(l.Engine)
	r.own.SetText("")
	if own, ok := r.p.d.Session().LookAlike(); ok && own.ID == l.ID {
		r.own.SetText(words.T("lookalike.thisFile"))
	}
}

// besideRow is a recorded compaction beside its counterpart.
type besideRow struct {
	p                     *lookAlikes
	obj                   *fyne.Container
	at, sizes, lived, off *kit.Text
}

func newBesideRow(p *lookAlikes) *besideRow {
	r := &besideRow{p: p}
	r.at, r.sizes = kit.Label("").Fit(), kit.NewText("", kit.ColorText, 12).Fit()
	r.lived, r.off = kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	r.obj = kit.Pad(0, 4, 0, 4,
		kit.Row(8, kit.Sized(150, 0, r.at), kit.Sized(170, 0, r.sizes), kit.Stretch(r.lived), kit.Sized(60, 0, r.off)))
	return r
}

// Object is what the list shows.
func (r *besideRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a compaction.
func (r *besideRow) Fill(i int, _ bool) {
	f, d := r.p.recorded[i], r.p.d
	at := words.T("lookalike.recordedAt", "n", f.At+1)
	if f.Clearing {
		at = words.T("lookalike.clearedAt", "n", f.At+1)
	}
	r.at.SetText(at)
	figure := func(x session.Figure) string {
		return words.TokensOf(x.Tokens, x.From != session.NotRecorded, model.Exact(f.Counted))
	}
	r.sizes.SetText(figure(f.Before) + " → " + figure(f.After))
	if f.Firing < 0 {
		r.lived.SetText(words.T("lookalike.noCounterpart"))
		r.off.SetText("")
		return
	}
	firing := &r.p.lived.Firings[f.Firing]
	size := func(z model.Size) string { return show.ContextTokens(d, z.Tokens, r.p.lived.Policy.Fixed) }
	r.lived.SetText(words.T("lookalike.livedAt", "n", firing.At+1, "before", size(firing.Before), "after", size(firing.After)))
	r.off.SetText(show.Signed(float64(firing.At-f.At), 0))
}
