package gui

import (
	"testing"

	"palimpsest/gui/kit"
	"palimpsest/model"
)

// Every tab of a record shows something, for one that was made here, for one
// that a file tells of and for a restore; the tree is walked by the keyboard; two
// are set beside each other.
func TestRecordBrowser(t *testing.T) {
	s := newStage(t)
	s.d.Set(func(p *model.Policy) { p.Tail, p.Former = model.Amount{N: 3000, Unit: model.Tokens}, model.MergeFormer })
	n := len(s.d.Session().Thread().History)
	for _, at := range []int{n - 40, n} {
		s.d.SetAt(at)
		s.settle()
		s.d.CompactNow()
		s.settle()
	}
	stack := s.d.Session().Stack()
	if len(stack) != 2 {
		t.Fatalf("%d records stand", len(stack))
	}
	s.press("Ctrl+2")
	p := s.records
	if s.d.Record().ID != stack[1].ID || len(p.restore.ladder) != 2 {
		t.Fatalf("at %s, %d steps down", s.d.Record().ID, len(p.restore.ladder))
	}

	tree := len(p.nested.rows)
	if tree != 2+len(s.d.Nested().Originals)+len(s.d.Nested().Inner[0].Originals) {
		t.Errorf("%d rows of the tree", tree)
	}
	p.nested.list.Select(1)
	p.nested.fold(1, false)
	if len(p.nested.rows) != tree-len(s.d.Nested().Inner[0].Originals) {
		t.Errorf("folded it has %d rows of %d", len(p.nested.rows), tree)
	}
	p.nested.fold(1, true)
	if len(p.nested.rows) != tree {
		t.Error("it does not unfold")
	}

	p.detail.show(tabCovered)
	s.settle()
	covered := p.detail.covered
	if covered.Len() != stack[1].Covered || covered.Row(0).Who != stack[0].ID || covered.Row(covered.Len()-1).First == "" {
		t.Errorf("%d rows for %d messages, the first %+v", covered.Len(), stack[1].Covered, covered.Row(0))
	}
	p.detail.show(tabLog)
	s.settle()
	if rows := p.detail.log.rows; len(rows) < 4+len(stack[1].Runs) || rows[1].glyph == kit.GlyphHalf {
		t.Errorf("the log has %d lines: %+v", len(rows), rows)
	}
	if tabText(stack[1], tabSummary) != stack[1].Summary || tabText(stack[1], tabParameters) == "" || tabText(stack[1], tabJSON) == "" {
		t.Error("a tab is empty")
	}

	found := s.d.RecordAt(0)
	if found == nil || found.Cause != model.CauseFound {
		t.Fatalf("%+v", found)
	}
	p.list.Select(0)
	p.choose(0)
	s.settle()
	if s.d.Record().ID != found.ID || len(p.restore.ladder) != 0 || tabText(s.d.Record(), tabParameters) == policyText(model.Policy{}) {
		t.Error("a record of the file is taken for one of ours")
	}
	p.detail.show(tabFacts)
	s.settle()
	if after, rows := s.d.RecordAgain(), p.detail.facts.again.rows; after == nil || after.After.At != found.At || len(rows) < 3 || rows[1].count == "" || !rows[0].head || p.detail.facts.note.Text() != "" {
		t.Errorf("after a compaction of the file: %+v, %+v", after, rows)
	}

	row := s.d.RecordRow(stack[0].ID)
	p.tick(row, false)
	p.tick(row-1, true)
	s.settle()
	if s.d.TickedCount() != 2 {
		t.Fatalf("%d ticked", s.d.TickedCount())
	}
	s.c.run("compareRecords")
	s.settle()
	if p.pair.shown == nil || p.pair.shown.A.ID != stack[0].ID || len(p.pair.effects.rows) == 0 {
		t.Fatalf("%+v", p.pair.shown)
	}
	s.press("Esc")
	if !s.records.visible() {
		t.Error("Esc does not lead back to the records")
	}
}
