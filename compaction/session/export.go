package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"palimpsest/model"
	"palimpsest/model/scratch"
	"palimpsest/model/transcript"
)

// Export writes the history as the records leave it, in the format it came in.
// Without records that is the input, byte for byte.
func (o Overlay) Export(w io.Writer) ([]transcript.Relink, error) {
	return o.file.exportOverlays(w, []Overlay{o}, false)
}

// exportOverlays writes the file with what records do to its conversations.
func (f *File) exportOverlays(w io.Writer, list []Overlay, damaged bool) ([]transcript.Relink, error) {
	changes := make([]*transcript.Change, 0, len(list))
	for _, o := range list {
		if len(o.stack) > 0 {
			c := o.change()
			c.Damaged = damaged
			changes = append(changes, c)
		}
	}
	if len(changes) == 0 {
		return nil, transcript.Copy(w, f.Doc)
	}
	rw, err := transcript.RewriteAll(f.Doc, changes...)
	if err != nil {
		return nil, err
	}
	return rw.Relinked, rw.Edits.Write(w)
}

// ExportFile writes an export to a file: whole or not at all, never over an
// existing one unless it may, and read back before it takes its name. A
// redacted or native one is not noted as the record's output: it is not what the record
// leaves. A store that is only read notes nothing.
func (o Overlay) ExportFile(ctx context.Context, to Output) (*Written, error) {
	out, err := o.file.writeOverlays(ctx, to, []Overlay{o}, nil)
	if err != nil {
		return nil, err
	}
	st := o.file.opt.Store
	r, ok := st.(interface{ ReadOnly() bool }) // where nothing can be stored
	if st != nil && len(o.stack) > 0 && to.noted() && !(ok && r.ReadOnly()) {
		if err := st.SetOutput(ctx, o.top(), model.AbsolutePath(to.Path), out.SHA256); err != nil {
			return out, fmt.Errorf("note the output: %w", err)
		}
	}
	return out, nil
}

// ExportSource writes the file as it was read, byte for byte unless it is
// redacted: whole or not at all, never over an existing one unless it may.
func (f *File) ExportSource(ctx context.Context, to Output) (*Written, error) {
	return f.write(ctx, to, func(w io.Writer) error { return transcript.Copy(w, f.Doc) }, nil, nil)
}

// writeOverlays writes the file with what records do to its conversations, and
// checks it. store is that of [File.write].
func (f *File) writeOverlays(ctx context.Context, to Output, list []Overlay, store func(sha string) error) (*Written, error) {
	if to.Native {
		return list[0].writeNative(ctx, to, store)
	}
	var links []transcript.Relink
	out, err := f.write(ctx, to, func(w io.Writer) (err error) {
		links, err = f.exportOverlays(w, list, to.Damaged)
		return err
	}, func(back *model.Document) error {
		for _, o := range list {
			if err := o.check(back); err != nil {
				return err
			}
		}
		return f.nothingLost(back, list...)
	}, store)
	if out != nil {
		out.Relinked = links
	}
	return out, err
}

// Part is one session's draft, of several that are written to one file.
type Part struct {
	Session *Session
	Draft   *Draft
}

// ApplyTo applies drafts of different conversations of one file and writes the file
// they leave, as one act: it is written to a temporary file next to it and read back, then
// the records are stored with its hash, all or none, then it takes its name. If anything
// fails before that, no file appears. Records that were stored are returned in the order
// of the parts, also with an error; nil are those that were not. A redacted or native file
// is not noted as what the records leave.
func ApplyTo(ctx context.Context, to Output, parts []Part) ([]*model.Record, *Written, error) {
	recs, made := make([]*model.Record, len(parts)), make([]Unsaved, len(parts))
	overlays := make([]Overlay, len(parts))
	for i, p := range parts {
		rec, o, err := p.Session.Records.prepare(p.Draft)
		if err != nil {
			return recs, nil, err
		}
		rec.Verb = rec.Verb || to.Aside
		made[i], overlays[i] = Unsaved{rec, p.Session.Records, to.Aside}, o
	}
	out, err := parts[0].Session.file.writeOverlays(ctx, to, overlays, func(sha string) error {
		for _, u := range made {
			if to.noted() {
				u.Record.Output, u.Record.OutputSHA = model.AbsolutePath(to.Path), sha
			}
		}
		if err := SaveAll(ctx, made...); err != nil {
			return err
		}
		for i, u := range made {
			recs[i] = u.Record
		}
		return nil
	})
	if err == nil {
		out.Record = recs[0].ID
	}
	return recs, out, err
}

// Preview is the thread as applying a draft would leave it, at the end of its
// history. Nothing is stored.
func (rs *Records) Preview(d *Draft) (Overlay, error) {
	_, o, err := rs.prepare(d)
	return o.upTo(len(o.thread.History)), err
}

// writeNative writes what the records leave, as the file's own tool would.
func (o Overlay) writeNative(ctx context.Context, to Output, store func(sha string) error) (*Written, error) {
	if len(o.stack) == 0 {
		return nil, &model.Problem{Code: "nothing-compacted", What: "There is no compaction to write.",
			Why: "No record is in force on this history.", Next: "Compact it first."}
	}
	top := o.stack[len(o.stack)-1]
	items := o.upTo(len(o.thread.History)).Items()
	n := &transcript.Native{Conversation: o.ref.Conversation, Thread: o.ref.Thread, Items: items,
		Thinking: o.change().Thinking, Summary: o.summary, Time: top.Time, Note: o.clearedNote, UIDs: [2]string{o.file.opt.UID(), top.UID},
		Before: int(top.Before.Tokens), After: int(top.After.Tokens)}
	want := items
	if o.file.Doc.Format == model.FormatClaudeCode { // whose order is the summary first
		want = slices.Clone(items)
		slices.SortStableFunc(want, func(a, b model.Item) int { return min(int(a.Msg), 0) - min(int(b.Msg), 0) })
	}
	return o.file.write(ctx, to, func(w io.Writer) error {
		return transcript.WriteNative(w, o.file.Doc, n)
	}, func(back *model.Document) error {
		if err := o.checkLive(back, want); err != nil {
			return err
		}
		return o.file.nothingLost(back, o)
	}, store)
}

// OpenedSize is what the model sees of a file that was written from this one, when that is
// opened by itself.
func (f *File) OpenedSize(ctx context.Context, path string) (z model.Size, err error) {
	opt := f.opt
	opt.Store, opt.Lookup = nil, nil
	back, err := Open(ctx, path, opt, transcript.Options{})
	if err != nil {
		return z, err
	}
	defer back.Close()
	s, err := back.Session(ctx, Ref{}, nil)
	if err != nil {
		return z, err
	}
	return s.Overlay().Size(s.Policy()), nil
}

// Form is a form other than the thread's own, see [transcript.Targets].
type Form struct {
	Format model.Format
	Full   bool // the whole history as the file has it; false: what the records leave of it
	// Only names the history messages that are written, from 0 and ascending; nil: all.
	// It implies Full.
	Only []int
}

// ExportAs writes the thread in another form. Written.Lost counts what the form
// has no place for.
func (o Overlay) ExportAs(ctx context.Context, to Output, form Form) (*Written, error) {
	if err := transcript.Confirmed(o.file.Doc); err != nil {
		return nil, err
	}
	title := o.file.Title(o.ref.Conversation)
	if title == o.file.Name() {
		title = "" // a file's name is none
	}
	x := transcript.Cross{Doc: o.file.Doc, Thread: o.thread, Items: o.Items(), Summary: o.summary,
		Title: title, How: o.counter.Name(), Tokens: o.tokens}
	switch {
	case form.Only != nil:
		history := make([]int32, len(form.Only))
		for i, at := range form.Only {
			history[i] = o.thread.History[at]
		}
		x.Items = storedItems(history)
	case form.Full:
		x.Items = storedItems(o.thread.History)
	}
	if err := o.file.sourceStays(to); err != nil {
		return nil, err
	}
	sieve, err := o.file.redactCross(ctx, &x, to)
	if err != nil {
		return nil, err
	}
	var lost transcript.Losses
	at := place{path: to.Path, force: to.replaces(), like: o.file.Doc.FilePath()}
	out, err := writeChecked(ctx, at, func(w io.Writer) (err error) {
		lost, err = transcript.WriteCross(w, form.Format, x)
		return err
	}, func(tmp, _ string) error { return legal(tmp, form.Format) })
	if err != nil {
		return nil, err
	}
	out.Lost = lost
	if sieve != nil {
		out.Redacted = sieve.Found()
	}
	return out, nil
}

// write writes an export in the file's own form. content writes it; check
// compares what is read back with what it is to be; store runs when all is
// checked, with the hash of the file, before that takes its name. Both may be
// nil. A redacted export is first written and checked as any other, where only
// its owner may read it.
func (f *File) write(ctx context.Context, to Output, content func(io.Writer) error, check func(back *model.Document) error,
	store func(sha string) error) (*Written, error) {
	checkFile := func(tmp, _ string) error {
		if check == nil {
			return nil
		}
		back, err := f.readBack(ctx, tmp)
		if err != nil {
			return f.whoseFault(err)
		}
		defer back.Close()
		return f.whoseFault(check(back.Doc))
	}
	finish := func(sha string) error {
		if store == nil {
			return nil
		}
		if err := f.refuseGrown(to.Path); err != nil {
			return err
		}
		return store(sha)
	}
	if err := f.sourceStays(to); err != nil {
		return nil, err
	}
	at := place{path: to.Path, force: to.replaces(), like: f.Doc.FilePath()}
	if !to.Redact {
		return writeChecked(ctx, at, content, func(tmp, sha string) error {
			if err := checkFile(tmp, sha); err != nil {
				return err
			}
			return finish(sha)
		})
	}
	sieve, err := f.sieve(ctx, to)
	if err != nil {
		return nil, err
	}
	dir, err := scratch.Dir()
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	plain := filepath.Join(dir, "plain"+filepath.Ext(f.Doc.Path))
	if _, err := writeChecked(ctx, place{path: plain, like: f.Doc.FilePath()}, content, checkFile); err != nil {
		return nil, err
	}
	out, err := writeChecked(ctx, at, func(w io.Writer) error { return copyThrough(sieve, w, plain) },
		func(tmp, sha string) error {
			if err := f.sameShape(ctx, plain, tmp); err != nil {
				return err
			}
			return finish(sha)
		})
	if err != nil {
		return nil, err
	}
	out.Redacted = sieve.Found()
	return out, nil
}

// sourceStays refuses an output that would take the place of the source, by whatever
// name, unless that was asked for by itself: the original is never changed.
func (f *File) sourceStays(to Output) error {
	if to.ReplaceSource || !f.isSource(to.Path) {
		return nil
	}
	return &model.Problem{Code: "is-source", What: fmt.Sprintf("%s was not replaced.", to.Path),
		Why: "It is the source itself, and originals are not changed.", Next: "Write to another file, or say --replace-source."}
}

// isSource reports whether a path names the file that was read.
func (f *File) isSource(path string) bool {
	in, err := os.Stat(f.Doc.FilePath())
	if err != nil {
		return false
	}
	out, err := os.Stat(path)
	return err == nil && os.SameFile(in, out)
}

// refuseGrown refuses to replace a source that has become longer since it was read:
// what was added would be lost.
func (f *File) refuseGrown(path string) error {
	in, err := os.Stat(f.Doc.FilePath())
	if _, size := f.Doc.File(); err != nil || in.Size() == size || !f.isSource(path) {
		return nil
	}
	return &model.Problem{Code: "source-grew", What: fmt.Sprintf("%s was not replaced.", path),
		Why:  "It was written to while it was being compacted, and the new messages would be lost.",
		Next: "Compact it again when its agent has stopped, or write to another file."}
}
