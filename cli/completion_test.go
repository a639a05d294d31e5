package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Every verb has an example, and each example is one that is understood.
func TestExamples(t *testing.T) {
	b := newBench(t)
	for _, verb := range verbNames() {
		if verb != "window" && len(examples[verb]) == 0 {
			t.Errorf("%s has no example", verb)
		}
	}
	for verb, list := range examples {
		for _, e := range list {
			args := strings.Fields(strings.ReplaceAll(e, "'file:main.go error'", "error"))
			k, err := newParser(newGrammar())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := k.Parse(args); err != nil {
				t.Errorf("palimpsest %s: %v", e, err)
			}
		}
		args := []string{"--help"}
		if verb != "" {
			args = []string{verb, "--help"}
		}
		if r := b.run(args...).ends(exitDone); !strings.HasPrefix(r.out, "Examples:\n  palimpsest "+list[0]) {
			t.Errorf("%s begins with %.80s", verb, r.out)
		}
	}
}

// The scripts name every verb and flag, and the shells that are here take them.
func TestCompletion(t *testing.T) {
	b := newBench(t)
	for shell, check := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "-n"}, "powershell": nil, "man": nil} {
		text := b.run("completion", shell).ends(exitDone).out
		for _, want := range append(slices.DeleteFunc(verbNames(), func(v string) bool { return v == "window" }), "trigger", "if") {
			if !strings.Contains(strings.ReplaceAll(text, `\-`, "-"), want) {
				t.Errorf("%s lacks %s", shell, want)
			}
		}
		if check == nil {
			continue
		}
		if _, err := exec.LookPath(check[0]); err != nil {
			continue
		}
		path := b.write("complete."+shell, []byte(text))
		if out, err := exec.Command(check[0], append(check[1:], path)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	if out := b.run("completion", "fish").out; !strings.Contains(out, "-l strategy -x -a '") || !strings.Contains(out, "-l preset -r") {
		t.Error("fish offers files for a value of a list, or none for a file")
	}
	path := b.write("complete", []byte(b.run("completion", "bash").out))
	for line, want := range map[string]string{"palimpsest insp": "inspect", "palimpsest preview --thr": "--threshold"} {
		words := strings.Fields(line)
		out, err := exec.Command("bash", append([]string{"-c", `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _palimpsest; echo "${COMPREPLY[@]}"`,
			"bash", path}, words...)...).Output()
		if err != nil {
			t.Skipf("no bash here: %v", err)
		}
		if !slices.Contains(strings.Fields(string(out)), want) {
			t.Errorf("%q completes to %q", line, out)
		}
	}
	b.run("completion", "csh").ends(exitUsage, "bash")
}
