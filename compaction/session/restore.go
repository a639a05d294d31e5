package session

import (
	"context"
	"fmt"
	"slices"

	"palimpsest/model"
)

// RestoreEffect is what restoring a record of the stack would do.
type RestoreEffect struct {
	Undone []*model.Record // the record and every one made upon it, bottom first
	Now    model.Size
	Then   model.Size
}

// Back is what comes back: messages, and former summaries that the records took
// in which stay applied or are in the file.
func (e *RestoreEffect) Back() (messages, formers int) {
	undone := map[string]bool{}
	for _, r := range e.Undone {
		undone[r.ID] = true
	}
	for _, r := range e.Undone {
		messages, formers = messages+r.Messages(), formers+r.Formers
		for _, p := range r.Parents {
			if undone[p] {
				formers--
			}
		}
	}
	return messages, formers
}

// restoreEffect returns the effect of restoring a record of the stack.
func (rs *Records) restoreEffect(id string) (*RestoreEffect, error) {
	ladder := rs.RestoreEffects()
	for i := range ladder {
		if r := ladder[i].Undone[0]; r.ID == id || r.UID == id {
			return &ladder[i], nil
		}
	}
	return nil, &model.Problem{Code: "not-on-stack", What: fmt.Sprintf("Record %s is not applied to this session.", id),
		Why: "It was switched off, or belongs to another file or agent.", Next: "Choose a record that is applied."}
}

// RestoreEffects returns what restoring each record of the stack would do, the top one
// first: each brings back the originals of one record more.
func (rs *Records) RestoreEffects() []RestoreEffect {
	o, fixed := rs.s.Overlay(), rs.s.Policy().Fixed
	stack, now := o.stack, o.size(fixed)
	out := make([]RestoreEffect, 0, len(stack))
	for k := len(stack) - 1; k >= 0; k-- {
		o.stack = stack[:k]
		out = append(out, RestoreEffect{Undone: stack[k:], Now: now, Then: o.size(fixed)})
	}
	return out
}

// Restore brings back the originals of a record of the stack: it makes a new
// record and switches off that one and every one made upon it. Nothing is
// deleted.
func (rs *Records) Restore(ctx context.Context, id string) (*model.Record, error) {
	rs.changing.Lock()
	defer rs.changing.Unlock()
	e, err := rs.restoreEffect(id)
	if err != nil {
		return nil, err
	}
	bottom, opt := e.Undone[0], rs.s.file.opt
	rec := &model.Record{
		UID: opt.UID(), Time: opt.Now().UTC(), Cause: model.CauseRestore, Policy: bottom.Policy, Strategy: bottom.Strategy,
		At: bottom.At, Range: bottom.Range, RangeSHA: bottom.RangeSHA, Covered: bottom.Covered, Formers: bottom.Formers,
		Before: e.Now, After: e.Then, Outcome: model.Applied, Base: bottom.Base,
	}
	rs.s.describeSource(rec)
	rec.Session = bottom.Session
	for _, r := range e.Undone {
		rec.Parents = append(rec.Parents, r.ID)
	}
	if err := saveAll(ctx, []Unsaved{{Record: rec, of: rs}}, rec.Parents...); err != nil {
		return nil, err
	}
	rs.s.mu.Lock()
	defer rs.s.mu.Unlock()
	k := len(rs.stack) - len(e.Undone)
	if k < 0 || rs.stack[k] != bottom {
		return nil, &model.Problem{Code: "stale-draft", What: "The restore was saved, but the session changed meanwhile.",
			Next: "Open the file again."}
	}
	for _, r := range e.Undone {
		r.Off = true
	}
	rs.stack = rs.stack[:k]
	rs.s.version++
	return rec, nil
}

// Revert puts another stack in the place of the one whose IDs are from: to take a
// change of it back, or to make that again. change stores it and returns the new
// stack; when it fails, or the stack is another one by now, the session is as it
// was.
func (rs *Records) Revert(ctx context.Context, from []string, change func(context.Context) ([]*model.Record, error)) error {
	rs.changing.Lock()
	defer rs.changing.Unlock()
	now := rs.s.Stack()
	if !slices.EqualFunc(now, from, func(r *model.Record, id string) bool { return r.ID == id }) {
		return &model.Problem{Code: "built-on", What: "The step was not undone.",
			Why: "The records of this history were changed since.", Next: "Restore the originals of a record instead."}
	}
	stack, err := change(ctx)
	if err != nil {
		return err
	}
	rs.s.mu.Lock()
	defer rs.s.mu.Unlock()
	rs.stack = stack
	rs.s.version++
	return nil
}
