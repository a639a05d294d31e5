package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// answer is what a model said.
type answer struct {
	id       string
	model    string
	messages []json.RawMessage // in the words of the protocol
	usage    json.RawMessage   // nil: not reported
}

// writing is the file of one conversation.
type writing struct {
	model.LiveSession
	now   time.Time
	key   [32]byte
	last  [32]byte // the hash of the last message that it holds
	lines []line   // to be written
	made  bool     // the file is there
	long  bool     // what it held was too long to wait for a second call, which brings it again
}

// mostWaiting bounds what is kept of a call that waits for a second one.
const mostWaiting = 1 << 20

// line is a line of JSON: an object, or the beginning of one that ends with a message, or a
// message. The message is a part of the request and not copied.
type line struct{ head, message []byte }

// write appends the lines to the file.
func (t *writing) write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(t.Path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	t.made, t.long = true, false
	w := bufio.NewWriterSize(f, 64<<10)
	for _, l := range t.lines {
		w.Write(l.head)
		compactTo(w, l.message)
		if l.message != nil && l.head != nil {
			w.WriteByte('}')
		}
		w.WriteByte('\n')
	}
	t.lines = nil
	return errors.Join(w.Flush(), f.Close())
}

// wait keeps the lines until a second call, without the request that they are of.
func (t *writing) wait() {
	n := 0
	for i, l := range t.lines {
		n += len(l.message)
		if n > mostWaiting {
			t.lines, t.long = nil, true
			return
		}
		t.lines[i].message = bytes.Clone(l.message)
	}
}

// compactTo writes JSON without the white space between its values.
func compactTo(w *bufio.Writer, raw []byte) {
	from, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\':
			i++
		case !inText && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			w.Write(raw[from:i])
			from = i + 1
		}
	}
	w.Write(raw[from:])
}

// line adds one line of JSON.
func (t *writing) line(v any) { t.lines = append(t.lines, line{head: spell(v)}) }

// lineWith adds an object with one more member, a message as it is spelled.
func (t *writing) lineWith(v map[string]any, name string, message json.RawMessage) {
	head := spell(v)
	t.lines = append(t.lines, line{fmt.Appendf(head[:len(head)-1], ",%q:", name), message})
}

// spell is JSON as the sources spell it.
func spell(v any) []byte {
	b, _ := model.PlainJSON(v) // made of what was decoded
	return b
}

func (t *writing) stamp() string { return t.now.UTC().Format("2006-01-02T15:04:05.000Z") }

// recordClaude writes records as Claude Code does.
func recordClaude(t *writing, messages []json.RawMessage, a *answer) {
	record := func(kind string, m json.RawMessage) {
		id := session.NewUID()
		var parent any
		if t.Parent != "" {
			parent = t.Parent
		}
		t.lineWith(map[string]any{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "", "sessionId": t.ID,
			"version": "gateway", "type": kind, "uuid": id, "timestamp": t.stamp()}, "message", m)
		t.Parent = id
	}
	for _, m := range messages {
		var x struct {
			Role string `json:"role"`
		}
		_ = json.Unmarshal(m, &x)
		if x.Role == "assistant" {
			record("assistant", m)
		} else {
			record("user", m)
		}
	}
	for _, m := range a.messages {
		record("assistant", m)
	}
}

// compactedClaude writes the boundary of a compaction and the summary, as Claude Code does.
// Messages that the client kept are in the transcript before it.
func compactedClaude(t *writing, messages []json.RawMessage, summary int) {
	id := session.NewUID()
	t.line(map[string]any{"parentUuid": nil, "logicalParentUuid": t.Parent, "isSidechain": false, "userType": "external", "cwd": "",
		"sessionId": t.ID, "version": "gateway", "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
		"uuid": id, "timestamp": t.stamp(), "compactMetadata": map[string]any{"trigger": "auto", "preTokens": t.Used}})
	t.Parent = id
	for i, m := range messages[:summary+1] {
		from := len(t.lines)
		recordClaude(t, []json.RawMessage{m}, &answer{})
		if head := t.lines[from].head; i == summary {
			t.lines[from].head = append([]byte(`{"isCompactSummary":true,`), head[1:]...)
		}
	}
}

// compactedChat writes the summary: these transcripts have no other sign of a compaction.
func compactedChat(t *writing, messages []json.RawMessage, summary int) {
	t.lines = append(t.lines, line{message: messages[summary]})
}

// recordChat writes one message a line; the model's carry the usage.
func recordChat(t *writing, messages []json.RawMessage, a *answer) {
	for _, m := range messages {
		t.lines = append(t.lines, line{message: m})
	}
	for _, m := range a.messages {
		var fields map[string]json.RawMessage
		if json.Unmarshal(m, &fields) != nil {
			continue
		}
		if a.usage != nil {
			fields["usage"] = a.usage
		}
		if a.model != "" {
			fields["model"], _ = json.Marshal(a.model)
		}
		t.line(fields)
	}
}

// recordGemini writes a session as Gemini CLI does.
func recordGemini(t *writing, messages []json.RawMessage, a *answer) {
	if t.Parent == "" {
		t.Parent = t.ID
		t.line(map[string]any{"sessionId": t.ID, "projectHash": "", "startTime": t.stamp(), "lastUpdated": t.stamp(), "kind": "main"})
	}
	for _, m := range messages {
		t.line(t.gemini(m))
	}
	for _, m := range a.messages {
		v, n := t.gemini(m), numbers(a.usage)
		v["model"], v["tokens"] = a.model, map[string]int{"input": n("promptTokenCount"), "cached": n("cachedContentTokenCount"),
			"output": n("candidatesTokenCount"), "thoughts": n("thoughtsTokenCount"), "total": n("totalTokenCount")}
		t.line(v)
	}
}

// gemini is a content as Gemini CLI records it.
func (t *writing) gemini(m json.RawMessage) map[string]any {
	var content struct {
		Role  string          `json:"role"`
		Parts json.RawMessage `json:"parts"`
	}
	_ = json.Unmarshal(m, &content) // else it is recorded empty
	kind := "user"
	if content.Role == "model" {
		kind = "gemini"
	}
	return map[string]any{"id": session.NewUID(), "timestamp": t.stamp(), "type": kind, "content": content.Parts}
}

// compactedGemini sets what a compaction left, as Gemini CLI does.
func compactedGemini(t *writing, messages []json.RawMessage, _ int) {
	list := make([]any, len(messages))
	for i, m := range messages {
		list[i] = t.gemini(m)
	}
	t.line(map[string]any{"$set": map[string]any{"messages": list}})
}

// recordCodex writes a rollout as Codex does.
func recordCodex(t *writing, messages []json.RawMessage, a *answer) {
	put := func(kind string, payload any) {
		t.line(map[string]any{"timestamp": t.stamp(), "type": kind, "payload": payload})
	}
	if t.Parent == "" {
		t.Parent = t.ID
		put("session_meta", map[string]any{"id": t.ID, "timestamp": t.stamp(), "cwd": "", "originator": "palimpsest gateway",
			"cli_version": ""})
	}
	put("turn_context", map[string]any{"model": a.model})
	for _, m := range slices.Concat(messages, a.messages) {
		t.lineWith(map[string]any{"timestamp": t.stamp(), "type": "response_item"}, "payload", m)
	}
	if a.usage != nil {
		n := numbers(a.usage)
		last := map[string]int64{"input_tokens": int64(n("input_tokens")), "output_tokens": int64(n("output_tokens")),
			"cached_input_tokens":     int64(n("input_tokens_details", "cached_tokens")),
			"reasoning_output_tokens": int64(n("output_tokens_details", "reasoning_tokens")), "total_tokens": int64(n("total_tokens"))}
		if t.Spent == nil {
			t.Spent = map[string]int64{}
		}
		for k, n := range last {
			t.Spent[k] += n
		}
		put("event_msg", map[string]any{"type": "token_count",
			"info": map[string]any{"last_token_usage": last, "total_token_usage": t.Spent}})
	}
}

// compactedCodex writes what a compaction left, as Codex does.
func compactedCodex(t *writing, messages []json.RawMessage, summary int) {
	v, _ := jspan.Parse(messages[summary], 0) // it was cut out of what was parsed
	t.line(map[string]any{"timestamp": t.stamp(), "type": "compacted",
		"payload": map[string]any{"message": wholeText(said(v)), "replacement_history": messages}})
}

// numbers gives those at a path in an object; 0: there is none.
func numbers(object json.RawMessage) func(path ...string) int {
	v, _ := jspan.Parse(object, 0) // else it has none
	return func(path ...string) int { return int(v.Get(path...).Int()) }
}
