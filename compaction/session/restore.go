package session

import (
	"context"
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// loadStack finds the records that stand on this thread: the newest one that is
// on, and what it was made on.
func (s *Session) loadStack(ctx context.Context) error {
	st := s.file.opt.Store
	if st == nil {
		return nil
	}
	list, err := st.SourceRecords(ctx, s.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for records of this file: %w", err)
	}
	earlier, err := s.prefixRecords(ctx)
	if err != nil {
		return fmt.Errorf("look for records of this file when it was shorter: %w", err)
	}
	list = append(earlier, list...)
	slices.SortStableFunc(list, func(a, b model.Record) int { return a.Time.Compare(b.Time) })
	byID := map[string]*model.Record{}
	var top *model.Record
	for i := range list {
		r := &list[i]
		if r.Conversation != s.ref.Conversation || r.Thread != s.ref.Thread || r.Outcome != model.Applied ||
			r.Cause == model.CauseRestore || r.Off || r.Verb {
			continue
		}
		byID[r.ID] = r
		top = r
	}
	var stack []*model.Record
	for r := top; r != nil; r = byID[r.Base] {
		stack = append(stack, r)
		if r.Base == "" {
			slices.Reverse(stack)
			s.stack = stack
			return nil
		}
	}
	return nil // a record it stands on is gone: the originals are shown
}

// RestoreEffect says what restoring a record of the stack would do.
type RestoreEffect struct {
	Undone []*model.Record // the record and every one built upon it, bottom first
	Now    model.Size
	Then   model.Size
}

// RestorePreview tells the effect of restoring a record of the stack.
func (s *Session) RestorePreview(id string) (*RestoreEffect, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := slices.IndexFunc(s.stack, func(r *model.Record) bool { return r.ID == id || r.UID == id })
	if k < 0 {
		return nil, &model.Problem{Code: "not-on-stack", What: fmt.Sprintf("Record %s is not applied to this session.", id),
			Why: "It was switched off, or belongs to another file or agent.", Next: "Choose a record that is applied."}
	}
	e := &RestoreEffect{Undone: slices.Clone(s.stack[k:])}
	e.Now = s.sizeAt(s.stack, s.at)
	e.Then = s.sizeAt(s.stack[:k], s.at)
	return e, nil
}

// Ladder tells what restoring each record of the stack would do, the top one
// first: every step brings back the originals of one record more.
func (s *Session) Ladder() []RestoreEffect {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]RestoreEffect, 0, len(s.stack))
	now := s.sizeAt(s.stack, s.at)
	for k := len(s.stack) - 1; k >= 0; k-- {
		out = append(out, RestoreEffect{Undone: slices.Clone(s.stack[k:]), Now: now, Then: s.sizeAt(s.stack[:k], s.at)})
	}
	return out
}

// sizeAt is the size of the live list before a history message under a stack.
func (s *Session) sizeAt(stack []*model.Record, at int) model.Size {
	items := s.liveItems(stack, at)
	z := model.Size{Messages: len(items), Tokens: int64(s.policy.Fixed)}
	for _, it := range items {
		if it.Msg < 0 {
			z.Tokens += int64(s.summaryTokens(stack, it.Record))
		} else {
			z.Tokens += int64(s.itemTokens(it.Msg, it.Cleared))
		}
	}
	return z
}

// Restore brings back the originals of a record of the stack: it makes a new
// record and switches off that one and every one built upon it. Nothing is
// deleted.
func (s *Session) Restore(ctx context.Context, id string) (*model.Record, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	e, err := s.RestorePreview(id)
	if err != nil {
		return nil, err
	}
	bottom, now := e.Undone[0], s.file.opt.Now()
	doc := s.file.Doc
	rec := &model.Record{
		UID: s.file.opt.UID(), Time: now.UTC(), Session: bottom.Session, Path: doc.Path, Format: doc.Format, FieldMap: transcript.MapOf(doc),
		SourceSHA: doc.Hash(), SourceSize: doc.Size, Conversation: s.ref.Conversation, Thread: s.ref.Thread,
		Agent: s.thread.AgentID, Cause: model.CauseRestore, Policy: bottom.Policy, Strategy: bottom.Strategy,
		At: bottom.At, Range: bottom.Range, RangeSHA: bottom.RangeSHA, Covered: bottom.Covered,
		Before: e.Now, After: e.Then, Counted: s.counter.Name(), Outcome: model.Applied, Base: bottom.Base,
	}
	ids := make([]string, len(e.Undone))
	for i, r := range e.Undone {
		ids[i] = r.ID
	}
	if rec.Parents = ids; s.file.opt.Store != nil {
		if err := s.file.opt.Store.SaveRestore(ctx, rec, s.originals(), ids...); err != nil {
			return nil, fmt.Errorf("save the restore: %w", err)
		}
	} else {
		rec.ID = "R-" + rec.UID[:8]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.stack) - len(e.Undone); k < 0 || s.stack[k] != bottom {
		return nil, &model.Problem{Code: "stale-draft", What: "The restore was saved, but the session changed meanwhile.", Next: "Open the file again."}
	}
	for _, r := range e.Undone {
		r.Off = true
	}
	s.stack = s.stack[:len(s.stack)-len(e.Undone)]
	s.version++
	return rec, nil
}
