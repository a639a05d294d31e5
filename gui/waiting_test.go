package gui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/settings"
	"palimpsest/gui/words"
	"palimpsest/internal/until"
	"palimpsest/model/store"
)

// A database that another program holds is waited for: that is said while it is, nothing
// is said of sessions that nobody has read, and a button tries again.
func TestADatabaseInUseIsWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	st, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	type answer struct {
		st  *store.Store
		err error
	}
	answers := make(chan answer)
	open := func(string) (*store.Store, string, error) {
		a := <-answers
		return a.st, path, a.err
	}
	a := test.NewTempApp(t)
	words.Set(words.English)
	kit.Use(a, kit.Dark, 1)
	q := sched.NewQueue()
	d := desk.New(q.Dispatch, nil)
	t.Cleanup(d.Close)
	s := &stage{newWindow(a, d, settings.New(a.Preferences()), Options{OpenStore: open}), q, t}
	s.begin()
	wait := func(what string, is func() bool) {
		t.Helper()
		until.True(t, what, func() bool {
			q.Drain()
			return is()
		})
	}
	says := func(word string) bool { return strings.Contains(shown(s.Win.Content()), word) }
	said := func(code string) bool {
		return slices.ContainsFunc(d.Notices(), func(n *desk.Notice) bool { return n.Code == code })
	}
	locked := answer{err: &store.Error{Kind: store.ErrLocked}}

	if says(words.T("state.noSessions")) {
		t.Error("a list that was not read yet is called empty")
	}
	wait("it is said what is waited for", func() bool { return says(words.T("state.storeWaits")) })
	s.Commands.Run("records")
	if !says(words.T("records.unopened")) || says(words.T("records.none.next")) {
		t.Error("records that could not be read are called none: ", shown(s.Win.Content()))
	}
	s.HideSheet()
	answers <- locked
	wait("a history is looked at", func() bool { return d.Current() != nil && d.Current().State == desk.Ready })
	s.settle()
	if !says(words.T("do.retry")) || says(words.T("state.storeWaits")) {
		t.Fatal("nothing tries again: ", shown(s.Win.Content()))
	}
	d.CompactNow()
	s.settle()

	waited := false
	d.Listen(desk.TopicNotice, func() {
		if said("storeWaits") && !waited {
			waited = true
			if says(words.T("do.retry")) {
				t.Error("what is being tried is offered")
			}
			go func() { answers <- answer{st: st} }()
		}
	})
	s.tap(words.T("do.retry"))
	if !waited || d.Store() != st || s.Opened != st || said("storeWaits") || len(d.Session().Stack()) != 1 || !said("unsaved") {
		t.Errorf("%v, %d records of the history, %v", d.Store(), len(d.Session().Stack()), d.Notices())
	}
}
