package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"iter"
	"regexp"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
	"palimpsest/model/visible"
)

func records(list ...*model.Record) iter.Seq2[*model.Record, error] {
	return func(yield func(*model.Record, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func sample() *model.Record {
	return &model.Record{ID: "R-0007", Session: "Long | *run*", Time: time.Date(2025, 9, 2, 14, 6, 0, 0, time.UTC), Outcome: model.Applied,
		Before: model.Size{Messages: 212, Tokens: 160_000}, After: model.Size{Messages: 45, Tokens: 40_000}, Covered: 168,
		Range: model.Range{From: 3, To: 171}, Summary: "=SUM(A1)\n```go\nx\n```\n\"quoted\", 解析器", KeyPoints: []string{"a\nb"},
		Facts: []model.FactTally{{Kind: "path", Gone: 4, Standing: 3}}}
}

func TestCSV(t *testing.T) {
	var b bytes.Buffer
	if err := CSV(&b, records(sample(), &model.Record{ID: "R-0008", Outcome: model.Cancelled})); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	got := func(row int, name string) string {
		for i, n := range rows[0] {
			if n == name {
				return rows[row][i]
			}
		}
		t.Fatalf("there is no column %s", name)
		return ""
	}
	for name, want := range map[string][2]string{
		"id": {"R-0007", "R-0008"}, "time": {"2025-09-02T14:06:00Z", ""}, "tokens_before": {"160000", ""}, "session": {"Long | *run*", ""},
		"summary": {"'=SUM(A1)\n```go\nx\n```\n\"quoted\", 解析器", ""}, "outcome": {"applied", "cancelled"},
	} {
		for i := range want {
			if g := got(i+1, name); g != want[i] {
				t.Errorf("%s of row %d: %q, want %q", name, i, g, want[i])
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, "Records", records(sample(), &model.Record{ID: "R-0008", Outcome: model.Cancelled})); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"## R-0007 · Long | \\*run\\*\n", "| Tokens | ~160000 → ~40000 |", "| path | 3 of 4 |",
		"| What went | 168 messages, 4–171 of the history |", "| State | stored |", "| Messages | 212 → 45 |", "\n````text\n=SUM(A1)\n```go\nx\n```\n\"quoted\", 解析器\n````\n", "- a b\n",
		"## R-0008", "| Tokens | not recorded |", "| Model | none |", "| Made on | none |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	b.Reset()
	two := sample()
	two.Before.Tokens, two.Counted, two.Cause, two.Model = 320_000, "o200k_base", model.CauseFound, ""
	if err := Markdown(&b, "Records", records(two)); err != nil || !strings.Contains(b.String(), "| Tokens | 320000 → ") ||
		!strings.Contains(b.String(), "| Model | not recorded |") {
		t.Error("what was counted is an estimate, or what a file does not tell is none: ", err, b.String())
	}
	b.Reset()
	if err := Markdown(&b, "x", records()); err != nil || !strings.Contains(b.String(), "There are no records.") {
		t.Error(b.String(), err)
	}
}

// No character of a history acts on the terminal or in the page on which a report is
// read, in whatever field it is.
func TestAHostileRecordIsOnlyText(t *testing.T) {
	const bad = "a\x1b]0;x\a\u009b\u202e\u200b\r\n\n![p](https://h/p.png)<script>x</script>"
	r := sample()
	r.ID, r.UID, r.Session, r.Agent, r.Path, r.Reason, r.Model, r.Summary, r.Counted = bad, bad, bad, bad, bad, bad, bad, bad, bad
	r.KeyPoints, r.Parents, r.Base, r.Facts[0].Kind, r.Policy.Preset = []string{bad}, []string{bad}, bad, bad, bad
	for name, write := range map[string]func(io.Writer) error{
		"csv":      func(w io.Writer) error { return CSV(w, records(r, r)) },
		"markdown": func(w io.Writer) error { return Markdown(w, bad, records(r, r)) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if at := strings.IndexFunc(text, func(r rune) bool { return !visible.Is(r) }); at >= 0 {
			t.Errorf("%s: %q", name, text[at:min(len(text), at+20)])
		}
		if name == "csv" {
			continue
		}
		outside := regexp.MustCompile("(?s)```+text\n.*?\n```+\n").ReplaceAllString(text, "")
		for _, tag := range []string{"<script", "![p]"} {
			if at := strings.Index(strings.ReplaceAll(outside, `\<`, ""), tag); at >= 0 {
				t.Errorf("%s holds %s: %q", name, tag, outside[max(0, at-60):min(len(outside), at+20)])
			}
		}
	}
}

func TestErrorsComeThrough(t *testing.T) {
	broken := errors.New("broken")
	bad := func(yield func(*model.Record, error) bool) { yield(nil, broken) }
	if err := CSV(&bytes.Buffer{}, bad); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := Markdown(&bytes.Buffer{}, "x", bad); !errors.Is(err, broken) {
		t.Error(err)
	}
}
