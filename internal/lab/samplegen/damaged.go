package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// The damaged file: what a full disk, a logger on the same stream and a wrong
// encoding leave of a session. The lines are numbered from 1.
const (
	damagedLines = 84
	noiseLine    = 9  // a logger's line between the records
	cutLine      = 23 // ends in the middle of a string
	latinLine    = 33 // bytes that are no UTF-8
	longBytes    = 300_000
)

func damaged() []byte {
	r := &rng{state: 40}
	c := &codingRun{r: r, p: newProject(r), s: newSession(r, root, "main", time.Date(2025, 10, 9, 13, 20, 0, 0, time.UTC)), small: 700}
	c.s.user("The nightly run of `larch eval --trace` over the fleet repo failed. Have a look at the trace, please.")
	c.one(trace(r), false, says("Reading the trace."), bash("larch eval --trace /srv/data/fleet 2>&1", "Evaluate with a trace"))
	c.small, c.phase = 5000, len(phases)-1 // what follows is a recent tail of its own: the trace can go, and has not yet
	for _, e := range episodes()[3:6] {
		c.play(e, 22)
	}
	lines := bytes.SplitAfter(c.s.out.Bytes(), []byte("\n"))
	if len(lines) < damagedLines {
		panic(fmt.Sprintf("only %d lines to damage", len(lines)))
	}
	var out bytes.Buffer
	for n := 1; n <= damagedLines; n++ {
		if n == noiseLine {
			out.WriteString("2025-10-09T13:24:51.318Z WARN  [watcher] 3 events dropped, queue full (512)\n")
			continue
		}
		line := lines[0]
		lines = lines[1:]
		switch n {
		case cutLine:
			line = append(bytes.Clone(line[:len(line)*3/5]), '\n')
		case latinLine:
			// "Größe" as Latin-1 at the head of what was said.
			bad := line
			for _, key := range []string{"text", "content", "thinking", "command", "file_path"} {
				if bytes.Equal(bad, line) {
					bad = bytes.Replace(line, []byte(`"`+key+`":"`), []byte(`"`+key+"\":\"Gr\xf6\xdfe: "), 1)
				}
			}
			if bytes.Equal(bad, line) {
				panic(fmt.Sprintf("line %d holds no text to damage", n))
			}
			line = bad
		}
		out.Write(line)
	}
	return out.Bytes()
}

// trace is a log that makes one line of the file very long.
func trace(r *rng) string {
	var b strings.Builder
	for i := 1; b.Len() < longBytes; i++ {
		fmt.Fprintf(&b, "%06d %4d.%03dms eval %s:%d:%d %s = %s\n", i, i/40, r.n(1000),
			pick(r, "shop", "edge", "fleet", "paths", "regions/eu-central", "regions/us-east")+".larch",
			r.between(1, 900), r.between(1, 60), pick(r, "service.api", "service.cart", "let.region", "module.limits",
				"import.base"), r.setting())
	}
	b.WriteString("E7001 budget of 10000 exceeded in template, see fuzz/corpus/8f3a1c0d")
	return b.String()
}
