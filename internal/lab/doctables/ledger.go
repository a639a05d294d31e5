package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/recorded"
	"palimpsest/internal/lab/projects"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// allFiles are the transcripts, the long sessions beside them and those of [more], with
// their names.
func allFiles(root string) (paths, names []string, err error) {
	add := func(root string) error {
		return filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.Contains(path, "malformed") {
				name, _ := filepath.Rel(root, path)
				paths, names = append(paths, path), append(names, filepath.ToSlash(name))
			}
			return err
		})
	}
	if err := add(root); err != nil {
		return nil, nil, err
	}
	long, err := realdata.SessionFiles(filepath.Join(filepath.Dir(root), "sessions"))
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	for _, path := range long {
		paths, names = append(paths, path), append(names, filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path))
	}
	if more != "" {
		if err := add(more); err != nil {
			return nil, nil, err
		}
	}
	return paths, names, nil
}

// each opens the main threads of the conversations of all files, one after the other,
// with the forest of their project's own. A session that is in several files is handed
// out once.
func each(ctx context.Context, root string, wanted func(*model.Thread) bool, yield visit) error {
	paths, names, err := allFiles(root)
	if err != nil {
		return err
	}
	return eachOf(ctx, paths, names, wanted, yield)
}

// eachOf is [each] of some files.
func eachOf(ctx context.Context, paths, names []string, wanted func(*model.Thread) bool, yield visit) error {
	seen := map[string]bool{}
	for i, path := range paths {
		f, err := session.Open(ctx, path, session.Options{}, transcript.Options{})
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		err = eachThread(ctx, f, names[i], func(d *model.Document, t *model.Thread) bool {
			key := twinKey(d, t)
			fresh := wanted(t) && !seen[key]
			seen[key] = seen[key] || fresh
			return fresh
		}, yield)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
	}
	return nil
}

// visit is handed a session.
type visit func(name, project string, s *session.Session) error

func eachThread(ctx context.Context, f *session.File, name string, wanted func(*model.Document, *model.Thread) bool, yield visit) error {
	project := projects.Of(name)
	for c, conversation := range f.Doc.Conversations {
		for t, th := range conversation.Threads {
			if !wanted(f.Doc, th) {
				continue
			}
			s, err := f.Session(ctx, session.Ref{Conversation: c, Thread: t}, nil)
			if err != nil {
				return err
			}
			if err := yield(name, project, s); err != nil {
				return err
			}
			s.Insight.ForgetFacts()
		}
	}
	return nil
}

// twinKey is the same for a session in two files: its first messages.
func twinKey(d *model.Document, t *model.Thread) string {
	var b strings.Builder
	for _, i := range t.History[:min(12, len(t.History))] {
		parts, _ := d.Parts(&t.Messages[i])
		for _, p := range parts {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// kept is the study of what recorded compactions kept.
func kept(ctx context.Context, root string) (string, error) {
	var st recorded.Study
	compacted := func(t *model.Thread) bool {
		return slices.ContainsFunc(t.Found, func(f model.Found) bool { return !f.Clearing })
	}
	err := each(ctx, root, compacted, func(name, project string, s *session.Session) error {
		f, err := recorded.Measure(ctx, s)
		if err != nil {
			return err
		}
		st.Add(recorded.Of{Session: name, Tool: string(s.File().Doc.Format), Project: project}, f)
		return nil
	})
	r := st.Result(1)
	return r.Markdown() + headlineMark + r.Headline(), err
}
