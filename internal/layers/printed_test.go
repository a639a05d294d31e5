package layers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every go test, make and script that a document prints is there: the folder, a test of that
// name in it, its flags, the target, the script, the command of the lab.
func TestPrintedToolsAreThere(t *testing.T) {
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	there := func(path string) bool { _, err := os.Stat(filepath.Join(root, path)); return err == nil }
	goTest := regexp.MustCompile("go test ([^`\n#]*)")
	makes := regexp.MustCompile("(?m)(?:`|^    (?:[A-Z]+=\\S+ )*)make ([a-z-]+)")
	scripts := regexp.MustCompile(`\bscripts/([\w.-]+\.\w+)(?: ([a-z]+))?`)
	commands := 0
	for page, text := range documents(t) {
		text = strings.ReplaceAll(text, "go\ntest", "go test")
		for _, m := range goTest.FindAllStringSubmatch(strings.ReplaceAll(text, "test\n", "test "), -1) {
			commands++
			printedTest(t, page, strings.Fields(m[1]), there)
		}
		for _, m := range makes.FindAllStringSubmatch(text, -1) {
			if commands++; !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: there is no make %s", page, m[1])
			}
		}
		for _, m := range scripts.FindAllStringSubmatch(text, -1) {
			if commands++; !there("scripts/"+m[1]) || m[1] == "lab.sh" && m[2] != "" && !there("internal/lab/"+m[2]) {
				t.Errorf("%s: there is no %s", page, m[0])
			}
		}
	}
	if commands < 60 {
		t.Errorf("only %d commands were found", commands)
	}
}

// printedTest looks at one printed go test: its folders, the test of its -run, its own flags.
func printedTest(t *testing.T, page string, words []string, there func(string) bool) {
	t.Helper()
	var sources strings.Builder
	dirs, run := 0, ""
	for i, w := range words {
		if i > 0 && words[i-1] == "-run" {
			run = strings.Trim(w, "'")
		}
		dir := strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/...")
		if !strings.HasPrefix(w, "./") || w == "./..." {
			continue
		}
		if dirs++; !there(dir) {
			t.Errorf("%s: go test of %s, which is not there", page, w)
		}
		files, _ := filepath.Glob(filepath.Join("..", "..", dir, "*_test.go"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(b)
		}
	}
	if run == "" || run == "NAME" || dirs == 0 {
		return
	}
	names := strings.Join(regexp.MustCompile(`(?m)^func (?:Test|Fuzz)\w+`).FindAllString(sources.String(), -1), "\n")
	if !regexp.MustCompile(run).MatchString(names) {
		t.Errorf("%s: no test matches -run %s in %v", page, run, words)
	}
	for _, w := range words {
		if flag := strings.TrimPrefix(w, "-"); regexp.MustCompile(`^-[a-z]`).MatchString(w) && flag != "run" && flag != "v" && !strings.Contains(sources.String(), `("`+flag+`"`) {
			t.Errorf("%s: the test has no flag %s", page, w)
		}
	}
}
