package recorded

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Walk measures all threads of all files under a folder that hold compactions, one
// file after the other, and hands each to yield with what it is. open opens a file;
// what it can't open is left out and counted in unread. progress, which may be nil,
// is called before each file. Errors are those of walking the folder, of yield and
// of ctx.
func Walk(ctx context.Context, root string, open func(context.Context, string) (*session.File, error),
	progress func(done, total int, path string), yield func(Of, *session.Session, *File) error) (unread int, err error) {
	paths, err := files(root)
	if err != nil {
		return 0, err
	}
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return unread, err
		}
		if progress != nil {
			progress(i, len(paths), path)
		}
		f, err := open(ctx, path)
		if err != nil {
			unread++
			continue
		}
		name, err := filepath.Rel(root, path)
		if err != nil || name == "." {
			name = filepath.Base(path)
		}
		if err := threads(ctx, f, filepath.ToSlash(name), yield); err != nil {
			return unread, err
		}
	}
	return unread, ctx.Err()
}

// files are those under a folder, in their order.
func files(root string) (out []string, err error) {
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	return out, err
}

// threads measures the threads of a file and closes it.
func threads(ctx context.Context, f *session.File, name string, yield func(Of, *session.Session, *File) error) error {
	defer f.Close()
	for c, conversation := range f.Doc.Conversations {
		for t, th := range conversation.Threads {
			if !compacted(th) {
				continue
			}
			s, err := f.Session(ctx, session.Ref{Conversation: c, Thread: t}, nil)
			if err != nil {
				return err
			}
			m, err := Measure(ctx, s)
			if err != nil {
				return err
			}
			s.Insight.ForgetFacts()
			of := Of{Session: name, Tool: string(f.Doc.Format), Project: filepath.Base(conversation.Dir)}
			if conversation.Dir == "" {
				of.Project = ""
			}
			if err := yield(of, s, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func compacted(t *model.Thread) bool {
	return slices.ContainsFunc(t.Found, theirs)
}
