package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that scripts/serial.txt leaves out of the race detector is in its package, and
// no other package there has one of this name that is not meant: the name alone is given to
// go test.
func TestTheListOfSerialTestsIsTrue(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	list, err := os.ReadFile(filepath.Join(root, "scripts", "serial.txt"))
	if err != nil {
		t.Fatal(err)
	}
	named, packages := map[string]map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		dir, name, ok := strings.Cut(line, " ")
		if !ok || strings.Contains(name, " ") {
			t.Fatalf("%q is no package and test", line)
		}
		if named[name] == nil {
			named[name] = map[string]bool{}
		}
		if named[name][dir] {
			t.Errorf("%s is named twice", line)
		}
		named[name][dir], packages[dir] = true, true
	}
	if len(named) < 50 {
		t.Errorf("%d tests are named", len(named))
	}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for dir := range packages {
		files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range test.FindAllSubmatch(src, -1) {
				there[string(m[1])] = true
			}
		}
		for name, in := range named {
			if there[name] != in[dir] {
				t.Errorf("%s %s: there %v, named %v", dir, name, there[name], in[dir])
			}
		}
	}
}
