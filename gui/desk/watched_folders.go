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

	"palimpsest/compaction/session/find"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model/transcript"
)

// Watched is a folder that is watched for new sessions in every window, until a
// person takes it off the list.
type Watched struct {
	Path string
	New  int  // sessions that appeared in it and were not looked at yet
	Gone bool // it was not there when it was looked for
}

// watchedFolder is a watched folder as it is remembered.
type watchedFolder struct {
	Path string
	Seen time.Time // when it was looked through last
	gone bool
}

const watchedSetting = find.WatchedSetting

// maxFresh bounds how many sessions of one folder are listed because they
// appeared while no window was open.
const maxFresh = 100

// Watched lists the watched folders in the order in which they were added.
func (d *watching) Watched() []Watched {
	out := make([]Watched, len(d.watched))
	for i, s := range d.watched {
		out[i] = Watched{Path: s.Path, Gone: s.gone}
		for _, e := range d.desk.entries {
			if e.Fresh && within(s.Path, e.Path) {
				out[i].New++
			}
		}
	}
	return out
}

// Watch watches a folder from now on. What is in it already is not listed:
// Add does that.
func (d *watching) Watch(path string) {
	path = filepath.Clean(path)
	if slices.ContainsFunc(d.watched, func(s watchedFolder) bool { return s.Path == path }) {
		return
	}
	d.watched = append(d.watched, watchedFolder{Path: path, Seen: time.Now()})
	d.saveWatched()
	d.scanFolders()
	d.Notify(TopicFiles)
}

// Unwatch takes a folder off the list; the sessions listed from it stay.
func (d *watching) Unwatch(path string) {
	d.watched = slices.DeleteFunc(d.watched, func(s watchedFolder) bool { return s.Path == path })
	d.folders = slices.DeleteFunc(d.folders, func(f string) bool { return within(path, f) })
	d.saveWatched()
	d.scanFolders() // a watched folder within it stays
	d.updateWatches()
	d.Notify(TopicFiles)
}

// loadWatched takes up the watched folders when the store is there, and lists
// what appeared in them meanwhile.
func (d *watching) loadWatched() {
	st := d.Store
	state.Run(d.core, "watched", func(ctx context.Context) (list []watchedFolder, err error) {
		_, err = st.Setting(ctx, watchedSetting, &list)
		return list, err
	}, func(list []watchedFolder) {
		for _, s := range list {
			if !slices.ContainsFunc(d.watched, func(o watchedFolder) bool { return o.Path == s.Path }) {
				d.watched = append(d.watched, s)
			}
		}
		d.scanFolders()
	})
}

func (d *watching) saveWatched() {
	d.Keep(watchedSetting, slices.Clone(d.watched))
}

// looked is what was found in one watched folder.
type looked struct {
	folders []string // to be watched, the most important ones first
	fresh   []string // files that were written since it was looked through last
	gone    bool
}

// scanFolders finds in the background which folders are to be watched, by their
// names, and which files were written since then. No file is opened.
func (d *watching) scanFolders() {
	if len(d.watched) == 0 {
		return
	}
	list, now := slices.Clone(d.watched), time.Now()
	sched.Run(d.Sched, "watched.look", func(ctx context.Context, _ func(sched.Progress)) ([]looked, error) {
		out := make([]looked, len(list))
		for i, s := range list {
			out[i] = lookInto(ctx, s)
		}
		return out, ctx.Err()
	}, func(found []looked, err error) {
		if err != nil {
			return
		}
		before := len(d.desk.entries)
		for i, l := range found {
			j := slices.IndexFunc(d.watched, func(s watchedFolder) bool { return s.Path == list[i].Path })
			if j < 0 {
				continue
			}
			d.watched[j].Seen, d.watched[j].gone = now, l.gone
			d.watchFolders(l.folders)
			for _, f := range l.fresh {
				d.addFresh(f)
			}
		}
		d.saveWatched()
		d.Notify(TopicFiles)
		d.desk.Index()
		if len(d.desk.entries) > before {
			d.desk.Peek()
		}
	})
}

// addFresh lists a file that appeared by itself.
func (d *watching) addFresh(path string) {
	n := len(d.desk.entries)
	if e := d.desk.entry(path); len(d.desk.entries) > n {
		e.Fresh = true
	}
}

// lookInto walks one watched folder.
func lookInto(ctx context.Context, s watchedFolder) looked {
	type dated struct {
		path  string
		time  time.Time
		depth int
	}
	var dirs, files []dated
	var l looked
	if st, err := os.Stat(s.Path); err != nil || !st.IsDir() {
		return looked{gone: true}
	}
	_ = filepath.WalkDir(transcript.Followed(s.Path), func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return fs.SkipAll
		}
		if err != nil || !e.IsDir() && !transcript.Named(path) {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil
		}
		f := dated{path, info.ModTime(), strings.Count(strings.TrimPrefix(path, s.Path), string(filepath.Separator))}
		if e.IsDir() {
			dirs = append(dirs, f)
		} else if f.time.After(s.Seen) {
			files = append(files, f)
		}
		return nil
	})
	newest := func(a, b dated) int { return b.time.Compare(a.time) }
	slices.SortStableFunc(files, newest)
	slices.SortStableFunc(dirs, func(a, b dated) int { // new folders appear in those near the top
		return cmp.Or(cmp.Compare(max(a.depth, 2), max(b.depth, 2)), newest(a, b))
	})
	for _, f := range dirs {
		l.folders = append(l.folders, f.path)
	}
	for _, f := range files[:min(len(files), maxFresh)] {
		l.fresh = append(l.fresh, f.path)
	}
	slices.Reverse(l.fresh) // the list shows what was added last first
	return l
}

// within reports whether a path is a folder or in it.
func within(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// AgentPlaces finds in the background the folders of known agents that exist,
// with how many transcripts are in each as far as that was counted.
func (d *watching) AgentPlaces(done func([]Place)) {
	sched.Run(d.Sched, "agentplaces", func(ctx context.Context, _ func(sched.Progress)) ([]Place, error) {
		return slices.DeleteFunc(knownPlaces(ctx), func(p Place) bool { return !p.ofAgent() }), nil
	}, func(list []Place, _ error) { done(list) })
}
