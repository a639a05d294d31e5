package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
)

// A table replaces what is between its marks and nothing else; a document
// without marks is left as it is.
func TestPutReplacesATableBetweenItsMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	text := "before\n<!-- halves -->\nold\n<!-- end of halves -->\nafter\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceTable(path, "halves", "| new |\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "before\n<!-- halves -->\n| new |\n<!-- end of halves -->\nafter\n"
	if string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := replaceTable(path, "recorded", "x"); err == nil {
		t.Error("a table without marks was put somewhere")
	}
	if again, _ := os.ReadFile(path); string(again) != want {
		t.Errorf("a refused table changed the document: %q", again)
	}
}

// Figures are written as the documents write them.
func TestFiguresAreWrittenInGroups(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1735: "−1,735", 12345678: "12,345,678"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := signed(8621); got != "+8,621" {
		t.Error(got)
	}
}

// A quantile of few values is one of them, the ends are the least and the most.
func TestQuantilesAreOfTheValues(t *testing.T) {
	v := []float64{3, 1, 2, 5, 4}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 1: 5} {
		if got := quantile(v, q); math.Abs(got-want) > 1e-9 {
			t.Errorf("quantile %v: %v, want %v", q, got, want)
		}
	}
}

// The grid begins with the default, so that a choice can be to change nothing, and
// holds every pair of trigger and tail once.
func TestTheGridBeginsWithTheDefault(t *testing.T) {
	g := grid(halfBudgets[0])
	if g[0].name != "default" || len(g) < len(halfTriggers)*len(halfTails) {
		t.Fatalf("%d settings, the first is %q", len(g), g[0].name)
	}
	names := map[string]bool{}
	for _, s := range g {
		if names[s.name] {
			t.Errorf("%q twice", s.name)
		}
		names[s.name] = true
		if s.policy.Budget.N != halfBudgets[0] {
			t.Errorf("%q has a budget of %d", s.name, s.policy.Budget.N)
		}
	}
}

// The table of recorded compactions names every real session that holds one once
// and takes its sizes from the file.
func TestRecordedCompactionsAreLaidBesideThePresets(t *testing.T) {
	if testing.Short() {
		t.Skip("opens every real session")
	}
	table, err := lookAlikes(context.Background(), realdata.Transcripts(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 196, auto | 156,912 → ", "| 378, auto | 155,454 → ", "| 355 | 175,004 → "} {
		if !strings.Contains(table, want) {
			t.Errorf("the table has no %q:\n%s", want, table)
		}
	}
	if n := strings.Count(table, "entire_cli_b8e923_2compacts_summaries.jsonl"); n != 1 {
		t.Errorf("a session is named %d times", n)
	}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if n := strings.Count(line, "|"); n != 9 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
}

// The document's table of five rounds is what the engine comes to, and the ledger keeps
// every order that is meant to last.
func TestTheLedgerKeepsStandingOrdersForFiveRounds(t *testing.T) {
	table, err := canaryTable(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "insight.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), table) {
		t.Errorf("docs/insight.md has another table than\n%s", table)
	}
	_, ledger, _ := strings.Cut(table, "| ledger |")
	for _, all := range []string{"safety rule 4 of 4", "constraint 4 of 4", "preference 4 of 4"} {
		if !strings.Contains(ledger, all) {
			t.Errorf("the ledger keeps%s", ledger)
		}
	}
}

// The list of public sessions is whole: each file once, with a commit and a hash, and none
// of the projects that are kept for judging.
func TestTheListOfSessions(t *testing.T) {
	text, err := os.ReadFile("sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	hash := regexp.MustCompile(`^[0-9a-f]{40}$`)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 || !hash.MatchString(f[2]) || !hash.MatchString(f[4]) || seen[f[0]] || seen[f[4]] || strings.Contains(f[0], "..") {
			t.Errorf("%q", line)
			continue
		}
		seen[f[0]], seen[f[4]] = true, true
		for _, kept := range []string{"FSM1/cipher-box", "dayhaysoos/nimbus", "MoonshotAI/kimi-cli", "JanDeDobbeleer/oh-my-posh"} {
			if f[1] == kept {
				t.Errorf("%s is kept for judging", kept)
			}
		}
	}
	if len(seen) < 2*90 {
		t.Errorf("%d sessions", len(seen)/2)
	}
}
