package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
	"palimpsest/model/scratch"
	"palimpsest/model/transcript"
)

// Output is where an export goes, how it is written and what is taken out of it.
type Output struct {
	Path  string
	Force bool // an existing file is replaced, but not the one that it was made from

	ReplaceSource bool // it takes the place of that one

	Damaged bool // lines that could not be read are copied into a compacted file, too
	// Native writes the compaction as the file's own tool would write it: everything the file
	// holds stays, and the compaction follows it (see [transcript.WriteNative]).
	Native bool
	// Aside stores the record of what is written for when the file is opened again: the
	// session is not built on it.
	Aside bool

	// Redact takes out what looks like a secret, an address or the name in a home folder. Ids
	// and the shape of the history stay; when that can't be proved, or the scan fails, nothing
	// is written. Written.Redacted lists what was found.
	Redact bool
	Keep   map[string]bool // names of findings that stay
	Let    []string        // more of them, by their rule, what would replace them, or their text (see [redact.Sieve.Allow])
	Also   []redact.Kind   // kinds that are not looked for unasked (see [redact.Redactor.Also])
}

// noted reports whether a record names the file as its output.
func (x *Output) noted() bool { return !x.Redact && !x.Native }

// replaces reports whether a file that is there gives way.
func (x *Output) replaces() bool { return x.Force || x.ReplaceSource }

// Rehearse writes an export into a temporary folder, which is gone afterwards, and returns the
// result. look reads the file there; nil: it is not read.
func Rehearse(export func(path string) (*Written, error), look func(path string) error) (*Written, error) {
	dir, err := scratch.Dir()
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "export")
	out, err := export(path)
	if err == nil && look != nil {
		err = look(path)
	}
	return out, err
}

// copyThrough copies a file through a sieve that has looked at all of it.
func copyThrough(s *redact.Sieve, w io.Writer, path string) error {
	for _, to := range []io.Writer{io.Discard, w} {
		s.Again()
		src, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("read the export: %w", err)
		}
		out := s.Through(to)
		_, err = io.Copy(out, src)
		if err = errors.Join(err, src.Close(), out.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sieve makes what hides secrets in an export of the file, as long as a context lasts.
// The ids of its messages and calls are none.
func (f *File) sieve(ctx context.Context, to Output) (*redact.Sieve, error) {
	var ids []string
	for _, c := range f.Doc.Conversations {
		ids = append(ids, c.ID)
		for _, t := range c.Threads {
			ids = append(ids, t.AgentID)
			for i := range t.Messages {
				m := &t.Messages[i]
				ids = append(ids, m.ID, m.ParentID, m.Answers)
				for _, call := range m.Calls {
					ids = append(ids, call.ID)
				}
			}
		}
	}
	s, err := sieveFor(f, ids, to.Keep)
	if err != nil {
		return nil, &model.Problem{Code: "not-scanned", What: "Nothing was written.",
			Why:  "The history can't be looked through for secrets: " + err.Error() + ".",
			Next: "Export without redaction, or report this.", Err: err}
	}
	s.Until(ctx)
	s.Allow(to.Let...)
	s.Also(to.Also...)
	return s, nil
}

// sameShape compares a redacted export with the one it was made from: the same
// messages with the same ids, calls and answers in the same threads.
func (f *File) sameShape(ctx context.Context, plain, redacted string) error {
	a, err := f.readBack(ctx, plain)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := f.readBack(ctx, redacted)
	if err != nil {
		return err
	}
	defer b.Close()
	changed := func(what string) error {
		return checkFailed("redaction would change "+what, nil)
	}
	if len(a.Doc.Conversations) != len(b.Doc.Conversations) || len(a.Doc.Segments) != len(b.Doc.Segments) {
		return changed("its records")
	}
	for i, c := range a.Doc.Conversations {
		if len(c.Threads) != len(b.Doc.Conversations[i].Threads) {
			return changed("its threads")
		}
		for j, t := range c.Threads {
			u := b.Doc.Conversations[i].Threads[j]
			if !slices.Equal(t.History, u.History) || !slices.EqualFunc(t.Messages, u.Messages, sameFrame) {
				return changed("the order or the ids of its messages")
			}
		}
	}
	return nil
}

// sameFrame compares all of two messages but their texts.
func sameFrame(a, b model.Message) bool {
	return a.ID == b.ID && a.ParentID == b.ParentID && a.Role == b.Role && a.Kind == b.Kind && a.Step == b.Step &&
		a.Error == b.Error && a.Answers == b.Answers && slices.Equal(a.Calls, b.Calls) && len(a.Pieces) == len(b.Pieces)
}

// redactCross has all that is written in another form go through a sieve; nil:
// nothing is to be hidden.
func (f *File) redactCross(ctx context.Context, x *transcript.Cross, to Output) (*redact.Sieve, error) {
	if !to.Redact {
		return nil, nil
	}
	sieve, err := f.sieve(ctx, to)
	if err != nil {
		return nil, err
	}
	whole := x.Thread
	if err := lookThrough(ctx, sieve, f.Doc, whole); err != nil {
		return nil, err
	}
	named := namedThread(sieve, whole)
	x.Thread = named
	num := make(map[*model.Message]int, len(x.Items))
	for i, it := range x.Items {
		if it.Msg >= 0 {
			num[&x.Thread.Messages[it.Msg]] = i + 1
		}
	}
	doc, summary := *x.Doc, x.Summary
	doc.Codec = redactedCodec{x.Doc.Codec, sieve, num}
	doc.Conversations = make([]*model.Conversation, len(x.Doc.Conversations))
	for i, c := range x.Doc.Conversations {
		titled := *c
		titled.Title = sieve.Text(wholeWords(c.Title), 0)
		if at := slices.Index(c.Threads, whole); at >= 0 {
			titled.Threads = slices.Clone(c.Threads)
			titled.Threads[at] = named
		}
		doc.Conversations[i] = &titled
	}
	x.Doc, x.Title = &doc, sieve.Text(wholeWords(x.Title), 0)
	x.Summary = func(record string) string { return sieve.Text(summary(record), 0) }
	return sieve, nil
}

// lookThrough has a sieve learn what is to be hidden in the messages of a thread.
func lookThrough(ctx context.Context, s *redact.Sieve, d *model.Document, t *model.Thread) error {
	for i := range t.Messages {
		parts, err := d.Codec.Parts(d, &t.Messages[i])
		if err != nil {
			return fmt.Errorf("read message %d: %w", i+1, err)
		}
		for _, p := range parts {
			partText(s, p, 0)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.Again()
	return nil
}

// Hidden is a text of a session's history as a redacted export would hold it, and what was hidden
// in it. All of the history is looked through, since one message may show what is a
// secret in another.
func Hidden(ctx context.Context, s *Session, text string) (string, []Withheld, error) {
	sieve, err := s.file.sieve(ctx, Output{})
	if err != nil {
		return "", nil, err
	}
	if err := lookThrough(ctx, sieve, s.file.Doc, s.thread); err != nil {
		return "", nil, err
	}
	text = sieve.Text(text, 1)
	return text, sieve.Found(), ctx.Err()
}

// namedThread is a thread in which the names of authors are looked at, too.
func namedThread(s *redact.Sieve, t *model.Thread) *model.Thread {
	c := *t
	c.Messages = slices.Clone(t.Messages)
	for i := range c.Messages {
		m := &c.Messages[i]
		m.Name = s.Text(m.Name, 0)
	}
	return &c
}

// wholeWords is a title without the word that it is cut in: half a secret is not
// recognised.
func wholeWords(title string) string {
	if cut, ok := strings.CutSuffix(title, "…"); ok {
		return cut[:strings.LastIndex(cut, " ")+1] + "…"
	}
	return title
}

// redactedCodec reads the texts of messages without what is to be hidden.
type redactedCodec struct {
	model.Codec
	sieve *redact.Sieve
	num   map[*model.Message]int
}

// Parts decodes a message and hides what is found in it.
func (c redactedCodec) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	parts, err := c.Codec.Parts(d, m)
	for i := range parts {
		parts[i].Text = partText(c.sieve, parts[i], c.num[m])
	}
	return parts, err
}
