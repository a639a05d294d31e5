package state

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Those who listen to a topic hear of it, and no others; until they stop.
func TestTopics(t *testing.T) {
	q := sched.NewQueue()
	c := New(q.Dispatch, nil)
	var heard []string
	c.Listen(TopicPlan, func() { heard = append(heard, "plan") })
	c.Listen(TopicSelect, func() { heard = append(heard, "select") })
	c.Notify(TopicSelect, TopicFiles, TopicPlan, TopicPlan)
	if !slices.Equal(heard, []string{"select", "plan", "plan"}) {
		t.Errorf("heard %v", heard)
	}
	c.StopListening()
	if c.Notify(TopicPlan); len(heard) != 3 {
		t.Error("who stopped listening hears on")
	}
}

// Work beside the window has its result applied at the window; an error is said, and of what
// was cancelled nothing. The newest work of a key is the one that counts.
func TestWorkBesideTheWindow(t *testing.T) {
	q := sched.NewQueue()
	c := New(q.Dispatch, nil)
	var said []error
	c.Fail = func(err error) { said = append(said, err) }
	var got []int
	wrong := errors.New("wrong")
	Run(c, "n", func(context.Context) (int, error) { return 1, nil }, func(n int) { got = append(got, n) })
	Run(c, "n", func(context.Context) (int, error) { return 2, nil }, func(n int) { got = append(got, n) })
	Run(c, "fails", func(context.Context) (int, error) { return 0, wrong }, func(int) { t.Error("a failure is applied") })
	Do(c, "cancelled", func(context.Context) error { return context.Canceled }, func() { t.Error("cancelled work is done") })
	done := false
	Do(c, "does", func(context.Context) error { return nil }, func() { done = true })
	Do(c, "quiet", func(context.Context) error { return nil }, nil)
	q.DrainUntilIdle(c.Sched)
	if !slices.Equal(got, []int{2}) || len(said) != 1 || !errors.Is(said[0], wrong) || !done {
		t.Errorf("applied %v, said %v, done %v", got, said, done)
	}
}

// A setting is written into the database, at the latest before the program ends; without a
// database it is not.
func TestSettingsAreKept(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	q := sched.NewQueue()
	c := New(q.Dispatch, st)
	read := func(name string) (v string) {
		t.Helper()
		if _, err := st.Setting(t.Context(), name, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	c.Keep("a", "one")
	q.DrainUntilIdle(c.Sched)
	if read("a") != "one" || len(c.unwritten) != 0 {
		t.Errorf("kept %q, %v to write", read("a"), c.unwritten)
	}
	c.Keep("b", "two")
	c.Flush()
	if read("b") != "two" {
		t.Errorf("before the end it is %q", read("b"))
	}
	New(q.Dispatch, nil).Keep("c", "three")
}

// Values are written as people read them.
func TestWriteJSON(t *testing.T) {
	var b strings.Builder
	if err := WriteJSON(&b, map[string]string{"a": "<b>"}); err != nil || b.String() != "{\n  \"a\": \"<b>\"\n}\n" {
		t.Errorf("%v: %q", err, b.String())
	}
	if got := RecordIDs([]*model.Record{{ID: "R-1"}, {ID: "R-2"}}); !slices.Equal(got, []string{"R-1", "R-2"}) {
		t.Errorf("the IDs are %v", got)
	}
}
