package main

import (
	"bytes"
	"testing"

	"palimpsest/assets"
)

// What is committed is what the generator makes: an edit of either without the
// other fails here. To renew the files: go generate ./assets
func TestCommittedSamples(t *testing.T) {
	made, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != len(assets.Samples) {
		t.Fatalf("the generator makes %d samples, %d are listed", len(made), len(assets.Samples))
	}
	for i, s := range made {
		have := assets.Samples[i].Bytes()
		if assets.Samples[i].File != s.name || !bytes.Equal(have, s.data) {
			t.Errorf("%s differs from what the generator makes (%d and %d bytes)", s.name, len(have), len(s.data))
		}
	}
}

func TestTurnsFitTheProject(t *testing.T) {
	p := newProject(&rng{state: 1})
	list, err := episodes()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if _, err := p.find(e.file, e.fn); err != nil {
			t.Error(err)
		}
		if _, err := p.grep(e.grep, 5); err != nil {
			t.Errorf("%s: %v", e.fn, err)
		}
		if e.ask == "" || e.done == "" || (e.kind == "fix" || e.kind == "feature") && (len(e.code) == 0 || e.test == "" || e.fail == "") {
			t.Errorf("the turn about %s is not complete", e.fn)
		}
	}
}
