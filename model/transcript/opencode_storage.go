package transcript

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// Before it had a database, opencode kept a session as a file for each thing:
//
//	storage/session/PROJECT/SESSION.json
//	storage/message/SESSION/MESSAGE.json
//	storage/part/MESSAGE/PART.json
//
// They are read as what opencode export makes of them, the files word for word
// in {info, messages:[{info, parts}]}. So a session has bytes like any other,
// and what is written is one file, which opencode import takes; the folder
// itself is never written to.

// storedSession is a session of a storage folder.
type storedSession struct {
	root string // the folder storage
	id   string
	info string // its file
}

// openCodeRoot is the storage folder that a path is, or holds; "" if none.
func openCodeRoot(path string) string {
	for _, p := range []string{path, filepath.Join(path, "storage")} {
		if isFolder(filepath.Join(p, "session")) && isFolder(filepath.Join(p, "message")) && isFolder(filepath.Join(p, "part")) {
			return p
		}
	}
	return ""
}

func isFolder(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// openCodeSession is the session at a path: its file, or the folder of its
// messages. It is nil for any other path.
func openCodeSession(path string, dir bool) *storedSession {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	s := &storedSession{id: strings.TrimSuffix(filepath.Base(path), ".json"), info: path}
	if dir {
		if s.root = filepath.Dir(filepath.Dir(path)); filepath.Base(filepath.Dir(path)) != "message" || openCodeRoot(s.root) != s.root {
			return nil
		}
		for _, project := range filesIn(filepath.Join(s.root, "session")) {
			s.info = filepath.Join(s.root, "session", project, s.id+".json")
			if _, err := os.Stat(s.info); err == nil {
				return s
			}
		}
		return nil
	}
	folder := filepath.Dir(filepath.Dir(path)) // of the projects
	if s.root = filepath.Dir(folder); filepath.Base(folder) != "session" || filepath.Ext(path) != ".json" ||
		openCodeRoot(s.root) != s.root {
		return nil
	}
	return s
}

// IsInnerFolder reports whether the files of a folder belong to histories that
// other files belong to: the messages and parts of a storage folder of opencode.
func IsInnerFolder(path string) bool {
	root := filepath.Dir(path)
	return filepath.Base(path) != "session" && openCodeRoot(root) == root
}

// filesIn lists the names in a folder in order; ids are in the order of time.
func filesIn(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	sort.Strings(names)
	return names
}

// open reads the session as its export.
func (s *storedSession) open(ctx context.Context, path string, o Options) (*model.Document, error) {
	if !isFolder(filepath.Join(s.root, "message", s.id)) {
		return nil, &model.Problem{Code: "no-stored-messages", What: fmt.Sprintf("%s has no messages beside it.", path),
			Why:  "Newer versions of opencode keep them in a database.",
			Next: fmt.Sprintf("Have opencode write the session as text: opencode export %s > session.json.", s.id)}
	}
	x := &storageExport{src: &codec.FilesSource{}}
	if err := x.session(ctx, s); err != nil {
		return nil, err
	}
	return x.open(ctx, path, o)
}

// openStorage reads all sessions of a storage folder as an array of exports.
func openStorage(ctx context.Context, root, path string, o Options) (*model.Document, error) {
	x := &storageExport{src: &codec.FilesSource{}}
	x.src.AddText("[")
	n := 0
	for _, project := range filesIn(filepath.Join(root, "session")) {
		for _, name := range filesIn(filepath.Join(root, "session", project)) {
			s := openCodeSession(filepath.Join(root, "session", project, name), false)
			if s == nil || !isFolder(filepath.Join(root, "message", s.id)) {
				continue
			}
			if n > 0 {
				x.src.AddText(",\n")
			}
			if err := x.session(ctx, s); err != nil {
				return nil, err
			}
			n++
		}
	}
	x.src.AddText("]\n")
	if n == 0 {
		return nil, &model.Problem{Code: "no-stored-messages", What: fmt.Sprintf("%s holds no session with messages.", path),
			Why:  "Newer versions of opencode keep them in a database.",
			Next: "Have opencode write a session as text: opencode export SESSION > session.json."}
	}
	return x.open(ctx, path, o)
}

// storageExport puts an export together from files.
type storageExport struct {
	src     *codec.FilesSource
	damaged []string // files that are left out
}

func (x *storageExport) session(ctx context.Context, s *storedSession) error {
	if !x.whole(s.info) {
		return &model.Problem{Code: "not-json", What: fmt.Sprintf("%s could not be read.", s.info), Why: "It is not one JSON value.",
			Next: "Have opencode write the session as text: opencode export " + s.id + " > session.json."}
	}
	if err := x.file(`{"info":`, s.info); err != nil {
		return err
	}
	x.src.AddText(`,"messages":[`)
	dir := filepath.Join(s.root, "message", s.id)
	sep := ""
	for _, name := range filesIn(dir) {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, ok := strings.CutSuffix(name, ".json")
		if !ok || !x.whole(filepath.Join(dir, name)) {
			continue
		}
		if err := x.file(sep+"\n"+`{"info":`, filepath.Join(dir, name)); err != nil {
			return err
		}
		sep = ","
		x.src.AddText(`,"parts":[`)
		if err := x.parts(filepath.Join(s.root, "part", id)); err != nil {
			return err
		}
		x.src.AddText("]}")
	}
	x.src.AddText("]}\n")
	return nil
}

func (x *storageExport) parts(dir string) error {
	sep := ""
	for _, name := range filesIn(dir) {
		path := filepath.Join(dir, name)
		if filepath.Ext(name) != ".json" || !x.whole(path) {
			continue
		}
		if err := x.file(sep, path); err != nil {
			return err
		}
		sep = ","
	}
	return nil
}

// whole reports whether a file is one JSON object. One that is not, as a file
// that was being written, is remembered.
func (x *storageExport) whole(path string) bool {
	b, err := os.ReadFile(path)
	if err == nil {
		v, bad := jspan.Parse(b, jspan.Space(b, 0))
		if bad == nil && v.Kind == jspan.Object && jspan.Space(b, v.End) == len(b) {
			return true
		}
	}
	x.damaged = append(x.damaged, path)
	return false
}

// file adds a file behind a text.
func (x *storageExport) file(before, path string) error {
	x.src.AddText(before)
	if err := x.src.AddFile(path); err != nil {
		return codec.OpenProblem(path, err)
	}
	return nil
}

func (x *storageExport) open(ctx context.Context, path string, o Options) (*model.Document, error) {
	d, err := Read(ctx, path, x.src, x.src.Size, o)
	if err != nil {
		return nil, err
	}
	d.Notes = append(d.Notes, model.Note{Code: "folder",
		Reason: fmt.Sprintf("%d files of a storage folder, read as opencode exports them; an export is one file", x.src.Files)})
	for _, p := range x.damaged {
		d.Notes = append(d.Notes, model.Note{Code: "bad-file", Reason: p + " is not a JSON object; it is left out"})
	}
	return d, nil
}
