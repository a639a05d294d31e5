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
)

// Watched is a folder that is watched for new sessions in every window, until a
// person takes it off the list.
type Watched struct {
	Path string
	New  int  // sessions that appeared in it and were not looked at yet
	Gone bool // it was not there when it was looked for
}

// standing is a watched folder as it is remembered.
type standing struct {
	Path string
	Seen time.Time // when it was looked through last
	gone bool
}

const standingSetting = "watched"

// maxFresh bounds how many sessions of one folder are listed because they
// appeared while no window was open.
const maxFresh = 100

// Watched lists the watched folders in the order in which they were added.
func (d *watching) Watched() []Watched {
	out := make([]Watched, len(d.standing))
	for i, s := range d.standing {
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
	if slices.ContainsFunc(d.standing, func(s standing) bool { return s.Path == path }) {
		return
	}
	d.standing = append(d.standing, standing{Path: path, Seen: time.Now()})
	d.saveStanding()
	d.lookThrough()
	d.tell(TopicFiles)
}

// Unwatch takes a folder off the list; the sessions listed from it stay.
func (d *watching) Unwatch(path string) {
	d.standing = slices.DeleteFunc(d.standing, func(s standing) bool { return s.Path == path })
	d.folders = slices.DeleteFunc(d.folders, func(f string) bool { return within(path, f) })
	d.saveStanding()
	d.lookThrough() // a watched folder within it stays
	d.rewatch()
	d.tell(TopicFiles)
}

// loadStanding takes up the watched folders when the store is there, and lists
// what appeared in them meanwhile.
func (d *watching) loadStanding() {
	st := d.store
	sched.Run(d.sched, "standing", func(ctx context.Context, _ func(sched.Progress)) (list []standing, err error) {
		_, err = st.Setting(ctx, standingSetting, &list)
		return list, err
	}, func(list []standing, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		for _, s := range list {
			if !slices.ContainsFunc(d.standing, func(o standing) bool { return o.Path == s.Path }) {
				d.standing = append(d.standing, s)
			}
		}
		d.lookThrough()
	})
}

func (d *watching) saveStanding() {
	if d.store == nil || d.store.ReadOnly() {
		return
	}
	st, list := d.store, slices.Clone(d.standing)
	sched.Do(d.sched, "standing.save", func(ctx context.Context, _ func(sched.Progress)) error {
		return st.SetSetting(ctx, standingSetting, list)
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
		}
	})
}

// looked is what was found in one watched folder.
type looked struct {
	folders []string // to be watched, the most important ones first
	fresh   []string // files that were written since it was looked through last
	gone    bool
}

// lookThrough finds in the background which folders are to be watched, by their
// names, and which files were written since then. No file is opened.
func (d *watching) lookThrough() {
	if len(d.standing) == 0 {
		return
	}
	list, now := slices.Clone(d.standing), time.Now()
	sched.Run(d.sched, "standing.look", func(ctx context.Context, _ func(sched.Progress)) ([]looked, error) {
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
			j := slices.IndexFunc(d.standing, func(s standing) bool { return s.Path == list[i].Path })
			if j < 0 {
				continue
			}
			d.standing[j].Seen, d.standing[j].gone = now, l.gone
			d.watchFolders(l.folders)
			for _, f := range l.fresh {
				d.fresh(f)
			}
		}
		d.saveStanding()
		d.tell(TopicFiles)
		if len(d.desk.entries) > before {
			d.desk.Peek()
		}
	})
}

// fresh lists a file that appeared by itself.
func (d *watching) fresh(path string) {
	n := len(d.desk.entries)
	if e := d.desk.entry(path); len(d.desk.entries) > n {
		e.Fresh = true
	}
}

// lookInto walks one watched folder.
func lookInto(ctx context.Context, s standing) looked {
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
	_ = filepath.WalkDir(s.Path, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return fs.SkipAll
		}
		if err != nil || !e.IsDir() && !transcriptName(path) {
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
	sched.Run(d.sched, "agentplaces", func(ctx context.Context, _ func(sched.Progress)) ([]Place, error) {
		return slices.DeleteFunc(knownPlaces(ctx), func(p Place) bool { return !p.ofAgent() }), nil
	}, func(list []Place, _ error) { done(list) })
}
