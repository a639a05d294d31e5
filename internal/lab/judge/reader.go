package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// entry is one thing that happened in a session: somebody said something, the agent called
// a tool, or the tool answered. The reader here is the lab's: it shares no code with the
// product's, so that a fault of that one shows.
type entry struct {
	who    string // person, agent, call, result, summary or harness
	text   string // the words, or the result
	think  string // the agent's readable reasoning
	tool   string
	input  map[string]any
	id     string // of a call and its result
	failed bool
	at     int    // line of the file, or number of the message
	turn   string // what one answer of the model is in several lines
}

// cut is a place at which a tool compacted by itself, or at which we cut a long session.
type cut struct {
	at      int    // what the summary is about ends before this line or message
	after   int    // what happened next begins here
	summary string // the tool's words; "": the cut is ours
}

type history struct {
	path, kind string
	entries    []entry
	cuts       []cut
	lines      [][]byte         // of a file of lines
	document   map[string]any   // of an opencode export
	parts      []map[string]any // its messages
}

// read reads a session of Claude Code, pi or Codex (lines of JSON), or of opencode (one document).
func read(path string) (*history, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	h := &history{path: path}
	if err := json.Unmarshal(data, &h.document); err == nil && h.document["messages"] != nil {
		h.kind = "opencode"
		h.readOpencode()
		return h, nil
	}
	h.document = nil
	h.lines = bytes.Split(bytes.TrimRight(data, "\n"), []byte("\n"))
	for _, r := range []struct {
		kind, mark string
		read       func(*history)
	}{{"claude-code", `"sessionId"`, (*history).readClaude}, {"codex", `"session_meta"`, (*history).readCodex},
		{"pi", `"type":"session"`, (*history).readPi}} {
		if bytes.Contains(data[:min(len(data), 100_000)], []byte(r.mark)) {
			h.kind = r.kind
			r.read(h)
			return h, nil
		}
	}
	return nil, fmt.Errorf("%s: no format that the judge reads", path)
}

// before writes the session up to a place into a file of its own.
func (h *history) before(at int, path string) error {
	if h.document == nil {
		return os.WriteFile(path, append(bytes.Join(h.lines[:at], []byte("\n")), '\n'), 0o600)
	}
	shorter := map[string]any{"info": h.document["info"], "messages": h.parts[:at]}
	data, err := json.MarshalIndent(shorter, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// span is what happened from one line or message to another.
func (h *history) span(from, to int) (out []entry) {
	for _, e := range h.entries {
		if e.at >= from && e.at < to {
			out = append(out, e)
		}
	}
	return out
}

// live is what a summary at the cut is about: the entries since the cut before it.
func (h *history) live(c cut) []entry {
	from := 0
	for _, other := range h.cuts {
		if other.after < c.at && other.after > from {
			from = other.after - 1
		}
	}
	return h.span(from, c.at)
}

// add adds an entry. What a person typed while the agent worked stands in a file twice or
// three times: when it was typed, and when the agent was told.
func (h *history) add(e entry) {
	for _, other := range h.entries[max(0, len(h.entries)-60):] {
		if e.who == "person" && other.who == "person" && e.text == other.text && len(e.text) > 12 {
			return
		}
	}
	if strings.TrimSpace(e.text+e.think) != "" || e.who == "call" || e.who == "result" {
		h.entries = append(h.entries, e)
	}
}

// ---- Claude Code

type claudeLine struct {
	Type, Subtype, UUID, ParentUUID, Operation string
	IsSidechain, IsMeta                        bool
	IsCompactSummary                           bool
	Content                                    any
	Message                                    struct {
		ID      string
		Content any
	}
	Attachment map[string]any
}

func (h *history) readClaude() {
	seen := map[string]bool{}
	boundary := -1
	gone := h.takenBack()
	for i, line := range h.lines {
		var r claudeLine
		if gone[i] || json.Unmarshal(line, &r) != nil || r.IsSidechain || r.UUID != "" && seen[r.UUID] {
			continue
		}
		seen[r.UUID] = true
		switch {
		case r.Subtype == "compact_boundary":
			boundary = i
		case r.IsCompactSummary:
			c := cut{at: i, after: i + 1, summary: words(r.Message.Content)}
			if boundary >= 0 {
				c.at = boundary
			}
			boundary = -1
			h.cuts = append(h.cuts, c)
			h.add(entry{who: "summary", text: c.summary, at: i})
		case r.Type == "queue-operation" && r.Operation == "enqueue":
			h.typed(words(r.Content), i)
		case r.Type == "queue-operation" && r.Operation == "popAll": // taken back
			h.unsaid(words(r.Content), i)
		case r.Attachment != nil && r.Attachment["type"] == "queued_command":
			h.typed(words(r.Attachment["prompt"]), i)
		case r.Type == "user" || r.Type == "assistant":
			from := len(h.entries)
			h.claudeMessage(r, i)
			for k := range h.entries[from:] {
				h.entries[from+k].turn = r.Message.ID
			}
		}
	}
}

// takenBack are the lines of prompts, and what came of them, that a person went back before: another
// prompt has the same parent later.
func (h *history) takenBack() map[int]bool {
	gone, prompts, of := map[int]bool{}, map[string]int{}, map[string]int{} // of: the prompt of a line
	for i, line := range h.lines {
		var r claudeLine
		if json.Unmarshal(line, &r) != nil || r.UUID == "" || r.IsSidechain {
			continue
		}
		at, known := of[r.ParentUUID]
		if _, typed := r.Message.Content.(string); typed && r.Type == "user" && !r.IsMeta && !r.IsCompactSummary && r.ParentUUID != "" {
			if former, again := prompts[r.ParentUUID]; again {
				gone[former] = true
			}
			at, known = i, true
			prompts[r.ParentUUID] = i
		}
		if known {
			of[r.UUID] = at
		}
	}
	for i, line := range h.lines {
		var r claudeLine
		if json.Unmarshal(line, &r) == nil && r.UUID != "" {
			if at, known := of[r.UUID]; known && gone[at] {
				gone[i] = true
			}
		}
	}
	return gone
}

// unsaid forgets what a person took back before the agent read it.
func (h *history) unsaid(text string, at int) {
	h.entries = slices.DeleteFunc(h.entries, func(e entry) bool {
		return e.who == "person" && e.text != "" && at-e.at < 200 && strings.Contains(text, e.text)
	})
}

// typed adds what a person typed while the agent worked.
func (h *history) typed(text string, at int) {
	if s := strings.TrimSpace(text); !strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "{") {
		h.said("person", s, at)
	}
}

func (h *history) claudeMessage(r claudeLine, at int) {
	who := "agent"
	if r.Type == "user" {
		who = "person"
	}
	if r.IsMeta {
		who = "harness"
	}
	if s, ok := r.Message.Content.(string); ok {
		h.said(who, s, at)
		return
	}
	for _, b := range blocks(r.Message.Content) {
		switch b["type"] {
		case "text":
			h.said(who, words(b["text"]), at)
		case "thinking":
			h.add(entry{who: "agent", think: words(b["thinking"]), at: at})
		case "tool_use":
			input, _ := b["input"].(map[string]any)
			h.add(entry{who: "call", tool: words(b["name"]), id: words(b["id"]), input: input, at: at})
		case "tool_result":
			failed, _ := b["is_error"].(bool)
			h.add(entry{who: "result", id: words(b["tool_use_id"]), text: words(b["content"]), failed: failed, at: at})
		}
	}
}

var (
	slash    = regexp.MustCompile(`(?s)<command-name>(/[\w:.-]+)</command-name>`)
	slashArg = regexp.MustCompile(`(?s)<command-args>(.*?)</command-args>`)
	reminder = regexp.MustCompile(`(?s)<(system-reminder|system[_-]instruction|local-command-\w+|command-message|` +
		`ide_\w+)>.*?</(system-reminder|system[_-]instruction|local-command-\w+|command-message|ide_\w+)>`)
)

// ofProgram are commands that ask nothing of the agent.
var ofProgram = map[string]bool{"/compact": true, "/clear": true, "/model": true, "/context": true, "/cost": true,
	"/status": true, "/usage": true, "/login": true, "/exit": true, "/config": true, "/mcp": true, "/help": true, "/resume": true,
	"/ide": true}

// said parts what a person typed from what a program put in their mouth.
func (h *history) said(who, text string, at int) {
	if who == "person" {
		if m := slash.FindStringSubmatch(text); m != nil {
			arg := slashArg.FindStringSubmatch(text)
			text = m[1]
			if arg != nil {
				text = strings.TrimSpace(text + " " + arg[1])
			}
			if ofProgram[m[1]] {
				who = "harness"
			}
		}
		if ofProgram[strings.TrimSpace(text)] {
			who = "harness"
		}
		text = strings.TrimSpace(reminder.ReplaceAllString(text, ""))
		for _, mark := range []string{"Caveat:", "[Request interrupted", "<task-notification", "<environment_context",
			"<permissions", "# AGENTS.md", "<user_instructions", "<INSTRUCTIONS", "<turn_aborted", "<local-command",
			"Read the output file to retrieve", "Stop hook feedback", "▣ DCP", "Base directory for this skill", "<bash-"} {
			if strings.HasPrefix(text, mark) {
				who = "harness"
			}
		}
	}
	h.add(entry{who: who, text: text, at: at})
}

// ---- pi

func (h *history) readPi() {
	places := map[string]int{}
	for i, line := range h.lines {
		var r struct {
			Type, ID, Summary, FirstKeptEntryID string
			Message                             struct {
				Role, ToolCallID string
				Content          any
				IsError          bool
			}
		}
		if json.Unmarshal(line, &r) != nil {
			continue
		}
		places[r.ID] = i
		switch {
		case r.Type == "compaction":
			at, kept := places[r.FirstKeptEntryID]
			if !kept {
				at = i
			}
			h.cuts = append(h.cuts, cut{at: at, after: at, summary: r.Summary})
			h.add(entry{who: "summary", text: r.Summary, at: i})
		case r.Type == "message" && r.Message.Role == "toolResult":
			h.add(entry{who: "result", id: r.Message.ToolCallID, text: words(r.Message.Content), failed: r.Message.IsError, at: i})
		case r.Type == "message":
			who := "agent"
			if r.Message.Role == "user" {
				who = "person"
			}
			h.piMessage(who, r.Message.Content, i)
		}
	}
}

func (h *history) piMessage(who string, content any, at int) {
	if s, ok := content.(string); ok {
		h.said(who, s, at)
	}
	for _, b := range blocks(content) {
		switch b["type"] {
		case "text":
			h.said(who, words(b["text"]), at)
		case "thinking":
			h.add(entry{who: "agent", think: words(b["thinking"]), at: at})
		case "toolCall":
			input, _ := b["arguments"].(map[string]any)
			h.add(entry{who: "call", tool: words(b["name"]), id: words(b["id"]), input: input, at: at})
		}
	}
}

// ---- Codex

func (h *history) readCodex() {
	for i, line := range h.lines {
		var r struct {
			Type    string
			Payload map[string]any
		}
		if json.Unmarshal(line, &r) != nil {
			continue
		}
		p := r.Payload
		if r.Type == "compacted" {
			h.cuts = append(h.cuts, cut{at: i, after: i + 1, summary: words(p["message"])})
		}
		if r.Type != "response_item" {
			continue
		}
		switch p["type"] {
		case "message":
			who := map[any]string{"user": "person", "assistant": "agent"}[p["role"]]
			if who == "" {
				who = "harness"
			}
			h.said(who, words(p["content"]), i)
		case "reasoning":
			h.add(entry{who: "agent", think: words(p["summary"]), at: i})
		case "function_call", "custom_tool_call":
			var input map[string]any
			if json.Unmarshal([]byte(words(p["arguments"])), &input) != nil {
				input = map[string]any{"input": words(p["input"])}
			}
			h.add(entry{who: "call", tool: words(p["name"]), id: words(p["call_id"]), input: input, at: i})
		case "function_call_output", "custom_tool_call_output":
			text := words(p["output"])
			m := exitCode.FindStringSubmatch(text[:min(len(text), 400)])
			h.add(entry{who: "result", id: words(p["call_id"]), text: text, failed: m != nil && m[1] != "0", at: i})
		}
	}
}

var exitCode = regexp.MustCompile(`(?:exited with code|exit_code"?:|Exit code:?) ?(\d+)`)

// ---- opencode

func (h *history) readOpencode() {
	h.parts = blocks(h.document["messages"])
	for i, m := range h.parts {
		info, _ := m["info"].(map[string]any)
		who := "agent"
		if info["role"] == "user" {
			who = "person"
		}
		if info["summary"] == true && who == "agent" {
			var texts []string
			for _, p := range blocks(m["parts"]) {
				if p["type"] == "text" {
					texts = append(texts, words(p["text"]))
				}
			}
			c := cut{at: max(i-1, 0), after: i + 1, summary: strings.Join(texts, "\n")}
			h.cuts = append(h.cuts, c)
			h.add(entry{who: "summary", text: c.summary, at: i})
			continue
		}
		for _, p := range blocks(m["parts"]) {
			h.opencodePart(who, p, i)
		}
	}
}

func (h *history) opencodePart(who string, p map[string]any, at int) {
	switch p["type"] {
	case "text":
		if p["synthetic"] == true {
			who = "harness"
		}
		h.said(who, words(p["text"]), at)
	case "reasoning":
		h.add(entry{who: "agent", think: words(p["text"]), at: at})
	case "tool":
		state, _ := p["state"].(map[string]any)
		input, _ := state["input"].(map[string]any)
		id := words(p["callID"])
		h.add(entry{who: "call", tool: words(p["tool"]), id: id, input: input, at: at})
		text := words(state["output"])
		if text == "" {
			text = words(state["error"])
		}
		failed := state["status"] == "error"
		if meta, _ := state["metadata"].(map[string]any); meta != nil {
			if code, ok := meta["exit"].(float64); ok && code != 0 {
				failed = true
			}
		}
		h.add(entry{who: "result", id: id, text: text, failed: failed, at: at})
	}
}

// words is the text of a string, or of a list of blocks.
func words(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var out []string
		for _, b := range blocks(v) {
			if s, ok := b["text"].(string); ok {
				out = append(out, s)
			}
		}
		return strings.Join(out, "\n")
	}
	return ""
}

func blocks(v any) (out []map[string]any) {
	list, _ := v.([]any)
	for _, b := range list {
		if m, ok := b.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}
