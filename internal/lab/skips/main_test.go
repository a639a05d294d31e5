package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const run = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: node is not here\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB/x","Output":"    a_test.go:9: wrong\n"}
{"Action":"fail","Package":"p","Test":"TestB/x"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    a_test.go:11: noise\n"}
{"Action":"pass","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`

// What fails is printed in full, what passes is not, and what was skipped is kept with the
// reason it gave.
func TestRelay(t *testing.T) {
	var out bytes.Buffer
	list, err := relay(strings.NewReader(run), &out)
	if err != nil || len(list) != 1 || list[0] != (skipped{"p", "TestA", "node is not here"}) {
		t.Fatal(list, err)
	}
	if got := out.String(); got != "    a_test.go:9: wrong\nok  \tp\t0.1s\n" {
		t.Errorf("%q", got)
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	known := write("known", "# why\nnode is not here\nno links here:\n")
	var out bytes.Buffer
	if err := checkFile(&out, write("a", "p\tTestA\tnode is not here\np\tTestB\tno links here: x\np\tTestC\tno links here: y\n"), known); err != nil {
		t.Error(err)
	}
	if got := out.String(); got != "3 tests were skipped:\n     2  no links here:\n     1  node is not here\n" {
		t.Errorf("%q", got)
	}
	err := checkFile(&out, write("b", "p\tTestD\tI was lazy\n"), known)
	if err == nil || !strings.Contains(err.Error(), "I was lazy (p.TestD)") {
		t.Error(err)
	}
}

// A reason that no test gives any more leaves the list.
func TestTheListIsWhole(t *testing.T) {
	b, err := os.ReadFile("../../../scripts/skips.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		found := false
		err := filepath.WalkDir("../../..", func(path string, d os.DirEntry, err error) error {
			if err != nil || found {
				return filepath.SkipAll
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == "build" || d.Name() == "skips") {
				return filepath.SkipDir
			}
			if strings.HasSuffix(path, ".go") {
				text, err := os.ReadFile(path)
				found = err == nil && bytes.Contains(text, []byte(strings.TrimSuffix(l, " …")))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			t.Errorf("no test gives the reason %q any more", l)
		}
	}
}
