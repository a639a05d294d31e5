package dialogs

import (
	"maps"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// BatchSheet shows how far a batch is that another program works on, and what of it could
// not be done.
type BatchSheet struct {
	d      *desk.Desk
	id     string
	run    model.BatchRun
	dialog *kit.Dialog
	bar    *kit.Bar
	facts  map[string]*kit.Text // by the key of their name
	list   *kit.List
	none   *kit.Text
	stop   *kit.Button
}

var batchFacts = []string{"batch.done", "batch.left", "batch.failed", "batch.rate", "batch.remaining", "batch.began"}

// ShowBatch opens a sheet about a batch that the desk lists; nil: it lists none of that ID.
func ShowBatch(d *desk.Desk, win fyne.Window, id string) *BatchSheet {
	s := &BatchSheet{d: d, id: id, bar: kit.NewBar(0, kit.ColorAccent), facts: map[string]*kit.Text{}}
	if !s.take() {
		return nil
	}
	rows := []fyne.CanvasObject{kit.Sized(0, 10, s.bar)}
	for _, key := range batchFacts {
		s.facts[key] = kit.Label("").Fit()
		rows = append(rows, kit.Row(10, kit.Sized(130, 22, kit.NewText(words.T(key), kit.ColorMuted, 13)), kit.Stretch(s.facts[key])))
	}
	s.none = kit.NewText("", kit.ColorFaint, 12).Fit()
	s.list = kit.NewRows(44, func() int { return len(s.run.Failures) }, s.failureRow)
	rows = append(rows, kit.Pad(8, 0, 0, 0, s.none), kit.Stretch(s.list))
	s.dialog = kit.NewDialog(words.T("batch.title"), s.run.Title, kit.Pad(14, 14, 14, 14, kit.Column(4, rows...)), 700, 480)
	s.dialog.SetCaption(words.T("batch.caption"))
	s.stop = kit.NewButton(words.T("batch.stop"), kit.Danger, func() { d.StopBatch(s.id) }).WithTip("batch.stop.tip")
	s.dialog.SetButtons(s.stop, kit.NewButton(words.T("do.close"), kit.Primary, s.dialog.Close))
	s.fill()
	s.dialog.ShowOn(win.Canvas())
	return s
}

// Update shows how far the batch is now.
func (s *BatchSheet) Update() {
	if s != nil && s.dialog.Shown() && s.take() {
		s.fill()
	}
}

// take reads how far it is; it reports false when the batch is not listed any more.
func (s *BatchSheet) take() bool {
	run, there := s.d.Batch(s.id)
	if there {
		s.run = run
	}
	return there
}

func (s *BatchSheet) fill() {
	b := &s.run
	_, color := BatchSign(b)
	s.bar.Set(b.Share(), color)
	set := func(key, text string) { s.facts[key].SetText(text) }
	set("batch.done", doneWords(b))
	left := words.Int(int64(b.Left()))
	if b.Running > 0 {
		left += " · " + words.T("batch.beingDone", "count", b.Running)
	}
	set("batch.left", left)
	set("batch.failed", words.Int(int64(b.Failed)))
	rate, remaining := words.Unknown, words.Unknown
	if r, known := b.Rate(); known {
		rate = words.T("batch.perSecond", "n", words.Decimal(r, 1))
	}
	if t, known := b.Remaining(); known && b.Works(time.Now()) {
		remaining = "~" + words.Elapsed(t)
	}
	if b.Left() == 0 || !b.Ended.IsZero() {
		remaining = "0"
		if b.Left() > 0 {
			remaining = words.T("batch.endedEarly")
		}
	}
	set("batch.rate", rate)
	set("batch.remaining", remaining)
	began := show.RecordTime(b.Began) + " · " + b.Host
	if b.Queued {
		began += " · " + words.T("batch.queued")
	}
	set("batch.began", began)
	switch {
	case b.Failed == 0:
		s.none.SetText(words.T("batch.noFailures"))
	case b.Failed > len(b.Failures):
		s.none.SetText(words.T("batch.lastFailures", "count", len(b.Failures)))
	default:
		s.none.SetText(words.T("batch.failures"))
	}
	if b.Stopping {
		s.stop.SetText(words.T("batch.stopping"))
	}
	s.stop.SetEnabled(b.Works(time.Now()) && !b.Stopping)
	s.list.Update()
}

// doneWords lists what was done by its outcome.
func doneWords(b *model.BatchRun) string {
	parts := []string{words.T("job.of", "n", b.Finished()-b.Failed, "m", b.Total)}
	for _, outcome := range slices.Sorted(maps.Keys(b.Done)) {
		parts = append(parts, words.T("batch.outcome."+outcome, "count", b.Done[outcome]))
	}
	return strings.Join(parts, " · ")
}

// BatchSign is the sign of how a batch is.
func BatchSign(b *model.BatchRun) (kit.Glyph, fyne.ThemeColorName) {
	switch {
	case !b.Ended.IsZero() && b.Failed == 0 && b.Left() == 0:
		return kit.GlyphOK, kit.ColorSuccess
	case b.Works(time.Now()) && b.Failed == 0:
		return kit.GlyphHalf, kit.ColorAccent
	}
	return kit.GlyphWarning, kit.ColorWarning
}

// BatchState says in a line how far a batch is.
func BatchState(b *model.BatchRun) string {
	parts := []string{words.T("job.of", "n", b.Finished(), "m", b.Total)}
	if b.Failed > 0 {
		parts = append(parts, words.T("batch.notDone", "count", b.Failed))
	}
	left, known := b.Remaining()
	switch {
	case !b.Ended.IsZero() && b.Left() > 0:
		parts = append(parts, words.T("batch.endedEarly"))
	case !b.Ended.IsZero():
		parts = append(parts, words.T("batch.ended"))
	case !b.Works(time.Now()):
		parts = append(parts, words.T("batch.nobody"))
	case b.Stopping:
		parts = append(parts, words.T("batch.stopping"))
	case known:
		parts = append(parts, words.T("batch.timeLeft", "time", words.Elapsed(left)))
	}
	return strings.Join(parts, " · ")
}

// BatchItems are what can be done with a batch.
func BatchItems(d *desk.Desk, b model.BatchRun) []kit.MenuItem {
	if b.Works(time.Now()) {
		if b.Stopping {
			return nil
		}
		return []kit.MenuItem{{Text: words.T("batch.stop"), Run: func() { d.StopBatch(b.ID) }}}
	}
	return []kit.MenuItem{{Text: words.T("command.remove"), Run: func() { d.ForgetBatch(b.ID) }}}
}

// failureRow makes the row of a file that could not be done.
func (s *BatchSheet) failureRow() (fyne.CanvasObject, func(int)) {
	path, why := kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
	return kit.Pad(4, 10, 0, 8, kit.Column(1, path, why)), func(i int) {
		path.SetText(show.ShortFolder(s.run.Failures[i].Path))
		why.SetText(s.run.Failures[i].Why)
	}
}
