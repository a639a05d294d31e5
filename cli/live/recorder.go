package live

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Recorder writes down conversations, one transcript each. It knows a conversation
// by the hash of its messages: a request belongs to the one whose last request it
// continues. So sub-agents and side calls are transcripts of their own.
//
//	request 1   m1 m2              hash(m1 m2) ──▶ transcript A
//	request 2   m1 m2 a2 m3        begins with them: A goes on with m3
//	request 3   n1                 begins with nothing known: transcript B
//
// A call that nothing may ever continue, one without tools, gets its file when it
// is continued.
type Recorder struct {
	Dir string
	Now func() time.Time

	mu      sync.Mutex
	last    map[[32]byte]*writing // by the messages of the last request
	answers map[string]*writing   // by the id of the last answer, for previous_response_id
	order   []*writing            // the oldest first
}

// mostOpen bounds how many conversations are remembered.
const mostOpen = 1000

// writing is the file of one conversation.
type writing struct {
	api    *api
	path   string
	id     string
	parent string // id of the last line, of a format that has one
	now    time.Time
	key    [32]byte
	answer string
	spent  map[string]int64 // usage of all calls, of a format that adds it up
	lines  bytes.Buffer     // to be written
	made   bool             // the file is there
}

// request is what matters of a request's body.
type request struct {
	Messages json.RawMessage `json:"messages"`
	Input    json.RawMessage `json:"input"`
	System   json.RawMessage `json:"system"`
	Tools    json.RawMessage `json:"tools"`
	Previous string          `json:"previous_response_id"`
}

// Record writes down one call.
func (r *Recorder) Record(e *exchange) error {
	var body request
	if err := json.Unmarshal(e.request, &body); err != nil {
		return err
	}
	messages, err := body.history(e.api)
	if err != nil {
		return err
	}
	a, err := e.api.answer(e.answer, e.stream)
	if err != nil {
		return err
	}
	keys, err := chain(e.api.name, messages)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t, known := r.find(keys, body.Previous)
	if t == nil {
		t = r.begin(e.api)
	} else if known == len(messages) && body.Previous == "" {
		return nil // the same request again
	}
	t.now = r.Now()
	fresh := messages[known:]
	if t.answer != "" && body.Previous == "" {
		fresh = fresh[answered(fresh):]
	}
	e.api.record(t, fresh, a)
	r.keep(t, keys[len(messages)], a.id)
	if !t.made && len(body.Tools) <= len("[]") && known == 0 {
		return nil // it waits for a second call
	}
	return t.write(r.Dir)
}

// history is the messages of a request; a plain input is one of them.
func (b *request) history(a *api) (list []json.RawMessage, err error) {
	raw := b.Messages
	if a.messages == "input" {
		raw = b.Input
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil, errors.New("the request holds no messages")
	}
	if raw[0] == '"' {
		m, err := json.Marshal(map[string]any{"type": "message", "role": "user", "content": raw})
		return []json.RawMessage{m}, err
	}
	return list, json.Unmarshal(raw, &list)
}

// chain hashes the first 0, 1 … messages. Marks of the cache move from call to call
// and are left out.
func chain(api string, messages []json.RawMessage) ([][32]byte, error) {
	keys := make([][32]byte, len(messages)+1)
	keys[0] = sha256.Sum256([]byte(api))
	for i, m := range messages {
		var v any
		d := json.NewDecoder(bytes.NewReader(m))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		b, err := json.Marshal(withoutMarks(v)) // sorts the keys
		if err != nil {
			return nil, err
		}
		keys[i+1] = sha256.Sum256(append(keys[i][:], b...))
	}
	return keys, nil
}

// withoutMarks takes cache_control out, and spells a content that is one plain text
// as a string: clients use either, also for the same message.
func withoutMarks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "cache_control")
		for k, x := range v {
			v[k] = withoutMarks(x)
		}
		if list, ok := v["content"].([]any); ok && len(list) == 1 {
			if block, ok := list[0].(map[string]any); ok && block["type"] == "text" && len(block) == 2 {
				v["content"] = block["text"]
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutMarks(v[i])
		}
	}
	return v
}

// find is the conversation that a request continues, and how many of its messages
// are written down.
func (r *Recorder) find(keys [][32]byte, previous string) (*writing, int) {
	if previous != "" {
		if t := r.answers[previous]; t != nil {
			return t, 0 // all it brings is new
		}
	}
	for i := len(keys) - 1; i > 0; i-- {
		if t := r.last[keys[i]]; t != nil {
			return t, i
		}
	}
	return nil, 0
}

// answered counts the messages at the beginning that are the model's: they are
// written down as the server spelled them.
func answered(fresh []json.RawMessage) int {
	for i, m := range fresh {
		var x struct {
			Role string `json:"role"`
			Type string `json:"type"`
		}
		_ = json.Unmarshal(m, &x)
		ours := x.Role == "assistant"
		switch x.Type {
		case "reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "compaction":
			ours = true
		}
		if !ours {
			return i
		}
	}
	return len(fresh)
}

// begin makes a new conversation.
func (r *Recorder) begin(a *api) *writing {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	now := r.Now()
	t := &writing{api: a, id: fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), now: now}
	t.path = filepath.Join(r.Dir, fmt.Sprintf("%s-%s-%s.jsonl", now.UTC().Format("20060102-150405"), a.name, hex.EncodeToString(b[:4])))
	r.order = append(r.order, t)
	if len(r.order) > mostOpen {
		old := r.order[0]
		r.order = r.order[1:]
		delete(r.last, old.key)
		delete(r.answers, old.answer)
	}
	return t
}

// keep remembers where a conversation goes on.
func (r *Recorder) keep(t *writing, key [32]byte, answer string) {
	if r.last == nil {
		r.last, r.answers = map[[32]byte]*writing{}, map[string]*writing{}
	}
	if r.last[t.key] == t {
		delete(r.last, t.key)
	}
	delete(r.answers, t.answer)
	t.key, t.answer = key, answer
	r.last[key] = t
	if answer != "" {
		r.answers[answer] = t
	}
}

// write appends the lines to the file.
func (t *writing) write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(t.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	t.made = true
	_, err = f.Write(t.lines.Bytes())
	t.lines.Reset()
	return errors.Join(err, f.Close())
}

// line adds one line of JSON.
func (t *writing) line(v any) {
	e := json.NewEncoder(&t.lines)
	e.SetEscapeHTML(false) // as the source spells it
	_ = e.Encode(v)        // made of what was decoded
}

func (t *writing) stamp() string { return t.now.UTC().Format("2006-01-02T15:04:05.000Z") }

// recordClaude writes records as Claude Code does.
func recordClaude(t *writing, messages []json.RawMessage, a *answer) {
	record := func(kind string, m json.RawMessage) {
		var b [16]byte
		_, _ = rand.Read(b[:])
		id := fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
		var parent any
		if t.parent != "" {
			parent = t.parent
		}
		t.line(map[string]any{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "", "sessionId": t.id,
			"version": "gateway", "type": kind, "message": m, "uuid": id, "timestamp": t.stamp()})
		t.parent = id
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

// recordChat writes one message a line; the model's carry the usage.
func recordChat(t *writing, messages []json.RawMessage, a *answer) {
	for _, m := range messages {
		t.line(m)
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

// recordCodex writes a rollout as Codex does.
func recordCodex(t *writing, messages []json.RawMessage, a *answer) {
	put := func(kind string, payload any) {
		t.line(map[string]any{"timestamp": t.stamp(), "type": kind, "payload": payload})
	}
	if t.parent == "" {
		t.parent = t.id
		put("session_meta", map[string]any{"id": t.id, "timestamp": t.stamp(), "cwd": "", "originator": "palimpsest gateway",
			"cli_version": ""})
	}
	put("turn_context", map[string]any{"model": a.model})
	for _, m := range messages {
		put("response_item", m)
	}
	for _, m := range a.messages {
		put("response_item", m)
	}
	if a.usage != nil {
		last := codexUsage(a.usage)
		if t.spent == nil {
			t.spent = map[string]int64{}
		}
		for k, n := range last {
			t.spent[k] += n
		}
		put("event_msg", map[string]any{"type": "token_count",
			"info": map[string]any{"last_token_usage": last, "total_token_usage": t.spent}})
	}
}

// codexUsage is the usage of a response in Codex's words.
func codexUsage(b json.RawMessage) map[string]int64 {
	var u struct {
		Input   int64 `json:"input_tokens"`
		Output  int64 `json:"output_tokens"`
		Total   int64 `json:"total_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Out struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	}
	_ = json.Unmarshal(b, &u)
	return map[string]int64{"input_tokens": u.Input, "cached_input_tokens": u.Details.Cached, "output_tokens": u.Output,
		"reasoning_output_tokens": u.Out.Reasoning, "total_tokens": u.Total}
}
