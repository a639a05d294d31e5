package session

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// change is what the records of a stack do to the document.
func (s *Session) change(stack []*model.Record) *transcript.Change {
	c := &transcript.Change{Conversation: s.ref.Conversation, Thread: s.ref.Thread,
		Note: func(i int32) string { return compaction.ClearedNote(s.Tokens(i)) }}
	if len(stack) == 0 {
		return c
	}
	top := stack[len(stack)-1]
	live := s.thread.Live(top.At)
	place := make(map[int32]int, len(live))
	for i, m := range live {
		place[m] = i
	}
	kept := make([]bool, len(live))
	for _, it := range top.Live {
		if p, ok := place[it.Msg]; ok && it.Msg >= 0 {
			kept[p] = true
		}
	}
	next := 0 // place behind the latest entry of the list
	for _, it := range top.Live {
		if it.Msg < 0 {
			if r := recordOf(stack, it.Record); r != nil && next < len(live) {
				c.Summaries = append(c.Summaries, transcript.Summary{Text: r.Summary, Before: live[next], UID: r.UID, Time: r.Time})
				if !kept[next] {
					next++ // each stands for a message of its own: a place may have room for one
				}
			}
			continue
		}
		if p, ok := place[it.Msg]; ok {
			next = p + 1
		}
		if it.Cleared {
			c.Clear = append(c.Clear, it.Msg)
		}
	}
	for i, m := range live {
		if !kept[i] {
			c.Drop = append(c.Drop, m)
		}
	}
	return c
}

func recordOf(stack []*model.Record, uid string) *model.Record {
	for _, r := range stack {
		if r.UID == uid {
			return r
		}
	}
	return nil
}

// Export writes the history as the session's records leave it, in the format it
// came in. Without records that is the input, byte for byte.
func (s *Session) Export(w io.Writer) ([]transcript.Relink, error) {
	_, stack := s.snapshot()
	return s.export(w, stack)
}

func (s *Session) export(w io.Writer, stack []*model.Record) ([]transcript.Relink, error) {
	if len(stack) == 0 {
		return nil, transcript.Copy(w, s.file.Doc)
	}
	rw, err := transcript.Rewrite(s.file.Doc, s.change(stack))
	if err != nil {
		return nil, err
	}
	return rw.Relinked, rw.Edits.Write(w)
}

// ExportFile writes an export to a file: whole or not at all, never over an
// existing one unless force is set, and read back before it takes its name. A
// redacted one is not noted as the record's output: it is not what the record
// leaves.
func (s *Session) ExportFile(ctx context.Context, path string, force bool, opts ...ExportOption) (*Written, error) {
	_, stack := s.snapshot()
	var links []transcript.Relink
	x := exportingOf(opts)
	out, err := s.file.write(ctx, path, force, x, func(w io.Writer) error {
		var err error
		links, err = s.export(w, stack)
		return err
	}, func(tmp string) error { return s.check(ctx, tmp, stack) }, nil)
	if err != nil {
		return nil, err
	}
	out.Relinked = links
	if st := s.file.opt.Store; st != nil && len(stack) > 0 && !x.redact {
		if err := st.SetOutput(ctx, stack[len(stack)-1].ID, absolute(path), out.SHA256); err != nil {
			return out, fmt.Errorf("note the output: %w", err)
		}
	}
	return out, nil
}

// ExportSource writes the file as it was read, byte for byte unless it is
// redacted: whole or not at all, never over an existing one unless force is set.
func (f *File) ExportSource(ctx context.Context, path string, force bool, opts ...ExportOption) (*Written, error) {
	return f.write(ctx, path, force, exportingOf(opts), func(w io.Writer) error { return transcript.Copy(w, f.Doc) }, nil, nil)
}

// absolute is a path that means the same from every folder.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Items is the live list as the session's records leave it, up to its position.
func (s *Session) Items() []model.Item {
	_, stack := s.snapshot()
	return s.liveItems(stack, s.At())
}

// SummaryText is the summary of a record of the stack, by its UID.
func (s *Session) SummaryText(uid string) string {
	_, stack := s.snapshot()
	return summaryOf(stack, uid)
}

func summaryOf(stack []*model.Record, uid string) string {
	if r := recordOf(stack, uid); r != nil {
		return r.Summary
	}
	return ""
}
