package main

import "fmt"

// episode is one turn of the coding run: what the person asks and what comes
// of it.
type episode struct {
	Kind  string // fix, feature, explain, review, bench
	Ask   string
	File  string
	Fn    string // the function it is about
	Grep  string
	Cause string
	Code  []string // lines that the agent puts at the head of Fn
	Test  string   // TestName/case
	Fail  string
	Done  string
}

func episodes() []episode { return load[[]episode]("episodes.json") }

// closing is the agent's last message of a turn.
func closing(r *rng, e episode) string {
	switch e.Kind {
	case "fix", "feature":
		return fmt.Sprintf("%s**%s** in `%s`: %s\n\n- Changed: `%s`\n- Test: `%s`\n- %s",
			r.phrase("done"), e.Fn, e.File, upper(e.Done), e.File, e.Test, r.phrase("clean"))
	}
	return e.Done
}
