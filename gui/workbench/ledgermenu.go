package workbench

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/query"
)

// menu is the menu of a row.
func (p *LedgerPane) menu(i int, at fyne.Position) {
	if i >= p.d.RowCount() {
		return
	}
	if from, to := p.List.Selection(); to-from > 1 && i >= from && i < to {
		kit.ShowMenu(p.w.Canvas(), p.bar.items(), at, 0)
		return
	}
	p.d.SelectRow(i)
	kit.ShowMenu(p.w.Canvas(), p.MenuItems(i), at, 0)
}

// read opens the text of a row in a sheet of its own.
func (p *LedgerPane) read(i int) {
	if i >= 0 && i < p.d.RowCount() {
		p.d.SelectRow(i)
		openMessage(p.d, p.w, p.c, show.ReadRendered, p.beside)
	}
}

// copySelected copies the selected row, or all that are selected together; hide: without
// secrets.
func (p *LedgerPane) copySelected(hide bool) {
	if picked, many := p.d.Range(); many {
		p.bar.copy(picked, desk.Copying{Hide: hide})
		return
	}
	p.copy(p.d.Selected(), hide)
}

func (p *LedgerPane) MenuItems(i int) []kit.MenuItem {
	d, r := p.d, p.d.Row(i)
	var items []kit.MenuItem
	if r.Num > 0 {
		text := words.T("do.pin")
		if r.Pinned {
			text = words.T("do.unpin")
		}
		items = append(items, kit.MenuItem{Text: text, Shortcut: p.c.Key(commands.Pin), Run: d.TogglePinSelected},
			p.noteItem())
	}
	items = append(items, kit.MenuItem{Text: words.T("row.copy"), Run: func() { p.copy(i, false) }},
		kit.MenuItem{Text: words.T("row.copyRedacted"), Run: func() { p.copy(i, true) }})
	if to := d.Partner(r); to >= 0 {
		text := words.T("row.toResult")
		if r.Msg.Kind == model.KindResult {
			text = words.T("row.toCall")
		}
		items = append(items, kit.MenuItem{Text: text, Run: func() { d.SelectMessage(to) }})
	}
	items = append(items, kit.Rule)
	if r.Live {
		items = append(items,
			kit.MenuItem{Text: words.T("ledger.only", "fate", show.FateWord(r.Fate)), Run: func() { p.ToggleFate(show.FateIndex(r.Fate)) },
				Checked: d.Filter().Fate == show.FateIndex(r.Fate)+1})
	}
	columns := p.c.ByID[commands.Columns]
	items = append(items, kit.MenuItem{Text: columns.Title(), Checked: columns.Checked(), Run: columns.Run})
	items = append(items, p.valueItems(r)...)
	if r.Kind == session.RowFound && d.Timeline() != nil {
		items = append(items, kit.MenuItem{Text: words.T("why.here"), Run: func() { p.c.Why(r.Found.At) }})
	}
	if r.Kind == session.RowFound {
		if i := slices.IndexFunc(d.Session().Found(), func(f model.Found) bool { return f.At == r.Found.At }); i >= 0 {
			items = append(items, kit.MenuItem{Text: words.T("command.recorded"), Run: func() { p.c.Kept(i) }})
		}
	}
	return append(items, p.placeItems(r)...)
}

func (p *LedgerPane) noteItem() kit.MenuItem {
	return kit.MenuItem{Text: words.T("command.note"), Shortcut: p.c.Key(commands.Note), Run: func() { p.c.Run(commands.Note) }}
}

// placeItems move the place in the history that plans are made at.
func (p *LedgerPane) placeItems(r session.Row) (items []kit.MenuItem) {
	d, s := p.d, p.d.Session()
	if r.Num > 0 {
		items = append(items,
			kit.MenuItem{Text: words.T("row.planHere", "n", r.Num), Checked: s.At() == r.Num, Run: func() { d.Planning.SetAt(r.Num) }})
	}
	if end := len(s.Thread().History); s.At() != end {
		items = append(items, kit.MenuItem{Text: words.T("row.planEnd"), Run: func() { d.Planning.SetAt(end) }})
	}
	return items
}

// copy puts the text of a row on the clipboard; hide: without secrets.
func (p *LedgerPane) copy(i int, hide bool) {
	p.d.CopyRow(i, hide, func(text string, hidden int, err error) {
		if err != nil {
			p.d.Fail(err)
			return
		}
		kit.Copy(text)
		said := words.T("row.copied")
		if hide {
			said = words.T("row.copiedRedacted", "count", hidden)
		}
		p.c.Toast(said, "", nil)
	})
}

// valueItems narrow the rows to the values of one, and say how often each occurs.
func (p *LedgerPane) valueItems(r session.Row) (items []kit.MenuItem) {
	if r.Msg == nil {
		return nil
	}
	d := p.d
	list := []query.Count{{Value: string(query.Role) + ":" + r.Msg.Role.String()}}
	for _, tool := range d.ToolsOf(r) {
		list = append([]query.Count{{Value: string(query.Tool) + ":" + tool}}, list...)
	}
	if r.Msg.Error {
		list = append(list, query.Count{Value: string(query.Is) + ":error"})
	}
	for _, v := range list[:min(len(list), 3)] {
		key, value, _ := strings.Cut(v.Value, ":")
		k := query.Key(key)
		alike, tokens := d.Alike(k, value)
		name := v.Value
		items = append(items, kit.Rule,
			kit.MenuItem{Text: words.T("find.onlyThis", "value", name), Run: func() { d.Narrow(k, value, false) }},
			kit.MenuItem{Text: words.T("find.notThis", "value", name), Run: func() { d.Narrow(k, value, true) }},
			kit.MenuItem{Text: words.T("find.pinAll", "count", len(alike)), Run: func() { d.Planning.PinPicked(alike, true) }},
			kit.MenuItem{Text: words.T("find.howOften", "value", name), Run: func() {
				p.c.Toast(words.T("find.often", "value", name, "count", len(alike), "tokens", words.Estimate(tokens)), "", nil)
			}})
	}
	return items
}
