package main

import (
	"encoding/json"
	"regexp"
	"sort"
	"strings"
)

// trail is what the calls of a session say for certain: files changed, commits made, to-dos
// with their states, failures that no later run of the command repaired.
type trail struct {
	files    []changed
	commits  []commit
	todos    []*todo
	failed   []string // commands that failed last time
	repaired []string // commands that failed and succeeded later
}

type changed struct {
	path  string
	times int
}

type commit struct{ hash, subject string }

type todo struct{ words, state string } // state: open, doing, done

func trailOf(of []entry) trail {
	var t trail
	results := map[string]entry{}
	for _, e := range of {
		if e.who == "result" && e.id != "" {
			results[e.id] = e
		}
	}
	tasks := map[string]*todo{}
	lastRun := map[string]bool{}
	everFailed := map[string]bool{}
	for _, e := range of {
		if e.who != "call" {
			continue
		}
		r, answered := results[e.id]
		if answered && !refused(r) {
			for _, path := range edited(e) {
				t.change(path)
			}
		}
		t.tasks(e, r, tasks)
		if cmd := command(e); cmd != "" && answered {
			of := made(cmd, r.text)
			if strings.Contains(cmd, "--amend") && len(of) > 0 && len(t.commits) > 0 {
				t.commits = t.commits[:len(t.commits)-1] // replaced
			}
			t.commits = append(t.commits, of...)
			k := key(cmd)
			lastRun[k] = r.failed
			everFailed[k] = everFailed[k] || r.failed
		}
	}
	for k, failed := range lastRun {
		switch {
		case failed:
			t.failed = append(t.failed, k)
		case everFailed[k]:
			t.repaired = append(t.repaired, k)
		}
	}
	sort.Strings(t.failed)
	sort.Strings(t.repaired)
	return t
}

func (t *trail) change(path string) {
	for i, f := range t.files {
		if f.path == path {
			t.files = append(append(t.files[:i:i], t.files[i+1:]...), changed{path, f.times + 1})
			return
		}
	}
	t.files = append(t.files, changed{path, 1})
}

// refused tells whether a call changed nothing: it failed, or a person said no.
func refused(r entry) bool {
	return r.failed || strings.HasPrefix(r.text, "The user doesn't want") || strings.HasPrefix(r.text, "Error:") ||
		strings.Contains(r.text[:min(len(r.text), 200)], "apply_patch verification failed")
}

var patched = regexp.MustCompile(`(?m)^\*\*\* (?:Update|Add|Delete) File: (.+)$`)

// edited is which files a call writes.
func edited(e entry) []string {
	switch strings.ToLower(e.tool) {
	case "edit", "write", "multiedit", "notebookedit":
		for _, k := range []string{"file_path", "filePath", "path", "notebook_path"} {
			if s, ok := e.input[k].(string); ok && s != "" {
				return []string{s}
			}
		}
	case "apply_patch", "patch", "exec_command", "shell":
		var out []string
		for _, m := range patched.FindAllStringSubmatch(inputLine(e.input), -1) {
			out = append(out, strings.TrimSpace(m[1]))
		}
		return out
	}
	return nil
}

// inputLine is all the strings of a call's arguments.
func inputLine(input map[string]any) string {
	var parts []string
	for _, k := range sortedKeys(input) {
		if s, ok := input[k].(string); ok {
			parts = append(parts, s)
			continue
		}
		data, _ := json.Marshal(input[k])
		parts = append(parts, string(data))
	}
	return strings.Join(parts, "\n")
}

func sortedKeys(m map[string]any) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// command is the shell command of a call.
func command(e entry) string {
	switch strings.ToLower(e.tool) {
	case "bash", "exec_command", "shell", "local_shell", "shell_command":
		for _, k := range []string{"command", "cmd"} {
			switch v := e.input[k].(type) {
			case string:
				return v
			case []any:
				var parts []string
				for _, p := range v {
					if s, ok := p.(string); ok {
						parts = append(parts, s)
					}
				}
				return parts[len(parts)-1]
			}
		}
	}
	return ""
}

var (
	moved = regexp.MustCompile(`^\s*cd \S+ ?(&&|;)\s*`)
	// changedFiles is what git says after a commit, whatever word the command made of it.
	changedFiles = regexp.MustCompile(`(?m)^\[[\w./#-]+(?: \(root-commit\))? [0-9a-f]{7,12}\] .+\n \d+ files? changed`)
	committed    = regexp.MustCompile(`(?m)^\[([\w./#-]+)(?: \(root-commit\))? ([0-9a-f]{7,12})\] (.+)$`)
)

// key is a command without where it ran and without what is piped after it.
func key(cmd string) string {
	cmd = moved.ReplaceAllString(cmd, "")
	cmd, _, _ = strings.Cut(cmd, "|")
	cmd, _, _ = strings.Cut(cmd, "2>")
	return strings.Join(strings.Fields(cmd), " ")
}

// made is which commits the output of a command shows as made by it.
func made(cmd, output string) (out []commit) {
	if !strings.Contains(cmd, "commit") && !strings.Contains(cmd, "cherry-pick") && !strings.Contains(cmd, "revert") &&
		!changedFiles.MatchString(output) {
		return nil
	}
	for _, m := range committed.FindAllStringSubmatch(output, -1) {
		out = append(out, commit{m[2], m[3]})
	}
	return out
}

var taskNumber = regexp.MustCompile(`#(\d+)`)

// tasks follows the lists that the agent keeps with its tools.
func (t *trail) tasks(e, r entry, tasks map[string]*todo) {
	switch e.tool {
	case "TodoWrite", "todowrite", "update_plan", "todo":
		list, _ := e.input["todos"].([]any)
		if list == nil {
			list, _ = e.input["plan"].([]any)
		}
		if list == nil {
			return
		}
		t.todos = nil
		for _, item := range blocks(list) {
			what := words(item["content"]) + words(item["step"])
			t.todos = append(t.todos, &todo{what, state(words(item["status"]))})
		}
	case "TaskCreate":
		m := taskNumber.FindStringSubmatch(r.text)
		if m == nil {
			return
		}
		tasks[m[1]] = &todo{words(e.input["subject"]), "open"}
		t.todos = append(t.todos, tasks[m[1]])
	case "TaskUpdate":
		id := words(e.input["taskId"])
		if at := tasks[id]; at != nil {
			if s := words(e.input["subject"]); s != "" {
				at.words = s
			}
			if s := words(e.input["status"]); s != "" {
				at.state = state(s)
			}
		}
	}
}

func state(s string) string {
	switch s {
	case "completed", "done":
		return "done"
	case "in_progress":
		return "doing"
	case "deleted", "cancelled":
		return "dropped"
	}
	return "open"
}
