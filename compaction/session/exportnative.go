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
	top := stack[len(stack)-1]
	items := s.liveItems(stack, len(s.thread.History))
	n := &transcript.Native{Conversation: s.ref.Conversation, Thread: s.ref.Thread, Items: items, Summary: s.SummaryText, Time: top.Time,
		Note: func(i int32) string { return compaction.ClearedNote(s.Tokens(i)) }, UIDs: [2]string{s.file.opt.UID(), top.UID},
		Before: int(top.Before.Tokens), After: int(top.After.Tokens)}
	want := items
	if s.file.Doc.Format == model.FormatClaudeCode { // whose order is the summary first
		want = slices.Clone(items)
		slices.SortStableFunc(want, func(a, b model.Item) int { return summaryRank(a) - summaryRank(b) })
	}
	return s.file.write(ctx, path, force, exportingOf(opts), func(w io.Writer) error {
		return transcript.WriteNative(w, s.file.Doc, n)
	}, func(tmp string) error {
		f, err := s.file.readBack(ctx, tmp)
		if err != nil {
			return err
		}
		defer f.Close()
		return s.checkLive(f.Doc, want, stack)
	})
}

func summaryRank(it model.Item) int {
	if it.Msg < 0 {
		return 0
	}
	return 1
}
