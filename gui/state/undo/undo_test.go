package undo

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
)

// of sees the steps of one history, and those that all see.
func of(history string) View { return func(s *Step) bool { return s.Of == "" || s.Of == history } }

func all(*Step) bool { return true }

// From each history its own steps are undone and redone, and those of all.
func TestStepsAreUndoneWhereTheyAreSeen(t *testing.T) {
	a, b, both := &Step{Name: "a", Of: "A"}, &Step{Name: "b", Of: "B"}, &Step{Name: "both"}
	var l List
	for _, s := range []*Step{a, b, both} {
		l.Add(s)
	}
	next := func(v View) string {
		undo, redo := l.Next(v)
		name := func(s *Step) string {
			if s == nil {
				return "–"
			}
			return s.Name
		}
		return name(undo) + " " + name(redo)
	}
	for _, is := range []struct {
		undone  []*Step
		a, b    string
		way, to int // from A to its first step
	}{
		{nil, "both –", "both –", 1, 0},
		{[]*Step{both}, "a both", "b both", 0, 0},
		{[]*Step{both, a}, "– a", "b both", 0, 1},
	} {
		for _, s := range []*Step{a, b, both} {
			s.Undone = slices.Contains(is.undone, s)
		}
		if next(of("A")) != is.a || next(of("B")) != is.b {
			t.Errorf("%d undone: from A %s, from B %s", len(is.undone), next(of("A")), next(of("B")))
		}
		if undo, redo := l.Way(of("A"), a); undo != is.way || redo != is.to {
			t.Errorf("%d undone: %d and %d steps to the first", len(is.undone), undo, redo)
		}
	}
	if undo, redo := l.Way(of("A"), b); undo != 0 || redo != 0 {
		t.Error("there is a way to a step that is not seen")
	}
	l.Add(&Step{Name: "c", Of: "B"}) // forgets what B could redo, which is of all
	if got := next(of("A")) + ", " + next(of("B")); got != "– a, c –" {
		t.Errorf("after a new step of B: %s", got)
	}
}

// The newest 500 steps are remembered.
func TestStepsAreBounded(t *testing.T) {
	var l List
	for i := range most + 20 {
		l.Add(&Step{Name: fmt.Sprint(i)})
	}
	if seen := l.Seen(all); len(seen) != most || seen[0].Name != "20" {
		t.Errorf("%d steps, the oldest %s", len(seen), seen[0].Name)
	}
}

// A step that says itself how it is taken back ends with the program; the others are stored
// and come before those of the next run, and belong to the history that takes the other's place.
func TestStepsAreKept(t *testing.T) {
	var l, next List
	was := &Step{Kind: Rename, Time: time.Unix(5, 0).UTC(), Name: "a.jsonl", From: "old", To: "new", Notes: map[string]string{"": "n"}}
	l.Add(was)
	l.Add(&Step{Kind: Pin, Move: func(bool) {}})
	b, err := json.Marshal(l.Kept())
	if err != nil {
		t.Fatal(err)
	}
	var stored []*Step
	if err := json.Unmarshal(b, &stored); err != nil {
		t.Fatal(err)
	}
	next.Add(&Step{Kind: Apply, Owner: "before"})
	next.Put(stored)
	seen := next.Seen(all)
	if len(seen) != 2 || seen[0].Kind != Rename || !reflect.DeepEqual(seen[0].Notes, was.Notes) || seen[0].To != "new" || !seen[0].Time.Equal(was.Time) {
		t.Errorf("stored as %s", b)
	}
	next.Move("before", "after")
	if seen[1].Owner != "after" || seen[0].Owner != nil {
		t.Errorf("the owners are %v and %v", seen[0].Owner, seen[1].Owner)
	}
	next.Forget(func(s *Step) bool { return s.Kind == Apply })
	if len(next.Seen(all)) != 1 {
		t.Error("a step that is gone is remembered")
	}
	for kind, is := range map[Kind]bool{Params: true, Preset: true, Pin: true, Unpin: true, Apply: false, Note: false} {
		if (&Step{Kind: kind}).OfParams() != is {
			t.Errorf("%s is a change of parameters: %v", kind, !is)
		}
	}
}
