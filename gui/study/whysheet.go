package study

import (
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
	"palimpsest/model"
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

	of       *model.Record // whose parameters the log is of; nil: those on the screen
	Timeline *replay.Timeline
	Calls    []int // that the filter lets through
	fresh    bool  // just opened: a call is still to be chosen
	at       int   // history position to be chosen then; −1: the call that shows most
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
	s.List = kit.NewList(26, func() int { return len(s.Calls) }, func() kit.ListRow { return NewWhyRow(s) }).WithTip("why.row.means")
	s.List.OnSelect = func(i int) {
		d.SelectMessage(int(s.Timeline.Calls[s.Calls[i]].At))
		s.help()
	}
	s.List.OnOpen = func(int) { s.Close() }
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, s.Close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	top := kit.NewPane("", kit.Pad(0, 10, 0, 10, kit.Row(10, back, kit.Label(words.T("why.title")).Bold(), s.Head, kit.Spring(), s.Filter)))
	caption := func(key string) *kit.Text { return kit.Caption(words.T(key)).Bold() }
	captions := kit.Pad(0, 12, 0, 12, whyRowOf(kit.Caption(""), caption("why.call").Right(), caption("why.usage").Right(),
		caption("why.distance"), caption("why.recorded").Right(), caption("why.rule"), caption("why.result")))
	s.pane = kit.NewPane(words.T("why.log"), kit.Column(0, kit.Sized(0, 24, captions), kit.NewRule(),
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
			s.Show(-1, nil)
		}
	})
	c.Why = s.Show
	return s
}

// Show opens the log at a history position, −1: at the firing that the selected
// message follows, or what else shows most; of a record once its history was
// lived under its parameters.
func (s *whySheet) Show(at int, of *model.Record) {
	if s.d.Session() == nil || of == nil && s.d.Timeline() == nil {
		return
	}
	s.open, s.fresh, s.at, s.of, s.Timeline = true, true, at, of, nil
	if of == nil {
		s.update()
	} else {
		s.d.ReplayUnder(of.Policy, func(tl *replay.Timeline) {
			if s.of == of {
				s.look(tl)
			}
		})
	}
	s.c.Show(s.obj, s.Close)
}

func (s *whySheet) Close() {
	s.open, s.of = false, nil
	s.c.Hide()
}

func (s *whySheet) update() {
	if s.open && s.of == nil && s.d.Timeline() != nil {
		s.look(s.d.Timeline())
	}
}

// look shows a log, and in it the call that was asked for.
func (s *whySheet) look(tl *replay.Timeline) {
	s.Timeline = tl
	if e := s.d.Current(); e != nil {
		text := words.T("why.of", "session", show.Shortened(show.EntryTitle(e), 48))
		if s.of != nil {
			text = words.T("why.ofRecord", "session", show.Shortened(show.EntryTitle(e), 48), "record", s.of.ID)
		}
		s.Head.SetText(text)
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
	call := sort.Search(len(tl.Calls), func(i int) bool { return int(tl.Calls[i].At) >= s.at })
	return min(call, len(tl.Calls)-1)
}

// help offers the change of the parameters with which the chosen call would have
// compacted, or that does away with what it is about, else with what the whole log warns
// of: one click, undoable.
func (s *whySheet) help() {
	defer s.obj.Refresh() // the list takes the room or gives it
	s.Foot.Hide()
	if s.of != nil || s.Timeline == nil {
		return // the parameters of a record are history
	}
	var about []compaction.Reason
	if i := s.List.Selected(); i >= 0 && i < len(s.Calls) {
		w := s.Timeline.Why(s.Calls[i])
		if w.State != replay.Waits {
			about = append(about, w.Reason)
		} else if better, ok := compaction.FiresHere(s.d.Planning.Params(), int(w.Clause), w.Missing); ok {
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
	none := ""
	if len(s.Calls) == 0 {
		none = words.T(map[int]string{WhyFired: "why.never", whyRefused: "why.none"}[want])
	}
	s.none.SetText(none)
	s.List.Select(-1)
	s.List.Update()
	s.help()
}

// near reports whether something was done at a call or at one around it.
func (s *whySheet) near(call int) bool {
	list := s.Timeline.Calls
	return slices.ContainsFunc(list[max(0, call-whyAround):min(len(list), call+whyAround+1)],
		func(c replay.Call) bool { return c.State != replay.Waits })
}

// whyAround is how many calls are listed before and after one at which something was
// done.
const whyAround = 3

// whyWidths are those of sign, call, usage, its bar, recorded usage and rule; the
// result takes what is left.
var whyWidths = []float32{14, 56, 76, 190, 84, 220}

func whyRowOf(cells ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.Row(12, sizedCells(cells, whyWidths)...)
}

// sizedCells gives the first cells their widths, and the last the rest.
func sizedCells(cells []fyne.CanvasObject, widths []float32) []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, len(cells))
	for i, c := range cells {
		if i < len(widths) {
			out[i] = kit.Sized(widths[i], 0, c)
		} else {
			out[i] = kit.Stretch(c)
		}
	}
	return out
}

// whyRow is one call.
type whyRow struct {
	s                                   *whySheet
	obj                                 *fyne.Container
	sign                                *kit.Sign
	call, usage, recorded, rule, Result *kit.Text
	bar                                 *kit.Bar
}

func NewWhyRow(s *whySheet) *whyRow {
	r := &whyRow{s: s, sign: kit.NewSign(kit.GlyphDot, kit.ColorAccent, 10), bar: kit.NewBar(0, kit.ColorFaint)}
	r.call, r.usage, r.recorded = kit.NewText("", kit.ColorMuted, 13).Right().Fit(), kit.Label("").Right().Fit(), kit.NewText("",
		kit.ColorMuted, 13).Right().Fit()
	r.rule, r.Result = kit.NewText("", kit.ColorMuted, 13).Fit(), kit.Label("").Fit()
	r.obj = kit.Pad(0, 12, 0, 12, whyRowOf(r.sign, r.call, r.usage, kit.Sized(0, 8, r.bar), r.recorded, r.rule, r.Result))
	return r
}

// Object is what the list shows.
func (r *whyRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a call.
func (r *whyRow) Fill(i int, _ bool) {
	w := r.s.Timeline.Why(r.s.Calls[i])
	d := r.s.d
	r.call.SetText(words.Int(int64(w.At + 1)))
	usage := w.Tokens
	if w.Firing != nil {
		usage = w.Firing.Before.Tokens
	}
	r.usage.SetText(show.ContextTokens(d, usage, r.s.Timeline.Policy.Fixed))
	r.recorded.SetText("")
	if w.Recorded > 0 {
		r.recorded.SetText(words.Tokens(w.Recorded))
	}
	r.rule.SetText(WhyRule(r.s.Timeline, w))
	r.drawBar(usage, w)
	text, ink := whyResult(d, r.s.Timeline.Policy.Fixed, w)
	r.Result.SetText(text)
	r.Result.SetColor(ink)
	switch w.State {
	case replay.Fired:
		r.sign.Set(kit.GlyphDot, kit.ColorSummarised)
	case replay.Waits:
		r.sign.Set(kit.GlyphDot, kit.ColorPanel)
	default:
		r.sign.Set(kit.GlyphWarning, kit.ColorWarning)
	}
}

// drawBar shows the usage against the trigger: the bar is as wide as the context
// window, or as the largest call where that is unknown or smaller; the tick is the
// trigger.
func (r *whyRow) drawBar(usage int64, w replay.Why) {
	tl := r.s.Timeline
	full := float64(max(int64(tl.Policy.Window), tl.Totals.Largest, 1))
	ink := kit.ColorFaint
	switch w.State {
	case replay.Fired:
		ink = kit.ColorSummarised
	case replay.Waits:
	default:
		ink = kit.ColorWarning
	}
	r.bar.Set(min(float64(usage)/full, 1), ink)
	at := -1.
	if c, ok := show.TokenClause(tl.Policy); ok {
		if n := compaction.GaugeOf(c, tl.Policy.Window).Tokens(); n > 0 {
			at = float64(n) / full
		}
	}
	r.bar.SetTick(at)
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

// whyResult is what came of it under a policy with that fixed part.
func whyResult(d *desk.Desk, fixed int, w replay.Why) (string, fyne.ThemeColorName) {
	switch w.State {
	case replay.Fired, replay.Truncated:
		f := w.Firing
		text := words.T("why.fires", "reason", show.ReasonWords(show.Of(d), w.Reason),
			"before", show.ContextTokens(d, f.Before.Tokens, fixed), "after",
			show.ContextTokens(d, f.After.Tokens, fixed))
		if f.LeftOut > 0 {
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
		if f.LeftOut > 0 {
			return text, kit.ColorWarning
		}
		return text, kit.ColorText
	case replay.Waits:
		if w.Clause < 0 {
			return words.T("why.no", "reason", show.ReasonWords(show.Of(d), w.Reason)), kit.ColorMuted
		}
		if w.Reason.Code == "clause-tokens" { // usage and trigger have columns of their own
			return words.T("why.missing", "missing", w.MissingText(show.Sizes(show.Of(d)))), kit.ColorMuted
		}
		return words.T("why.below", "reason", show.ReasonWords(show.Of(d), w.Reason), "missing", w.MissingText(show.Sizes(show.Of(d)))), kit.ColorMuted
	case replay.Failed:
		if w.Err != nil {
			return words.T("why.failed", "reason", w.Err.Error()), kit.ColorWarning
		}
	}
	return words.T("why.skipped", "reason", show.ReasonWords(show.Of(d), w.Reason)), kit.ColorWarning
}
