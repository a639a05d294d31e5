package preferences

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// doors are the ways out of the machine, by the keys of their words: what is looked
// through, and when.
var doors = []string{"asking", "export", "clipboard", "gateway"}

// privacyPage says what is withheld from what leaves the machine, and tries it on the
// history looked at.
type privacyPage struct {
	held
	x      *Window
	body   fyne.CanvasObject
	Own    *ownRules
	found  []session.Found
	list   *kit.List
	note   *kit.Text
	before *kit.Text // the line of a finding, the value masked
	sample *kit.Text // the same as it would be sent
	open   *kit.Button
	try    *kit.Button
}

func newPrivacyPage(x *Window) page {
	p := &privacyPage{x: x, note: kit.NewText("", kit.ColorMuted, 12).Fit(), before: kit.NewText("", kit.ColorText, 12).Mono().Fit(),
		sample: kit.NewText("", kit.ColorText, 12).Mono().Fit()}
	rows := kit.Column(0, pageHead("privacy.doors", ""))
	for _, d := range doors {
		rows.Add(kit.Sized(0, 26, kit.Row(10, kit.Sized(150, 18, kit.Label(words.T("privacy.door."+d))),
			kit.Stretch(kit.NewParagraph(words.T("privacy.door."+d+".what"), kit.ColorMuted, 12, 3)),
			kit.NewText(words.T("privacy.door."+d+".when"), kit.ColorMuted, 12))))
	}
	columns := p.columns()
	p.list = columns.NewList(26, func() int { return len(p.found) })
	p.list.OnSelect = func(i int) { p.show(i) }
	p.list.OnOpen = p.goTo
	p.open = kit.NewButton(words.T("privacy.goto"), kit.Secondary, func() { p.goTo(p.list.Selected()) }).WithTip("privacy.goto.tip")
	p.open.Disable()
	p.try = kit.NewButton(words.T("privacy.try"), kit.Secondary, p.look).WithTip("privacy.try.tip")
	p.try.SetEnabled(x.W.Desk.Session() != nil)
	p.note.SetText(words.T("privacy.untried"))
	if x.W.Desk.Session() == nil {
		p.note.SetText(words.T("privacy.noSession"))
	}
	head := kit.Row(10, kit.Label(words.T("privacy.found")).Bold(), kit.Stretch(p.note), p.try)
	p.Own = newOwnRules(p)
	p.body = kit.Column(0,
		kit.Pad(12, 16, 8, 16, rows), kit.NewRule(),
		kit.Pad(8, 16, 6, 16, p.Own.obj), kit.NewRule(),
		kit.Pad(8, 16, 4, 16, head), columns.Head(), kit.Stretch(p.list), kit.NewRule(),
		kit.Pad(8, 16, 8, 16, kit.Row(10, kit.Stretch(kit.Column(3, sampleLine("privacy.before", p.before),
			sampleLine("privacy.sample", p.sample))), p.open)))
	return p
}

func (p *privacyPage) object() fyne.CanvasObject { return p.body }

func (p *privacyPage) columns() *kit.Columns[session.Found] {
	type found = session.Found
	number := func(n int) string { return words.Int(int64(n)) }
	return &kit.Columns[found]{
		List: []kit.Col[found]{
			{Title: words.T("privacy.rule"), Text: func(f found) string { return f.Rule }},
			{Title: words.T("privacy.value"), Width: 190, Hide: 2, Style: fyne.TextStyle{Monospace: true},
				Text: func(f found) string { return redact.Mask(f.Secret) }},
			{Title: words.T("privacy.length"), Width: 76, Right: true, Hide: 3, Ink: kit.Muted[found],
				Text: func(f found) string { return number(utf8.RuneCountInString(f.Secret)) }},
			{Title: words.T("privacy.entropy"), Width: 86, Right: true, Hide: 1, Ink: kit.Muted[found],
				Text: func(f found) string { return fmt.Sprintf("%.1f", f.Entropy()) }},
			{Title: words.T("privacy.messages"), Width: 80, Right: true, Text: func(f found) string { return number(f.Times) }},
			{Title: words.T("privacy.first"), Width: 70, Right: true, Ink: func(found) fyne.ThemeColorName { return kit.ColorAccent },
				Text: func(f found) string { return "#" + number(f.Num) }},
			{Title: words.T("privacy.as"), Width: 220, Style: fyne.TextStyle{Monospace: true}, Ink: kit.Muted[found],
				Text: func(f found) string { return f.As }},
		},
		At: func(i int) (found, bool) {
			if i < 0 || i >= len(p.found) {
				return found{}, false
			}
			return p.found[i], true
		},
		Gap: 12, Least: 180, MinWidth: 420, Left: 16, End: 16, TextSize: 12,
	}
}

// look looks through the history that is open.
func (p *privacyPage) look() {
	p.try.Disable()
	p.note.SetText(words.T("export.looking"))
	p.x.W.Desk.LookThrough(func(list []session.Found, err error) {
		p.try.Enable()
		if err != nil {
			head, _, _ := show.ErrorWords(err)
			p.note.SetText(head)
			p.note.SetColor(kit.ColorError)
			return
		}
		p.found = list
		places := 0
		for i := range list {
			places += list[i].Times
		}
		key, title := "privacy.counted", show.EntryTitle(p.x.W.Desk.Current())
		if len(list) == 0 {
			key = "privacy.nothing"
		}
		p.note.SetText(words.T(key, "count", len(list), "places", words.Int(int64(places)), "session", title))
		p.list.Update()
		if len(list) > 0 {
			p.list.Select(0)
			p.show(0)
		}
	})
}

// sampleLine is a line of a message under its name.
func sampleLine(key string, line *kit.Text) fyne.CanvasObject {
	return kit.Row(10, kit.Sized(120, 18, kit.NewText(words.T(key), kit.ColorMuted, 12)), kit.Stretch(line))
}

// show shows the line of a finding as it is and as it would be sent.
func (p *privacyPage) show(i int) {
	p.open.SetEnabled(i >= 0 && p.found[i].Num > 0)
	f := p.found[i]
	p.before.SetText(strings.ReplaceAll(f.Sent, f.As, redact.Mask(f.Secret)))
	p.sample.SetText(f.Sent)
}

// goTo closes the settings and selects the message that a finding is in.
func (p *privacyPage) goTo(i int) {
	if i < 0 || i >= len(p.found) || p.found[i].Num == 0 {
		return
	}
	p.x.Done()
	p.x.W.LeaveSheet()
	p.x.W.Desk.SelectMessage(p.found[i].Num - 1)
}
