package sessions

import (
	"cmp"
	"errors"
	"testing"

	"palimpsest/gui/desk"
	"palimpsest/gui/show"
)

// A group adds up what its sessions have; of what none has it says nothing.
func TestGroupsAddUp(t *testing.T) {
	a, b := &desk.Entry{}, &desk.Entry{}
	a.Messages, a.Found, a.Size = 10, 2, 3<<20
	b.Messages, b.Size = 1_500, 1<<20
	s := sumOf([]*desk.Entry{a, b, {}})
	for column, want := range map[string]string{"messages": "1,510", "compactions": "2", "size": "4.2 MB", "title": ""} {
		if got := s.cell(column); got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
	none := sumOf(nil)
	if none.cell("messages") != "0" || none.cell("compactions") != "" || none.cell("size") != "" || sizeText(&desk.Entry{}) != "" {
		t.Errorf("of nothing: %q, %q, %q", none.cell("messages"), none.cell("compactions"), none.cell("size"))
	}
}

// A group of a folder has its name, with the home folder shortened; the others have words.
func TestGroupTitles(t *testing.T) {
	t.Setenv("HOME", "/home/ann")
	for want, g := range map[string]desk.Group{
		"~/work": {Kind: desk.GroupFolder, Folder: "/home/ann/work"}, "/srv/x": {Kind: desk.GroupFolder, Folder: "/srv/x"},
		"Samples": {Kind: desk.GroupSamples}, "Sessions": {Kind: desk.GroupAll},
	} {
		if got := cmp.Or(show.GroupName(g), show.ShortHome(g.Folder)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A session that could not be compacted says why.
func TestFailure(t *testing.T) {
	if got := failure(&desk.ManyRow{Err: errors.New("the disk is full")}); got == "" {
		t.Error("a failure has no words")
	}
	if got := failure(&desk.ManyRow{}); got != "" {
		t.Errorf("what did not fail says %q", got)
	}
}
