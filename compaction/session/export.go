package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Written tells what an export wrote.
type Written struct {
	Path     string
	Bytes    int64
	SHA256   string
	Relinked []transcript.Relink
}

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
	after := 0 // place behind the latest kept message
	for _, it := range top.Live {
		if it.Msg < 0 {
			if r := recordOf(stack, it.Record); r != nil && after < len(live) {
				c.Summaries = append(c.Summaries, transcript.Summary{Text: r.Summary, Before: live[after], UID: r.UID, Time: r.Time})
			}
			continue
		}
		if p, ok := place[it.Msg]; ok {
			kept[p], after = true, p+1
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
// existing one unless force is set, and read back before it takes its name.
func (s *Session) ExportFile(ctx context.Context, path string, force bool) (*Written, error) {
	_, stack := s.snapshot()
	var links []transcript.Relink
	out, err := WriteFile(path, force, func(w io.Writer) error {
		var err error
		links, err = s.export(w, stack)
		return err
	}, func(tmp string) error { return s.check(ctx, tmp, stack) })
	if err != nil {
		return nil, err
	}
	out.Relinked = links
	if st := s.file.opt.Store; st != nil && len(stack) > 0 {
		if err := st.SetOutput(ctx, stack[len(stack)-1].ID, path, out.SHA256); err != nil {
			return out, fmt.Errorf("note the output: %w", err)
		}
	}
	return out, nil
}

// WriteFile writes a file next to its final place, checks it and moves it
// there. An existing file is replaced only with force. check may be nil.
func WriteFile(path string, force bool, write func(io.Writer) error, check func(tmp string) error) (*Written, error) {
	if _, err := os.Lstat(path); err == nil && !force {
		return nil, &model.Problem{Code: "exists", What: fmt.Sprintf("%s exists already.", path),
			Why: "Nothing is overwritten unasked.", Next: "Choose another name, or say --force."}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".palimpsest-*")
	if err != nil {
		return nil, writeProblem(path, err)
	}
	defer os.Remove(tmp.Name())
	sum := sha256.New()
	counted := &countingWriter{w: io.MultiWriter(tmp, sum)}
	if err := write(counted); err != nil {
		tmp.Close()
		return nil, writeProblem(path, err)
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return nil, writeProblem(path, err)
	}
	if check != nil {
		if err := check(tmp.Name()); err != nil {
			return nil, err
		}
	}
	if err := place(tmp.Name(), path, force); err != nil {
		return nil, writeProblem(path, err)
	}
	return &Written{Path: path, Bytes: counted.n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// place gives the finished file its name. Without force a hard link is used,
// which fails if somebody else took the name meanwhile.
func place(tmp, path string, force bool) error {
	mode := fs.FileMode(0o644)
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	if err := os.Chmod(tmp, mode); err != nil {
		return err
	}
	if !force {
		if err := os.Link(tmp, path); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		} // else a file system without links
	}
	return os.Rename(tmp, path)
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func writeProblem(path string, err error) error {
	var p *model.Problem
	if errors.As(err, &p) {
		return err
	}
	return &model.Problem{Code: "cannot-write", What: fmt.Sprintf("%s could not be written.", path), Why: err.Error() + ".",
		Next: "Nothing was changed. Choose another place.", Err: err}
}

// check reads an export back: it must be of the same format, hold the live list
// the records promise, message for message, and no fault the input did not have.
func (s *Session) check(ctx context.Context, tmp string, stack []*model.Record) error {
	d, err := transcript.Open(ctx, tmp, transcript.Options{})
	if err != nil {
		return checkFailed("it does not load again: "+err.Error(), err)
	}
	f := NewFile(d, s.file.opt)
	defer f.Close()
	if d.Format != s.file.Doc.Format {
		return checkFailed(fmt.Sprintf("it would be taken for %s", d.Format), nil)
	}
	if len(d.Conversations) <= s.ref.Conversation || len(d.Conversations[s.ref.Conversation].Threads) <= s.ref.Thread {
		return checkFailed("the thread is not there any more", nil)
	}
	t := d.Conversations[s.ref.Conversation].Threads[s.ref.Thread]
	want := s.liveItems(stack, len(s.thread.History))
	if len(s.thread.Resets) > 0 && len(stack) > 0 && stack[len(stack)-1].At < s.thread.Resets[len(s.thread.Resets)-1].At {
		return nil // a later compaction in the file decides what is live at its end
	}
	got := t.Live(len(t.History))
	if len(got) != len(want) {
		return checkFailed(fmt.Sprintf("%d messages are live in it instead of %d", len(got), len(want)), nil)
	}
	for i, it := range want {
		if err := s.sameMessage(d, &t.Messages[got[i]], it, i, stack); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) sameMessage(d *model.Document, m *model.Message, it model.Item, i int, stack []*model.Record) error {
	var want string
	if it.Msg < 0 {
		if r := recordOf(stack, it.Record); r != nil {
			want = r.Summary
		}
	} else if !it.Cleared {
		parts, err := s.file.Doc.Parts(&s.thread.Messages[it.Msg])
		if err != nil {
			return err
		}
		want = plainText(parts)
	}
	parts, err := d.Parts(m)
	if err != nil {
		return err
	}
	if got := plainText(parts); !it.Cleared && got != want {
		return checkFailed(fmt.Sprintf("live message %d reads differently in it", i+1), nil)
	}
	return nil
}

func plainText(parts []model.Part) string {
	n := 0
	for _, p := range parts {
		n += len(p.Text) + 1
	}
	b := make([]byte, 0, n)
	for _, p := range parts {
		b = append(append(b, p.Text...), 0)
	}
	if len(parts) == 1 {
		return parts[0].Text
	}
	return string(b)
}

func checkFailed(why string, err error) error {
	return &model.Problem{Code: "check-failed", What: "The export was stopped.", Why: "Read back, " + why + ".",
		Next: "Nothing was written. This is a fault of the program; please report it with the file.", Err: err}
}
