package transcript

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// checkSample opens a real file and demands its format, the counts of the
// manifest, no note, the bytes it came with, and rewrites that read back.
func checkSample(t *testing.T, s sample, format model.Format, rounds int) *model.Document {
	t.Helper()
	d := openSample(t, s.Path)
	if d.Format != format {
		t.Fatalf("opened as %s: %s", d.Format, d.Why)
	}
	n := count(d)
	if n.Items != s.Messages || n.Calls != s.Calls {
		t.Errorf("%v; the manifest says %d items and %d calls", n, s.Messages, s.Calls)
	}
	if n.Paired != n.Results {
		t.Errorf("%d of %d results found their call", n.Paired, n.Results)
	}
	for _, x := range d.Notes {
		if x.Code != "not-read" { // what is beside the messages
			t.Errorf("note %+v", x)
		}
	}
	checkDocument(t, d)
	checkRewrites(t, d, rounds)
	checkClearing(t, d)
	t.Logf("%s | %v", d.Why, n)
	return d
}

// checkFixture reads a small document of a format and rewrites it.
func checkFixture(t *testing.T, text string, format model.Format, rounds int) *model.Document {
	t.Helper()
	d := mustRead(t, text)
	if d.Format != format {
		t.Fatalf("read as %s: %s", d.Format, d.Why)
	}
	checkDocument(t, d)
	checkRewrites(t, d, rounds)
	checkClearing(t, d)
	return d
}

// checkOnlyRead reports whether a format is only read. Of such a one no changed copy is written,
// the error says why, and an unchanged one is the input.
func checkOnlyRead(t tb, d *model.Document) bool {
	t.Helper()
	if ReadOnly(d) == "" {
		return false
	}
	var why *model.Problem
	if _, err := Rewrite(d, &edit.Change{Drop: []int32{0}}); !errors.As(err, &why) || why.Code != "read-only-format" {
		t.Fatalf("%s is only read, and written: %v", d.Format, err)
	}
	var out bytes.Buffer
	file := &model.Document{}
	file.Source, file.Size = d.File()
	if err := Copy(&out, d); err != nil || !bytes.Equal(out.Bytes(), sourceBytes(t, file)) {
		t.Fatalf("the copy is not the input: %v", err)
	}
	return true
}

// checkClearing replaces the output of every live result by a note and demands
// that the result reads as the note and all else as before.
func checkClearing(t *testing.T, d *model.Document) {
	t.Helper()
	if checkOnlyRead(t, d) {
		return
	}
	const note = "[cleared: \"7\" 漢]"
	for ci, c := range d.Conversations {
		th := c.Main()
		live := th.Live(len(th.History))
		var clear []int32
		for _, i := range live {
			if th.Messages[i].Kind == model.KindResult {
				clear = append(clear, i)
			}
		}
		if len(clear) == 0 {
			continue
		}
		r, err := Rewrite(d, &edit.Change{Conversation: ci, Clear: clear, Note: func(int32) string { return note }})
		if err != nil {
			t.Fatalf("clear: %v", err)
		}
		got := written(t, r.Edits)
		back, err := Read(context.Background(), d.Path, bytes.NewReader(got), int64(len(got)), Rereading(d))
		if err != nil || back.Format != d.Format {
			t.Fatalf("after clearing: %v\n%.2000s", err, got)
		}
		th2 := back.Conversations[ci].Main()
		live2 := th2.Live(len(th2.History))
		if len(live2) != len(live) {
			t.Fatalf("%d live messages after clearing, were %d", len(live2), len(live))
		}
		for k, i := range live {
			m, m2 := &th.Messages[i], &th2.Messages[live2[k]]
			if m.Kind == model.KindResult {
				if text := messageText(t, back, m2); text != note {
					t.Fatalf("cleared result %d reads %q", k, text)
				}
			} else if a, b := digest(t, d, m), digest(t, back, m2); a != b {
				t.Fatalf("clearing changed message %d\n%s\n%s", k, a, b)
			}
		}
		if ci == 2 {
			break // many conversations of a file are spelled alike
		}
	}
}

// shape writes a list of messages in short: role letters with origins.
func shapeOf(th *model.Thread, list []int32) string {
	var out []string
	for _, i := range list {
		m := &th.Messages[i]
		s := m.Kind.String()
		if m.Kind == model.KindUser {
			s = [...]string{"user?", "typed", "injected", "observation"}[m.Origin]
		}
		if m.Kind == model.KindResult {
			s = "result " + m.Answers
		}
		for _, c := range m.Calls {
			s += " " + c.Name
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func liveShape(th *model.Thread) string { return shapeOf(th, th.Live(len(th.History))) }
