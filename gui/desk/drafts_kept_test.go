package desk

import (
	"slices"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// Drafts that a person edited are there in the next window, whatever ended the one before;
// one of other settings comes back with these, and what was discarded is gone.
func TestEditedDraftsOutliveTheWindow(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	texts := func(w *window) (list []string) {
		for _, dr := range w.DraftSet.Drafts() {
			list = append(list, dr.Text.Text)
		}
		return list
	}
	w.DraftSet.ChangeDraft(undo.DraftPutBack, "a fact", 1, func(o *blocks.Outline) (string, error) {
		return o.PutBack(facts.Fact{Kind: facts.Path, Text: "src/kept.go"})
	})
	w.settle()
	first, p := texts(w), w.Planning.Params()
	w.Planning.Set(func(p *model.Policy) { p.Budget.N += 500 })
	w.settle()
	w.DraftSet.EditDraft("in words of my own")
	second := texts(w)
	if len(first) != 2 || len(second) != 2 {
		t.Fatalf("%d and %d drafts", len(first), len(second))
	}

	w.Close() // while the last of them is being stored
	next := newWindowOn(t, w.Store())
	next.Add(path)
	next.settle()
	if got := texts(next); !slices.Equal(got, second) || next.DraftSet.Draft().Text.Text != second[1] || !next.DraftSet.Draft().Edited {
		t.Errorf("after a restart %q, want %q", got, second)
	}
	next.Planning.Set(func(q *model.Policy) { *q = p })
	next.settle()
	if got := texts(next); !slices.Equal(got, first) {
		t.Errorf("with the settings of before %q, want %q", got, first)
	}
	next.DraftSet.DiscardDrafts()
	next.settle()
	third := newWindowOn(t, w.Store())
	third.Add(path)
	third.settle()
	if got := texts(third); !slices.Equal(got, first[:1]) {
		t.Errorf("what was discarded is there again: %q", got)
	}
	if dr, others := third.DraftSet.Edited(); dr == nil || !others || dr.Text.Text != second[1] {
		t.Error("the draft of other settings is lost")
	}
}
