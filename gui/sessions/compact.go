package sessions

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// CompactDialog shows what compacting several sessions would come to, and does it. It
// may be closed while that is under way.
//
//	Parameters [ as on the screen ▾ ]
//	○ Crew of four            ~41K → ~12K  −71 %
//	△ Lab notebook            nothing before the tail can go
//	                               Cancel   Compact 1
type CompactDialog struct {
	d       *desk.Desk
	dlg     *kit.Dialog
	over    []*desk.Entry
	choices []model.Policy
	choice  *kit.Select
	list    *kit.List
	Do      *kit.Button
	stop    *kit.Button
}

// showCompact opens the dialog for sessions of the list.
func showCompact(d *desk.Desk, w fyne.Window, over []*desk.Entry) *CompactDialog {
	x := &CompactDialog{d: d, over: over}
	names := []string{words.T("many.asOnScreen")}
	x.choices = []model.Policy{d.Planning.Params()}
	for _, p := range compaction.Presets() {
		names, x.choices = append(names, show.PresetName(p.ID)), append(x.choices, p.Policy)
	}
	for _, p := range d.Planning.Presets() {
		names, x.choices = append(names, p.Name), append(x.choices, p.Policy)
	}
	x.choice = kit.NewSelect(names, 0, func(int) { x.try() })
	x.choice.SetTip(words.T("many.parameters.tip"))
	x.list = kit.NewRows(28, func() int { return len(x.rows()) }, x.row)
	x.list.Choosable = func(int) bool { return false }
	const most = 12 // rows in sight
	body := kit.Pad(12, 16, 12, 16, kit.Column(10,
		kit.Row(10, kit.Label(words.T("many.parameters")), kit.Sized(230, 26, x.choice), kit.Spring()), kit.NewRule(),
		kit.Sized(0, 28*float32(min(most, len(over))), x.list)))
	x.dlg = kit.NewDialog(words.T("many.title", "count", len(over)), "", body, 800, 0)
	x.stop = kit.NewButton(words.T("do.cancel"), kit.Secondary, x.Stop)
	x.Do = kit.NewButton(words.T("many.do", "count", len(over)), kit.Primary, d.DoMany)
	x.dlg.SetButtons(x.stop, x.Do)
	x.dlg.OnClose = func() { x.dlg = nil }
	x.dlg.ShowOn(w.Canvas())
	if d.Many().Running() {
		x.update()
	} else {
		x.try()
	}
	return x
}

// policy is what is chosen.
func (x *CompactDialog) policy() model.Policy { return x.choices[x.choice.Selected()] }

// try looks what the chosen parameters would come to.
func (x *CompactDialog) try() {
	x.d.StopMany()
	if !x.policy().Strategy.Asks() {
		x.d.TryMany(x.over, x.policy())
	}
	x.update()
}

func (x *CompactDialog) rows() []desk.ManyRow {
	if m := x.d.Many(); m != nil {
		return m.Rows
	}
	return nil
}

// update shows how far it is; the dialog closes when all is done.
func (x *CompactDialog) update() {
	m := x.d.Many()
	if x.dlg == nil || m == nil {
		return
	}
	ready, asks := m.Count(desk.ManyReady), x.policy().Strategy.Asks()
	x.choice.SetEnabled(!m.Running())
	x.Do.SetText(words.T("many.do", "count", ready))
	x.Do.SetEnabled(m.Phase == desk.ManyTried && ready > 0 && !asks)
	x.stop.SetText(words.T("do.cancel"))
	tip := ""
	switch {
	case asks:
		tip = words.T("many.asks")
	case m.Phase == desk.ManyTrying:
		tip = words.T("many.trying", "done", len(m.Rows)-m.Count(desk.ManyWaits), "total", len(m.Rows))
	case m.Running():
		tip = words.T("many.doing", "done", len(m.Rows)-ready, "total", len(m.Rows))
		x.stop.SetText(words.T("many.stop"))
	case ready == 0:
		tip = words.T("many.nothing")
	}
	x.Do.SetTip(tip)
	if tip == "" {
		tip = words.T("many.caption")
	}
	x.dlg.SetCaption(tip)
	x.list.Update()
	if m.Phase == desk.ManyDone && m.Step != nil && m.Count(desk.ManyFailed) == 0 {
		x.dlg.Hide()
		x.dlg = nil
	}
}

// Stop ends what is under way, or closes the dialog.
func (x *CompactDialog) Stop() {
	running := x.d.Many().Running()
	x.d.StopMany()
	if !running {
		x.dlg.Hide()
		x.dlg = nil
	}
}

// row is one session in the list.
func (x *CompactDialog) row() (fyne.CanvasObject, func(int)) {
	mark, title := kit.NewSign(kit.GlyphRing, kit.ColorFaint, 13), kit.Label("").Fit()
	size, said := kit.NewText("", kit.ColorText, 12).Right().Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	cells := kit.Row(8, mark, kit.Stretch(title), kit.Sized(130, 0, size), kit.Sized(300, 0, said))
	return kit.Pad(0, 4, 0, 4, cells), func(i int) {
		rows := x.rows()
		if i >= len(rows) {
			return
		}
		row := &rows[i]
		sign, ink, how, sizes := kit.GlyphRing, kit.ColorFaint, "", ""
		if p := row.Plan; p != nil && p.Outcome == compaction.WouldApply {
			before, after := p.Before.Tokens, p.After.Tokens
			if row.Made != nil && row.State == desk.ManyMade {
				before, after = row.Made.Before.Tokens, row.Made.After.Tokens
			}
			sizes = sizeWords(row, before) + " → " + sizeWords(row, after)
			how = show.Went(session.Went(p))
		}
		switch row.State {
		case desk.ManyRefused:
			sign, ink, how = kit.GlyphWarning, kit.ColorWarning, show.ReasonWords(show.Of(x.d), row.Plan.Why)
		case desk.ManyFailed:
			sign, ink, how = kit.GlyphWarning, kit.ColorError, failure(row)
		case desk.ManyMade:
			sign, ink, how = kit.GlyphOK, kit.ColorSuccess, row.Made.ID
		}
		mark.Set(sign, ink)
		title.SetText(show.EntryTitle(row.Entry))
		size.SetText(sizes)
		said.SetText(how)
	}
}

// failure is why a session was not compacted.
func failure(row *desk.ManyRow) string {
	switch {
	case row.Err != nil:
		head, _, _ := show.ErrorWords(row.Err)
		return head
	case row.Made != nil:
		return show.RecordReason(row.Made)
	}
	return ""
}

// sizeWords writes a size of a history as its own panes would.
func sizeWords(row *desk.ManyRow, n int64) string {
	f := figure.Figure{Value: float64(n), Kind: figure.Counted}
	if row.Rough {
		f.Kind = figure.Estimated
	}
	return words.Figure(figures.AtLeast(f, row.Plan.Policy.Fixed))
}
