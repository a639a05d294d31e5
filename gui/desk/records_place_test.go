package desk

import (
	"strings"
	"testing"

	"palimpsest/compaction/session/about"
	"palimpsest/model"
)

// The lines of a summary that was really made name messages it covers.
func TestPlacesLieInWhatTheRecordCovers(t *testing.T) {
	d := newWindow(t)
	openCrew(t, d)
	for _, s := range []model.Strategy{model.Extract, model.NoteText, model.StructuredJSON, model.StructuredTable} {
		d.Planning.Set(func(p *model.Policy) { p.Tail, p.Strategy = model.Amount{N: 2000, Unit: model.Tokens}, s })
		d.settle()
		d.CompactNow()
		d.settle()
		stack := d.Session().Stack()
		if len(stack) == 0 {
			t.Fatalf("%s: nothing was compacted", s)
		}
		r := stack[len(stack)-1]
		lines := strings.Split(r.Summary, "\n")
		found := 0
		for i := range lines {
			if p, ok := about.Place(lines, i); ok {
				if found++; p.From < r.Range.From || p.To > r.Range.To {
					t.Errorf("%s: %q is said to stand for %v of %v", s, lines[i], p, r.Range)
				}
			}
		}
		if found < len(lines)/2 {
			t.Errorf("%s: places of %d of %d lines:\n%s", s, found, len(lines), r.Summary)
		}
		d.RecordView.Restore(r.ID)
		d.settle()
	}
}
