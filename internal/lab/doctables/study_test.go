package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
)

// A table replaces what is between its marks and nothing else; a document
// without marks is left as it is.
func TestPutReplacesATableBetweenItsMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	text := "before\n<!-- usage -->\nold\n<!-- end of usage -->\nafter\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceTable(path, "usage", "| new |\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "before\n<!-- usage -->\n| new |\n<!-- end of usage -->\nafter\n"
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

// The table of recorded compactions names every real session of 50 messages that holds one,
// and names its engine, once, and takes its sizes from the file.
func TestRecordedCompactionsAreLaidBesideThePresets(t *testing.T) {
	if testing.Short() {
		t.Skip("opens every real session")
	}
	table, err := lookAlikes(context.Background(), realdata.Transcripts(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 196, auto | 156,912 → ", "| 378, auto | 155,454 → ", "| 352 | 175,004 → "} {
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
