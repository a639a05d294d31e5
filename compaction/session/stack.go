package session

import (
	"context"
	"fmt"
	"slices"

	"palimpsest/model"
)

// StackOf is the records a record stands on, bottom first, with the record
// itself on top: what its compacted transcript is made of. A record that a verb
// made stands on its file alone.
func StackOf(ctx context.Context, st Store, rec *model.Record) ([]*model.Record, error) {
	stack := []*model.Record{rec}
	for r := rec; !r.Verb && r.Base != ""; {
		below, err := st.Record(ctx, r.Base)
		if err != nil {
			return nil, fmt.Errorf("look for record %s, on which %s stands: %w", r.Base, r.ID, err)
		}
		if !sameSource(below, rec) || len(stack) > 1<<16 {
			break
		}
		stack = append(stack, below)
		r = below
	}
	slices.Reverse(stack)
	return stack, nil
}

// Stand puts other records under the session, bottom first: its stack as it was
// at another time. Nothing is stored.
func (s *Session) Stand(stack []*model.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stack = slices.Clone(stack)
	s.version++
}

// sameSource reports whether a record was made on the file of another one, or on
// a beginning of it: a session that stands on records may have grown since.
func sameSource(below, rec *model.Record) bool {
	return below.SourceSHA == rec.SourceSHA || below.Path == rec.Path && below.SourceSize < rec.SourceSize
}
