package workbench

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// sessionRow shows one line of the sessions pane: a group's heading, a history
// of two lines, a thread of the open one, or a recent file.
type sessionRow struct {
	obj *fyne.Container
	p   *SessionsPane

	group, entry, thread, live *fyne.Container
	heading                    *kit.Text
	sign                       *kit.Sign
	title, facts               *kit.Text
	peak, date                 *kit.Text
	indent, upper, lower       *fyne.Container
	threadName, threadMessages *kit.Text

	liveSign                        *kit.Sign
	liveTitle, liveState, liveShare *kit.Text
	gauge                           *kit.Bar
}

func newSessionRow(p *SessionsPane) *sessionRow {
	r := &sessionRow{p: p}
	r.heading = kit.NewText("", kit.ColorFaint, 11).Bold().Fit()
	r.group = kit.Pad(4, 8, 0, 9, r.heading)
	r.sign = kit.NewSign(kit.GlyphDot, kit.ColorFaint, 12)
	r.title, r.facts = kit.Label("").Fit(), kit.NewText("", kit.ColorFaint, 12).Fit()
	r.peak, r.date = kit.NewText("", kit.ColorText, 12), kit.NewText("", kit.ColorFaint, 12)
	r.upper, r.lower = kit.Row(6, kit.Stretch(r.title), r.peak), kit.Row(6, kit.Stretch(r.facts), r.date)
	two := kit.Column(1, r.upper, r.lower)
	r.indent = kit.Sized(14, 0, container.NewWithoutLayout())
	r.indent.Hide()
	r.entry = kit.Pad(0, 8, 0, 10, kit.Row(8, r.indent, r.sign, kit.Stretch(kit.Pad(4, 0, 0, 0, two))))
	r.threadName, r.threadMessages = kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorFaint, 12)
	r.thread = kit.Pad(0, 10, 0, 38, kit.Row(6, kit.Stretch(r.threadName), r.threadMessages))
	r.makeLive()
	r.obj = container.NewStack(r.group, r.entry, r.thread, r.live)
	return r
}

// makeLive makes the line of a session that runs: its title, how full its context is, then
// when it is compacted and how it was found.
func (r *sessionRow) makeLive() {
	r.liveSign = kit.NewSign(kit.GlyphDot, kit.ColorKept, 12)
	r.liveTitle, r.liveState = kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
	r.liveShare = kit.NewText("", kit.ColorMuted, 12)
	r.gauge = kit.NewBar(0, kit.ColorKept)
	full := kit.Row(8, kit.Stretch(kit.Sized(0, 14, r.gauge)), kit.Sized(34, 0, r.liveShare))
	lines := kit.Column(1, r.liveTitle, full, r.liveState)
	r.live = kit.Pad(0, 8, 0, 10, kit.Row(8, r.liveSign, kit.Stretch(kit.Pad(4, 0, 0, 0, lines))))
}

// fillLive shows a session that runs.
func (r *sessionRow) fillLive(s *model.LiveSession) {
	r.liveSign.Set(kit.GlyphDot, dialogs.LiveColor(s))
	r.liveTitle.SetText(dialogs.LiveTitle(s))
	r.liveState.SetTexts(dialogs.LiveState(s)+" · "+dialogs.LiveSource(s), dialogs.LiveState(s))
	r.liveState.SetColor(kit.ColorMuted)
	if s.Paused {
		r.liveState.SetColor(kit.ColorWarning)
	}
	dialogs.ShowGauge(r.gauge, r.liveShare, s)
}

// fillBatch shows how far a batch is.
func (r *sessionRow) fillBatch(b *model.BatchRun) {
	glyph, color := dialogs.BatchSign(b)
	r.liveSign.Set(glyph, color)
	r.liveTitle.SetText(b.Title)
	r.liveState.SetText(dialogs.BatchState(b))
	r.liveState.SetColor(kit.ColorMuted)
	if color == kit.ColorWarning {
		r.liveState.SetColor(color)
	}
	r.gauge.SetTick(-1)
	r.gauge.Set(b.Share(), color)
	r.liveShare.SetText(words.Percent(b.Share()))
}

// Object is what the list shows.
func (r *sessionRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *sessionRow) Fill(i int, selected bool) {
	l := r.p.Lines[i]
	r.group.Hidden = l.Kind != lineGroup
	r.entry.Hidden = l.Kind != LineEntry && l.Kind != lineRecent
	r.thread.Hidden = l.Kind != lineThread && l.Kind != lineRelated
	r.live.Hidden = l.Kind != lineLive && l.Kind != lineBatch
	switch l.Kind {
	case lineGroup:
		r.heading.SetText(l.title)
	case lineLive:
		r.fillLive(&l.live)
	case lineBatch:
		r.fillBatch(&l.batch)
	case LineEntry:
		r.fillEntry(l.Entry)
		r.nest(l.deep)
	case lineRecent:
		r.fillRecent(l.recent)
		r.nest(false)
	case lineRelated:
		r.threadName.SetText(show.RelatedTitle(l.related))
		r.threadName.SetColor(kit.ColorAccent)
		r.threadMessages.SetText(words.T("follow.ownFile"))
	case lineThread:
		r.threadName.SetText(threadTitle(l.Entry, l.choice))
		r.threadName.SetColor(kit.ColorMuted)
		if selected {
			r.threadName.SetColor(kit.ColorText)
		}
		r.threadMessages.SetText(words.Int(int64(l.choice.Messages)))
	}
}

func (r *sessionRow) fillEntry(e *desk.Entry) {
	glyph, color := kit.GlyphDot, kit.ColorFaint
	facts, factsColor := entryFacts(e, true), kit.ColorFaint
	switch {
	case e.State == desk.Unavailable:
		glyph, color, factsColor = kit.GlyphError, kit.ColorError, kit.ColorError
	case e.State == desk.Loading:
		glyph, color = kit.GlyphHalf, kit.ColorAccent
	case e.Change != transcript.FileSame:
		glyph, color, factsColor = kit.GlyphWarning, kit.ColorWarning, kit.ColorWarning
	case e.Stops > 0:
		glyph, color, factsColor = kit.GlyphError, kit.ColorError, kit.ColorError
	case e.Damaged > 0:
		glyph, color, factsColor = kit.GlyphWarning, kit.ColorWarning, kit.ColorWarning
	case e.Fresh:
		color = kit.ColorAccent
	case e.State == desk.Ready:
		color = kit.ColorKept
	}
	r.sign.Set(glyph, color)
	title := show.EntryTitle(e)
	if e.Star {
		title = "★ " + title
	}
	r.title.SetText(title)
	r.title.SetColor(kit.ColorText)
	r.facts.SetText(facts)
	r.facts.SetColor(factsColor)
	r.showEnds(peakText(e), show.Day(e.Changed))
	r.peak.SetColor(kit.ColorMuted)
	if share, _ := e.PeakShare(); share >= show.HighPeak {
		r.peak.SetColor(kit.ColorWarning)
	}
}

// showEnds writes what is at the right end of the two lines, which takes its room from
// what is before it.
func (r *sessionRow) showEnds(peak, date string) {
	if r.peak.Text() != peak {
		r.peak.SetText(peak)
		r.upper.Refresh()
	}
	if r.date.Text() != date {
		r.date.SetText(date)
		r.lower.Refresh()
	}
}

// peakText is how much of the context window the largest call filled; "" if that is not
// known.
func peakText(e *desk.Entry) string {
	if share, ok := e.PeakShare(); ok {
		return words.Percent(share)
	}
	return ""
}

// peakRoom is what peakText takes at the right end of a line at most.
const peakRoom = 60

// peakCard explains the share of the context window at the end of a line.
func (p *SessionsPane) peakCard(i int, x float32) (card func() kit.Card, left, width float32) {
	l := p.Lines[i]
	width = kit.Px(peakRoom)
	if left = p.List.Size().Width - width; x < left || l.Kind != LineEntry || peakText(l.Entry) == "" {
		return nil, 0, 0
	}
	return func() kit.Card { return show.CellCard(p.d, l.Entry.PeakFigure()) }, left, width
}

// rowTip is all that a line says, and the file it is in.
func (p *SessionsPane) rowTip(i int) string {
	switch l := p.Lines[i]; l.Kind {
	case LineEntry:
		return show.Joined([]string{show.EntryTitle(l.Entry), entryFacts(l.Entry, false)}) + "\n" + l.Entry.Path
	case lineRecent:
		return l.recent.Path
	case lineLive:
		return dialogs.LiveTip(&l.live)
	case lineBatch:
		return l.batch.Title + "\n" + dialogs.BatchState(&l.batch)
	}
	return ""
}

// nest puts the row of an agent's file under its caller's.
func (r *sessionRow) nest(deep bool) {
	if r.indent.Hidden == deep {
		r.indent.Hidden = !deep
		r.entry.Refresh()
	}
}

func (r *sessionRow) fillRecent(f desk.Recent) {
	r.sign.Set(kit.GlyphRing, kit.ColorFaint)
	r.showEnds("", "")
	title := f.Title
	if title == "" {
		title = f.Path
	}
	r.title.SetText(title)
	r.title.SetColor(kit.ColorMuted)
	r.facts.SetColor(kit.ColorFaint)
	r.facts.SetText(words.T("count.agents", "count", f.Agents) + " · " + words.T("count.messages", "count", f.Messages))
}

// entryFacts is the second line of a history; a narrow one has signs instead of words.
func entryFacts(e *desk.Entry, narrow bool) string {
	switch {
	case e.State == desk.Unavailable:
		return show.UnavailableWords(e)
	case e.State == desk.Loading && e.Total > 0:
		return words.T("sessions.reading", "percent", words.Percent(progressOf(e.Done, e.Total)))
	case e.State == desk.Loading:
		return words.T("status.reading")
	case e.Fresh && e.Messages > 0:
		return words.T("watched.fresh") + " · " + words.T("count.messages", "count", e.Messages)
	case e.Fresh:
		return words.T("watched.fresh")
	case e.Lines == 0 && e.Size > 0:
		return words.Bytes(e.Size)
	case e.Lines == 0:
		return words.T("sessions.notOpen")
	case e.Change != transcript.FileSame:
		return words.T("follow.changed")
	case e.New > 0:
		return words.T("follow.new", "count", e.New) + " · " + words.T("count.messages", "count", e.Messages)
	case e.Stops > 0:
		return words.T("repair.mark", "count", e.Stops)
	case e.Damaged > 0:
		return words.T("sessions.linesRead", "read", e.Lines-e.Damaged, "total", e.Lines)
	case e.Found > 0 && narrow:
		return words.T("sessions.compacted", "count", e.Messages, "found", e.Found)
	case e.Found > 0:
		return words.T("count.messages", "count", e.Messages) + " · " + words.T("count.compactions", "count", e.Found)
	case e.Crew():
		return words.T("count.agents", "count", e.Agents) + " · " + words.T("count.messages", "count", e.Messages)
	case e.Threads > 1:
		return words.T("count.messages", "count", e.Messages) + " · " + words.T("sessions.threads", "count", e.Threads)
	}
	return words.T("count.messages", "count", e.Messages)
}
