package desk

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// FolderItem is one line of a folder that is looked into for files to open.
type FolderItem struct {
	Name    string
	Folder  bool
	Size    int64
	Changed time.Time
}

// Place is a folder that is offered to begin at.
type Place struct {
	Key    string // "home", or the agent whose histories are there
	Path   string
	Count  int      // transcripts in an agent's folder, by their names; 0 for other places
	More   bool     // there are more: counting ended early
	Newest []Newest // the three transcripts written last, the newest first
}

// Newest is a transcript that was written lately.
type Newest struct {
	Path    string
	Changed time.Time
}

// places are where agents are known to keep their histories.
var places = []Place{
	{Key: "home", Path: "~/"}, {Key: "claude", Path: "~/.claude/projects"}, {Key: "codex", Path: "~/.codex/sessions"},
	{Key: "gemini", Path: "~/.gemini/tmp"}, {Key: "copilot", Path: "~/.copilot/session-state"},
	{Key: "opencode", Path: "~/.local/share/opencode"},
	{Key: "pi", Path: "~/.pi/agent/sessions"}, {Key: "goose", Path: "~/.local/share/goose/sessions"},
	{Key: "cursor", Path: "~/.cursor/projects"}, {Key: "cursor", Path: "~/.config/Cursor/User/globalStorage"},
	{Key: "cursor", Path: "~/Library/Application Support/Cursor/User/globalStorage"},
	{Key: "cursor", Path: "~/AppData/Roaming/Cursor/User/globalStorage"},
	{Key: "vscode", Path: "~/.config/Code/User/workspaceStorage"},
	{Key: "vscode", Path: "~/Library/Application Support/Code/User/workspaceStorage"},
	{Key: "vscode", Path: "~/AppData/Roaming/Code/User/workspaceStorage"},
	{Key: "continue", Path: "~/.continue/sessions"}, {Key: "kiro", Path: "~/.local/share/kiro-cli"},
	{Key: "zed", Path: "~/.local/share/zed/threads"}, {Key: "lmstudio", Path: "~/.lmstudio/conversations"},
	{Key: "amp", Path: "~/.local/share/amp/threads"}, {Key: "iflow", Path: "~/.iflow/projects"},
	{Key: "antigravity", Path: "~/.gemini/antigravity/brain"}, {Key: "hermes", Path: "~/.hermes/sessions"},
	{Key: "downloads", Path: "~/Downloads"}, {Key: "documents", Path: "~/Documents"},
}

// ofAgent reports whether a place holds the histories of an agent.
func (p Place) ofAgent() bool { return p.Key != "home" && p.Key != "downloads" && p.Key != "documents" }

// OfTool reports whether a folder is one where a tool keeps its histories: nothing is
// written into it unasked.
func OfTool(dir string) bool {
	return slices.ContainsFunc(places, func(p Place) bool {
		path, err := model.UserPath(p.Path)
		return err == nil && p.ofAgent() && within(path, dir)
	})
}

// maxCounted bounds how many names are looked at to count the transcripts of a
// place: it is offered, not searched.
const maxCounted = 5000

// count counts the transcripts below a folder by their names.
func (p *Place) count(ctx context.Context) {
	seen := 0
	_ = filepath.WalkDir(transcript.Followed(p.Path), func(path string, e fs.DirEntry, err error) error {
		if seen++; seen > maxCounted || ctx.Err() != nil {
			p.More = true
			return fs.SkipAll
		}
		if err == nil && !e.IsDir() && transcript.Named(path) {
			p.Count++
			p.note(path, e)
		}
		return nil
	})
}

// note keeps a transcript if it is among the newest.
func (p *Place) note(path string, e fs.DirEntry) {
	if st, err := e.Info(); err == nil {
		p.Newest = append(p.Newest, Newest{path, st.ModTime()})
		slices.SortStableFunc(p.Newest, func(a, b Newest) int { return b.Changed.Compare(a.Changed) })
		p.Newest = p.Newest[:min(len(p.Newest), 3)]
	}
}

// Folder lists a folder in the background: folders first, then those files
// that may be transcripts, or all. places are the known folders that exist.
func (d *library) Folder(dir string, all bool, done func(items []FolderItem, places []Place, err error)) {
	type listing struct {
		items  []FolderItem
		places []Place
	}
	sched.Run(d.Sched, "folder", func(ctx context.Context, _ func(sched.Progress)) (listing, error) {
		l := listing{places: knownPlaces(ctx)}
		var err error
		l.items, err = listFolder(dir, all)
		return l, err
	}, func(l listing, err error) { done(l.items, l.places, err) })
}

func knownPlaces(ctx context.Context) []Place {
	var out []Place
	for _, p := range places {
		path, err := model.UserPath(p.Path)
		if err != nil {
			return nil
		}
		if st, err := os.Stat(path); err == nil && st.IsDir() {
			p.Path = path
			if p.ofAgent() {
				p.count(ctx)
			}
			out = append(out, p)
		}
	}
	return out
}

func listFolder(dir string, all bool) ([]FolderItem, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []FolderItem
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		st, err := os.Stat(path) // follows links
		if err != nil || !st.IsDir() && (!all && !transcript.Named(path) || !st.Mode().IsRegular()) {
			continue
		}
		out = append(out, FolderItem{e.Name(), st.IsDir(), st.Size(), st.ModTime()})
	}
	slices.SortFunc(out, func(a, b FolderItem) int {
		switch {
		case a.Folder != b.Folder && a.Folder:
			return -1
		case a.Folder != b.Folder:
			return 1
		case hidden(a.Name) != hidden(b.Name) && hidden(b.Name):
			return -1
		case hidden(a.Name) != hidden(b.Name):
			return 1
		}
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return out, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }
