package main

import (
	"fmt"
	"strings"
)

// summary is what the tool wrote in place of everything before.
func (c *codingRun) summary() string {
	var b strings.Builder
	b.WriteString("This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n")
	b.WriteString("Summary:\n1. Primary Request and Intent:\n   The user works on Larch, a configuration language with a parser in Go (" + root + ", branch " + c.s.branch + "). Rules given at the start: no new dependencies, every fix gets a test, `go test ./...` before saying done.\n\n2. What was done, in order:\n")
	for i, e := range c.told {
		fmt.Fprintf(&b, "   %d. User: %q\n      `%s` in `%s`. %s\n", i+1, clip(e.ask, 160), e.fn, e.file, upper(clip(e.done, 260)))
	}
	b.WriteString("\n3. Files and Code Sections:\n")
	seen := map[string]bool{}
	for _, e := range c.told {
		if len(e.code) == 0 || seen[e.fn] {
			continue
		}
		seen[e.fn] = true
		fmt.Fprintf(&b, "   - %s/%s, `%s`:\n```go\n%s\n```\n", root, e.file, e.fn, strings.Join(e.code, "\n"))
	}
	b.WriteString("\n4. Errors and fixes:\n")
	for _, e := range c.told {
		if e.cause != "" {
			fmt.Fprintf(&b, "   - %s failed with: %s\n     Cause: %s\n", e.test, e.fail, e.cause)
		}
	}
	last := c.told[len(c.told)-1]
	fmt.Fprintf(&b, "\n5. Pending Tasks:\n   - %s\n\n6. Current Work:\n   Working on `%s` in `%s` for the request %q.\n\nPlease continue the conversation from where we left it off without asking the user any further questions.", clip(last.ask, 200), last.fn, last.file, clip(last.ask, 120))
	return b.String()
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
		out = append(out, fmt.Sprintf("Note: %s/%s was read before the last conversation was summarized. Its contents:\n%s", root, name, text))
		left -= estimate(text)*claudeShare + 40
	}
	return out
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n])) + "…"
}
