package facts

import (
	"strings"

	"palimpsest/model"
)

// Shows says by what a message came to show its facts: the class of the call that
// it answers. A file that was read, a hit of a search and a line of a test's output
// are needed again unequally often.
type Shows uint8

// The classes.
const (
	ByWords   Shows = iota // nobody's result: what a person or the agent says
	ByReading              // a file, or part of it
	BySearch               // a listing, the hits of a search
	ByRun                  // a command
	ByEdit                 // what an edit reports
	ByPlan                 // a to-do list
	ByOther                // any other tool
)

// hints of a tool's class in its name, in the order in which they are tried.
var toolHints = []struct {
	class Shows
	words []string
}{
	{ByPlan, []string{"todo", "plan", "task"}},
	{ByEdit, []string{"edit", "write", "patch", "replace", "create", "insert"}},
	{BySearch, []string{"grep", "search", "glob", "list", "find", "ls"}},
	{ByReading, []string{"read", "view", "cat", "open", "fetch", "get"}},
	{ByRun, []string{"bash", "shell", "exec", "run", "command", "terminal", "stdin"}},
}

// searchers are programs that list or search.
var searchers = set("grep rg ls find fd tree ag git-grep glob")

// classOf is the class of a call.
func classOf(p *model.Part) Shows {
	name := strings.ToLower(p.Name)
	class := ByOther
	for _, h := range toolHints {
		for _, w := range h.words {
			if strings.Contains(name, w) {
				class = h.class
			}
		}
		if class != ByOther {
			break
		}
	}
	if class != ByRun {
		return class
	}
	line := firstWords(p.Text)
	switch first, rest, _ := strings.Cut(line, " "); {
	case searchers[first], strings.HasPrefix(line, "git grep"), strings.HasPrefix(line, "git ls-files"):
		return BySearch
	case readers[first] && (first != "sed" || strings.HasPrefix(rest, "-n")):
		return ByReading
	case strings.HasPrefix(line, "apply_patch"):
		return ByEdit
	}
	return ByRun
}

// firstWords is the beginning of the command in the arguments of a call, without a
// change of folder before it.
func firstWords(args string) string {
	line := args
	if jsonLike(args) {
		line = ""
		jsonStrings(args, false, func(key, v string) {
			if line == "" && commandKeys[key] && !shells[v] && !strings.HasPrefix(v, "-") {
				line = v
			}
		})
	}
	line = strings.TrimSpace(line[:min(len(line), 400)])
	for strings.HasPrefix(line, "cd ") {
		_, rest, ok := strings.Cut(line, "&&")
		if !ok {
			break
		}
		line = strings.TrimSpace(rest)
	}
	return line
}
