package main

import (
	"fmt"
	"path"
	"strings"
)

// fix is the turn in which something is changed: look, a failing test, the
// change, the tests, and as much more as there is room for.
func (c *codingRun) fix(e episode, until int) error {
	room := until - c.s.messages
	if room >= 12 || c.r.chance(50) {
		if err := c.search(e); err != nil {
			return err
		}
	}
	if err := c.read(e, e.file, 0, c.r.chance(40)); err != nil {
		return err
	}
	test, err := c.testCase(e)
	if err != nil {
		return err
	}
	change, err := c.change(e)
	if err != nil {
		return err
	}
	if room >= 14 || c.r.chance(35) {
		// First the test, and see it fail.
		c.one(test.shown(c.p), false, says(pick(c.r, testFirstWords...), "`"+e.test+"`"), test.call())
		c.one(c.testRun(e, true), true, calls("Bash", field{"command", "go test ./" + path.Dir(e.file) + " -run '" + e.test + "'"}, field{"description", "Run the new test"}))
		c.one(change.shown(c.p), false, thinking(c.reasoning(e)), says(pick(c.r, causeWords...), e.cause), change.call())
	} else {
		made := c.ask(thinking(c.reasoning(e)), says(pick(c.r, causeWords...), e.cause), change.call(), test.call())
		c.s.result(made[0], change.shown(c.p), false)
		c.s.result(made[1], test.shown(c.p), false)
	}
	c.one(c.testRun(e, false), false, says("%s", pick(c.r, verifyWords...)),
		calls("Bash", field{"command", "go test ./" + path.Dir(e.file) + " -v"}, field{"description", "Test " + path.Dir(e.file)}))
	return c.wrapUp(e, until)
}

func (c *codingRun) reasoning(e episode) string {
	return fmt.Sprintf(pick(c.r,
		"The cause: %s A few lines at the head of %s are enough; the rest can stay as it is.",
		"So: %s I could move the check to the caller, but then every caller of %s needs it. Better here.",
		"%s That is the whole story. Putting it into %s keeps the change small and the error position right."), e.cause, e.fn)
}

// edit is one change of a file.
type edit struct{ name, old, text string }

func (d edit) call() block {
	return calls("Edit", field{"file_path", root + "/" + d.name}, field{"old_string", strings.TrimSuffix(d.old, "\n")}, field{"new_string", strings.TrimSuffix(d.text, "\n")})
}

// shown is what the Edit tool answers: the place as it is now.
func (d edit) shown(p *project) string {
	at := strings.Count(strings.Split(p.files[d.name], d.text)[0], "\n")
	return fmt.Sprintf("The file %s/%s has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n%s",
		root, d.name, p.read(d.name, max(0, at-3), strings.Count(d.text, "\n")+8))
}

// change puts the turn's lines at the head of its function.
func (c *codingRun) change(e episode) (edit, error) {
	at, err := c.p.find(e.file, e.fn)
	if err != nil {
		return edit{}, err
	}
	signature := c.p.lines(e.file)[at] + "\n"
	d := edit{e.file, signature, signature + strings.Join(e.code, "\n") + "\n"}
	return d, c.p.replace(d.name, d.old, d.text)
}

// testCase puts a case into the table of the function's test, or a new test at
// the head of the file when there is none.
func (c *codingRun) testCase(e episode) (edit, error) {
	name := strings.TrimSuffix(e.file, ".go") + "_test.go"
	test, sub, _ := strings.Cut(e.test, "/")
	in := setting(c.r)
	old := "func " + test + "(t *testing.T) {\n\tfor _, c := range []struct{ name, in, want string }{\n"
	text := fmt.Sprintf("%s\t\t{%q, %q, %q},\n", old, strings.ReplaceAll(sub, "_", " "), in, in)
	if !strings.Contains(c.p.files[name], old) {
		old = "import \"testing\"\n"
		text = fmt.Sprintf("%s\n// Once: %s.\nfunc %s(t *testing.T) {\n\tt.Run(%q, func(t *testing.T) {\n\t\tif got := try(t, %q); got != %q {\n\t\t\tt.Errorf(\"got %%q\", got)\n\t\t}\n\t})\n}\n",
			old, e.fail, test, sub, in, in)
	}
	d := edit{name, old, text}
	return d, c.p.replace(d.name, d.old, d.text)
}

// wrapUp fills the room that is left before the closing message.
func (c *codingRun) wrapUp(e episode, until int) error {
	if left := until - 1 - c.s.messages; left >= 3 && left%2 == 1 {
		// Two files at once make three messages.
		if err := c.readTwo(e); err != nil {
			return err
		}
	}
	for k := 0; c.s.messages+3 <= until; k++ {
		switch k {
		case 0:
			failed := c.r.chance(22)
			c.one(c.wholeRun(e, failed), failed, calls("Bash", field{"command", "go vet ./... && go test ./..."}, field{"description", "All packages"}))
		case 1:
			c.one(c.p.diff(), false, says("The change as a whole:"), calls("Bash", field{"command", "git diff"}, field{"description", "Show the change"}))
		case 2:
			c.one(c.commit(e), false, calls("Bash", field{"command", fmt.Sprintf("git add -A && git commit -q -m %q && git show --stat HEAD", subject(e))}, field{"description", "Commit"}))
		default:
			if err := c.read(e, c.related(e)[k%6], k, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func subject(e episode) string {
	return fmt.Sprintf("%s: %s", path.Dir(e.file), strings.SplitN(e.cause, ";", 2)[0])
}

func (c *codingRun) commit(e episode) string {
	files, added, removed := c.p.stat()
	c.p.commit()
	return fmt.Sprintf("[%s %s] %s\n %d files changed, %d insertions(+), %d deletions(-)", c.s.branch, c.r.hex(7), subject(e), files, added, removed)
}

// bench is a turn that measures.
func (c *codingRun) bench(e episode, until int) error {
	for k := 0; c.s.messages+3 <= until || k == 0; k++ {
		switch k {
		case 0:
			c.one(c.measurements(e), false, says("Running the benchmarks, six times each so that the spread shows."),
				calls("Bash", field{"command", "go test -run '^$' -bench . -benchmem -count 6 ./" + path.Dir(e.file)}, field{"description", "Benchmarks"}, field{"timeout", 600000}))
		case 1:
			if err := c.search(e); err != nil {
				return err
			}
		default:
			if err := c.read(e, c.related(e)[k%5], k, c.s.messages+4 <= until); err != nil {
				return err
			}
		}
	}
	return nil
}

// study is a turn that only reads and answers.
func (c *codingRun) study(e episode, until int) error {
	if err := c.search(e); err != nil {
		return err
	}
	return c.look(e, until-1)
}
