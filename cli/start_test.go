package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/model/program"
)

func TestAFaultOfAVerbEndsInASentence(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	args := os.Args
	defer func() { os.Args = args }()
	os.Args = []string{"palimpsest", "inspect", "--json", "/home/ann/secret.jsonl"}
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	said, err := os.CreateTemp(home, "stderr")
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr = said
	code := guarded(func() int {
		var list []string
		return len(list[1])
	})
	os.Stderr = stderr
	if code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	text := read(t, said.Name())
	if strings.Count(text, "\n") != 1 || !strings.Contains(text, "A report without any text of yours is in ") || strings.Contains(text, "goroutine") {
		t.Errorf("said: %s", text)
	}
	reports, _ := filepath.Glob(filepath.Join(home, "palimpsest", "crashes", "report-*"))
	if len(reports) != 1 {
		t.Fatalf("reports: %v", reports)
	}
	report := read(t, reports[0])
	for _, want := range []string{program.BuiltFrom(), "index out of range [1] with length 0", " inspect\n", " --json\n", "start_test.go:"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	if strings.Contains(report, "ann") || strings.Contains(report, "secret") {
		t.Errorf("too much is said:\n%s", report)
	}
}

func TestTheWordsOfACallThatAreOurs(t *testing.T) {
	got := named([]string{"compact", "records.jsonl", "--endpoint=http://me:key@host", "--model", "gpt", "-o", "out", "--Key"})
	if want := []string{"compact", "--endpoint", "--model"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
