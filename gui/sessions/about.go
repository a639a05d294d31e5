package sessions

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// aboutPane is the session of the selected row, which is not opened for it.
//
//	★ Flaky TestWatch on CI             Rename
//	usage of its calls, with its compactions
//	SESSION       file, format, model, messages, peak
//	ASKED FIRST   TestWatch fails about one run in twenty …
//	COMPACTIONS   #196   160.6K → 44.0K · automatic
//	              R-0003 5–402  in force
//	NOTE          [                        ]
//	                              Copy path  Open
type aboutPane struct {
	t      *Table
	d      *desk.Desk
	pane   *kit.Pane
	rename *kit.Link
	spark  *chart.Spark
	quiet  *kit.Text  // in the place of a curve that nothing is known of
	box    *kit.Facts // what is known, in lines
	note   *kit.Area
	open   *kit.Button
	copy   *kit.Button

	of       *desk.Entry // nil: no row is selected
	overview *desk.Overview
}

// aboutName is how wide the names of the lines are.
const aboutName = 84

func newAboutPane(t *Table) *aboutPane {
	p := &aboutPane{t: t, d: t.d, spark: chart.NewSpark(), box: kit.NewFacts(aboutName)}
	p.quiet = kit.NewText("", kit.ColorMuted, 12).Center().Fit()
	curve := kit.Means(kit.Sized(0, 84, container.NewStack(p.spark, p.quiet)), "sessions.curve.means")
	p.note = kit.NewArea("", nil)
	p.note.SetPlaceHolder(words.T("sessions.note.hint"))
	note := container.NewStack(kit.NewFill(theme.ColorNameInputBackground, 4), kit.Pad(3, 6, 3, 6, p.note))
	p.note.OnLeft = func(string) { p.keep() }
	p.open = kit.NewButton(words.T("do.open"), kit.Primary, t.lookSelected).WithTip("sessions.open.tip")
	p.copy = kit.NewButton(words.T("sessions.copyPath"), kit.Secondary, func() { kit.Copy(p.of.Path) })
	p.copy.WithTip("sessions.copyPath.tip").Small()
	p.rename = kit.NewLink(words.T("command.rename"), nil).Does(t.w.Commands, commands.Rename)
	body := kit.Column(0, kit.Pad(8, 10, 4, 10, curve), kit.NewRule(),
		kit.Stretch(container.NewVScroll(kit.Pad(2, 12, 8, 12, p.box.Box))), kit.NewRule(),
		kit.Pad(8, 12, 4, 12, kit.NewText(show.Upper(words.T("note.title")), kit.ColorFaint, 11).Bold()),
		kit.Pad(0, 12, 8, 12, kit.Sized(0, 76, note)), kit.NewRule(),
		kit.Pad(8, 10, 8, 10, kit.Row(8, p.copy, kit.Spring(), p.open)))
	p.pane = kit.NewPane(" ", body, p.rename)
	return p
}

// keep keeps what was typed as the note of the session.
func (p *aboutPane) keep() {
	if p.of != nil && p.t.listed(p.of) {
		p.d.SetSessionNote(p.of, p.note.Text)
	}
}

// show shows another session, or what is known of it by now; nil is none.
func (p *aboutPane) show(e *desk.Entry) {
	if e != p.of {
		p.keep()
		p.of, p.overview = e, nil
		if p.note.SetText(""); e != nil {
			p.note.SetText(e.Note)
			p.d.Overview(e, func(g *desk.Overview) {
				if p.of == e {
					p.overview = g
					p.fill()
				}
			})
		}
	} else if e != nil && e.Note != strings.TrimSpace(p.note.Text) && p.t.w.Win.Canvas().Focused() != p.note {
		p.note.SetText(e.Note)
	}
	p.fill()
}

func (p *aboutPane) fill() {
	e, g := p.of, p.overview
	p.box.Clear()
	p.spark.Set(chart.SparkData{})
	p.quiet.SetText("")
	p.pane.SetTitle(" ")
	p.open.SetEnabled(e != nil)
	p.copy.SetEnabled(e != nil && e.Sample == "")
	if e == nil || !p.t.listed(e) {
		p.note.Disable()
	} else {
		p.note.Enable()
	}
	p.rename.Hidden = p.note.Disabled()
	if e == nil {
		p.box.Add("", kit.NewText(words.T("sessions.about.none"), kit.ColorMuted, 12).Fit())
		p.box.Box.Refresh()
		return
	}
	title := show.EntryTitle(e)
	if e.Star {
		title = "★ " + title
	}
	p.pane.SetTitle(title)
	p.facts(e)
	if g != nil {
		p.draw(e, g)
		if g.First != "" {
			p.box.Head(words.T("sessions.about.first"))
			p.box.Box.Add(kit.NewParagraph(g.First, kit.ColorText, 12, 4))
		}
		p.compactions(g)
	}
	p.box.Box.Refresh()
	p.pane.Refresh() // the title has another width
}

// line adds a name and what it is; means is the key of what that says.
func (p *aboutPane) line(name, value, means string, ink fyne.ThemeColorName) {
	p.box.Add(name, kit.Means(kit.NewText(value, ink, 12).Fit(), means))
}

// facts are what the list knows of the session.
func (p *aboutPane) facts(e *desk.Entry) {
	p.box.Head(words.T("sessions.about.session"))
	column := func(column, value string) {
		key := "sessions.column." + column
		p.line(show.UpperFirst(words.T(key)), value, key+".means", kit.ColorText)
	}
	name := show.UpperFirst(words.T("sessions.column.file"))
	if e.Sample == "" {
		p.box.Add(name, kit.NewParagraph(show.ShortHome(e.Path), kit.ColorText, 12, 3))
	} else {
		column("file", filepath.Base(e.Path))
	}
	if e.Err != nil {
		head, _, _ := show.ErrorWords(e.Err)
		p.box.Add("", kit.NewParagraph(head, kit.ColorWarning, 12, 3))
	}
	if e.Format != "" {
		column("format", show.FormatTitle(e.Format))
	}
	if e.Model != "" {
		p.line(words.T("sessions.about.model"), e.Model, "sessions.about.model.means", kit.ColorText)
	}
	if e.Window > 0 {
		p.line(words.T("sessions.about.window"), words.TokensOf(int64(e.Window), true, true), "sessions.about.window.means", kit.ColorText)
	}
	said := words.Int(int64(e.Messages))
	if e.Damaged > 0 {
		said += " · " + words.T("sessions.linesRead", "read", e.Lines-e.Damaged, "total", e.Lines)
	}
	column("messages", said)
	if e.Peak > 0 {
		f := kit.NewFigure(kit.ColorText, 12)
		show.PutFigure(f, p.d, e.PeakFigure(), words.TokensOf(int64(e.Peak), true, true)+" · "+p.t.peakText(e), kit.ColorText)
		p.box.Add(show.UpperFirst(words.T("sessions.column.peak")), kit.Row(0, f, kit.Spring()))
	}
	if tags := e.Tags(); len(tags) > 0 {
		p.line(words.T("sessions.about.tags"), strings.Join(tags, "  "), "sessions.about.tags.means", kit.ColorAccent)
	}
}

// draw shows what the file reports of its calls.
func (p *aboutPane) draw(e *desk.Entry, g *desk.Overview) {
	if len(g.Calls) == 0 {
		if g.End > 0 {
			p.quiet.SetText(words.T("sessions.about.unreported"))
		}
		return
	}
	s := chart.SparkData{To: float64(max(1, g.End)), Line: float64(e.Window), Top: float64(e.Window) * 1.08, Color: kit.ColorText}
	found := g.Found
	for _, c := range g.Calls {
		x, y := float64(c.History+1), float64(c.Recorded)
		for len(found) > 0 && float64(found[0].At) < x {
			if n := len(s.Points); n > 0 && y < s.Points[n-1].Y {
				at := float64(found[0].At)
				s.Points = append(s.Points, chart.Point{X: at, Y: s.Points[n-1].Y}, chart.Point{X: at, Y: y})
			}
			found = found[1:]
		}
		s.Top = max(s.Top, y*1.08)
		s.Points = append(s.Points, chart.Point{X: x, Y: y})
	}
	p.spark.Set(s)
}

// mostFound bounds the compactions that are listed.
const mostFound = 8

// compactions are those that the file holds, and those that the database does.
func (p *aboutPane) compactions(g *desk.Overview) {
	if len(g.Found)+len(g.Records) == 0 {
		return
	}
	p.box.Head(words.T("sessions.column.compactions"))
	for i := range g.Found {
		if i == mostFound {
			p.line("", words.T("grid.more", "count", len(g.Found)-i), "ledger.found.means", kit.ColorMuted)
			break
		}
		p.line("#"+words.Int(int64(g.Found[i].At)), show.FoundWords(&g.Found[i]), "ledger.found.means", kit.ColorText)
	}
	for i := range g.Records {
		p.record(&g.Records[i])
	}
}

// record is a link to a record of the session.
func (p *aboutPane) record(rec *model.Record) {
	link := kit.NewLink(rec.ID, func() {
		p.t.close()
		p.t.w.Commands.Run(commands.Records)
		p.d.RecordView.SelectRecord(rec.ID)
	}).WithTip("about.record.tip")
	_, _, said := show.StateLook(p.d.RecordView, rec)
	if rec.Outcome == model.Applied && rec.Cause != model.CauseRestore {
		said = show.WentShort(rec.Messages(), rec.Formers) + " · " + said
	}
	p.box.Box.Add(kit.Row(6, kit.Sized(aboutName, 0, kit.Row(0, link, kit.Spring())),
		kit.Stretch(kit.Means(kit.NewText(said, kit.ColorText, 12).Fit(), "sessions.about.record.means"))))
}

// listed reports whether a session is one of the list, not only one that runs.
func (t *Table) listed(e *desk.Entry) bool {
	_, recorded := session.ConversationID(e.Path)
	return t.closed[e.Path] != e && !recorded
}
