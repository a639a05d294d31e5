package auto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The persisted form (spec D15) is that of format "agent-state", which the
// window and the verbs open: full history, runtime list, records, usage.

// stateExtras is what the persisted form holds besides messages and records.
type stateExtras struct {
	updated string  // as it is spelled
	unknown []field // fields that are not ours, in their order
}

// field is a member of a JSON object.
type field struct {
	name  string
	value json.RawMessage
}

func (s *stateExtras) touch(at time.Time) { s.updated = at.UTC().Format(isoTime) }

// usageJSON is the reported usage; Messages says how many messages of the
// runtime list it was reported for, when that is not all of them.
type usageJSON struct {
	ReportedUsage
	Messages int `json:"messages,omitempty"`
}

// MarshalJSON writes the whole state. After a [Compactor.Load] that failed
// it is an error, so that what could not be read is not overwritten.
func (a *Compactor) MarshalJSON() ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unreadable != nil {
		return nil, fmt.Errorf("the state was not loaded and is not overwritten: %w", a.unreadable)
	}
	fields := []field{}
	put := func(name string, v any) error {
		b, err := encodeJSON(v)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fields = append(fields, field{name, b})
		return nil
	}
	records := a.mem.records
	if records == nil {
		records = []Record{}
	}
	var usage any
	if r := a.meter.reported; r != nil {
		usage = usageJSON{*r, a.reportedFor()}
	} else if a.reportedMax > 0 { // cleared, but the window is still known
		usage = usageJSON{ReportedUsage: ReportedUsage{Max: a.reportedMax}}
	}
	if err := errors.Join(
		put("agentId", a.agent), put("messages", messagesOf(a.mem.history)), put("runtimeMessages", messagesOf(a.mem.runtime)),
		put("compressions", records), put("tokenUsage", usage), put("updatedAt", a.state.updated),
	); err != nil {
		return nil, err
	}
	return object(append(fields, a.state.unknown...)), nil
}

// reportedFor is how many messages of the runtime list the report is for; 0:
// all of them.
func (a *Compactor) reportedFor() int {
	if a.meter.messages >= len(a.mem.runtime) {
		return 0
	}
	return a.meter.messages
}

func object(fields []field) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := encodeJSON(f.name) // a string always encodes
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Load restores a state that was written before; a conversation goes on with
// its runtime list (spec D15, K13). Empty input and null are an empty state.
// What cannot be read is an error: nothing is changed, and [Compactor.MarshalJSON]
// refuses until a state was loaded or [Compactor.Forget] was called. Fields
// that are not known are kept.
func (a *Compactor) Load(data []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(data); err != nil {
		a.unreadable = err
		return fmt.Errorf("load agent state: %w", err)
	}
	a.unreadable = nil
	return nil
}

// Forget empties the state: nothing was ever said.
func (a *Compactor) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.restore(loaded{})
	a.unreadable = nil
}

// loaded is the readable part of a state.
type loaded struct {
	Agent    string
	Messages []ChatMessage
	Runtime  []ChatMessage
	Records  []Record
	Usage    *usageJSON
	Updated  string
	unknown  []field
}

func (a *Compactor) load(data []byte) error {
	if data = bytes.TrimSpace(data); len(data) == 0 || string(data) == "null" {
		a.restore(loaded{})
		return nil
	}
	in, err := readState(data)
	if err != nil {
		return err
	}
	for i := range in.Records {
		if h := in.Records[i].History; h.To > len(in.Messages) {
			return fmt.Errorf("compression %d covers messages up to %d, there are %d", i+1, h.To, len(in.Messages))
		}
	}
	a.restore(in)
	return nil
}

// readState reads the members of the state by their exact names; those that are
// not ours are kept as they are. A name that comes twice is an error: one of the
// two would be lost.
func readState(data []byte) (in loaded, err error) {
	ours := map[string]any{
		"agentId": &in.Agent, "messages": &in.Messages, "runtimeMessages": &in.Runtime,
		"compressions": &in.Records, "tokenUsage": &in.Usage, "updatedAt": &in.Updated,
	}
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return in, errors.New("it is not an object")
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return in, err
		}
		name, _ := t.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return in, err
		}
		if seen[name] {
			return in, fmt.Errorf("%q comes twice", name)
		}
		seen[name] = true
		if to, ok := ours[name]; !ok {
			in.unknown = append(in.unknown, field{name, compactJSON(value)})
		} else if err := json.Unmarshal(value, to); err != nil {
			return in, fmt.Errorf("%s: %w", name, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return in, err
	}
	if dec.More() {
		return in, errors.New("something follows the object")
	}
	if in.Messages == nil {
		return in, errors.New("there are no messages in it")
	}
	if in.Runtime == nil {
		in.Runtime = in.Messages // never compacted
	}
	return in, nil
}

// restore sets the state.
func (a *Compactor) restore(in loaded) {
	if in.Agent != "" {
		a.agent = in.Agent
	}
	count := a.counter()
	var m memory
	m.version = a.mem.version
	for _, msg := range in.Messages {
		m.append(held{msg: msg, tokens: msg.tokens(count), summary: isSummary(&msg)})
	}
	m.replace(placed(m.history, in.Runtime, in.Records, count))
	m.records = in.Records
	a.mem, a.state = m, stateExtras{in.Updated, in.unknown}
	a.sent, a.back, a.useless = nil, backOff{}, false
	a.meter = usageMeter{fixed: int64(a.cfg.Fixed)}
	a.reportedMax = 0
	if u := in.Usage; u != nil {
		a.reportedMax = max(u.Max, 0)
	}
	if u := in.Usage; u != nil && u.Used > 0 {
		of := a.listNow()
		if u.Messages > 0 && u.Messages < len(m.runtime) {
			of.messages, of.counted = u.Messages, countTokens(m.runtime[:u.Messages])
		}
		a.meter.report(u.ReportedUsage, of.counted)
		a.meter.messages, a.sent = of.messages, of
	}
}

// placed finds the messages of a runtime list in the full history: both are the
// same at their beginning and at their end, but for tool results that were
// shortened. What stands between is summaries.
func placed(history []held, list []ChatMessage, records []Record, count func(string) int) []held {
	out := make([]held, len(list))
	head := 0
	for head < min(len(list), len(history)) && equalJSON(&list[head], &history[head].msg) {
		out[head] = history[head]
		head++
	}
	tail := 0
	for tail < min(len(list), len(history))-head {
		was, is := &history[len(history)-1-tail], &list[len(list)-1-tail]
		if !equalJSON(is, &was.msg) && !(is.Role == "tool" && was.msg.Role == "tool" && is.ToolCallID == was.msg.ToolCallID) {
			break
		}
		out[len(list)-1-tail] = held{msg: *is, tokens: is.tokens(count), hist: was.hist, summary: was.summary}
		tail++
	}
	made := map[string]bool{}
	for i := range records {
		made[records[i].Summary] = true
	}
	for i := head; i < len(list)-tail; i++ {
		m := &list[i]
		_, text, _ := bytes.Cut([]byte(m.Content), []byte("\n"))
		out[i] = held{msg: *m, tokens: m.tokens(count), hist: -1, summary: isSummary(m) || made[string(text)]}
	}
	return out
}

func equalJSON(a, b *ChatMessage) bool {
	return a.same(b) && (a.raw == nil || b.raw == nil || bytes.Equal(a.raw, b.raw))
}
