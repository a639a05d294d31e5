package session

import (
	"context"
	"io"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// ExportAs writes the thread in another form than its own (see
// [transcript.Targets]): what is live, as the session's records leave it, or with
// full the whole history as the file tells it. Written.Lost counts what the form
// has no place for.
func (s *Session) ExportAs(ctx context.Context, path string, form model.Format, full, force bool, opts ...ExportOption) (*Written, error) {
	if err := transcript.Confirmed(s.file.Doc); err != nil {
		return nil, err
	}
	_, stack := s.snapshot()
	title := s.file.Title(s.ref.Conversation)
	if title == s.file.Name() {
		title = "" // a file's name is none
	}
	x := transcript.Cross{Doc: s.file.Doc, Thread: s.thread, Items: s.liveItems(stack, s.At()), Summary: s.SummaryText,
		Title: title, How: s.counter.Name(), Tokens: func(it model.Item) int {
			switch {
			case it.Msg < 0:
				return int(s.summaryTokens(stack, it.Record))
			case it.Cleared:
				return min(s.Tokens(it.Msg), compaction.NoteTokens)
			}
			return s.Tokens(it.Msg)
		}}
	if full {
		x.Items = make([]model.Item, len(s.thread.History))
		for i, m := range s.thread.History {
			x.Items[i].Msg = m
		}
	}
	sieve, err := s.file.sift(&x, exportingOf(opts))
	if err != nil {
		return nil, err
	}
	var lost transcript.Losses
	out, err := WriteFile(ctx, path, force, func(w io.Writer) error {
		var err error
		lost, err = transcript.WriteCross(w, form, x)
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	out.Lost = lost
	if sieve != nil {
		out.Redacted = sieve.Found()
	}
	return out, nil
}
