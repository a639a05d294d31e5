package workbench

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/about"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// aboutColumn is what is known of a message: who called it, its tokens, its facts, its
// records, its fate. Its numbers are links.
type aboutColumn struct {
	d *desk.Desk
	c *commands.Table
	*kit.Facts
	jump    func(history int)   // to another message
	summary func(c about.Cover) // to the line of a summary that refers to the message
	leave   func()              // another screen comes
}

// aboutName is how wide the names are.
const aboutName = 96

// show fills the column; nil, or what is known of a message that is no longer selected,
// empties it.
func (a *aboutColumn) show(m *about.Message) {
	a.Clear()
	if m == nil || m.At != a.d.SelectedMessage() {
		a.Box.Refresh()
		return
	}
	a.partners(m)
	a.note(m)
	a.weight(m)
	a.facts(m)
	a.covers(m)
	a.Head(words.T("about.fate"))
	for i, f := range m.Fates {
		said := words.T("about.notLive")
		if r := a.d.Row(a.d.Selected()); !f.Live && show.FateReason(a.d, r) != "" {
			said = show.FateReason(a.d, r)
		}
		if f.Live {
			said = show.FateBecause(show.Of(a.d), f.Fate, f.Why)
		}
		a.Add(string(rune('A'+i)), kit.NewText(said, kit.ColorText, 12).Fit())
	}
	a.Box.Refresh()
}

// none says that nothing is selected.
func (a *aboutColumn) none() {
	a.Box.Objects = []fyne.CanvasObject{kit.Pad(9, 0, 0, 0, kit.NewText(words.T("about.none"), kit.ColorMuted, 12).Fit())}
	a.Box.Refresh()
}

// other shows what is known of a row that is no message of the history: a summary, a
// compaction that the file holds, a damaged line.
func (a *aboutColumn) other(r session.Row) {
	a.Clear()
	a.Head(words.T("about.row"))
	a.Add(words.T("about.role"), kit.NewText(show.RowTitle(r), kit.ColorText, 12).Fit())
	s := a.d.Session()
	for i, f := range s.Thread().Found {
		if r.Found == nil && (r.Stored < 0 || int(r.Stored) != f.Summary) || r.Found != nil && *r.Found != f {
			continue
		}
		sized := words.Int(int64(i+1)) + ": " + show.FoundWords(&session.SizedFound(s)[i])
		a.Add(words.T("about.compaction"), kit.NewText(sized, kit.ColorText, 12).Fit())
		if f.Time > 0 {
			a.Add(words.T("about.time"), kit.NewText(show.RecordTime(time.UnixMilli(f.Time)), kit.ColorText, 12).Fit())
		}
		if f.At > 0 {
			a.Add(words.T("about.previous"), a.numbers([]int{f.At - 1}))
		}
		if f.At < len(s.Thread().History) {
			a.Add(words.T("about.next"), a.numbers([]int{f.At}))
		}
	}
	for _, rec := range s.Stack() {
		if rec.UID == r.Record {
			a.Add(words.T("about.record"), kit.Row(0, a.record(rec.ID, rec.ID), kit.Spring()))
		}
	}
	if r.Tokens > 0 {
		a.weigh("about.itself", r.Tokens)
	}
	if r.Note != nil {
		a.Add(words.T("about.reason"), kit.NewText(r.Note.Reason, kit.ColorText, 12).Fit())
	}
	if r.Live {
		a.Head(words.T("about.fate"))
		a.Add("A", kit.NewText(show.FateReason(a.d, r), kit.ColorText, 12).Fit())
	}
	a.Box.Refresh()
}

// record is a link to a record.
func (a *aboutColumn) record(name, id string) *kit.Link {
	return kit.NewLink(name, func() {
		a.leave()
		a.c.Run(commands.Records)
		a.d.RecordView.SelectRecord(id)
	}).WithTip("about.record.tip")
}

// weigh puts a number of tokens in.
func (a *aboutColumn) weigh(name string, n int) {
	f := kit.NewFigure(kit.ColorText, 12)
	show.PutFigure(f, a.d, a.d.MessageTokens("counted", int64(n)), "", kit.ColorText)
	a.Add(words.T(name), kit.Row(0, f, kit.Spring()))
}

// number is a link to a message.
func (a *aboutColumn) number(at int) *kit.Link {
	return kit.NewLink("#"+words.Int(int64(at+1)), func() { a.jump(at) }).WithTip("about.number.tip")
}

// mostLinks bounds the links in one line.
const mostLinks = 3

func (a *aboutColumn) numbers(list []int) fyne.CanvasObject {
	row := kit.Row(8)
	for i, at := range list {
		if i == mostLinks {
			row.Add(kit.NewText("+"+words.Int(int64(len(list)-i)), kit.ColorFaint, 12))
			break
		}
		if at < 0 {
			row.Add(kit.NewText(words.T("about.missing"), kit.ColorFaint, 12))
			continue
		}
		row.Add(a.number(at))
	}
	row.Add(kit.Spring())
	return row
}

func (a *aboutColumn) partners(m *about.Message) {
	a.Head(words.T("about.message"))
	a.Add(words.T("about.role"), kit.NewText(show.RowTitle(a.d.Row(a.d.Selected())), kit.ColorText, 12).Fit())
	if m.Message.Time > 0 {
		a.Add(words.T("about.time"), kit.NewText(show.RecordTime(time.UnixMilli(m.Message.Time)), kit.ColorText, 12).Fit())
	}
	if m.Caller >= 0 {
		a.Add(words.T("about.calledBy"), a.numbers([]int{m.Caller}))
	}
	if len(m.Results) > 0 {
		a.Add(words.T("about.results"), a.numbers(m.Results))
	}
	if m.At > 0 {
		a.Add(words.T("about.previous"), a.numbers([]int{m.At - 1}))
	}
	if m.At+1 < len(a.d.Session().Thread().History) {
		a.Add(words.T("about.next"), a.numbers([]int{m.At + 1}))
	}
}

// note is a person's own words on the message.
func (a *aboutColumn) note(m *about.Message) {
	text, do := a.d.Note(m.At), words.T("note.change")
	if text == "" {
		do = words.T("note.add")
	}
	link := kit.NewLink(do, func() {
		a.leave()
		a.d.SelectMessage(m.At)
		a.c.Run(commands.Note)
	}).WithTip("note.tip")
	a.Head(words.T("note.title"), link)
	if text != "" {
		a.Box.Add(kit.NewParagraph(text, kit.ColorText, 12, 6))
	}
}

func (a *aboutColumn) weight(m *about.Message) {
	a.Head(words.T("about.tokens"))
	a.weigh("about.itself", m.Tokens)
	if m.Pair != m.Tokens {
		a.weigh("about.withPair", m.Pair)
	}
	a.Add(words.T("about.bytes"), kit.NewText(words.Int(m.Bytes), kit.ColorText, 12))
}

func (a *aboutColumn) facts(m *about.Message) {
	a.Head(words.T("about.facts"))
	const most = 12
	for i, f := range m.Facts {
		if i == most {
			a.Box.Add(kit.NewText("+"+words.Int(int64(len(m.Facts)-i)), kit.ColorFaint, 12))
			break
		}
		text := kit.NewText(strings.Join(strings.Fields(f.Text), " "), kit.ColorText, 12).Mono().Fit()
		row := kit.Row(6)
		if len(m.Covers) > 0 {
			sign := kit.NewSign(kit.GlyphClose, kit.ColorDropped, 12)
			if f.Kept {
				sign = kit.NewSign(kit.GlyphTick, kit.ColorKept, 12)
			}
			row.Add(sign)
		}
		row.Add(kit.Stretch(text))
		for _, at := range slices.Compact(f.Again[:min(2, len(f.Again))]) {
			row.Add(a.number(at))
		}
		a.Box.Add(kit.Sized(0, 19, row))
	}
	said := ""
	switch {
	case !m.Indexed:
		said = words.T("about.notIndexed")
	case m.Others > 0:
		said = words.T("about.others", "count", m.Others)
	case len(m.Facts) == 0:
		said = words.T("about.noFacts")
	}
	if said != "" {
		a.Box.Add(kit.NewText(said, kit.ColorMuted, 12).Fit())
	}
	if len(m.Covers) > 0 && len(m.Facts) > 0 {
		legend := func(sign *kit.Sign, key string) {
			a.Box.Add(kit.Row(5, sign, kit.Stretch(kit.NewText(words.T(key), kit.ColorFaint, 11).Fit())))
		}
		legend(kit.NewSign(kit.GlyphTick, kit.ColorKept, 12), "about.kept")
		legend(kit.NewSign(kit.GlyphClose, kit.ColorDropped, 12), "about.lost")
	}
}

func (a *aboutColumn) covers(m *about.Message) {
	a.Head(words.T("about.covered"))
	if len(m.Covers) == 0 {
		a.Box.Add(kit.NewText(words.T("about.notCovered"), kit.ColorMuted, 12).Fit())
	} else {
		id := m.Covers[0].Record.ID
		defer func() {
			a.Box.Add(kit.NewLink(words.T("find.lostOf", "record", id), func() {
				a.leave()
				a.c.Lost(id, "")
			}))
		}()
	}
	for i, cover := range m.Covers {
		id := cover.Record.ID
		name := id
		if i > 0 {
			name = words.T("about.then", "record", id)
		}
		row := kit.Row(8, a.record(name, id))
		if cover.Line >= 0 {
			line := kit.NewLink(words.T("about.line", "n", cover.Line+1), func() { a.summary(cover) })
			row.Add(line.WithTip("about.line.tip"))
		}
		a.Box.Add(kit.Sized(0, 19, row))
	}
}
