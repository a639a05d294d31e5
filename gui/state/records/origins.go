package records

import (
	"context"

	"palimpsest/gui/state"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// Origins is the history of the record looked at, as it was when it was made.
type Origins struct {
	Session *session.Session
	Below   []*model.Record  // that it was made on, bottom first
	Taken   []model.Item     // what it took out of their list
	Plan    *compaction.Plan // its policy on that list
	Proof   session.Proof
	Err     error // why it can't be had; the rest is empty then

	file *session.File // read from the store for this record alone; nil: the history looked at
}

// RecordOrigins is that history once it was read; nil until then.
func (d *View) RecordOrigins() *Origins { return d.origins }

// ReadOrigins reads the history of the record looked at and computes its hashes:
// from the history looked at where it is the same, else from the store, which
// verifies every block.
func (d *View) ReadOrigins() {
	r, s := d.record, d.histories.Session()
	if r == nil || d.origins != nil || d.reading == r || r.Cause == model.CauseFound {
		return
	}
	d.reading = r
	sched.Run(d.core.Sched, "origins", func(ctx context.Context, _ func(sched.Progress)) (*Origins, error) {
		return d.readOrigins(ctx, r, s), nil
	}, func(o *Origins, _ error) {
		if d.record != r || o == nil {
			o.close()
			return
		}
		d.closeOrigins()
		d.origins = o
		d.core.Notify(state.TopicRecords)
	})
}

func (d *View) readOrigins(ctx context.Context, r *model.Record, s *session.Session) *Origins {
	o := &Origins{}
	if s == nil || s.File().Doc.Hash() != r.SourceSHA || s.Ref() != (session.Ref{Conversation: r.Conversation, Thread: r.Thread}) {
		if d.core.Store == nil {
			o.Err = &model.Problem{Code: "no-store", What: "There is no database to take the original from.", Next: "Open the file itself."}
			return o
		}
		if o.file, o.Err = session.OpenOriginals(ctx, d.core.Store, r); o.Err != nil {
			return o
		}
		if s, o.Err = o.file.OriginalSession(ctx, r); o.Err != nil {
			return o
		}
	}
	if d.core.Store != nil {
		stack, err := session.StackOf(ctx, d.core.Store, r)
		if err != nil {
			o.Err = err
			return o
		}
		o.Below = stack[:len(stack)-1]
	} else {
		for _, x := range s.Stack() {
			if x.UID == r.UID {
				break
			}
			o.Below = append(o.Below, x)
		}
	}
	below := s.With(o.Below)
	o.Session, o.Taken, o.Plan = s, below.Taken(r), below.PlanOf(r)
	o.Proof, o.Err = below.Prove(ctx, r)
	return o
}

func (d *View) closeOrigins() {
	d.core.Sched.Cancel("origins")
	d.origins.close()
	d.origins, d.reading = nil, nil
}

func (o *Origins) close() {
	if o != nil && o.file != nil {
		o.file.Close()
	}
}
