package live

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// mainThread is the main thread of a file that was opened. Where opening failed or the file has
// no such thread it is closed.
func mainThread(ctx context.Context, f *session.File, err error) (*session.Session, error) {
	if err != nil {
		return nil, err
	}
	ref, err := f.Find(0, "")
	if err == nil {
		var s *session.Session
		if s, err = f.Session(ctx, ref, nil); err == nil {
			return s, nil
		}
	}
	f.Close()
	return nil, err
}

// ProjectOf is the project of a folder: the nearest folder above it, or itself, that is a
// checkout of git, else the folder.
func ProjectOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// within reports whether a folder lies in one of the projects. Where the world is that of
// all projects everything does.
func (w World) within(dir string) bool {
	for _, p := range w.Projects {
		if rel, err := filepath.Rel(p, dir); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return w.Projects == nil
}

// errElsewhere says that a history is not one of the agent's projects.
func errElsewhere(name string) error {
	return &model.Problem{Code: "other-project", What: name + " is no history of this project.",
		Why:  "An agent is given what happened in the folder it works in.",
		Next: "A person can start the server with --all-projects."}
}

// workingFolder finds the folder in the words by which agents are told where they work.
var workingFolder = regexp.MustCompile(`(?m)(?:^|[\s>])(?:[Ww]orking directory: |<cwd>)([^\n<]+)`)

// mostSaid is how many messages at the beginning of a history may say its folder.
const mostSaid = 4

// project is the folder that a history was made in; "": it is not known.
func (g *gone) project() string {
	if dir := g.thread.Conversation().Dir; dir != "" {
		return dir
	}
	for i := range min(mostSaid, len(g.thread.Thread().History)) {
		text, err := g.text(i)
		if m := workingFolder.FindStringSubmatch(text); err == nil && m != nil {
			return strings.TrimSpace(m[1])
		}
	}
	return ""
}

// shows reports whether an agent may read a history: its folder, or else the file that
// holds it, lies in one of the agent's projects.
func (w World) shows(g *gone) bool {
	if dir := g.project(); dir != "" {
		return w.within(dir)
	}
	path, err := filepath.Abs(g.path)
	return err == nil && w.within(filepath.Dir(path))
}
