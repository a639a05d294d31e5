package main

import (
	"fmt"
	"path"
	"strings"
	"time"
)

// The long coding run: one person and one agent on the parser of an invented
// configuration language, with two compactions made by the tool on the way.
const (
	runMessages = 480
	lastTurn    = 17
	runLimit    = 160000 // the tool compacts when the next call would send more
)

// phases are the stretches between the compactions: the message at which each
// is to end and the context usage to reach by then.
var phases = []struct{ end, usage int }{{205, 160400}, {362, 160400}, {runMessages, 158000}}

// codingRun drives the session over the project.
type codingRun struct {
	s     *session
	p     *project
	r     *rng
	phase int
	start struct{ message, usage int } // where the phase began
	told  []episode                    // turns since the last compaction
	days  int
	small int // > 0: what one message may take, in place of the phases
}

func longRun() []byte {
	r := &rng{state: 20251002}
	c := &codingRun{r: r, p: newProject(r), s: newSession(r, root, "release/0.9", time.Date(2025, 10, 2, 8, 12, 4, 0, time.UTC))}
	c.start.usage = c.s.usage()
	list := episodes()
	c.s.snapshot()
	for i, e := range list {
		// Each turn takes its share of the messages that are left; the last one
		// has enough of them to end on the number exactly.
		room := runMessages - c.s.messages
		if i < len(list)-1 {
			room = (room - lastTurn) / (len(list) - 1 - i)
		}
		c.play(e, room)
	}
	return c.s.out.Bytes()
}

// allowance is how many tokens the next message may take so that the usage
// follows the phase's straight line.
func (c *codingRun) allowance(ahead int) int {
	if c.small > 0 {
		return c.small
	}
	ph := phases[c.phase]
	done := float64(c.s.messages+ahead-c.start.message) / float64(ph.end-c.start.message)
	done = min(done, 1)
	want := float64(c.start.usage) + done*float64(ph.usage-c.start.usage)
	return int(want) - c.s.usage()
}

// compactIfFull is asked before each call, as the tool does it.
func (c *codingRun) compactIfFull() {
	if c.s.usage() < runLimit || c.phase >= len(phases)-1 {
		return
	}
	summary := c.summary()
	c.s.compact(summary, c.readAgain(summary))
	c.phase++
	c.start.message, c.start.usage = c.s.messages, c.s.usage()
	c.told = c.told[max(0, len(c.told)-1):]
}

// ask sends one assistant message and returns its calls.
func (c *codingRun) ask(blocks ...block) []call {
	c.compactIfFull()
	return c.s.assistant(blocks...)
}

// one sends an assistant message with one call and answers it.
func (c *codingRun) one(content string, failed bool, blocks ...block) {
	made := c.ask(blocks...)
	c.s.result(made[0], content, failed)
}

// play is one turn of about room messages.
func (c *codingRun) play(e episode, room int) {
	c.s.wait(c.r.between(20, 400))
	if c.days == 0 && c.s.messages > runMessages*3/5 {
		// The second day.
		c.days++
		c.s.clock = time.Date(2025, 10, 3, 7, 48, 31, 0, time.UTC)
	}
	began, first := c.s.clock, c.s.messages
	c.compactIfFull()
	c.s.user(e.Ask)
	c.told = append(c.told, e)
	c.work(e, first+room)
	c.ask(says(closing(c.r, e)))
	c.s.turnEnds(int(c.s.clock.Sub(began).Milliseconds()))
}

// work is what the agent does for an episode, as many messages as it may.
func (c *codingRun) work(e episode, until int) {
	switch e.Kind {
	case "fix", "feature":
		c.fix(e, until)
	case "bench":
		c.bench(e, until)
	default:
		c.study(e, until)
	}
}

// look searches and reads until the turn may have no more than the given
// messages.
func (c *codingRun) look(e episode, until int) {
	files := c.related(e)
	for k := 0; c.s.messages+2 <= until; k++ {
		name := files[k%len(files)]
		c.read(e, name, k, until-c.s.messages >= 3)
	}
}

// read reads one file, or two at once when there is room for both.
func (c *codingRun) read(e episode, name string, k int, pair bool) {
	names := []string{name}
	if other := c.related(e)[(k+1)%4]; pair && other != name {
		names = append(names, other)
	}
	c.readAll(e, names)
}

// readTwo reads the file of a turn and its test at once.
func (c *codingRun) readTwo(e episode) {
	c.readAll(e, c.related(e)[:2])
}

func (c *codingRun) readAll(e episode, names []string) {
	at := c.p.find(e.File, e.Fn)
	blocks := []block{}
	if c.r.chance(45) {
		blocks = append(blocks, thinking(c.r.say("look thought", e.Fn, path.Base(names[0]))))
	}
	if c.r.chance(80) {
		blocks = append(blocks, says(c.r.say("look", names[0])))
	}
	var texts []string
	for _, n := range names {
		count := max(12, c.allowance(6)/len(names)/13)
		from := 0
		if n == e.File {
			from = max(0, at-count/4)
		} else if lines := len(c.p.lines(n)); lines > count {
			from = c.r.n(lines - count)
		}
		args := []field{{"file_path", root + "/" + n}}
		if from > 0 {
			args = append(args, field{"offset", from + 1}, field{"limit", count})
		}
		blocks = append(blocks, calls("Read", args...))
		texts = append(texts, c.p.read(n, from, count))
	}
	for i, made := range c.ask(blocks...) {
		c.s.result(made, texts[i], false)
	}
}

// related are the files an agent would look at for a turn.
func (c *codingRun) related(e episode) []string {
	test := strings.TrimSuffix(e.File, ".go") + "_test.go"
	out := []string{e.File, test}
	for _, n := range c.p.names {
		if path.Dir(n) == path.Dir(e.File) && n != e.File && n != test {
			out = append(out, n)
		}
	}
	return append(out, "ast/nodes.go", "examples/shop.larch", "parse/stmt.go", "eval/eval.go")
}

// search is a Grep call.
func (c *codingRun) search(e episode) {
	found := c.p.grep(e.Grep, max(8, min(60, c.allowance(2)/25)))
	thoughts := phrases["first thought"]
	if len(c.told) < 4 {
		thoughts = thoughts[:3] // the last one remembers an earlier turn
	}
	c.one(found, false, thinking(fmt.Sprintf(pick(c.r, thoughts...), e.Fn, e.File)), says(c.r.say("search", e.Fn)),
		calls("Grep", field{"pattern", e.Grep}, field{"path", root}, field{"output_mode", "content"}, field{"-n", true}))
}
