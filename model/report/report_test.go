package report

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
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
	if strings.Contains(b.String(), "<svg") || !strings.Contains(b.String(), `alt="Tokens before and after R-0007: not shown here, the figures are in the tables"`) {
		t.Error("a drawing is in the text, where some viewers leave its words alone, or nothing says where its figures are")
	}
	text := drawn(t, b.String())
	if strings.Contains(text, "currentColor") {
		t.Error("an image has no colour around it")
	}
	for _, want := range []string{
		"## R-0007 · Long | \\*run\\*\n", `width="420.0"`, `width="105.0"`, ">~160000 tokens</text>", ">path</text>", "| path | 3 of 4 |", ">3 of 4</text>",
		"| What went | 168 messages, 4–171 of the history |", "| State | stored |", "| Messages | 212 → 45 |", "\n````text\n=SUM(A1)\n```go\nx\n```\n\"quoted\", 解析器\n````\n", "- a b\n",
		"## R-0008", "| Tokens | not recorded |", "| Model | none |", "| Made on | none |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "<svg"); n != 2 {
		t.Errorf("%d charts: a record that changed nothing has none", n)
	}
	wellFormed(t, text)
	b.Reset()
	two := sample()
	two.ID, two.Before.Tokens, two.Counted, two.Cause, two.Model = "R-<9>", 320_000, "o200k_base", model.CauseFound, ""
	if err := Markdown(&b, "Records", records(sample(), two)); err != nil || !strings.Contains(b.String(), "all together") || strings.Count(drawn(t, b.String()), "<svg") != 5 {
		t.Error(b.String(), err)
	}
	if !strings.Contains(drawn(t, b.String()), ">320000 tokens</text>") || !strings.Contains(b.String(), "| Model | not recorded |") {
		t.Error("what was counted is an estimate, or what a file does not tell is none")
	}
	wellFormed(t, drawn(t, b.String()))
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
		text := drawn(t, b.String())
		if at := strings.IndexFunc(text, func(r rune) bool { return !visible.Is(r) }); at >= 0 {
			t.Errorf("%s: %q", name, text[at:min(len(text), at+20)])
		}
		if name == "csv" {
			continue
		}
		if strings.Contains(text, "currentColor") {
			t.Errorf("%s: an image has no colour around it", name)
		}
		outside := regexp.MustCompile("(?s)```+text\n.*?\n```+\n").ReplaceAllString(text, "")
		for _, tag := range []string{"<script", "![p]"} {
			if at := strings.Index(strings.ReplaceAll(outside, `\<`, ""), tag); at >= 0 {
				t.Errorf("%s holds %s: %q", name, tag, outside[max(0, at-60):min(len(outside), at+20)])
			}
		}
	}
}

// drawn is a text in Markdown with its charts in the place of the images that hold them.
func drawn(t *testing.T, text string) string {
	t.Helper()
	return regexp.MustCompile(`<img alt="[^"]+" src="data:image/svg\+xml;base64,([^"]+)">`).ReplaceAllStringFunc(text, func(img string) string {
		raw, err := base64.StdEncoding.DecodeString(img[strings.Index(img, "base64,")+7 : len(img)-2])
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	})
}

// wellFormed reads every chart of a report as XML.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	for _, part := range strings.SplitAfter(text, "</svg>") {
		at := strings.Index(part, "<svg")
		if at < 0 {
			continue
		}
		for dec := xml.NewDecoder(strings.NewReader(part[at:])); ; {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, part[at:])
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
