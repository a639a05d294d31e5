package dialogs

import (
	"slices"
	"strings"

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
	phase     *kit.Text
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
		s.bar, s.phase = kit.NewBar(0, kit.ColorAccent), kit.Label("").Fit()
		s.dialog = kit.NewDialog(words.T("job.title"), j.Title,
			kit.Pad(14, 14, 14, 14, kit.Column(6, kit.Sized(0, 10, s.bar), s.phase)), 560, 0)
		s.dialog.SetCaption(words.T("job.cancelMeans"))
		s.dialog.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Danger, s.d.CancelJob))
		s.dialog.OnClose = func() { s.dialog = nil; s.d.CancelJob() }
		s.dialog.ShowOn(s.w.Canvas())
	}
	text, share := words.T("phase.job."+string(j.Phase)), float64(max(0, slices.Index(jobPhases, j.Phase)))
	if j.Total > 0 {
		text += " · " + words.T("job.of", "n", j.Done, "m", j.Total)
		share += float64(j.Done) / float64(j.Total)
	}
	s.phase.SetText(text)
	s.bar.Set(share/float64(len(jobPhases)), kit.ColorAccent)
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
		text := words.T("job.applied", "record", r.ID, "before", words.Figure(size.Before), "after",
			strings.TrimPrefix(words.Figure(size.After), "~"))
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
