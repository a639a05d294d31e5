package main

import (
	"fmt"
	"path"
	"strings"
)

// fix is the turn in which something is changed: look, a failing test, the
// change, the tests, and as much more as there is room for.
func (c *codingRun) fix(e episode, until int) {
	room := until - c.s.messages
	if room >= 12 || c.r.chance(50) {
		c.search(e)
	}
	c.read(e, e.File, 0, c.r.chance(40))
	test := c.testCase(e)
	change := c.change(e)
	if room >= 14 || c.r.chance(35) {
		// First the test, and see it fail.
		c.one(test.shown(c.p), false, says(c.r.say("test first", "`"+e.Test+"`")), test.call())
		c.one(c.testRun(e, true), true, bash("go test ./"+path.Dir(e.File)+" -run '"+e.Test+"'", "Run the new test"))
		c.one(change.shown(c.p), false, thinking(c.reasoning(e)), says(c.r.say("cause", e.Cause)), change.call())
	} else {
		made := c.ask(thinking(c.reasoning(e)), says(c.r.say("cause", e.Cause)), change.call(), test.call())
		c.s.result(made[0], change.shown(c.p), false)
		c.s.result(made[1], test.shown(c.p), false)
	}
	c.one(c.testRun(e, false), false, says(c.r.phrase("verify")),
		bash("go test ./"+path.Dir(e.File)+" -v", "Test "+path.Dir(e.File)))
	c.wrapUp(e, until)
}

func (c *codingRun) reasoning(e episode) string { return c.r.say("reasoning", e.Cause, e.Fn) }

// edit is one change of a file.
type edit struct{ name, old, text string }

func (d edit) call() block {
	return calls("Edit", field{"file_path", root + "/" + d.name}, field{"old_string", strings.TrimSuffix(d.old, "\n")},
		field{"new_string", strings.TrimSuffix(d.text, "\n")})
}

// shown is what the Edit tool answers: the place as it is now.
func (d edit) shown(p *project) string {
	at := strings.Count(strings.Split(p.files[d.name], d.text)[0], "\n")
	return fmt.Sprintf("The file %s/%s has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n%s",
		root, d.name, p.read(d.name, max(0, at-3), strings.Count(d.text, "\n")+8))
}

// change puts the turn's lines at the head of its function.
func (c *codingRun) change(e episode) edit {
	at := c.p.find(e.File, e.Fn)
	signature := c.p.lines(e.File)[at] + "\n"
	d := edit{e.File, signature, signature + strings.Join(e.Code, "\n") + "\n"}
	c.p.replace(d.name, d.old, d.text)
	return d
}

// testCase puts a case into the table of the function's test, or a new test at
// the head of the file when there is none.
func (c *codingRun) testCase(e episode) edit {
	name := strings.TrimSuffix(e.File, ".go") + "_test.go"
	test, sub, _ := strings.Cut(e.Test, "/")
	in := c.r.setting()
	old := "func " + test + "(t *testing.T) {\n\tfor _, c := range []struct{ name, in, want string }{\n"
	text := fmt.Sprintf("%s\t\t{%q, %q, %q},\n", old, strings.ReplaceAll(sub, "_", " "), in, in)
	if !strings.Contains(c.p.files[name], old) {
		old = "import \"testing\"\n"
		text = fmt.Sprintf("%s\n// Once: %s.\nfunc %s(t *testing.T) {\n\tt.Run(%q, func(t *testing.T) {\n\t\tif got := try(t, %q); "+
			"got != %q {\n\t\t\tt.Errorf(\"got %%q\", got)\n\t\t}\n\t})\n}\n",
			old, e.Fail, test, sub, in, in)
	}
	d := edit{name, old, text}
	c.p.replace(d.name, d.old, d.text)
	return d
}

// wrapUp fills the room that is left before the closing message.
func (c *codingRun) wrapUp(e episode, until int) {
	if left := until - 1 - c.s.messages; left >= 3 && left%2 == 1 {
		// Two files at once make three messages.
		c.readTwo(e)
	}
	for k := 0; c.s.messages+3 <= until; k++ {
		switch k {
		case 0:
			failed := c.r.chance(22)
			c.one(c.wholeRun(e, failed), failed, bash("go vet ./... && go test ./...", "All packages"))
		case 1:
			c.one(c.p.diff(), false, says("The change as a whole:"), bash("git diff", "Show the change"))
		case 2:
			c.one(c.commit(e), false, bash(fmt.Sprintf("git add -A && git commit -q -m %q && git show --stat HEAD", subject(e)), "Commit"))
		default:
			c.read(e, c.related(e)[k%6], k, false)
		}
	}
}

func subject(e episode) string {
	return fmt.Sprintf("%s: %s", path.Dir(e.File), strings.SplitN(e.Cause, ";", 2)[0])
}

func (c *codingRun) commit(e episode) string {
	files, added, removed := c.p.stat()
	c.p.commit()
	return fmt.Sprintf("[%s %s] %s\n %d files changed, %d insertions(+), %d deletions(-)", c.s.branch, c.r.hex(7), subject(e),
		files, added, removed)
}

// bench is a turn that measures.
func (c *codingRun) bench(e episode, until int) {
	for k := 0; c.s.messages+3 <= until || k == 0; k++ {
		switch k {
		case 0:
			c.one(c.measurements(e), false, says("Running the benchmarks, six times each so that the spread shows."),
				calls("Bash", field{"command", "go test -run '^$' -bench . -benchmem -count 6 ./" + path.Dir(e.File)},
					field{"description", "Benchmarks"}, field{"timeout", 600000}))
		case 1:
			c.search(e)
		default:
			c.read(e, c.related(e)[k%5], k, c.s.messages+4 <= until)
		}
	}
}

// study is a turn that only reads and answers.
func (c *codingRun) study(e episode, until int) {
	c.search(e)
	c.look(e, until-1)
}
