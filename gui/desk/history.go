package desk

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"palimpsest/gui/state"
	"palimpsest/gui/state/records"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
)

// history is the one undo of the window: every change that a person makes is a
// step of it.
//
//	parameters, title, note   what they were, and are
//	records, trash            store.Change and the stack of the session
//	write-back                its opposite
//	drafts                    as the step says itself
type history struct {
	subject
	steps  undo.List
	wanted []bool // undos (false) and redos that wait for the one under way
	moving bool   // one is under way
	saving int    // steps that are being stored, which an undo waits for
	saves  int    // how many were stored, and are being
	last   *undo.Step
}

// Steps are the changes that are seen from the history looked at, the oldest first.
func (d *history) Steps() []*undo.Step { return d.steps.Seen(d.seen()) }

// NextUndo is the step that Undo takes back; nil: none.
func (d *history) NextUndo() *undo.Step { s, _ := d.steps.Next(d.seen()); return s }

// NextRedo is the step that Redo does again; nil: none.
func (d *history) NextRedo() *undo.Step { _, s := d.steps.Next(d.seen()); return s }

// LastStep is what was done, undone or redone last; nil: nothing yet.
func (d *history) LastStep() *undo.Step { return d.last }

// CanUndo reports whether there is a step to take back, or will be when what is under
// way has ended: until then what is asked for waits.
func (d *history) CanUndo() bool {
	return (d.NextUndo() != nil || d.saving > 0 || d.moving || d.desk.job.Running()) && !d.desk.many.Running()
}

// CanRedo is CanUndo for Redo.
func (d *history) CanRedo() bool { return (d.NextRedo() != nil || d.moving) && !d.desk.many.Running() }

// Undo takes the newest step back.
func (d *history) Undo() { d.want(false) }

// Redo does the step again that was taken back last.
func (d *history) Redo() { d.want(true) }

// UndoStep takes a step back if it is still the newest.
func (d *history) UndoStep(s *undo.Step) {
	if d.NextUndo() == s {
		d.Undo()
	}
}

// GoTo undoes or redoes steps until one is the newest that is done.
func (d *history) GoTo(s *undo.Step) {
	back, again := d.steps.Way(d.seen(), s)
	d.want(slices.Concat(slices.Repeat([]bool{false}, back), slices.Repeat([]bool{true}, again))...)
}

// seen are the steps of the history looked at, and those of all.
func (d *history) seen() undo.View {
	s, of := d.desk.Session(), d.of(d.desk.current)
	return func(x *undo.Step) bool {
		return x.Of == "" || x.Of == of && (x.Owner == nil || s != nil && x.Owner == s)
	}
}

// of names a thread of a history in steps.
func (d *history) of(e *Entry) string {
	if e == nil {
		return "none"
	}
	return pathKey(e.Path, e.Ref)
}

// Did notes a step.
func (d *history) Did(s *undo.Step) {
	s.Time = time.Now().UTC()
	d.steps.Add(s)
	d.last = s
	if s.Kept() {
		d.keepSteps()
	}
	d.Notify(TopicHistory)
}

// historySetting is the name under which the steps are stored.
const historySetting = "history"

func (d *history) keepSteps() {
	// The steps are changed by this goroutine alone; the store gets a copy.
	var kept []undo.Step
	for _, s := range d.steps.Kept() {
		kept = append(kept, *s)
	}
	d.Keep(historySetting, kept)
}

// loadSteps reads the steps of former runs, and empties the trash by age.
func (d *history) loadSteps() {
	d.steps.Forget(func(s *undo.Step) bool { return s.Kept() && !s.OfParams() }) // of another database
	st := d.Store
	state.Run(d.core, "history", func(ctx context.Context) (list []*undo.Step, err error) {
		if !st.ReadOnly() {
			if _, _, err := st.EmptyTrash(ctx, time.Now().Add(-store.TrashAge)); err != nil {
				return nil, err
			}
		}
		_, err = st.Setting(ctx, historySetting, &list)
		return list, err
	}, func(list []*undo.Step) {
		d.steps.Put(list)
		for _, e := range d.desk.entries {
			for ref, s := range e.sessions {
				d.resumeParams(pathKey(e.Path, ref), s)
				d.desk.inherit(e, ref, s)
			}
		}
		if d.desk.Session() != nil {
			d.desk.Planning.TakeParams()
		}
		d.Notify(TopicHistory)
	})
}

// resumeParams gives a session the parameters that its history was left with.
func (d *history) resumeParams(of string, s *session.Session) { d.paramsLeft(of)(s) }

// paramsLeft returns what gives a session, on any goroutine, the parameters that its
// history was left with, by the steps. What its file says of the context, and no step
// changed, is the file's.
func (d *history) paramsLeft(of string) func(*session.Session) {
	var now *model.Policy
	var window, fixed bool // changed by a step
	for _, x := range d.steps.Seen(func(x *undo.Step) bool { return x.Of == of && x.OfParams() && !x.Undone }) {
		now, window, fixed = &x.Now, window || x.Was.Window != x.Now.Window, fixed || x.Was.Fixed != x.Now.Fixed
	}
	if now == nil {
		return func(*session.Session) {}
	}
	p := *now
	return func(s *session.Session) {
		p, file := p, s.Policy()
		if !window {
			p.Window = file.Window
		}
		if !fixed {
			p.Fixed = file.Fixed
		}
		s.SetPolicy(p)
	}
}

// want undoes and redoes one after another.
func (d *history) want(list ...bool) {
	if d.desk.many.Running() {
		return
	}
	d.wanted = append(d.wanted, list...)
	for !d.moving && d.saving == 0 && !d.desk.job.Running() && len(d.wanted) > 0 {
		again := d.wanted[0]
		d.wanted = d.wanted[1:]
		s := d.NextUndo()
		if again {
			s = d.NextRedo()
		}
		if s != nil {
			d.move(s, again)
		}
	}
}

// Saving says that a step is being stored: an undo asked for meanwhile is of it. It
// returns a key for that work, so that none cancels another, and what ends it after the
// step was noted.
func (d *history) Saving(work string) (key string, stored func()) {
	d.saving++
	d.saves++
	return fmt.Sprint(work, " ", d.saves), func() {
		d.saving--
		d.want()
	}
}

// move takes a step back, or does it again.
func (d *history) move(s *undo.Step, again bool) {
	if s.Move != nil {
		s.Move(again)
		d.moved(s, again)
		return
	}
	switch s.Kind {
	case undo.Params, undo.Preset, undo.Pin, undo.Unpin:
		x := d.desk.Session()
		if x == nil { // its history is being read
			d.wanted = nil
			return
		}
		from, to := s.Was, s.Now
		if !again {
			from, to = to, from
		}
		x.SetPolicy(session.Replaced(x.Policy(), from, to))
		d.moved(s, again)
		d.desk.Planning.TakeParams()
	case undo.Rename:
		name := s.From
		if again {
			name = s.To
		}
		d.desk.setName(s.Path, name)
		d.moved(s, again)
	case undo.Note:
		d.desk.writeNotes(s, again)
		d.moved(s, again)
	case undo.WriteBack, undo.Unwrite:
		d.moving = true
		d.desk.rewrite((s.Kind == undo.WriteBack) == again, func(err error) { d.ended(s, again, err) })
	default:
		d.moving = true
		d.moveRecords(s, again)
	}
}

// moveRecords changes the store, and the stack of the history looked at, to what
// they were before a step or after it.
func (d *history) moveRecords(x *undo.Step, again bool) {
	s, st := d.desk.Session(), d.Store
	if x.Of != "" && s == nil { // its history is being read
		d.moving, d.wanted = false, nil
		return
	}
	change, from, to := x.Change, x.Before, x.After
	if !again {
		change, from, to = change.Inverse(), to, from
	}
	known, open := x.Records, (histories{&d.desk.fileList}).OpenSessions()
	sched.Do(d.Sched, "undo step", func(ctx context.Context, _ func(sched.Progress)) error {
		if x.Of == "" {
			if err := st.Change(ctx, change, time.Now()); err != nil {
				return err
			}
			return records.ReloadRecords(ctx, open)
		}
		return s.Records.Revert(ctx, from, func(ctx context.Context) ([]*model.Record, error) {
			if st == nil {
				return pickRecords(known, to, change), nil
			}
			if err := st.Change(ctx, change, time.Now()); err != nil {
				return nil, err
			}
			stack := make([]*model.Record, len(to))
			for i, id := range to {
				var err error
				if stack[i], err = st.Record(ctx, id); err != nil {
					return nil, fmt.Errorf("read a record of the stack: %w", err)
				}
			}
			return stack, nil
		})
	}, func(err error) {
		if err == nil {
			d.desk.RecordList.RecordsChanged(change.Trash, s)
		}
		d.ended(x, again, err)
	})
}

// pickRecords are the records of a stack that is in no store, switched off and on
// as a change says.
func pickRecords(known []*model.Record, ids []string, c store.Change) (stack []*model.Record) {
	for _, id := range ids {
		i := slices.IndexFunc(known, func(r *model.Record) bool { return r.ID == id })
		r := *known[i]
		r.Off = r.Off && !slices.Contains(c.On, id) || slices.Contains(c.Off, id)
		stack = append(stack, &r)
	}
	return stack
}

// ended ends what move began, and goes on with what waits.
func (d *history) ended(s *undo.Step, again bool, err error) {
	d.moving = false
	if err != nil {
		d.wanted = nil
		var p *model.Problem
		if errors.Is(err, store.ErrNotFound) || errors.As(err, &p) {
			d.steps.Forget(func(x *undo.Step) bool { return x == s }) // something was built on it since
			d.keepSteps()
		}
		d.Fail(err)
		d.Notify(TopicHistory)
		return
	}
	d.moved(s, again)
	if !again && s.Back != nil {
		s.Back()
	}
	d.want()
}

func (d *history) moved(s *undo.Step, again bool) {
	s.Undone = !again
	d.last = s
	if s.Kept() {
		d.keepSteps()
	}
	d.Notify(TopicHistory)
}

// paramsStep notes that the parameters of a session were changed, if they were.
func (d *history) paramsStep(e *Entry, s *session.Session, was model.Policy) {
	now := s.Policy()
	if reflect.DeepEqual(was, now) {
		return
	}
	x := &undo.Step{Kind: undo.Params, Of: pathKey(e.Path, s.Ref()), Was: was, Now: now}
	samePins := was
	samePins.Pins = now.Pins
	switch {
	case was.Preset != now.Preset:
		x.Kind, x.Name = undo.Preset, now.Preset
	case reflect.DeepEqual(samePins, now):
		x.Kind, x.Name = pinStep(was.Pins, now.Pins)
	}
	d.Did(x)
}

// pinStep is whether a message was pinned or unpinned, and its number from 1.
func pinStep(was, now []model.Range) (undo.Kind, string) {
	for _, side := range []struct {
		kind      undo.Kind
		all, less []model.Range
	}{{undo.Pin, now, was}, {undo.Unpin, was, now}} {
		for _, r := range side.all {
			for i := r.From; i < r.To; i++ {
				if !slices.ContainsFunc(side.less, func(x model.Range) bool { return i >= x.From && i < x.To }) {
					return side.kind, fmt.Sprintf("#%d", i+1)
				}
			}
		}
	}
	return undo.Pin, ""
}

// Made is the step by which records were made on a session's stack: by an apply, a
// restore, or by applying again.
func (d *history) Made(k undo.Kind, s *session.Session, before []*model.Record, made ...*model.Record) *undo.Step {
	after := s.Stack()
	x := &undo.Step{Kind: k, Of: d.stepKey(s), Before: state.RecordIDs(before), After: state.RecordIDs(after),
		Records: slices.Concat(before, after)}
	for _, r := range made {
		x.Change.Back = append(x.Change.Back, r.ID)
		x.Count, x.Former = x.Count+r.Messages(), x.Former+r.Formers
		if x.Name = r.ID; k == undo.Restore {
			x.Change.Off, x.Name = r.Parents, r.Parents[0]
		}
	}
	return x
}

// stepKey names the thread of a session in steps.
func (d *history) stepKey(s *session.Session) string {
	for _, e := range d.desk.entries {
		if e.Session == s {
			return d.of(e)
		}
	}
	return pathKey(s.File().Doc.Path, s.Ref())
}

// Stored notes a change of the stored records that all histories see.
func (d *history) Stored(k undo.Kind, c store.Change) {
	ids := slices.Concat(c.Trash, c.Back)
	d.Did(&undo.Step{Kind: k, Name: strings.Join(ids, ", "), Count: len(ids), Change: c})
}

// TrashEmptied forgets the steps that need what was in the trash: what was deleted, or
// would come back, can't be had again.
func (d *history) TrashEmptied() {
	d.steps.Forget(func(s *undo.Step) bool {
		return len(s.Change.Trash) > 0 && !s.Undone || len(s.Change.Back) > 0 && s.Undone
	})
	d.keepSteps()
	d.Notify(TopicHistory)
}
