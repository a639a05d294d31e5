package study

import (
	"cmp"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
)

// whySheet is the decision log: for each call of the history whether the
// parameters would have compacted before it, and why, or how far it was.
type whySheet struct {
	d *desk.Desk
	c *commands.Table

	obj     fyne.CanvasObject
	pane    *kit.Pane
	open    bool
	Filter  *kit.Segments
	List    *kit.List
	Head    *kit.Text
	counted *kit.Text
	none    *kit.Text // why the list is empty

	Foot   *fyne.Container
	Remedy *workbench.WarningRow

	Timeline *replay.Timeline
	Calls    []int          // that the filter lets through
	theirs   map[int32]bool // by position: calls before which the program that wrote the history compacted it
	fresh    bool           // just opened: a call is still to be chosen
	at       int            // history position to be chosen then; −1: the call that shows most
}

// What the log shows.
const (
	WhyNear = iota // calls at which something was done, and those around them
	WhyAll
	WhyFired
	whyRefused // and failed, and backed off
)

func NewWhySheet(d *desk.Desk, c *commands.Table) *whySheet {
	s := &whySheet{d: d, c: c}
	filters := []string{words.T("why.near"), words.T("why.all"), words.T("why.fired"), words.T("why.refused")}
	s.Filter = kit.NewSegments(filters, WhyNear, func(int) { s.Fill() })
	s.Head, s.counted = kit.NewText("", kit.ColorMuted, 13), kit.NewText("", kit.ColorMuted, 12)
	s.none = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	columns := s.columns()
	s.List = columns.NewList(26, func() int { return len(s.Calls) }).WithTip("why.row.means")
	s.List.OnSelect = func(i int) {
		d.SelectMessage(int(s.Timeline.Calls[s.Calls[i]].At))
		s.help()
	}
	s.List.OnOpen = func(int) { s.Close() }
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, s.Close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	top := kit.NewPane("", kit.Pad(0, 10, 0, 10, kit.Row(10, back, kit.Label(words.T("why.title")).Bold(), s.Head, kit.Spring(), s.Filter)))
	s.pane = kit.NewPane(words.T("why.log"), kit.Column(0, kit.Sized(0, 24, columns.Head()), kit.NewRule(),
		kit.Stretch(container.NewStack(s.List, s.none))))
	s.Remedy = workbench.NewWarningRow(d)
	s.Foot = kit.Sized(0, 56, kit.NewPane("", kit.Pad(6, 12, 8, 12, s.Remedy.Obj)))
	s.Foot.Hide()
	s.obj = kit.Panes(kit.Sized(0, 40, top), kit.Stretch(s.pane), s.Foot)
	d.Listen(desk.TopicReplay, s.update)
	d.Listen(desk.TopicPlan, func() {
		if s.open {
			s.help() // what it offers is of plan and timeline together
		}
	})
	d.Listen(desk.TopicSession, func() {
		if s.open {
			s.Close()
		}
	})
	c.Bind(commands.Why, func() bool { return d.Timeline() != nil }, func() {
		if !s.open {
			s.Show(-1)
		}
	})
	c.Why = s.Show
	return s
}

// Show opens the log at a history position, −1: at the firing that the selected
// message follows, or what else shows most.
func (s *whySheet) Show(at int) {
	if s.d.Session() == nil || s.d.Timeline() == nil {
		return
	}
	s.open, s.fresh, s.at = true, true, at
	s.update()
	s.c.Show(s.obj, s.Close)
}

func (s *whySheet) Close() {
	s.open = false
	s.c.Hide()
}

func (s *whySheet) update() {
	if s.open && s.d.Timeline() != nil {
		s.look(s.d.Timeline())
	}
}

// look shows a log, and in it the call that was asked for.
func (s *whySheet) look(tl *replay.Timeline) {
	s.Timeline, s.theirs = tl, map[int32]bool{}
	for _, f := range s.d.Session().Found() {
		if i := callAt(tl, f.At); i < len(tl.Calls) && !f.Clearing {
			s.theirs[tl.Calls[i].At] = true
		}
	}
	if e := s.d.Current(); e != nil {
		s.Head.SetText(words.T("why.of", "session", show.Shortened(show.EntryTitle(e), 48)))
	}
	call := s.opening(tl)
	if call >= 0 && s.at >= 0 {
		s.Filter.Select(WhyAll)
	}
	s.Fill()
	s.fresh = false
	k, shown := slices.BinarySearch(s.Calls, call)
	if !shown && call >= 0 {
		s.Filter.Select(WhyAll)
		s.Fill()
		k, shown = slices.BinarySearch(s.Calls, call)
	}
	if shown {
		s.List.Centre(k)
		s.help()
	}
}

// opening is the call that a log just opened begins at, −1 if it stays where it
// is.
func (s *whySheet) opening(tl *replay.Timeline) int {
	if !s.fresh || len(tl.Calls) == 0 {
		return -1
	}
	if s.at < 0 {
		return tl.LogStart(s.d.SelectedMessage())
	}
	return min(callAt(tl, s.at), len(tl.Calls)-1)
}

// callAt is the first call at or after a history position.
func callAt(tl *replay.Timeline, at int) int {
	return sort.Search(len(tl.Calls), func(i int) bool { return int(tl.Calls[i].At) >= at })
}

// help offers the change of the parameters with which the chosen call would have
// compacted, or that does away with what it is about, else with what the whole log warns
// of: one click, undoable.
func (s *whySheet) help() {
	defer s.obj.Refresh() // the list takes the room or gives it
	s.Foot.Hide()
	if s.Timeline == nil {
		return
	}
	var about []compaction.Reason
	if i := s.List.Selected(); i >= 0 && i < len(s.Calls) {
		w, fired := s.Timeline.Why(s.Calls[i]), s.Timeline.Firings // which move with the threshold
		if w.State != replay.Waits {
			about = append(about, w.Reason)
		} else if better, ok := compaction.FiresHere(s.d.Planning.Params(), int(w.Clause), w.Missing, int(w.Reason.N)); ok &&
			(len(fired) == 0 || fired[0].Call > s.Calls[i]) {
			s.Remedy.Offer(words.T("why.toFire", "n", words.Int(int64(w.At+1))), better)
			s.Foot.Show()
			return
		}
	}
	for _, r := range append(about, s.Timeline.Warnings...) {
		if _, ok := compaction.Remedy(s.d.Planning.Params(), r); ok {
			s.Remedy.Show(r, map[string]bool{})
			s.Foot.Show()
			return
		}
	}
}

// Fill lists the calls that the filter lets through.
func (s *whySheet) Fill() {
	if s.Timeline == nil {
		return
	}
	s.Calls = s.Calls[:0]
	want := s.Filter.Selected()
	for i := range s.Timeline.Calls {
		st := s.Timeline.Calls[i].State
		if want == WhyAll || want == WhyNear && s.near(i) || want == WhyFired && st == replay.Fired ||
			want == whyRefused && st != replay.Fired && st != replay.Waits {
			s.Calls = append(s.Calls, i)
		}
	}
	if want == WhyNear && len(s.Calls) == 0 { // nothing was done
		for i := range s.Timeline.Calls {
			s.Calls = append(s.Calls, i)
		}
	}
	t := s.Timeline.Totals
	s.counted.SetText(words.T("why.counts", "count", len(s.Calls), "total", t.Calls, "fired", t.Firings, "refused",
		t.Refused+t.Failed+t.BackedOff+t.Truncations))
	s.pane.SetRight(kit.Means(s.counted, "why.counted.means"))
	if s.none.SetText(""); len(s.Calls) == 0 {
		s.none.SetText(words.T(map[int]string{WhyFired: "why.never", whyRefused: "why.none"}[want]))
	}
	s.List.Select(-1)
	s.List.Update()
	s.help()
}

// near reports whether something was done at a call or at one around it.
func (s *whySheet) near(call int) bool {
	list := s.Timeline.Calls
	return slices.ContainsFunc(list[max(0, call-whyAround):min(len(list), call+whyAround+1)],
		func(c replay.Call) bool { return c.State != replay.Waits || s.theirs[c.At] })
}

// whyAround is how many calls are listed before and after one at which something was
// done.
const whyAround = 3

// columns are those of the calls.
func (s *whySheet) columns() *kit.Columns[replay.Why] {
	type row = replay.Why
	return &kit.Columns[row]{
		List: []kit.Col[row]{
			{Width: 14, Cell: whySign},
			{Title: words.T("why.call"), Width: 56, Right: true, Ink: kit.Muted[row],
				Text: func(w row) string { return words.Int(int64(w.At + 1)) }},
			{Title: words.T("why.usage"), Width: 76, Right: true,
				Text: func(w row) string { return show.ContextTokens(s.d, usageAt(w), s.Timeline.Policy.Fixed) }},
			{Title: words.T("why.distance"), Width: 190, Narrow: 90, Hide: 1, Cell: s.distance},
			{Title: words.T("why.recorded"), Width: 84, Hide: 2, Right: true, Ink: kit.Muted[row], Text: func(w row) string {
				if w.Recorded == 0 {
					return ""
				}
				return words.Tokens(w.Recorded)
			}},
			{Title: words.T("why.rule"), Width: 220, Narrow: 120, Hide: 3, Ink: kit.Muted[row],
				Text: func(w row) string { return WhyRule(s.Timeline, w) }},
			{Title: words.T("why.result"),
				Text: func(w row) string {
					text, _ := WhyResult(s.d, s.Timeline.Policy.Fixed, w)
					if s.theirs[w.At] {
						text = words.T("why.theirs") + " · " + text
					}
					return text
				},
				Ink: func(w row) fyne.ThemeColorName { _, ink := WhyResult(s.d, s.Timeline.Policy.Fixed, w); return ink }},
		},
		At: func(i int) (row, bool) {
			if i >= len(s.Calls) {
				return row{}, false
			}
			return s.Timeline.Why(s.Calls[i]), true
		},
		Gap: 12, Least: 300, Left: 12, End: 12, TextSize: 13,
	}
}

// usageAt is the context before a call, or before it was compacted there.
func usageAt(w replay.Why) int64 {
	if w.Firing != nil {
		return w.Firing.Before.Tokens
	}
	return w.Tokens
}

// whySign shows whether it fired, waits or was refused.
func whySign() (fyne.CanvasObject, func(replay.Why)) {
	sign := kit.NewSign(kit.GlyphDot, kit.ColorAccent, 10)
	return sign, func(w replay.Why) {
		switch w.State {
		case replay.Fired:
			sign.Set(kit.GlyphDot, kit.ColorSummarised)
		case replay.Waits:
			sign.Set(kit.GlyphDot, kit.ColorPanel)
		default:
			sign.Set(kit.GlyphWarning, kit.ColorWarning)
		}
	}
}

// distance shows the usage against the trigger: the bar is as wide as the context
// window, or as the largest call where that is unknown or smaller; the tick is the
// trigger.
func (s *whySheet) distance() (fyne.CanvasObject, func(replay.Why)) {
	bar := kit.NewBar(0, kit.ColorFaint)
	return kit.Sized(0, 8, bar), func(w replay.Why) {
		tl := s.Timeline
		full := float64(max(int64(tl.Policy.Window), tl.Totals.Largest, 1))
		inks := map[replay.State]fyne.ThemeColorName{replay.Fired: kit.ColorSummarised, replay.Waits: kit.ColorFaint}
		bar.Set(min(float64(usageAt(w))/full, 1), cmp.Or(inks[w.State], kit.ColorWarning))
		at := -1.
		if c, ok := show.TokenClause(tl.Policy); ok {
			if n := compaction.GaugeOf(c, tl.Policy.Window).Tokens(); n > 0 {
				at = float64(n) / full
			}
		}
		bar.SetTick(at)
	}
}

// WhyRule is the clause that was looked at, at the number of steps that was in
// force then: adaptive tiers raise it.
func WhyRule(tl *replay.Timeline, w replay.Why) string {
	if k := int(w.Clause); k >= 0 && k < len(tl.Policy.Triggers) {
		c := tl.Policy.Triggers[k]
		if w.Reason.Code == "clause-steps" {
			c.At.N = int(w.Reason.M)
		}
		return words.T("chart.trigger", "at", show.ClauseWords(c))
	}
	return "–"
}

// WhyResult is what came of it under a policy with that fixed part.
func WhyResult(d *desk.Desk, fixed int, w replay.Why) (string, fyne.ThemeColorName) {
	reason := show.ReasonWords(show.Of(d), w.Reason)
	switch w.State {
	case replay.Fired, replay.Truncated:
		f, ink := w.Firing, kit.ColorText
		text := words.T("why.fires", "reason", reason, "before", show.ContextTokens(d, f.Before.Tokens, fixed),
			"after", show.ContextTokens(d, f.After.Tokens, fixed))
		if f.LeftOut > 0 {
			ink = kit.ColorWarning
			text += " · " + words.T("why.leftOut", "count", f.LeftOut)
		} else if n := f.Range.To - f.Range.From; n > 0 {
			text += " · " + words.T("why.range", "range", show.SpanWords(f.Range.From+1, f.Range.To),
				"what", show.Went(f.Removed.Messages-f.Formers, f.Formers))
		}
		if f.Cleared > 0 {
			text += " · " + words.T("why.clears", "count", f.Cleared)
		}
		if f.Again {
			text += " · " + words.T("why.again")
		}
		return text, ink
	case replay.Waits:
		if w.Clause < 0 {
			return words.T("why.no", "reason", reason), kit.ColorMuted
		}
		if w.Reason.Code == "clause-tokens" { // usage and trigger have columns of their own
			return words.T("why.missing", "missing", w.MissingText(show.Sizes(show.Of(d)))), kit.ColorMuted
		}
		return words.T("why.below", "reason", reason, "missing", w.MissingText(show.Sizes(show.Of(d)))), kit.ColorMuted
	case replay.Failed:
		if w.Err != nil {
			return words.T("why.failed", "reason", w.Err.Error()), kit.ColorWarning
		}
	}
	return words.T("why.skipped", "reason", reason), kit.ColorWarning
}
