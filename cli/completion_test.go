package cli

import (
	"os"
	"os/exec"
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

// Words become verbs, verbs of verbs, flags and values.
func TestCompletion(t *testing.T) {
	b := newBench(t)
	complete := func(words ...string) string {
		return b.run(append([]string{"completion", "words", "--"}, words...)...).ends(exitDone).out
	}
	verbs := complete(".")
	for _, want := range verbNames() {
		if has := strings.Contains("\n"+verbs, "\n"+want+"\t"); has == (want == "window") {
			t.Errorf("%s is among the verbs: %v", want, has)
		}
	}
	for line, want := range map[string]string{
		".insp": "inspect\tShow what a transcript holds\n", "records .sh": "show\tShow one record\n", "preview --strategy .dr": "drop\n",
		"preview a.json .--thresh": "--threshold\t", "preview --db .": "", "-q preview .--quie": "--quiet\t",
	} {
		if got := complete(strings.Fields(line)...); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q becomes %q", line, got)
		}
	}
	b.run("completion", "csh").ends(exitUsage, "bash")
	page := strings.ReplaceAll(b.run("completion", "man").ends(exitDone).out, `\-`, "-")
	for _, want := range []string{".SS records show", "--threshold", ".SS inspect"} {
		contains(t, page, want)
	}
}

// The shells that are here complete as they do for a person who presses Tab.
func TestShellsComplete(t *testing.T) {
	b := newBench(t)
	self, err := os.Executable()
	must(t, err)
	must(t, os.Symlink(self, b.path("palimpsest")))
	for shell, ask := range map[string]string{
		"bash": `. "$0"; COMP_WORDS=(palimpsest records sho); COMP_CWORD=2; _palimpsest; echo "${COMPREPLY[@]}"`,
		"fish": `source $argv[1]; complete -C "palimpsest records sho"`,
		"zsh":  `words=(palimpsest records sho); CURRENT=3; _describe() { print -l $list }; . "$0"`,
	} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("there is no %s here", shell)
			continue
		}
		script := b.write("script."+shell, []byte(b.run("completion", shell).ends(exitDone).out))
		cmd := exec.Command(path, "-c", ask, script)
		cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+b.dir+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "show") {
			t.Errorf("%s: %v, %s", shell, err, out)
		}
	}
}
