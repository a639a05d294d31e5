package blocks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// drafted is a real summary of a real history.
type drafted struct {
	name string
	s    *session.Session
	*session.Draft
}

// drafts are the summaries of the shipped samples by every offline strategy, at two
// places of each.
func drafts(t *testing.T) (list []drafted) {
	t.Helper()
	ctx := context.Background()
	for _, sample := range assets.Samples {
		data := sample.Bytes()
		doc, err := transcript.Read(ctx, sample.File, bytes.NewReader(data), int64(len(data)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.NewFile(doc, session.Options{}).Session(ctx, session.Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Insight.Facts(ctx, nil); err != nil {
			t.Fatal(err)
		}
		for _, strategy := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable, model.NoteText} {
			for _, at := range []int{len(s.Thread().History) / 2, len(s.Thread().History)} {
				p := s.Policy()
				p.Strategy, p.Window, p.Fixed = strategy, 40000, 0
				p.Tail, p.Budget = model.Amount{N: 2000, Unit: model.Tokens}, model.Amount{N: 1500, Unit: model.Tokens}
				s.SetAt(at)
				dr, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
				if err != nil {
					t.Fatal(sample.File, strategy, err)
				}
				if dr.Plan.Outcome == compaction.WouldApply && dr.Text.Text != "" {
					list = append(list, drafted{sample.File + " " + string(strategy), s, dr})
				}
			}
		}
	}
	if len(list) < 20 {
		t.Fatalf("only %d drafts", len(list))
	}
	return list
}

// Every line that is not part of a frame can be removed alone, and nothing else
// changes; a summary in JSON stays JSON.
func TestALineIsRemovedAlone(t *testing.T) {
	for _, d := range drafts(t) {
		o := blocks.Parse(d.Text.Text)
		removed := 0
		for b := range o.Blocks {
			for l, line := range o.Blocks[b].Lines {
				if line.Fixed || line.Depth > 0 {
					continue
				}
				out, err := o.Remove(b, l)
				if err != nil {
					t.Fatalf("%s, %q: %v", d.name, line.Text, err)
				}
				removed++
				checkJSON(t, d.name, d.Text.Text, out)
				want := strings.Count(d.Text.Text, line.Text) - 1
				if got := strings.Count(out, line.Text); line.Text != "" && got > want && !strings.HasPrefix(d.Text.Text, "[") {
					t.Errorf("%s: %q is still there", d.name, line.Text)
				}
				if n, m := lines(o), lines(blocks.Parse(out)); n-m < 1 {
					t.Errorf("%s: %d lines, then %d", d.name, n, m)
				}
			}
		}
		if removed == 0 {
			t.Errorf("%s: no line:\n%s", d.name, d.Text.Text)
		}
	}
}

func lines(o *blocks.Outline) (n int) {
	for i := range o.Blocks {
		n += len(o.Blocks[i].Lines)
	}
	return n
}

func checkJSON(t *testing.T, name, was, text string) {
	t.Helper()
	_, body, _ := strings.Cut(was, "\n")
	if !strings.HasPrefix(body, "{") {
		return
	}
	_, body, _ = strings.Cut(text, "\n")
	body, _, _ = strings.Cut(body, "\n\n[")
	if !json.Valid([]byte(body)) {
		t.Errorf("%s: no JSON any more:\n%s", name, body)
	}
}

// A block that is moved there and back leaves the text as it was, and a line that is
// written as it was, too.
func TestWhatIsNotChangedStays(t *testing.T) {
	moved := 0
	for _, d := range drafts(t) {
		o := blocks.Parse(d.Text.Text)
		for b := range o.Blocks {
			if o.CanMove(b, 1) {
				there, err := o.Move(b, 1)
				if err != nil {
					t.Fatal(err)
				}
				if there == d.Text.Text {
					t.Errorf("%s: block %d was not moved", d.name, b)
				}
				back, err := blocks.Parse(there).Move(b+1, -1)
				if err != nil || back != d.Text.Text {
					t.Errorf("%s: moved and back: %v\n%s", d.name, err, back)
				}
				moved++
			}
			for l, line := range o.Blocks[b].Lines {
				if line.Fixed {
					continue
				}
				same, err := o.Replace(b, l, o.Raw(b, l))
				if err != nil || same != d.Text.Text {
					t.Fatalf("%s: %q replaced by itself: %v", d.name, o.Raw(b, l), err)
				}
			}
		}
	}
	if moved == 0 {
		t.Error("no block was moved")
	}
}

// A fact that was lost and is put back survives afterwards, and those that survived still
// do.
func TestWhatIsPutBackSurvives(t *testing.T) {
	n := 0
	for _, d := range drafts(t) {
		before := d.s.Insight.Survive(d.Plan, d.Text.Text)
		lost := before.Lost(0)
		if len(lost) == 0 {
			continue
		}
		var list []facts.Fact
		for k := range facts.Kinds { // some of every kind
			some := 0
			for _, l := range lost {
				if l.Fact.Kind == k && some < 3 {
					list = append(list, l.Fact)
					some++
				}
			}
		}
		text, err := blocks.Parse(d.Text.Text).PutBack(list...)
		if err != nil {
			t.Fatal(err)
		}
		checkJSON(t, d.name, d.Text.Text, text)
		mixed, one := slices.Clone(list), d.Text.Text
		slices.SortStableFunc(mixed, func(a, b facts.Fact) int { return len(a.Text)%7 - len(b.Text)%7 })
		together, err := blocks.Parse(d.Text.Text).PutBack(mixed...)
		for _, f := range mixed {
			if err == nil {
				one, err = blocks.Parse(one).PutBack(f)
			}
		}
		if err != nil || together != one {
			t.Errorf("%s: put back together, %v:\n%s\none after the other:\n%s", d.name, err, together, one)
		}
		after := d.s.Insight.Survive(d.Plan, text)
		gone := map[facts.Fact]bool{}
		for _, l := range after.Lost(0) {
			gone[l.Fact] = true
		}
		for _, f := range list {
			if gone[f] {
				t.Errorf("%s: %s %q was put back and is lost:\n%s", d.name, f.Kind, f.Text, text)
			}
			n++
		}
		back := text
		for _, f := range slices.Backward(list) {
			if back, err = blocks.Parse(back).TakeOut(f); err != nil {
				t.Fatal(err)
			}
		}
		if strings.TrimSpace(back) != strings.TrimSpace(d.Text.Text) {
			t.Errorf("%s: put back and taken out:\n%s\nwant\n%s", d.name, back, d.Text.Text)
		}
		if got, want := after.All().Survived, before.All().Survived+len(list); got < want {
			t.Errorf("%s: %d facts stand, want at least %d", d.name, got, want)
		}
	}
	if n < 100 {
		t.Errorf("only %d facts were put back", n)
	}
}

// A block of another draft takes the place of the one with its head, or comes behind.
func TestABlockIsTakenOver(t *testing.T) {
	from := blocks.Parse("[Conversation summary - earlier context]\n\n[Fact ledger: strings from the earlier context, word for word]\nCommands:\n- go test ./...\nNumbers: 12 MB")
	for text, want := range map[string]string{
		"A model wrote this.": "A model wrote this.\n\n[Fact ledger: strings from the earlier context, word for word]\nCommands:\n- go test ./...",
		"x\n\n[Fact ledger: strings from the earlier context, word for word]\nPaths: a/b.go\nCommands:\n- ls -l\nErrors:\n- it failed": "x\n\n[Fact ledger: strings from the earlier context, word for word]\nPaths: a/b.go\nCommands:\n- go test ./...\nErrors:\n- it failed",
		"x\n\n[Fact ledger: strings from the earlier context, word for word]\nPaths: a/b.go\nErrors:\n- it failed":                     "x\n\n[Fact ledger: strings from the earlier context, word for word]\nPaths: a/b.go\nCommands:\n- go test ./...\nErrors:\n- it failed",
	} {
		got, err := blocks.Parse(text).Take(from, 2)
		if err != nil || got != want {
			t.Errorf("%q, %v, want\n%q", got, err, want)
		}
	}
}

// The text of a model is blocks under its headings, its lists are lines.
func TestTheTextOfAModel(t *testing.T) {
	o := blocks.Parse("## Decisions\n- Two tokens of lookahead\n- No new dependencies\n\n## Open\n1. Fix `cycle.kiln`\n   it must fail with a message\n\nThe rest is done.")
	if len(o.Blocks) != 2 || o.Blocks[0].Title != "Decisions" || len(o.Blocks[0].Lines) != 2 || o.Blocks[1].Title != "Open" {
		t.Fatalf("%+v", o.Blocks)
	}
	got, err := o.Remove(1, 0)
	if want := "## Decisions\n- Two tokens of lookahead\n- No new dependencies\n\n## Open\n\nThe rest is done."; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	got, err = o.RemoveBlock(0)
	if want := "## Open\n1. Fix `cycle.kiln`\n   it must fail with a message\n\nThe rest is done."; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	if o.Blocks[0].Lines[0].Text != "Two tokens of lookahead" {
		t.Errorf("%q", o.Blocks[0].Lines[0].Text)
	}
}

// A line is traced to messages that hold what it says.
func TestSourcesHoldWhatALineSays(t *testing.T) {
	traced, all := 0, 0
	for _, d := range drafts(t) {
		x := d.s.Insight.KnownFacts()
		o := blocks.Parse(d.Text.Text)
		for b := range o.Blocks {
			for _, l := range o.Blocks[b].Lines {
				ids := x.FactsIn(l.Text)
				if len(ids) == 0 {
					continue
				}
				all++
				src := blocks.Sources(x, l.Text, func(h int) bool { return h < d.Plan.Line.At() })
				if len(src) > 0 {
					traced++
				}
				for _, m := range src {
					if m >= d.Plan.Line.At() {
						t.Errorf("%s: %q comes from message %d, which follows", d.name, l.Text, m)
					}
				}
			}
		}
	}
	if traced < all*9/10 {
		t.Errorf("%d of %d lines with facts were traced", traced, all)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[Conversation summary - earlier context]\n{\"messages\":\"1-2\",\n\"turns\":[\n{\"turn\":1}\n]}")
	f.Add("## A\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\ncode\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		o := blocks.Parse(text)
		for b := range o.Blocks {
			_, _ = o.RemoveBlock(b)
			if o.CanMove(b, 1) {
				if _, err := o.Move(b, 1); err != nil {
					t.Error(err)
				}
			}
			for l := range o.Blocks[b].Lines {
				if _, err := o.Remove(b, l); err == nil {
					_, _ = o.Replace(b, l, "x")
				}
				_ = o.LineText(b, l)
			}
			_ = o.BlockText(b)
		}
		if _, err := o.PutBack(facts.Fact{Kind: facts.Path, Text: "a/b.go"}, facts.Fact{Kind: facts.Command, Text: "go test"}); err != nil {
			t.Error(err)
		}
		if o.Text() != text {
			t.Error("the text changed")
		}
	})
}
