package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Part is one session's share of a file that is written with several changes.
type Part struct {
	Session *Session
	Draft   *Draft
}

// ApplyTo applies drafts of different conversations of one file and writes the file
// they leave, as one act: it is written beside its place and read back, then
// the records are stored with its hash, then it takes its name. If anything
// fails before that, no file appears. The records that were stored are given
// in the order of the parts, also beside an error; nil stands for one that was
// not. A redacted file is not noted as what the records leave.
func ApplyTo(ctx context.Context, path string, force bool, parts []Part, opts ...ExportOption) ([]*model.Record, *Written, error) {
	recs := make([]*model.Record, len(parts))
	stacks := make([][]*model.Record, len(parts))
	changes := make([]*transcript.Change, len(parts))
	x := exportingOf(opts)
	for i, p := range parts {
		rec, stack, err := p.Session.prepare(p.Draft)
		if err != nil {
			return recs, nil, err
		}
		stacks[i], changes[i] = stack, p.Session.change(stack)
		if !x.redact {
			rec.Output = absolute(path)
		}
	}
	file := parts[0].Session.file
	sum := sha256.New()
	var links []transcript.Relink
	out, err := file.write(ctx, path, force, x, func(w io.Writer) error {
		rw, err := transcript.RewriteAll(file.Doc, changes...)
		if err != nil {
			return err
		}
		links = rw.Relinked
		return rw.Edits.Write(io.MultiWriter(w, sum))
	}, func(tmp string) error {
		back, err := file.readBack(ctx, tmp)
		if err != nil {
			return err
		}
		defer back.Close()
		for i, p := range parts {
			if err := p.Session.checkIn(back.Doc, stacks[i]); err != nil {
				return err
			}
		}
		return nil
	}, func() error {
		if err := grown(file.Doc, path); err != nil {
			return err
		}
		for i, p := range parts {
			rec := stacks[i][len(stacks[i])-1]
			if !x.redact {
				rec.OutputSHA = hex.EncodeToString(sum.Sum(nil))
			}
			if err := p.Session.save(ctx, rec); err != nil {
				return err
			}
			p.Session.push(rec)
			recs[i] = rec
		}
		return nil
	})
	if out != nil {
		out.Relinked = links
	}
	return recs, out, err
}

// grown refuses to replace a source that has become longer since it was read:
// what was added would be lost.
func grown(d *model.Document, path string) error {
	in, err := os.Stat(d.Path)
	if err != nil {
		return nil // the source is gone: nothing of it can be replaced
	}
	out, err := os.Stat(path)
	if err != nil || !os.SameFile(in, out) || in.Size() == d.Size {
		return nil
	}
	return &model.Problem{Code: "source-grew", What: fmt.Sprintf("%s was not replaced.", path),
		Why: "It was written to while it was being compacted, and the new messages would be lost.", Next: "Compact it again when its agent has stopped, or write to another file."}
}
