package desk

import (
	"context"
	"errors"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/drafts"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// Job is a compaction under way or just ended.
type Job struct {
	Title  string
	Phase  session.Phase
	Done   int64
	Total  int64
	Record *model.Record // when ended, with its outcome
	Err    error
	Ended  time.Time  // zero: still running
	Slow   bool       // it takes long enough to be shown
	Step   *undo.Step // of the history, when it was applied

	kind   undo.Kind
	of     *session.Session
	before []*model.Record // its stack
	drafts drafts.Tabs     // that were shown
	cancel context.CancelFunc
}

// slowAfter is how long a job runs before it is worth showing.
const slowAfter = 150 * time.Millisecond

// Running reports whether the job is under way.
func (j *Job) Running() bool { return j != nil && j.Ended.IsZero() }

// Job is the compaction under way or the latest one; nil: none yet.
func (d *drafting) Job() *Job { return d.job }

// CanApply reports whether a compaction as planned may be applied now.
func (d *drafting) CanApply() bool {
	s, pl := d.desk.Session(), d.desk.Planning.Plan()
	return s != nil && pl != nil && pl.Outcome == compaction.WouldApply && d.Later() == nil && !s.Sketched() && !d.job.Running()
}

// Later is the record because of which the plan can't be applied: it was made later in
// the history. nil: none.
func (d *drafting) Later() *model.Record {
	if s, pl := d.desk.Session(), d.desk.Planning.Plan(); s != nil && pl != nil {
		return s.Overlay().Later(pl)
	}
	return nil
}

// CompactNow makes and applies a compaction with the parameters on the screen.
// Its outcome is recorded whatever it is.
func (d *drafting) CompactNow() {
	s := d.desk.Session()
	if s == nil || d.job.Running() {
		return
	}
	d.desk.Planning.Commit()
	p := d.desk.Planning.Params()
	if p.Strategy.Asks() { // the cost is shown first
		d.Enquire(session.Asking{})
		return
	}
	d.start(undo.Compact, s, func(ctx context.Context, pr session.Progress) (*model.Record, error) {
		return s.Records.Compact(ctx, p, compaction.Options{Manual: true}, pr)
	})
}

// ApplyDraft stores exactly the draft on the screen.
func (d *drafting) ApplyDraft() {
	s, dr := d.desk.Session(), d.desk.DraftSet.Draft()
	if s == nil || dr == nil || d.job.Running() {
		return
	}
	d.start(undo.Apply, s, func(ctx context.Context, pr session.Progress) (*model.Record, error) {
		pr(session.PhaseSave, 0, 0)
		return s.Records.Apply(ctx, dr)
	})
}

func (d *drafting) start(k undo.Kind, s *session.Session, work func(ctx context.Context, pr session.Progress) (*model.Record, error)) {
	stop, cancel := context.WithCancel(context.Background())
	j := &Job{Title: d.desk.current.Title, cancel: cancel, kind: k, of: s, Phase: session.PhaseRange,
		before: s.Stack(), drafts: d.desk.DraftSet.Tabs()}
	d.job = j
	d.Notify(TopicJob)
	sched.Do(d.Sched, "slow", func(ctx context.Context, _ func(sched.Progress)) error {
		select {
		case <-time.After(slowAfter):
		case <-ctx.Done():
		}
		return nil
	}, func(error) {
		j.Slow = j.Running()
		d.Notify(TopicJob)
	})
	sched.Run(d.Sched, "compact", func(ctx context.Context, progress func(sched.Progress)) (*model.Record, error) {
		ctx, done := context.WithCancel(ctx)
		defer done()
		defer context.AfterFunc(stop, done)()
		return work(ctx, func(ph session.Phase, done, total int) {
			progress(sched.Progress{Done: int64(done), Total: int64(total), Text: string(ph)})
		})
	}, func(rec *model.Record, err error) {
		cancel()
		d.ended(j, rec, err)
	})
}

func (d *drafting) ended(j *Job, rec *model.Record, err error) {
	d.Sched.Cancel("slow")
	j.Record, j.Err, j.Ended = rec, err, time.Now()
	if err != nil && !errors.Is(err, context.Canceled) {
		d.Fail(err)
	}
	if rec != nil && rec.Outcome == model.Applied {
		d.desk.summary = ownSummary{record: rec.UID, before: d.desk.selectedNum(), awaited: true}
		step := d.desk.Made(j.kind, j.of, j.before, rec)
		step.Back = func() { d.desk.DraftSet.ShowAgain(j.of, j.drafts) }
		d.desk.Did(step)
		d.desk.RecordView.ForgetRecord() // the records begin with this one
		j.Step = d.desk.last
		if d.desk.current != nil {
			d.desk.DraftSet.Outdated(d.desk.current.Session)
		}
	} else {
		d.desk.wanted = nil // an undo asked for meanwhile was of what has not come about
	}
	d.Notify(TopicJob)
	d.desk.RecordList.LoadRecords()
	d.desk.Planning.Replan()
	d.desk.showHeld()
	d.desk.want() // what was asked for meanwhile
}

// CancelJob cancels the compaction under way; the session stays as it is and
// the record says that it was cancelled.
func (d *drafting) CancelJob() {
	if d.job.Running() {
		d.job.cancel()
	}
}
