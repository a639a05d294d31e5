package main

import (
	"fmt"
	"path"
	"strings"
)

// testRun is the output of the tests of one package.
func (c *codingRun) testRun(e episode, fails bool) string {
	dir := path.Dir(e.File)
	if fails {
		test, sub, _ := strings.Cut(e.Test, "/")
		return c.r.text("test fails", map[string]any{"Test": test, "Case": sub,
			"Base": strings.TrimSuffix(path.Base(e.File), ".go"), "Fail": e.Fail, "Dir": dir})
	}
	room := max(6, min(90, c.allowance(2)/40))
	var shown []string
	for _, name := range c.p.names {
		if path.Dir(name) != dir || !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, l := range c.p.lines(name) {
			if t, ok := strings.CutPrefix(l, "func Test"); ok && len(shown) < room {
				shown = append(shown, "Test"+t[:strings.Index(t, "(")])
			}
		}
	}
	return c.r.text("test passes", map[string]any{"Shown": shown, "Test": e.Test, "Dir": dir})
}

// wholeRun is the output of the tests of all packages.
func (c *codingRun) wholeRun(e episode, failed bool) string {
	return c.r.text("all tests", map[string]any{"Packages": phrases["package"], "Dir": path.Dir(e.File), "Failed": failed})
}

// measurements is the output of the benchmarks of one package.
func (c *codingRun) measurements(e episode) string { return c.r.text("benchmarks", path.Dir(e.File)) }

// summary is what the tool wrote in place of everything before.
func (c *codingRun) summary() string {
	var changed []episode
	seen := map[string]bool{}
	for _, e := range c.told {
		if len(e.Code) > 0 && !seen[e.Fn] {
			changed = append(changed, e)
		}
		seen[e.Fn] = seen[e.Fn] || len(e.Code) > 0
	}
	return c.r.text("summary", map[string]any{"Root": root, "Branch": c.s.branch, "Told": c.told, "Changed": changed,
		"Last": c.told[len(c.told)-1]})
}

// readAgain are the files that the tool puts back after a compaction, so much
// of them that the context is at about 44,000 tokens again.
func (c *codingRun) readAgain(summary string) []string {
	left := 44000 - fixedPart - estimate(summary)*claudeShare
	var out []string
	for _, name := range c.related(c.told[len(c.told)-1]) {
		if left < 600 || len(out) == 8 {
			break
		}
		text := c.p.read(name, 0, min(460, int(left/12.5)))
		out = append(out, fmt.Sprintf("Note: %s/%s was read before the last conversation was summarized. Its contents:\n%s", root,
			name, text))
		left -= estimate(text)*claudeShare + 40
	}
	return out
}
