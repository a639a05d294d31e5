package session

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/repair"
	"palimpsest/model/tally"
	"palimpsest/model/transcript"
)

// Inspected is a file that was looked through for faults.
type Inspected struct {
	*repair.Report
	file   io.ReaderAt
	before os.FileInfo // nil: it is a part of another file
}

// LookForFaults looks a file through, or what is read as one: a folder of events, a file in an
// archive. It stays open until Close.
func LookForFaults(ctx context.Context, path string, o repair.Options) (*Inspected, error) {
	x := &Inspected{}
	size := int64(0)
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		x.file, x.before, size = f, st, st.Size()
	} else {
		d, err := transcript.Open(ctx, path, o.Read)
		if err != nil {
			return nil, err
		}
		x.file, size = d.Source, d.Size
	}
	var err error
	if x.Report, err = repair.Check(ctx, model.AbsolutePath(path), x.file, size, o); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// Close closes the file.
func (x *Inspected) Close() error {
	if c, ok := x.file.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// JustWritten is how young a change of a file is that counts as an agent's that runs.
const JustWritten = 20 * time.Second

// Busy returns why a file must not be mended now: an agent writes it. justNow is how young a
// change of the file is that counts as that, 0 where its source stays; sessions are those that run.
func (x *Inspected) Busy(sessions []model.LiveSession, now time.Time, justNow time.Duration) error {
	p := &model.Problem{Code: "live", What: fmt.Sprintf("%s was not mended.", x.Path),
		Next: "End its agent first; --check shows its faults meanwhile."}
	if slices.ContainsFunc(model.Running(sessions, now), func(s model.LiveSession) bool { return s.Path == x.Path }) {
		p.Why = "Its agent is running, and would go on writing into it."
		return p
	}
	st, err := os.Stat(x.Path)
	switch {
	case x.before == nil:
		p.Why, p.Next = "It is made of several files, or is in an archive: it is only checked.", "Name one file of it."
	case err != nil:
		p.Why = "It is not there any more."
	case st.Size() != x.before.Size() || !st.ModTime().Equal(x.before.ModTime()):
		p.Why = "It was written to while it was looked through."
	case now.Sub(st.ModTime()) < justNow && now.After(st.ModTime()):
		p.Why = fmt.Sprintf("It was written to %v ago: its agent may be running.", now.Sub(st.ModTime()).Truncate(time.Second))
	case justNow > 0 && heldOpen(st):
		p.Why = "A program has it open for writing, and would go on writing into the old file."
	default:
		return nil
	}
	return p
}

// writes is how Linux says of an open file that it was opened for writing.
var writes = regexp.MustCompile(`flags:\s+0[0-7]*[12]\n`)

// heldOpen reports whether a program of this person has a file open for writing, where the
// system says that: a tool may be quiet for hours and go on.
func heldOpen(file os.FileInfo) bool {
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	return slices.ContainsFunc(open, func(fd string) bool {
		st, err := os.Stat(fd)
		if err != nil || !os.SameFile(st, file) {
			return false
		}
		how, _ := os.ReadFile(strings.Replace(fd, "/fd/", "/fdinfo/", 1))
		return writes.Match(how)
	})
}

// HasOtherNames reports whether the file has further names, hard links, which keep the old text.
func (x *Inspected) HasOtherNames() bool {
	if sys := reflect.Indirect(reflect.ValueOf(x.before.Sys())); sys.Kind() == reflect.Struct {
		links := sys.FieldByName("Nlink")
		return links.CanUint() && links.Uint() > 1
	}
	return false
}

// Mend writes the file with the mends that were made, and stores the original as a record, as
// one act: the new file is read back and looked through before it takes its name, and when the
// record can't be stored no file appears.
func (x *Inspected) Mend(ctx context.Context, opt Options, to Output) (rec *model.Record, w *Written, err error) {
	opt = opt.withDefaults()
	if out, err := os.Stat(to.Path); err == nil && os.SameFile(out, x.before) && !to.ReplaceSource {
		return nil, nil, &model.Problem{Code: "is-source", What: fmt.Sprintf("%s was not replaced.", to.Path),
			Why: "It is the source itself, and originals are not changed.", Next: "Write to another file, or say --replace-source."}
	}
	if x.Err != nil {
		return nil, nil, x.Err
	}
	sum, _, err := model.HashOf(ctx, x.file, x.before.Size(), nil)
	if err != nil {
		return nil, nil, err
	}
	w, err = writeChecked(ctx, place{path: to.Path, force: to.replaces(), like: x.Path}, x.Write, func(tmp, sha string) error {
		if err := x.proveMended(ctx, tmp); err != nil {
			return err
		}
		if err := x.Busy(nil, opt.Now(), 0); err != nil {
			return err
		}
		made := x.record(opt, hex.EncodeToString(sum[:]))
		made.Output, made.OutputSHA = model.AbsolutePath(to.Path), sha
		if opt.Store == nil {
			made.ID = "R-" + made.UID[:8]
		} else if err := opt.Store.SaveRecords(ctx, []*model.Record{made}, func(int) model.Originals {
			return model.Originals{Source: x.file, Size: x.before.Size(), SHA256: sum}
		}); err != nil {
			return fmt.Errorf("save the record: %w", err)
		}
		rec = made
		return nil
	})
	if err == nil {
		w.Record = rec.ID
	}
	return rec, w, err
}

// Beside is a free name for the mended file beside its source.
func Beside(path string) string {
	ext := filepath.Ext(path)
	for n := 1; ; n++ {
		out := strings.TrimSuffix(path, ext) + ".repaired" + ext
		if n > 1 {
			out = fmt.Sprintf("%s.repaired-%d%s", strings.TrimSuffix(path, ext), n, ext)
		}
		if _, err := os.Lstat(out); err != nil {
			return out
		}
	}
}

// record says what was mended.
func (x *Inspected) record(opt Options, sha string) *model.Record {
	var did []string
	for _, t := range x.ByRule() {
		if rule, _ := repair.RuleOf(t.Rule); t.Found > t.Left {
			did = append(did, fmt.Sprintf("%s (%d)", rule.Title, t.Found-t.Left))
		}
	}
	f := NewFile(x.Doc, opt)
	size := model.Size{Messages: x.After.Live}
	return &model.Record{UID: opt.UID(), Time: opt.Now().UTC(), Cause: model.CauseRepair, Outcome: model.Applied, Verb: true,
		Session: f.Title(0), Path: x.Path, Format: x.Doc.Format, SourceSHA: sha, SourceSize: x.before.Size(),
		Before: model.Size{Messages: x.Before.Live}, After: size, Reason: "mended: " + strings.Join(did, ", ")}
}

// mendFailed is checkFailed in the words of a mend.
func mendFailed(why string, err error) error {
	return &model.Problem{Code: "check-failed", What: "The mends were not written.", Why: "Read back, " + why + ".",
		Next: "The file is as it was. Leave this mend out, and report the file.", Err: err}
}

// proveMended looks a mended file through again: nothing that was mended may be there, and the
// calls and results, counted in the bytes without any reader, may not be worse than before.
func (x *Inspected) proveMended(ctx context.Context, tmp string) error {
	back, err := LookForFaults(ctx, tmp, repair.Options{Only: x.Options().Only, Read: x.Options().Read})
	if err != nil {
		return err
	}
	defer back.Close()
	if back.Err != nil {
		return mendFailed("it does not load again: "+back.Err.Error(), back.Err)
	}
	if back.Before != x.After {
		return mendFailed(fmt.Sprintf("it holds %+v instead of %+v", back.Before, x.After), nil)
	}
	left := map[string]int{}
	for _, t := range x.ByRule() {
		left[t.Rule] = t.Left
	}
	for _, f := range back.Faults {
		if left[f.Rule]--; left[f.Rule] < 0 && f.Does.Harm() > repair.Harmless {
			return mendFailed(fmt.Sprintf("line %d has a fault still: %s", f.Line, f.Rule), nil)
		}
	}
	for _, f := range x.Faults {
		if rule, _ := repair.RuleOf(f.Rule); f.Mended && rule.Text {
			return nil // records that nothing could read before count now
		}
	}
	was, err := tally.Of(io.NewSectionReader(x.file, 0, x.before.Size()))
	if err != nil {
		return err
	}
	is, err := tally.Of(io.NewSectionReader(back.file, 0, back.before.Size()))
	if err != nil {
		return err
	}
	if err := is.Worse(was, true); err != nil {
		return mendFailed("in its bytes "+err.Error(), err)
	}
	return nil
}
