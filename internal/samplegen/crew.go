package main

import (
	"fmt"
	"time"
)

// The crew of four: a lead gives three parts of a release check to sub-agents,
// and one of them calls a fourth. Their records stand in the lead's file as
// sidechains, the way older versions of the tool wrote them.

// task is one job given to a sub-agent.
type task struct {
	kind, title, prompt string
	about               []string // functions of the episodes that it works through
	room                int      // messages for each of them
	report              string
}

var crewTasks = []task{
	{"docs-checker", "Check the documentation", "Check that docs/ agrees with the code on branch release/0.9 of /srv/code/larch. Look at the schema rules and at error recovery. Correct what the code says about itself where it is wrong. Report what is wrong, with file and line, in at most 200 words.",
		[]string{"describeField", "recoverBlock"}, 12,
		"Documentation check, 23 pages read:\n\n- docs/codes.md lacks 11 codes (S3401, S4100, L0506, L0507, P4040, E7001 and five F codes); added, the table has 87 now.\n- docs/recovery.md:58 still names `stmtEnd`; the set is called `stmtStart`.\n- docs/schema.md:204 shows `max = 65536`, the checker allows 65535.\n\nNo other page disagrees with the code."},
	{"test-doctor", "Make the tests quick and steady", "On /srv/code/larch find out which tests are flaky or slow (over 2 s) and fix the cause, not the test. Use a helper for a bisection if you need one. Report each with cause and commit.",
		[]string{"resolveModule", "formatFile"}, 12,
		"Two tests were flaky or slow:\n\n1. TestResolveModule, 17 failures in 500 runs: siblings shared the tail of the cycle path. Clipped before it is extended. Commit 7be0c41.\n2. TestRunFormat, 8.114 s: the differ is quadratic; the helper's bisection found that it came with f20ac9e. Now 0.21 s. Commit 93d11fa.\n\nThe whole set takes 41.7 s with -race, it was 63.2 s. 500 runs without a failure."},
	{"bench-runner", "Measure against 0.8", "Run the benchmarks of /srv/code/larch on release/0.9 and compare with bench/v0.8.txt. Six runs each. Report only what moved by more than 2 %, with numbers.",
		[]string{"scanIdent", "scanPragma"}, 13,
		"Against v0.8 (6 runs, p < 0.01):\n\n| benchmark | 0.8 | 0.9 | change |\n|---|---|---|---|\n| LexHeredoc | 74.9 MB/s | 148.2 MB/s | +98 % |\n| CheckFleet | 3.31 s | 2.94 s | −11 % |\n| ParseLarge | 12.8 ms | 12.3 ms | −4 % |\n| FnSort | 1.80 ms | 1.91 ms | +6 % (stable sort) |\n| FormatLarge | 20.1 ms | 20.7 ms | +3 % |\n\nMemory of CheckFleet: 318 MB before, 187 MB now. Nothing else moved."},
}

var crewHelper = task{"bisector", "Bisect the slow test", "In /srv/code/larch bisect between v0.8.0 and HEAD: which commit made TestRunFormat slower than 2 s? 37 commits. Answer with the hash, the subject and the two times.",
	[]string{"evalTemplate"}, 20, "f20ac9e \"cmd/larch: fmt -d prints a diff\" made it slow: 0.34 s before, 8.11 s after. Found in 6 steps of 37 commits; 2 of them did not build and were skipped."}

// crew drives the session of the lead and of everybody below.
type crew struct {
	c    *codingRun
	byFn map[string]episode // the stories, by the function they are about
}

func crewOfFour() ([]byte, error) {
	r := &rng{state: 4}
	c := &codingRun{r: r, p: newProject(r), s: newSession(r, root, "release/0.9", time.Date(2025, 10, 7, 9, 2, 11, 0, time.UTC)), small: 1100}
	c.s.version, c.s.slug = "1.0.98", ""
	k := &crew{c: c, byFn: map[string]episode{}}
	list, err := episodes()
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		k.byFn[e.fn] = e
	}
	s := c.s
	s.user("We want to tag Larch 0.9.0 today. Split the last checks among sub-agents: documentation, tests (two were flaky last week), and benchmarks against 0.8. Then put the results together, fix what is small, and tell me whether we can release.")
	if err := c.search(k.byFn["describeField"]); err != nil {
		return nil, err
	}
	c.one(c.p.folder("."), false, says("The tree first, so that the three parts don't touch the same files."), calls("Bash", field{"command", "git ls-files | sed 's,^,/srv/code/larch/,'"}, field{"description", "List the files"}))
	if err := k.delegate("Three parts that touch different folders, so they can run at the same time.", crewTasks...); err != nil {
		return nil, err
	}
	if err := c.fix(k.byFn["onDefinition"], s.messages+15); err != nil {
		return nil, err
	}
	c.ask(says("All three are back. Documentation: 11 codes were missing, added. Tests: two causes fixed, 500 runs clean. Benchmarks: only FnSort (+6 %%) and FormatLarge (+3 %%) are slower, both on purpose. I also fixed a crash of `onDefinition` on files that do not parse. From my side 0.9.0 can be tagged; please decide on the 6 %% of FnSort."))
	s.wait(900)
	s.user("6 % is fine. Check the CHANGELOG against the commits since v0.8.0 and prepare the tag, but do not push.")
	if err := c.fix(k.byFn["runCheck"], s.messages+12); err != nil {
		return nil, err
	}
	c.ask(says("The tag v0.9.0 is prepared locally at %s and signed; nothing was pushed. CHANGELOG.md has 19 items, each with its commit. One was missing (exit status 2 of `larch check` when no file matches) and is in now.", r.hex(7)))
	return s.out.Bytes(), nil
}

// delegate calls sub-agents for some tasks in one message and plays each of
// them before the results come in.
func (k *crew) delegate(text string, tasks ...task) error {
	s := k.c.s
	blocks := []block{says("%s", text)}
	for _, t := range tasks {
		blocks = append(blocks, calls("Task", field{"subagent_type", t.kind}, field{"description", t.title}, field{"prompt", t.prompt}))
	}
	made := k.c.ask(blocks...)
	parent, side, live, cached := s.parent, s.side, s.live, s.cached
	type outcome struct {
		tokens, tools int
		took          time.Duration
	}
	var ends []outcome
	for _, t := range tasks {
		began, before := s.clock, s.messages
		s.parent, s.side, s.live, s.cached = "", true, 0, 0
		if err := k.work(t); err != nil {
			return fmt.Errorf("%s: %w", t.kind, err)
		}
		ends = append(ends, outcome{s.usage(), (s.messages - before) / 2, s.clock.Sub(began)})
	}
	s.parent, s.side, s.live, s.cached = parent, side, live, cached
	for i, t := range tasks {
		k.finish(made[i], t, ends[i].tokens, ends[i].tools, ends[i].took)
	}
	return nil
}

// work is a sub-agent's whole run, from the prompt to its report.
func (k *crew) work(t task) error {
	s := k.c.s
	s.spend(t.prompt)
	s.messages++
	s.record("", field{"type", "user"}, field{"message", object{{"role", "user"}, {"content", t.prompt}}})
	for i, fn := range t.about {
		e, ok := k.byFn[fn]
		if !ok {
			return fmt.Errorf("no episode about %s", fn)
		}
		var err error
		switch e.kind {
		case "fix", "feature":
			err = k.c.fix(e, s.messages+t.room)
		case "bench":
			err = k.c.bench(e, s.messages+t.room)
		default:
			err = k.c.study(e, s.messages+t.room)
		}
		if err != nil {
			return err
		}
		if t.kind == "test-doctor" && i == 0 {
			if err := k.delegate("The slow one came in some time since v0.8.0. A helper can bisect that while I keep my context small.", crewHelper); err != nil {
				return err
			}
		}
	}
	k.c.ask(says("%s", t.report))
	return nil
}

// finish is the result of a Task call in the caller's line.
func (k *crew) finish(c call, t task, tokens, tools int, took time.Duration) {
	s := k.c.s
	s.wait(2)
	s.spend(t.report)
	s.messages++
	content := []object{{{"type", "text"}, {"text", t.report}}}
	s.record(c.record, field{"type", "user"},
		field{"message", object{{"role", "user"}, {"content", []any{object{{"tool_use_id", c.id}, {"type", "tool_result"}, {"content", content}}}}}},
		field{"toolUseResult", object{{"content", content}, {"totalDurationMs", took.Milliseconds()}, {"totalTokens", tokens}, {"totalToolUseCount", tools}, {"wasInterrupted", false}}})
}
