package main

import (
	"fmt"
	"strings"
)

// episode is one turn of the coding run: what the person asks and what comes
// of it.
type episode struct {
	kind  string // fix, feature, explain, review, bench
	ask   string
	file  string
	fn    string
	grep  string
	cause string
	code  []string // lines that the agent puts at the head of fn
	test  string   // TestName/case
	fail  string
	done  string
}

func episodes() ([]episode, error) {
	var out []episode
	for _, text := range strings.Split(strings.TrimSpace(data("episodes.txt")), "\n\n") {
		lines := strings.Split(text, "\n")
		e := episode{kind: lines[0]}
		for _, l := range lines[1:] {
			key, value, ok := strings.Cut(l, ": ")
			if !ok {
				return nil, fmt.Errorf("episode line %q has no key", l)
			}
			switch key {
			case "ask":
				e.ask = value
			case "file":
				e.file = value
			case "fn":
				e.fn = value
			case "grep":
				e.grep = value
			case "cause":
				e.cause = value
			case "code":
				e.code = append(e.code, "\t"+value)
			case "test":
				e.test = value
			case "fail":
				e.fail = value
			case "done":
				e.done = value
			default:
				return nil, fmt.Errorf("episode has an unknown key %q", key)
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// What the agent says on the way. %s is the function or the file.
var (
	firstThoughts = []string{
		"The user means %s in %s. Before I change anything I want to see every place that depends on it.",
		"Let me find out who calls %s. If %s is used by the formatter too, the fix has to keep its positions.",
		"This sounds like %s. I should not guess; search first, then read %s around it.",
		"I remember %s from an earlier turn, but %s may have changed since. Look again.",
	}
	searchWords = []string{
		"Let me find where %s and its relatives are used.", "First a search around %s.", "I'll look for everything that touches %s.",
		"Searching for the callers of %s.", "Where does %s come from? A search will tell.",
	}
	lookThoughts = []string{
		"%s is short, but what surrounds it in %s decides whether a guard at the top is enough.",
		"I need to know whether %s is called with the token already consumed; %s should show it.",
		"Check the invariants of %s first. The tests in %s say what people rely on.",
		"Before editing %s I want the exact text of %s, with tabs, so that the edit applies.",
	}
	lookWords = []string{
		"Reading %s.", "Now %s, to see the code around it.", "Let me look at %s.", "I'll read the relevant part of %s.", "And %s, because it shares the helper.",
	}
	testFirstWords = []string{
		"I'll write the failing test first: %s.", "A test that shows the fault, %s:", "First a case in %s so that we see it fail.", "Adding %s before the fix.",
	}
	causeWords = []string{
		"Found it: %s", "The reason: %s", "That explains it. In short: %s", "So the cause is clear: %s",
	}
	verifyWords = []string{
		"Now the tests of the package.", "Running the package's tests.", "Let me see whether that is enough.", "Check it.",
	}
)

// closing is the agent's last message of a turn.
func closing(r *rng, e episode) string {
	switch e.kind {
	case "fix", "feature":
		head := pick(r, "Done. ", "Fixed. ", "That works now. ", "Finished. ")
		return fmt.Sprintf("%s**%s** in `%s`: %s\n\n- Changed: `%s`\n- Test: `%s`\n- %s", head, e.fn, e.file, upper(e.done), e.file, e.test,
			pick(r, "All packages pass.", "No other package changed its result.", "gofmt and go vet are clean.", "The golden files are reviewed.", "Nothing else was touched."))
	default:
		return e.done
	}
}

func upper(s string) string {
	if s == "" || s[0] == '`' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
