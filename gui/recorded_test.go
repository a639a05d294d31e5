package gui

import (
	"context"
	"strings"
	"testing"

	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/commands"
	"palimpsest/gui/words"
)

// The screen shows what the package measures: shares, counts, rows by filter; F7 goes
// through what differs, and their summary with a ledger behind becomes a draft.
func TestWhatTheirSummaryKept(t *testing.T) {
	s := newStage(t)
	s.Commands.Run(commands.Recorded)
	s.settle()
	want, err := recorded.Measure(context.Background(), s.Desk.Session())
	if err != nil {
		t.Fatal(err)
	}
	p := s.kept
	page := p.Page()
	if page == nil || len(want.Pages) < 2 || page.ID != want.Pages[len(want.Pages)-1].ID {
		t.Fatalf("%d pages, shown %+v", len(want.Pages), page)
	}
	theirs := page.Tally.Of[recorded.Theirs]
	share, _ := theirs.Share()
	s.sees(words.Percent(share), words.T("preview.ofAll", "n", theirs.Held, "all", theirs.Used), words.T("recorded.theirs"))
	drawn := look(s.Win.Canvas())
	for _, pair := range drawn.overlaps(drawn.texts()) {
		t.Errorf("%q is drawn over %q", textOf(drawn.all[pair[1]].obj), textOf(drawn.all[pair[0]].obj))
	}
	differ := 0
	for i := range page.Rows {
		if h := page.Rows[i].Holds; page.Rows[i].Counts() && h[recorded.Theirs] != h[recorded.Ledger] {
			differ++
		}
	}
	s.sees(words.T("recorded.all", "n", theirs.Used), words.T("recorded.missedTheirs", "n", theirs.Used-theirs.Held),
		words.T("recorded.differ", "n", differ))
	seen := map[int]bool{}
	for range differ + 2 {
		s.press("F7")
		if h := p.Row().Holds; h[recorded.Theirs] == h[recorded.Ledger] {
			t.Fatalf("F7 selects %q, which both hold or lose", p.Row().Text)
		}
		seen[p.List.Selected()] = true
	}
	if len(seen) != differ {
		t.Errorf("F7 finds %d of %d", len(seen), differ)
	}
	p.Step(-1)
	s.settle()
	if p.Page().ID != want.Pages[len(want.Pages)-2].ID {
		t.Errorf("%s", p.Page().ID)
	}
	text := p.Page().Columns[recorded.Plus500].Text
	at := p.Page().At - 1 // at the cut itself it has been compacted
	s.tap(words.T("recorded.draft"))
	s.settle()
	if p.Open || !s.preview.Open || s.Desk.Planning.Plan().Line.At() != at {
		t.Fatalf("open %v, preview %v, at %d of %d", p.Open, s.preview.Open, s.Desk.Planning.Plan().Line.At(), at)
	}
	if dr := s.Desk.DraftSet.Draft(); dr == nil || strings.TrimSpace(dr.Text.Text) != strings.TrimSpace(text) || len(s.Desk.DraftSet.Drafts()) != 2 {
		t.Errorf("the draft is another text, of %d: %+v, before %d", len(s.Desk.DraftSet.Drafts()), s.Desk.Planning.Plan().Why, s.Desk.Planning.Plan().Before.Messages)
	}
	if len(s.Desk.Session().Stack()) != 0 {
		t.Error("something was applied")
	}
}
