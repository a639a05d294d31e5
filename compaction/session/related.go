package session

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/model"
)

// Related is another file of the same conversation: that of an agent it called,
// or of the agent that called it. It is offered together with the file and opened as a
// document of its own: its context window is its own, its records belong to its
// own bytes, and an export of either file stays byte-exact.
type Related struct {
	Path   string `json:"path"`
	ID     string `json:"id"`     // of the agent, as the file spells it
	Name   string `json:"name"`   // what the agent is called or does; "" if nothing says it
	Parent bool   `json:"parent"` // it is the caller
}

const (
	maxRelatedFiles = 4000      // names looked at in a folder
	maxFirstLine    = 512 << 10 // of a rollout that is looked into
)

// Related finds the files of agents that this one called, and of the one that
// called it: for Claude Code the folder SESSION/subagents and files
// agent-*.jsonl of the same session next to it, for Codex the rollouts of the
// same day, and of the days near it, whose meta record names this thread. Other
// formats keep agents in one file. It reads names and first lines, never whole
// files; what can't be read is left out.
func (f *File) Related(ctx context.Context) ([]Related, error) {
	if _, ok := f.Doc.Source.(*os.File); !ok {
		return nil, nil
	}
	var list []Related
	var err error
	switch f.Doc.Format {
	case model.FormatClaudeCode:
		list, err = f.claudeAgents(ctx)
	case model.FormatCodex:
		list, err = f.codexAgents(ctx)
	}
	place := func(r Related) string {
		if r.Parent {
			return "" // before the others
		}
		return r.Path
	}
	slices.SortStableFunc(list, func(a, b Related) int { return strings.Compare(place(a), place(b)) })
	return list, err
}

// names lists a folder; a missing one is empty.
func names(dir string) []string {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range list[:min(len(list), maxRelatedFiles)] {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".jsonl") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

const agentPrefix = "agent-"

func isAgentFile(path string) bool { return strings.HasPrefix(filepath.Base(path), agentPrefix) }

func (f *File) claudeAgents(ctx context.Context) ([]Related, error) {
	path := f.Doc.Path
	session := f.Doc.Conversations[0].ID
	dir := filepath.Dir(path)
	var list []Related
	if filepath.Base(dir) == "subagents" && isAgentFile(path) {
		caller := filepath.Dir(dir) + ".jsonl"
		if _, err := os.Stat(caller); err == nil {
			list = append(list, Related{Path: caller, ID: session, Parent: true})
		}
		return list, ctx.Err()
	}
	for _, p := range names(filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "subagents")) {
		if isAgentFile(p) {
			list = append(list, f.claudeAgent(p))
		}
	}
	for _, p := range names(dir) { // where older versions put them
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isAgentFile(p) == isAgentFile(path) || p == path {
			continue
		}
		var head struct{ SessionID string }
		if !firstRecord(p, &head) || head.SessionID != session || session == "" {
			continue
		}
		if isAgentFile(p) {
			list = append(list, f.claudeAgent(p))
		} else {
			list = append(list, Related{Path: p, ID: session, Parent: true})
		}
	}
	return list, nil
}

// claudeAgent names an agent by its file and the note next to it.
func (f *File) claudeAgent(path string) Related {
	id := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), agentPrefix), ".jsonl")
	r := Related{Path: path, ID: id}
	var note struct{ AgentType, Description string }
	if b, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".meta.json"); err == nil && json.Unmarshal(b, &note) == nil {
		r.Name = strings.Trim(note.AgentType+": "+note.Description, ": ")
	}
	return r
}

// firstRecord decodes the first line of a file.
func firstRecord(path string, into any) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	line, _ := bufio.NewReader(io.LimitReader(file, maxFirstLine)).ReadBytes('\n') // the last one need not end
	return json.Unmarshal(line, into) == nil
}
