package desk

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/gui/sched"
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
	Key  string // "home", or the agent whose histories lie there
	Path string
}

// places are where agents are known to keep their histories, below home.
var places = []Place{
	{"home", "."}, {"claude", ".claude/projects"}, {"codex", ".codex/sessions"}, {"downloads", "Downloads"}, {"documents", "Documents"},
}

// Folder lists a folder in the background: folders first, then those files
// that may be transcripts, or all. places are the known folders that exist.
func (d *Desk) Folder(dir string, all bool, done func(items []FolderItem, places []Place, err error)) {
	type listing struct {
		items  []FolderItem
		places []Place
	}
	sched.Run(d.sched, "folder", func(context.Context, func(sched.Progress)) (listing, error) {
		l := listing{places: knownPlaces()}
		var err error
		l.items, err = listFolder(dir, all)
		return l, err
	}, func(l listing, err error) { done(l.items, l.places, err) })
}

func knownPlaces() []Place {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	var out []Place
	for _, p := range places {
		path := filepath.Join(home, p.Path)
		if st, err := os.Stat(path); err == nil && st.IsDir() {
			out = append(out, Place{p.Key, path})
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
		if err != nil || !st.IsDir() && (!all && !transcriptName(path) || !st.Mode().IsRegular()) {
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
