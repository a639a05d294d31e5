package summarize

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

var (
	testRun = pattern.New(`\b(?:go test|(?:npm|pnpm|yarn|bun)(?: --\w+)?(?: run)? test[\w:-]*|vitest|jest|pytest|unittest|` +
		`cargo (?:nextest|test)|make (?:test|check)[\w-]*|(?:mise|just|task)(?: run)? test[\w:-]*|\w+ playwright test|` +
		`(?:flutter|dart|dotnet|deno|swift|mix) test|gradlew? [\w: -]*test\w*|mvn [\w: -]*test|ctest|rspec|phpunit|tox|nox)\b`)
	buildRun = pattern.New(`\b(?:go (?:build|vet)|cargo (?:build|check|clippy)|tsc|tsgo|eslint|biome (?:check|lint)|ruff|mypy|` +
		`(?:npm|pnpm|yarn|bun)(?: --\w+)?(?: run)? (?:build|lint|typecheck|compile|check)[\w:-]*|golangci-lint|` +
		`make(?: [\w-]+)?|gradlew? \w+|mvn \w+|(?:flutter|dart) (?:analyze|build)|docker build|xcodebuild|swift build|cmake|` +
		`(?:mise|just|task) run [\w:-]+|git (?:commit|push|merge|rebase|pull|cherry-pick)|gh pr \w+|dotnet build)\b`)
	gitPush   = pattern.New(`\bgit\b[^|;&\n]*\bpush\b`)
	gitCommit = pattern.New(`\bgit\b.*\bcommit\b`)
	quietWord = pattern.New(`(?:-m|--message)[ =]*(?:"\$\(cat <<-?['"]?\w+['"]?\s*\n)?["']?([^"'\n]{3,160})`)
	newBranch = pattern.New(`\bgit (?:checkout -[bB]|switch -[cC]|switch --create) ([\w./-]+)`)
)

// runsOf says what a command runs whose failure matters, and whether there are tests among
// it. A command is looked at where it begins, not where it is an argument.
func runsOf(command string) (runs []string, test bool) {
	for _, one := range commandEnds.Split(head(command, commandLimit), -1) {
		one = beforeCommand.ReplaceAllString(strings.TrimSpace(one), "")
		for _, of := range []*pattern.Regexp{testRun, buildRun} {
			if at := of.FindStringIndex(one); at != nil && at[0] == 0 {
				runs, test = append(runs, strings.Join(strings.Fields(one[:at[1]]), " ")), test || of == testRun
				break
			}
		}
	}
	return runs, test
}

var (
	commandEnds   = regexp.MustCompile(`&&|\|\||[;|\n]`)
	beforeCommand = pattern.New(`^(?:\w+=\S+ +|(?:env|time|sudo|(?:npx|bunx)(?: --\w+)*|uv run|poetry run|timeout \S+|` +
		`(?:pnpm|bun|yarn) (?:exec|x|dlx)|(?:pnpm|npm|yarn) (?:-C|--filter|--prefix) \S+|` +
		`(?:[\w./~-]*/)?python3? -m) +)+|^[\w.~-]*/(?:[\w.-]+/)*`)
)

var failedTest = pattern.New(`(?m)^\s*(?:--- FAIL: (\S+)|FAILED (\S+)|(?:✗|✕|×|●|✖) (.{3,100})$)`)

// alarm is a line of a compiler or a program that ended with an error.
var alarm = pattern.New(`(?m)^(?:(?:\w+)?Error: .+|Found [1-9]\d* errors?\b.*|✖ \d+ problems? \([1-9]\d* errors?.*|` +
	`(?:\(eval\)|(?:ba|z)?sh):.+|error(?:\[\w+\])?: .+|\S+[:(]\d+[:,]\d+\)?: (?:\w+ )?(?i:error)\b.*)$`)

// failing are the names of the first tests that failed.
func failing(text string) string {
	var names []string
	for _, m := range failedTest.FindAllStringSubmatch(text, 3) {
		names = append(names, line(m[1]+m[2]+m[3], 100))
	}
	return strings.Join(unequal(names), ", ")
}

// tookTime is a line that says how long tests took.
var tookTime = pattern.New(`(?i)^(?:duration|start at|time:)`)

// countWords are words of which a line that counts has one: the expression is slow.
var countWords = []string{"test", "pass", "fail", "ok", "build"}

// testSummary is the line of a test run's output that counts, and whether it says that
// some failed.
func testSummary(text string) (summary string, broke bool) {
	left := 64
	for l := range strings.Lines(text) {
		low := strings.ToLower(l)
		may := slices.ContainsFunc(countWords, func(w string) bool { return strings.Contains(low, w) })
		if left == 0 || !may {
			continue
		}
		if l = line(l, errLimit); !countLine.MatchString(l) || tookTime.MatchString(l) {
			continue
		}
		left--
		if bad := brokeExpr.MatchString(l); bad || !broke {
			summary, broke = l, bad || broke
		}
	}
	return summary, broke
}

// take takes a call with its result, and reports whether it, or what it asks after, runs on. What was
// begun says more of it.
func (l *runningCalls) take(c *waitingCall, t *toldResult, num int) bool {
	for i, b := range *l {
		if c.of == "" || b.id != c.of {
			continue
		}
		if c.toldCall = b.of; t.runsOn {
			(*l)[i].to = num
		} else {
			*l = slices.Delete(*l, i, i+1)
		}
		return t.runsOn
	}
	begun := t.started != "" || c.background && c.command != ""
	if begun {
		*l = append(*l, runningCall{remark{text: c.key, from: c.num, to: num}, t.started, c.toldCall})
	}
	return begun
}

// ran takes a command that ended. While changes are put away, it says nothing of the work.
func (r *noteReader) ran(c *waitingCall, t *toldResult, num int) {
	runs, test := c.runs, c.test
	if r.stashed = stashedAfter(r.stashed, c, t, num); r.stashed > 0 || stash.MatchString(c.command) {
		runs, test = nil, false
	}
	broke := (t.failed || test && t.broke || t.alarm != "" && c.hidesError()) && !harmless.MatchString(t.err)
	if !broke && len(runs) > 0 {
		r.mended(runs)
	}
	if len(t.clashes) > 0 {
		r.conflicts, r.merge = unequal(t.clashes), remark{text: c.key, from: c.num, to: num}
	} else if broke && len(runs) > 0 {
		r.broken[runs[0]] = &brokenRun{remark: remark{text: c.key + " → " + t.complaint(), from: c.num, to: num}}
	}
	if test && !broke {
		end := cmp.Or(t.summary, r.w.ok)
		if r.test = (remark{}); t.summary != "" || !strings.Contains(c.command, "|") { // else another command says how it ended
			r.test = remark{text: c.key + " → " + end, from: c.num, to: num}
		}
		r.untested = false
	} else if test {
		r.test = remark{}
	}
	if !t.failed {
		r.usedGit(c, t, num)
	}
}

// complaint is what a failed run says.
func (t *toldResult) complaint() string {
	if t.broke {
		return cmp.Or(t.failing, t.summary)
	}
	return cmp.Or(t.failing, t.err, t.alarm, t.summary)
}

// harmless is an error that leaves nothing to mend.
var harmless = pattern.New(`(?i)already exists|no checks reported|nothing to commit|up[ -]to[ -]date|doesn't want to proceed|` +
	`interrupted|no output|aborted`)

// mended forgets the failures of what works now; with nothing named, those of all checks.
func (r *noteReader) mended(runs []string) {
	for run := range r.broken {
		if len(runs) == 0 && kindOfRun(run) == "" || slices.ContainsFunc(runs,
			func(by string) bool { return kindOfRun(by) == kindOfRun(run) }) {
			delete(r.broken, run)
		}
	}
}

// kindOfRun is what runs have in common of which one shows that another is mended: git and
// gh by their commands, all that tests and builds is one.
func kindOfRun(run string) string {
	if strings.HasPrefix(run, "git ") || strings.HasPrefix(run, "gh ") {
		return run
	}
	return ""
}

// failures are the runs that failed last, the newest first. One that was long ago, before
// other changes, is not known to be open.
func (r *noteReader) failures() (out []remark) {
	for _, b := range r.broken {
		m := b.remark
		if b.edited {
			if r.turn.to-m.to > longAgo {
				continue
			}
			m.text += r.w.either(" (files were changed since, not run again)", "（此后改过文件，未再运行）")
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b remark) int { return cmp.Or(cmp.Compare(b.to, a.to), cmp.Compare(a.text, b.text)) })
	return out[:min(len(out), 3)]
}

// lastTest is the last test result, unless the agent has said since that something fails.
func (r *noteReader) lastTest(t *noteTurn) remark {
	test := r.test
	if test.text == "" || t.said.from > test.to && fails.MatchString(t.said.text) {
		return remark{}
	}
	if r.untested {
		test.text += r.w.either(" (files were changed since)", "（此后改过文件）")
	}
	return test
}

// fails is how somebody says that something does not work.
var fails = pattern.New(`(?i)\b(?:same|still|these|those|new|[1-9]\d*) (?:\w+ )?fail|\b(?:still|keeps?|is|are|tests?) (?:broken|fail)|失败`)
