package session

import (
	"context"
	"io"
	"slices"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// ExportNative writes the file with the session's compactions told as its own
// tool would tell one: everything it holds stays, and the compaction stands
// behind it (see [transcript.WriteNative]). Like every export it is read back
// before it takes its name.
func (s *Session) ExportNative(ctx context.Context, path string, force bool, opts ...ExportOption) (*Written, error) {
	_, stack := s.snapshot()
	if len(stack) == 0 {
		return nil, &model.Problem{Code: "nothing-compacted", What: "There is no compaction to write.", Why: "No record stands on this history.", Next: "Compact it first."}
	}
	return s.writeNative(ctx, path, force, exportingOf(opts), stack, nil)
}

// ApplyNative applies a draft and writes the file as [Session.ExportNative]
// does, as one act: when the file can't be written no record is stored, and when
// the record can't be stored no file appears. A record beside an error was
// stored.
func (s *Session) ApplyNative(ctx context.Context, d *Draft, path string, force bool, opts ...ExportOption) (rec *model.Record, out *Written, err error) {
	made, stack, err := s.prepare(d)
	if err != nil {
		return nil, nil, err
	}
	out, err = s.writeNative(ctx, path, force, exportingOf(opts), stack, func() error {
		if err := grown(s.file.Doc, path); err != nil {
			return err
		}
		if err := s.save(ctx, made); err != nil {
			return err
		}
		s.push(made)
		rec = made
		return nil
	})
	return rec, out, err
}

// writeNative writes what the records of a stack leave; sure runs when it was
// read back, before the file takes its name.
func (s *Session) writeNative(ctx context.Context, path string, force bool, x exporting, stack []*model.Record, sure func() error) (*Written, error) {
	top := stack[len(stack)-1]
	items := s.liveItems(stack, len(s.thread.History))
	n := &transcript.Native{Conversation: s.ref.Conversation, Thread: s.ref.Thread, Items: items,
		Summary: func(uid string) string { return summaryOf(stack, uid) }, Time: top.Time,
		Note: func(i int32) string { return compaction.ClearedNote(s.Tokens(i)) }, UIDs: [2]string{s.file.opt.UID(), top.UID},
		Before: int(top.Before.Tokens), After: int(top.After.Tokens)}
	want := items
	if s.file.Doc.Format == model.FormatClaudeCode { // whose order is the summary first
		want = slices.Clone(items)
		slices.SortStableFunc(want, func(a, b model.Item) int { return summaryRank(a) - summaryRank(b) })
	}
	return s.file.write(ctx, path, force, x, func(w io.Writer) error {
		return transcript.WriteNative(w, s.file.Doc, n)
	}, func(tmp string) error {
		f, err := s.file.readBack(ctx, tmp)
		if err != nil {
			return err
		}
		defer f.Close()
		return s.checkLive(f.Doc, want, stack)
	}, sure)
}

func summaryRank(it model.Item) int {
	if it.Msg < 0 {
		return 0
	}
	return 1
}
