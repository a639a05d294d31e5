package desk

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk/watch"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// watching reads on open files that grow, and looks for new ones in folders.
type watching struct {
	subject
	following bool // files that are open are watched and read on
	watcher   *watch.Watcher
	folders   []string        // watched for new sessions
	watched   []watchedFolder // those that are watched in every window
	unscanned []string        // what changed in them and was not looked at yet
	revision  store.Revision  // of the database, when its lists were read last
}

// live is what an entry knows of its file's changes.
type live struct {
	New    int                   // messages that came since a person looked
	Change transcript.FileChange // why it is no longer followed; FileSame while it is
	grew   time.Time             // when it was found longer last; zero: never

	follower *transcript.Follower
	looking  bool     // its file is being looked at
	again    bool     // it changed meanwhile
	held     *grown   // read, and not shown while an edit or a compaction is under way
	counted  *counted // as held
}

// grown is the result of looking at a file.
type grown struct {
	follower *transcript.Follower
	change   transcript.FileChange
	from     *session.File // what it continues
	file     *session.File // longer; nil if it is not
	sessions map[*session.Session]*session.Session
}

// Following reports whether open files are followed while they grow.
func (d *watching) Following() bool { return d.following }

// Follow switches the following of open files and folders on or off. Switched on
// it looks at once at what happened meanwhile.
func (d *watching) Follow(on bool) {
	if d.following == on {
		return
	}
	d.following = on
	d.updateWatches()
	if on {
		for _, e := range d.desk.entries {
			d.look(e)
		}
		d.rescan(d.folders)
	}
	d.Notify(TopicFiles)
}

// followed reports whether an entry's file is one to follow.
func (d *watching) followed(e *Entry) bool {
	return d.following && e.Change == transcript.FileSame && e.isFile()
}

// isFile reports whether an entry was read from a single file on disk:
// samples, folders and archives were not.
func (e *Entry) isFile() bool {
	if e.State != Ready {
		return false
	}
	_, ok := e.File.Doc.Source.(*os.File)
	return ok
}

// maxWatched bounds how many folders are watched: systems allow few.
const maxWatched = 500

// watchFolders adds folders in which new sessions are to be listed.
func (d *watching) watchFolders(list []string) {
	for _, f := range list {
		if !slices.Contains(d.folders, f) && len(d.folders) < maxWatched {
			d.folders = append(d.folders, f)
		}
	}
	if len(list) > 0 {
		d.updateWatches()
	}
}

// updateWatches gives the watcher the folders that matter now.
func (d *watching) updateWatches() {
	if !d.following {
		d.stopWatching()
		return
	}
	want := slices.Clone(d.folders)
	for _, e := range d.desk.entries {
		if d.followed(e) {
			want = append(want, filepath.Dir(e.Path))
		}
	}
	if d.Store != nil && filepath.IsAbs(d.Store.Path()) { // no server
		want = append(want, filepath.Dir(d.Store.Path()))
	}
	if len(want) == 0 && d.watcher == nil {
		return
	}
	if d.watcher == nil {
		w, err := watch.New(d.Dispatch, d.onDisk)
		if err != nil {
			d.following = false
			d.Fail(&model.Problem{Code: "not-watched", What: "Files can't be followed.", Why: err.Error() + ".",
				Next: "Reload a history to see what is new.", Err: err})
			return
		}
		d.watcher = w
	}
	_, _ = d.watcher.Set(want) // a folder that is gone can't change
}

func (d *watching) stopWatching() {
	if d.watcher != nil {
		_ = d.watcher.Close()
		d.watcher = nil
	}
}

// onDisk takes in what changed, on the window's goroutine.
func (d *watching) onDisk(paths []string) {
	if !d.following {
		return
	}
	var strange []string
	if d.Store != nil && slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, d.Store.Path()) }) {
		d.lookAtStore()
	}
	for _, p := range paths {
		if i := slices.IndexFunc(d.desk.entries, func(e *Entry) bool { return e.Path == p && e.data == nil }); i >= 0 {
			d.look(d.desk.entries[i])
			continue
		}
		if slices.Contains(d.folders, filepath.Dir(p)) || slices.Contains(d.folders, p) {
			strange = append(strange, p)
		}
	}
	d.rescan(strange)
}

// lookAtStore reads the lists of the database again when something was added to
// it: agents that run elsewhere write to it, too.
func (d *watching) lookAtStore() {
	st := d.Store
	sched.Follow(d.Sched, "revision", func(ctx context.Context, _ func(sched.Progress)) (store.Revision, error) {
		return st.Revision(ctx)
	}, func(r store.Revision, err error) {
		if err != nil || r == d.revision {
			return // what can't be read now is reported when it is asked for
		}
		was := d.revision
		d.revision = r
		if r.Records != was.Records || r.Listed != was.Listed {
			d.desk.RecordList.RecordsMadeBeside()
		}
		if r.Events != was.Events {
			d.desk.LoadRecents()
		}
	})
}

// rescan lists new files that appeared in watched folders, and watches new
// folders in them.
func (d *watching) rescan(paths []string) {
	if len(paths) == 0 {
		return
	}
	d.unscanned = append(d.unscanned, paths...)
	list := d.unscanned
	sched.Run(d.Sched, "rescan", func(ctx context.Context, _ func(sched.Progress)) (found, error) {
		all, err := findTranscripts(ctx, list)
		all.files = slices.DeleteFunc(all.files, func(path string) bool {
			_, err := os.Stat(path)
			return err != nil || !transcript.Named(path)
		})
		return all, err
	}, func(all found, _ error) { // what can't be read now is reported when it is opened
		d.unscanned = nil
		before := len(d.desk.entries)
		for _, f := range all.files {
			d.addFresh(f)
		}
		if len(d.desk.entries) > before {
			for i := range d.watched {
				d.watched[i].Seen = time.Now()
			}
			d.saveWatched()
		}
		d.watchFolders(all.folders)
		if len(d.desk.entries) > before {
			d.Notify(TopicFiles)
			d.desk.Peek()
		}
	})
}

// look reads what is new in an entry's file, in the background. While it does,
// further changes wait: a file that is written all the time is read all the
// same.
func (d *watching) look(e *Entry) {
	if !d.followed(e) {
		return
	}
	if e.looking || e.held != nil || e == d.desk.current && d.Sched.Running("count") {
		e.again = true // a sketch that is being counted need not be counted twice
		return
	}
	e.looking, e.again = true, false
	from, follower := e.File, e.follower
	sessions := make([]*session.Session, 0, len(e.sessions))
	for _, s := range e.sessions {
		sessions = append(sessions, s)
	}
	sched.Run(d.Sched, "follow:"+e.Path, func(ctx context.Context, _ func(sched.Progress)) (*grown, error) {
		return readOn(ctx, from, follower, sessions)
	}, func(g *grown, err error) {
		e.looking = false
		if e.File != from || !slices.Contains(d.desk.entries, e) {
			return // it was closed or opened again meanwhile
		}
		if err != nil {
			e.follower = nil
			d.Fail(err)
			return
		}
		e.follower = g.follower
		d.takeGrown(e, g)
	})
}

func readOn(ctx context.Context, from *session.File, follower *transcript.Follower, sessions []*session.Session) (*grown, error) {
	g := &grown{follower: follower, from: from}
	var err error
	if g.follower == nil {
		if g.follower, err = transcript.Follow(from.Doc); err != nil {
			return nil, err
		}
	}
	change, doc, err := g.follower.Next(ctx)
	if err != nil || doc == nil {
		g.change = change
		return g, err
	}
	g.change, g.file, g.sessions = change, from.Longer(doc), map[*session.Session]*session.Session{}
	for _, s := range sessions {
		if g.sessions[s], err = g.file.Continue(ctx, s); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// takeGrown shows what was read, now or when nothing prevents it any more.
func (d *watching) takeGrown(e *Entry, g *grown) {
	switch {
	case g.change == transcript.FileSame:
	case g.change != transcript.FileGrown:
		d.lost(e, g.change)
		return
	default:
		e.grew = time.Now()
	}
	switch {
	case g.change == transcript.FileSame:
	case d.busy(e):
		e.held = g
		return
	default:
		d.grow(e, g)
	}
	d.lookAgain(e)
}

// lookAgain looks at a file that changed while that was put off.
func (d *watching) lookAgain(e *Entry) {
	if e.again {
		d.look(e)
	}
	d.desk.reweigh(e)
}

// busy reports whether the session of an entry must stay as it is: its
// records are about to change, or a text was written by hand for it.
func (d *watching) busy(e *Entry) bool {
	draft := d.desk.DraftSet.Draft()
	return d.desk.job.Running() || d.Sched.Running("restore") || e == d.desk.current && draft != nil && draft.Edited
}

// showHeld shows what was held back.
func (d *watching) showHeld() {
	for _, e := range d.desk.entries {
		d.desk.takeCounted(e)
		g := e.held
		if g == nil || d.busy(e) {
			continue
		}
		if e.held = nil; e.File == g.from {
			d.takeGrown(e, g)
		}
	}
}

// grow puts the longer file in the place of the shorter one. Selection, filter
// and parameters stay.
func (d *watching) grow(e *Entry, g *grown) {
	sessions := map[session.Ref]*session.Session{}
	for _, old := range e.sessions {
		s := g.sessions[old]
		if s == nil { // opened while the file was read
			continue
		}
		if left := s.TakeOver(old); len(left) > 0 {
			d.desk.Say(Notice{Severity: Warning, Code: "recordsLeft", Args: []any{"count", len(left), "title", e.shortTitle()}})
		}
		sessions[s.Ref()] = s
		d.desk.steps.Move(old, s)
	}
	now := g.sessions[e.Session]
	if now == nil { // its thread was read or counted meanwhile: the next look starts over from there
		e.follower, e.again = nil, true
		return
	}
	e.New += max(0, len(now.Thread().History)-len(e.Session.Thread().History))
	d.desk.replaced(e.Session, now)
	e.File, e.Session, e.Ref, e.sessions = g.file, now, now.Ref(), sessions
	e.survey()
	d.desk.loadRelated(e)
	d.Notify(TopicFiles)
	if e == d.desk.current {
		if !now.Sketched() { // what grew is counted: the sketch need not be
			d.Sched.Cancel("count")
		}
		d.desk.Planning.Replan()
		if !d.Sched.Running("facts") { // else it goes on with what is open then
			d.desk.index(now)
		}
	}
}

// lost says that a file is not what it was.
func (d *watching) lost(e *Entry, change transcript.FileChange) {
	e.Change, e.follower = change, nil
	code := map[transcript.FileChange]string{
		transcript.FileTruncated: "fileTruncated", transcript.FileRewritten: "fileRewritten", transcript.FileGone: "fileGone",
	}[change]
	d.desk.Say(Notice{Severity: Warning, Code: code, Args: []any{"title", e.shortTitle()}, About: e})
	d.updateWatches()
	d.Notify(TopicFiles)
}

// CanReload reports whether the present history can be read again.
func (d *watching) CanReload() bool {
	e := d.desk.current
	if e == nil || d.desk.job.Running() {
		return false
	}
	_, recorded := session.ConversationID(e.Path)
	return e.isFile() || recorded && e.State == Ready
}

// Reload reads the present history again, from its file or the database.
func (d *watching) Reload() {
	if !d.CanReload() {
		return
	}
	d.reopen(d.desk.current)
}

// reopen opens a history once more from its source, at the thread looked at.
func (d *watching) reopen(e *Entry) {
	d.desk.closeNoticesOf(e)
	if e.Session != nil {
		e.inForce = state.RecordIDs(e.Session.Stack())
	}
	old := e.reset()
	d.desk.Select(e)
	if old != nil {
		old.Close()
	}
}

// reset has a history read again, at the thread looked at, when it is looked at next. The
// file that was open, which is for the caller to close, is returned; nil: none was.
func (e *Entry) reset() *session.File {
	old := e.File
	e.reopen = e.Ref
	e.File, e.Session, e.sessions = nil, nil, map[session.Ref]*session.Session{}
	e.live, e.State = live{}, Closed
	return old
}

// lookedAt forgets that messages are new when one of them is selected.
func (d *watching) lookedAt() {
	e := d.desk.current
	if e == nil || e.New == 0 || e.Session == nil {
		return
	}
	if d.desk.selectedNum() > len(e.Session.Thread().History)-e.New {
		e.New = 0
		d.Notify(TopicFiles)
	}
}

// SelectNew goes to the first of the messages that are new.
func (d *watching) SelectNew() {
	if e := d.desk.current; e != nil && e.New > 0 && e.Session != nil {
		d.desk.SelectMessage(len(e.Session.Thread().History) - e.New)
	}
}

// shortTitle is a title as a sentence has room for it.
func (e *Entry) shortTitle() string {
	const most = 40
	r := []rune(e.Title)
	if len(r) <= most {
		return e.Title
	}
	return string(r[:most]) + "…"
}
