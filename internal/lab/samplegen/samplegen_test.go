package main

import (
	"bytes"
	"os"
	"testing"

	"palimpsest/assets"
)

// What is committed is what the generator makes: an edit of either without the
// other fails here. To renew the files: go generate ./assets
func TestCommittedSamples(t *testing.T) {
	made := generate()
	if len(made) != len(assets.Samples) {
		t.Fatalf("the generator makes %d samples, %d are listed", len(made), len(assets.Samples))
	}
	for i, s := range made {
		have := assets.Samples[i].Bytes()
		if assets.Samples[i].File != s.name || !bytes.Equal(have, s.data) {
			t.Errorf("%s differs from what the generator makes (%d and %d bytes)", s.name, len(have), len(s.data))
		}
		if plain, err := os.ReadFile("../../../assets/samples/" + s.name); err != nil || !bytes.Equal(plain, have) {
			t.Errorf("%s is not what is in the program: %v", s.name, err)
		}
	}
}

func TestTurnsFitTheProject(t *testing.T) {
	p := newProject(&rng{state: 1})
	for _, e := range episodes() {
		p.find(e.File, e.Fn) // panics when it is not there
		p.grep(e.Grep, 5)
		if e.Ask == "" || e.Done == "" || (e.Kind == "fix" || e.Kind == "feature") && (len(e.Code) == 0 || e.Test == "" || e.Fail == "") {
			t.Errorf("the turn about %s is not complete", e.Fn)
		}
	}
}
