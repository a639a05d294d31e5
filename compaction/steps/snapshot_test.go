package steps

import (
	"bytes"
	"context"
	"pgregory.net/rapid"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestX3I10SnapshotIsIdenticalAfterRestoring(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawStepHistory(t)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			if err := h.AppendStep(context.Background(), drawStep(t)); err != nil {
				t.Fatal(err)
			}
		}
		first, err := h.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Restore(first, Env{Clock: tick(), Summarise: echo})
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		second, err := back.Snapshot()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		if h.Text() != back.Text() || h.Stats() != back.Stats() {
			t.Fatal("the restored history is another")
		}
		// It goes on as the first would have.
		for range 8 {
			in := drawStep(t)
			_ = h.AppendStep(context.Background(), in)
			_ = back.AppendStep(context.Background(), in)
		}
		if h.Text() != back.Text() {
			t.Fatalf("they part:\n%s\n---\n%s", h.Text(), back.Text())
		}
	})
}

func TestX3WhatIsNoSnapshotIsAnError(t *testing.T) {
	h := newSteps(t, FixedSettings(3, 2, 500))
	addAll(t, h, 1, 9, done)
	good, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing":           "",
		"null":              "null",
		"no JSON":           "history",
		"another thing":     "[1,2]",
		"an empty object":   "{}",
		"cut off":           string(good[:len(good)-9]),
		"more behind":       string(good) + "{}",
		"a later version":   strings.Replace(string(good), `"version":1`, `"version":2`, 1),
		"an unknown member": strings.Replace(string(good), `"version":1`, `"version":1,"more":1`, 1),
		"settings":          strings.Replace(string(good), `"window":3`, `"window":0`, 1),
		"counts":            strings.Replace(string(good), `"totalSteps":9`, `"totalSteps":1`, 1),
		"negative counts":   strings.Replace(string(good), `"omitted":0`, `"omitted":-1`, 1),
		"language":          strings.Replace(string(good), `"lang":"zh"`, `"lang":"xx"`, 1),
		"a model":           strings.Replace(string(good), `"strategy":"extract"},"lang"`, `"strategy":"model"},"lang"`, 1),
	} {
		if text == string(good) {
			t.Fatalf("%s: nothing was changed in %s", name, good)
		}
		if _, err := Restore([]byte(text), Env{Clock: tick()}); err == nil {
			t.Errorf("%s was taken for a snapshot", name)
		}
	}
}

// FuzzRestoreStepHistory reads anything as a snapshot. What is taken for one is
// stable from then on and goes on without trouble.
func FuzzRestoreStepHistory(f *testing.F) {
	for _, s := range []Settings{DefaultSettings(), FixedSettings(2, 1, LeastCap), asking(2, 2, 0)} {
		h := newStepsWith(f, s, Env{Summarise: echo})
		addAll(f, h, 1, 12, done)
		b, err := h.Snapshot()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"version":1,"settings":{"window":1,"batch":1,"adaptive":false,"cap":200,"strategy":"extract"},"lang":"","totalSteps":2,` +
		`"recentDetailedHistory":[{"stepNumber":1},{"stepNumber":2}],"summaryHistory":[{},{"keyPoints":[{"step":3,"to":-1}],"omitted":{"from":9,"to":1}}]}`))
	f.Fuzz(func(t *testing.T, snapshot []byte) {
		h, err := Restore(snapshot, Env{Clock: tick(), Summarise: echo})
		if err != nil {
			return
		}
		first, err := h.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Restore(first, Env{Clock: tick(), Summarise: echo})
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second, err := again.Snapshot(); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		for n := range 3 {
			_ = h.AppendStep(context.Background(), done(n)) // a batch below zero may be asked for
		}
		if !utf8.ValidString(h.Text()) {
			t.Fatalf("%q", h.Text())
		}
		h.Last(5)
		_, _ = h.Within(50, func(s string) int { return len(s) / 4 })
	})
}
