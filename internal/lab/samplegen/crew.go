package main

import (
	"time"
)

// The crew of four: a lead gives three parts of a release check to sub-agents,
// and one of them calls a fourth. Their records are in the lead's file as
// sidechains, the way older versions of the tool wrote them.

// task is one job given to a sub-agent.
type task struct {
	Kind, Title, Prompt string
	About               []string // functions of the episodes that it works through
	Room                int      // messages for each of them
	Report              string
}

// crew drives the session of the lead and of everybody below.
type crew struct {
	c      *codingRun
	byFn   map[string]episode // the stories, by the function they are about
	helper task               // the job of the one that a sub-agent calls
}

// crewsOwn is what a message of the lead's own work may take: enough that there is something
// to compact before its recent tail.
const crewsOwn = 6500

func crewOfFour() []byte {
	r := &rng{state: 4}
	c := &codingRun{r: r, p: newProject(r), s: newSession(r, root, "release/0.9",
		time.Date(2025, 10, 7, 9, 2, 11, 0, time.UTC)), small: 1100}
	c.s.version, c.s.slug = "1.0.98", ""
	tasks := load[[]task]("tasks.json")
	k := &crew{c: c, byFn: map[string]episode{}, helper: tasks[3]}
	for _, e := range episodes() {
		k.byFn[e.Fn] = e
	}
	s := c.s
	s.user("We want to tag Larch 0.9.0 today. Split the last checks among sub-agents: documentation, tests (two were flaky last " +
		"week), and benchmarks against 0.8. Then put the results together, fix what is small, and tell me whether we can release.")
	c.search(k.byFn["describeField"])
	c.one(c.p.folder("."), false, says("The tree first, so that the three parts don't touch the same files."),
		bash("git ls-files | sed 's,^,/srv/code/larch/,'", "List the files"))
	k.delegate("Three parts that touch different folders, so they can run at the same time.", tasks[:3]...)
	c.small = crewsOwn
	c.fix(k.byFn["onDefinition"], s.messages+24)
	c.ask(says("All three are back. Documentation: 11 codes were missing, added. Tests: two causes fixed, 500 runs clean. " +
		"Benchmarks: only FnSort (+6 %) and FormatLarge (+3 %) are slower, both on purpose. I also fixed a crash of `onDefinition` " +
		"on files that do not parse. From my side 0.9.0 can be tagged; please decide on the 6 % of FnSort."))
	s.wait(900)
	s.user("6 % is fine. Check the CHANGELOG against the commits since v0.8.0 and prepare the tag, but do not push.")
	c.fix(k.byFn["runCheck"], s.messages+34)
	c.ask(says("The tag v0.9.0 is prepared locally at " + r.hex(7) +
		" and signed; nothing was pushed. CHANGELOG.md has 19 items, each with its commit. One was missing (exit status 2 of " +
		"`larch check` when no file matches) and is in now."))
	return s.out.Bytes()
}

// delegate calls sub-agents for some tasks in one message and plays each of
// them before the results come in.
func (k *crew) delegate(text string, tasks ...task) {
	s := k.c.s
	blocks := []block{says(text)}
	for _, t := range tasks {
		blocks = append(blocks, calls("Task", field{"subagent_type", t.Kind}, field{"description", t.Title}, field{"prompt", t.Prompt}))
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
		k.work(t)
		ends = append(ends, outcome{s.usage(), (s.messages - before) / 2, s.clock.Sub(began)})
	}
	s.parent, s.side, s.live, s.cached = parent, side, live, cached
	for i, t := range tasks {
		k.finish(made[i], t, ends[i].tokens, ends[i].tools, ends[i].took)
	}
}

// work is a sub-agent's whole run, from the prompt to its report.
func (k *crew) work(t task) {
	s := k.c.s
	s.spend(t.Prompt)
	s.messages++
	s.record("", field{"type", "user"}, field{"message", object{{"role", "user"}, {"content", t.Prompt}}})
	for i, fn := range t.About {
		k.c.work(k.byFn[fn], s.messages+t.Room)
		if t.Kind == "test-doctor" && i == 0 {
			k.delegate("The slow one came in some time since v0.8.0. A helper can bisect that while I keep my context small.", k.helper)
		}
	}
	k.c.ask(says(t.Report))
}

// finish is the result of a Task call in the caller's line.
func (k *crew) finish(c call, t task, tokens, tools int, took time.Duration) {
	s := k.c.s
	s.wait(2)
	s.spend(t.Report)
	s.messages++
	content := []object{{{"type", "text"}, {"text", t.Report}}}
	s.record(c.record, field{"type", "user"},
		field{"message", object{{"role", "user"}, {"content", []any{object{{"tool_use_id", c.id}, {"type", "tool_result"},
			{"content", content}}}}}},
		field{"toolUseResult", object{{"content", content}, {"totalDurationMs", took.Milliseconds()}, {"totalTokens", tokens},
			{"totalToolUseCount", tools}, {"wasInterrupted", false}}})
}
