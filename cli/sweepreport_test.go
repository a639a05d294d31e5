package cli

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/session/sweeps"
	"palimpsest/model"
)

// sweptSample is a sweep of two parameters, one of them a word, over the long sample.
var sweptSample = []string{"sweep", filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"),
	"--x", "tail=4ktok,16ktok", "--y", "strategy=extract,ledger"}

// A sweep is the replays of its settings. The CSV, the JSON, the page
// and the Markdown have the same figures of every setting, each in the notation of its
// form, and say what they count and which way is better.
func TestSweepInEveryForm(t *testing.T) {
	b := newBench(t)
	run := func(form string) string { return b.run(append(slices.Clone(sweptSample), form)...).ends(exitDone).out }
	r := value[swept](b.run(append(slices.Clone(sweptSample), "--json")...).ends(exitDone))
	g := r.Grid
	if len(g.Cells) != 4 || len(r.Values) != 2 || g.Y.Names[1] != string(model.Ledger) || g.Cells[2].Y != 1 ||
		g.X.Unit != model.Tokens {
		t.Fatalf("%d cells, %d rows, %+v", len(g.Cells), len(r.Values), g.Axes())
	}
	for _, i := range []int{1, 2} {
		c := g.Cells[i]
		one := value[replayed](b.run("replay", sweptSample[1], "--json", "--recall",
			"--tail", []string{"4ktok", "16ktok"}[c.X], "--strategy", g.Y.Names[c.Y]).ends(exitDone))
		if got := c.Results[0]; got.Totals != one.Totals || got.Cost != one.Cost || got.Needs != one.Recall.Needs || got.Met != one.Recall.Met {
			t.Errorf("cell %d: %+v, replayed %+v", i, got, one.Totals)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(run("--csv"))).ReadAll()
	if err != nil || len(rows) != len(g.Cells)+1 {
		t.Fatal(err, len(rows))
	}
	page := tablesOf(t, run("--html"))
	lines := strings.Split(run("--markdown"), "\n")
	all := tableWith(page, "survives")
	s := sweeps.Sweep{Texts: figures.Texts{Made: r.Texts, Estimated: r.Est, NoFixed: r.AtLeast}}
	for i := range g.Cells {
		for _, m := range replay.Metrics {
			v, known := g.Cells[i].Spread(m)
			if !known {
				t.Fatalf("%s of cell %d is not known", m, i)
			}
			inCSV, err := strconv.ParseFloat(rows[i+1][slices.Index(rows[0], string(m))], 64)
			if err != nil || inCSV != v.Value {
				t.Errorf("cell %d, %s: %v in the CSV, %v in the JSON", i, m, inCSV, v.Value)
			}
			if got, want := all[i+1][slices.Index(all[0], string(m))], s.Value(m, v.Value); got != want {
				t.Errorf("cell %d, %s: %q on the page, %q on the screen", i, m, got, want)
			}
		}
		if row := "| " + strings.Join(all[i+1], " | ") + " |"; !slices.Contains(lines, row) {
			t.Errorf("the Markdown lacks %q", row)
		}
	}
	said := tableWith(page, "better")
	for i, m := range replay.Metrics {
		better := map[bool]string{true: "more", false: "less"}[m.More()]
		if row := said[i+1]; row[0] != string(m) || row[1] != m.Unit() || row[2] != better || row[3] == "" {
			t.Errorf("%s: %q", m, row)
		}
	}
}

// A report is one file: its pictures are in it, it loads nothing and runs nothing, and
// does not name the folders of the machine.
func TestSweepReportNeedsNoOtherFile(t *testing.T) {
	b := newBench(t)
	for _, form := range []string{"--html", "--markdown"} {
		text := b.run(append(slices.Clone(sweptSample), form)...).ends(exitDone).says("long-coding-run.jsonl", "Needed later").
			lacks("samples", "<script", "url(", "@import", " href=").out
		text = regexp.MustCompile(`<img alt="[^"]+" src="data:image/svg\+xml;base64,([^"]+)">`).ReplaceAllStringFunc(text, func(img string) string {
			raw, err := base64.StdEncoding.DecodeString(img[strings.Index(img, "base64,")+7 : len(img)-2])
			if err != nil {
				t.Error(err)
			}
			return string(raw)
		})
		if strings.Contains(text, " src=") {
			t.Errorf("%s loads something", form)
		}
		if strings.Contains(strings.ReplaceAll(text, `"http://www.w3.org/2000/svg"`, ""), "://") {
			t.Errorf("%s names an address", form)
		}
		if n := strings.Count(text, "<svg "); n != 2 {
			t.Errorf("%s has %d pictures", form, n)
		}
		for _, part := range strings.SplitAfter(text, "</svg>") {
			if at := strings.Index(part, "<svg "); at >= 0 {
				wellFormed(t, part[at:])
			}
		}
	}
}

// What a history's title holds is text in a report, and no markup.
func TestSweepReportOfAHostileTitle(t *testing.T) {
	title := `</title><script>alert(1)</script>" onload="x | <b>`
	one := replay.Result{Facts: true, Judged: replay.Judged{Needs: 40, Met: 30, Gone: 50, Standing: 20},
		Totals: replay.Totals{Input: 1000, Uncompacted: 2000, Firings: 1}}
	x, _ := replay.ReadAxis(replay.AxisTrigger, model.Percent, "50")
	y, _ := replay.ReadAxis(replay.AxisTail, model.Tokens, "4k")
	cell := replay.Cell{Done: true, Results: []replay.Result{one, one}}
	s := sweeps.Sweep{Grid: &replay.Grid{X: x, Y: y, Subjects: []string{title, "b"}, Cells: []replay.Cell{cell}, Now: cell, Complete: true},
		Metric: replay.MetricRecall, Against: replay.MetricInput}
	var page, md strings.Builder
	if err := errors.Join(s.Report().HTML(&page), s.Report().Markdown(&md)); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(page.String()))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "script" || n.Data == "b") {
			t.Errorf("the title made a %s", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("the title made the attribute %s", a.Key)
			}
		}
	}
	if list := tableWith(tablesOf(t, page.String()), "number"); list[1][0] != title {
		t.Errorf("the title is %q", list[1][0])
	}
	if text := strings.ReplaceAll(md.String(), `\<`, ""); strings.Contains(text, "<script") || strings.Contains(text, "<b>") {
		t.Errorf("the Markdown holds markup:\n%s", text)
	}
}

// The present settings are named as they are, in the grid or not.
func TestSweepReportNamesThePresentSettings(t *testing.T) {
	x, _ := replay.ReadAxis(replay.AxisTrigger, model.Percent, "50")
	y, _ := replay.ReadAxis(replay.AxisTail, model.Tokens, "4k")
	cell := replay.Cell{Done: true, Results: []replay.Result{{Totals: replay.Totals{Input: 1000, Firings: 1}}}}
	s := sweeps.Sweep{Grid: &replay.Grid{X: x, Y: y, Subjects: []string{"a"}, Cells: []replay.Cell{cell}, Now: cell, Complete: true},
		Metric: replay.MetricInput, Against: replay.MetricFirings}
	s.Base = compaction.Default()
	s.Base.Tail = model.Amount{N: 4000, Unit: model.Tokens}
	var page strings.Builder
	if err := s.Report().HTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, row := range tableWith(tablesOf(t, page.String()), "whole run") {
		if want, ok := map[string]string{"trigger": "80 %", "tail": "4K"}[row[0]]; ok && row[1] != want {
			t.Errorf("%q, not %s", row, want)
		}
	}
}

// Presets are an axis too; over several sessions each setting has its spread and the
// worst session.
func TestSweepOfPresetsOverSessions(t *testing.T) {
	b := newBench(t)
	sample := sweptSample[1]
	r := value[swept](b.run("sweep", sample, sample, "--x", "trigger=60,80", "--y", "preset=balanced,careful", "--json").ends(exitDone))
	if len(r.Over) == 0 || r.Over[0].Setting != "now" || r.Over[0].Cell != -1 || len(r.Over[0].Box.Of) != 2 ||
		r.Over[0].Box.Low != r.Over[0].Box.High || r.Over[0].Box.Input != 1 {
		t.Errorf("%+v", r.Over)
	}
	one := value[replayed](b.run("replay", sample, "--json", "--preset", "careful", "--trigger", "60%").ends(exitDone))
	if got := r.Grid.Cell(0, 1).Results[0].Totals; got != one.Totals {
		t.Errorf("%+v, replayed %+v", got, one.Totals)
	}
	b.run("sweep", sample, "--y", "preset=nonsense", "--x", "trigger=50").ends(exitUsage, "no preset")
	b.run("sweep", sample, "--y", "strategy=nonsense", "--x", "trigger=50").ends(exitUsage, "can't be")
}

// tablesOf are the tables of a page, as a browser reads them.
func tablesOf(t *testing.T, page string) (tables [][][]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		switch {
		case n.Type == html.ElementNode && n.Data == "table":
			tables = append(tables, nil)
		case n.Type == html.ElementNode && n.Data == "tr":
			tables[len(tables)-1] = append(tables[len(tables)-1], nil)
		case n.Type == html.ElementNode && (n.Data == "td" || n.Data == "th"):
			text := ""
			for c := range n.ChildNodes() {
				text += c.Data
			}
			rows := tables[len(tables)-1]
			rows[len(rows)-1] = append(rows[len(rows)-1], text)
		}
	}
	return tables
}

// tableWith is the last table with a column of a name; it has all settings.
func tableWith(tables [][][]string, column string) [][]string {
	for _, t := range slices.Backward(tables) {
		if slices.Contains(t[0], column) {
			return t
		}
	}
	return [][]string{{}}
}

// wellFormed reads a picture.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("a picture can't be read: %v", err)
		}
	}
}
