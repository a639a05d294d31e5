package dialogs

import (
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// jobSheet shows a compaction that takes long enough to be noticed, and says
// how every compaction ended.
type jobSheet struct {
	d *desk.Desk
	w fyne.Window
	c *commands.Table

	announced *desk.Job // whose end was announced
	dialog    *kit.Dialog
	signs     []*kit.Sign
	times     []*kit.Text
	notes     []*kit.Text
	bar       *kit.Bar
}

var jobPhases = []session.Phase{session.PhaseRange, session.PhaseRead, session.PhaseSummarise, session.PhaseCheck, session.PhaseSave}

func NewJobSheet(d *desk.Desk, w fyne.Window, c *commands.Table) *jobSheet {
	s := &jobSheet{d: d, w: w, c: c, announced: d.Job()}
	if d.Job().Running() {
		s.announced = nil
	}
	d.Listen(desk.TopicJob, s.update)
	return s
}

func (s *jobSheet) update() {
	j := s.d.Job()
	if j == nil {
		return
	}
	if j.Running() {
		if j.Slow {
			s.show(j)
		}
		return
	}
	if s.dialog != nil {
		s.dialog.Hide()
		s.dialog = nil
	}
	if s.announced != j {
		s.announced = j
		s.ended(j)
	}
}

// show opens the dialog, or brings it up to date.
func (s *jobSheet) show(j *desk.Job) {
	if s.dialog == nil {
		s.build(j)
	}
	reached := phaseIndex(j.Phase)
	now := time.Now()
	for i, ph := range jobPhases {
		begun, ended := phaseTimes(j, ph, now)
		took := ""
		switch {
		case i < reached:
			s.signs[i].Set(kit.GlyphOK, kit.ColorSuccess)
		case i == reached:
			s.signs[i].Set(kit.GlyphHalf, kit.ColorAccent)
		default:
			s.signs[i].Set(kit.GlyphRing, kit.ColorFaint)
		}
		if !begun.IsZero() {
			took = words.Duration(ended.Sub(begun))
		}
		s.times[i].SetText(took)
		note := ""
		if i == reached && j.Total > 0 {
			note = words.T("job.of", "n", j.Done, "m", j.Total)
		}
		s.notes[i].SetText(note)
	}
	share := float64(reached) / float64(len(jobPhases))
	if j.Total > 0 {
		share += float64(j.Done) / float64(j.Total) / float64(len(jobPhases))
	}
	s.bar.Set(share, kit.ColorAccent)
}

func (s *jobSheet) build(j *desk.Job) {
	s.bar = kit.NewBar(0, kit.ColorAccent)
	s.signs, s.times, s.notes = nil, nil, nil
	rows := []fyne.CanvasObject{kit.Sized(0, 10, s.bar)}
	for _, ph := range jobPhases {
		sign, took := kit.NewSign(kit.GlyphRing, kit.ColorFaint, 14), kit.NewText("", kit.ColorMuted, 12).Right()
		note := kit.NewText("", kit.ColorMuted, 12).Fit()
		s.signs, s.times, s.notes = append(s.signs, sign), append(s.times, took), append(s.notes, note)
		rows = append(rows, kit.Row(10, sign, kit.Sized(180, 22, kit.Label(words.T("phase.job."+string(ph)))), kit.Stretch(note),
			kit.Sized(70, 0, took)))
	}
	s.dialog = kit.NewDialog(words.T("job.title"), j.Title, kit.Pad(14, 14, 14, 14, kit.Column(6, rows...)), 560, 0)
	s.dialog.SetCaption(words.T("job.cancelMeans"))
	s.dialog.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Danger, s.d.CancelJob))
	s.dialog.OnClose = func() { s.dialog = nil; s.d.CancelJob() }
	s.dialog.ShowOn(s.w.Canvas())
}

func phaseIndex(ph session.Phase) int {
	for i, x := range jobPhases {
		if x == ph {
			return i
		}
	}
	return 0
}

// phaseTimes is when a phase began, and when the next one did.
func phaseTimes(j *desk.Job, ph session.Phase, now time.Time) (begun, ended time.Time) {
	for i, b := range j.Began {
		if b.Phase != ph {
			continue
		}
		if i+1 < len(j.Began) {
			return b.At, j.Began[i+1].At
		}
		return b.At, now
	}
	return begun, ended
}

// ended says how a compaction ended: a floating line when it was applied, a
// banner otherwise.
func (s *jobSheet) ended(j *desk.Job) {
	r := j.Record
	if r == nil {
		return // the error is said by the desk
	}
	switch r.Outcome {
	case model.Applied:
		size := figures.OfRecord(r)
		text := words.T("job.applied", "record", r.ID, "before", words.Figure(size.Before), "after", words.Figure(size.After))
		s.c.Toast(text, words.T("do.undo"), func() { s.d.UndoStep(j.Step) })
	case model.Refused:
		s.d.Say(desk.Notice{Severity: desk.Warning, Code: "refused", Args: []any{"reason", show.RecordReason(r)}})
	case model.Cancelled:
		s.d.Say(desk.Notice{Severity: desk.Info, Code: "cancelled", Args: []any{"record", r.ID}})
	case model.Failed:
		if j.Err == nil {
			s.d.Say(desk.Notice{Severity: desk.Failure, Code: "failed", Args: []any{"reason", r.Reason}})
		}
	}
}
