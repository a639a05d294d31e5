package auto

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/model"
)

// The saved form is that of format "agent-state", which the window
// and the verbs open: full history, runtime list, records, usage.

// field is a member of a JSON object.
type field struct {
	name  string
	value json.RawMessage
}

// usageJSON is the reported usage; Messages says how many messages of the
// runtime list it was reported for, when that is not all of them.
type usageJSON struct {
	ReportedUsage
	Messages int `json:"messages,omitempty"`
}

// MarshalJSON writes the whole state. After a [Compactor.Load] that failed it
// is an error, so that what could not be read is not overwritten.
func (a *Compactor) MarshalJSON() ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unreadable != nil {
		return nil, fmt.Errorf("the state was not loaded and is not overwritten: %w", a.unreadable)
	}
	return a.mem.encode(a.decider.waits())
}

// waitsJSON is how long the next compaction waits: after misses of the model, and
// after compactions that left a clause firing.
type waitsJSON struct {
	Misses int                `json:"misses,omitempty"`
	At     int                `json:"at,omitempty"`
	When   time.Time          `json:"when,omitzero"`
	Settle compaction.BackOff `json:"settle,omitzero"`
}

func (d *decider) waits() waitsJSON {
	return waitsJSON{d.back.misses, d.back.at, d.back.when.UTC(), d.settle}
}

func (m *memory) encode(waits waitsJSON) ([]byte, error) {
	fields, err := m.fields(waits, mark{version: -1})
	return object(fields), err
}

// fields are the members of the state, without what was written of it before.
func (m *memory) fields(waits waitsJSON, before mark) ([]field, error) {
	records := append([]Record{}, m.records[before.records:]...)
	var usage any
	if r := m.meter.reported; r != nil {
		u := usageJSON{ReportedUsage: *r}
		if m.meter.messages < len(m.runtime) {
			u.Messages = m.meter.messages
		}
		usage = u
	} else if m.reportedMax > 0 { // cleared, but the window is still known
		usage = usageJSON{ReportedUsage: ReportedUsage{Max: m.reportedMax}}
	}
	type member struct {
		name  string
		value any
	}
	members := []member{{"agentId", m.agent}, {"messages", messagesOf(m.history[before.messages:])}}
	if before.version != m.version {
		members = append(members, member{"runtimeMessages", messagesOf(m.runtime)})
	}
	members = append(members, member{"compressions", records}, member{"tokenUsage", usage}, member{"updatedAt", m.updated})
	if len(m.pinned) > 0 {
		members = append(members, member{"pins", m.pinned})
	}
	if waits != (waitsJSON{}) {
		members = append(members, member{"waits", waits})
	}
	var fields []field
	for _, f := range members {
		b, err := model.PlainJSON(f.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		fields = append(fields, field{f.name, b})
	}
	return append(fields, m.unknown...), nil
}

func object(fields []field) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := model.PlainJSON(f.name) // a string always encodes
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Load restores a state that was written before; a conversation goes on with
// its runtime list. Empty input and null are an empty state.
// What cannot be read is an error: nothing is changed, and [Compactor.MarshalJSON]
// refuses until a state was loaded or [Compactor.Forget] was called. Fields
// that are not known are kept.
func (a *Compactor) Load(data []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	in, err := readState(data)
	if err != nil {
		a.unreadable = err
		return fmt.Errorf("load agent state: %w", err)
	}
	a.restore(in)
	return nil
}

// Forget empties the state, as if nothing had been appended.
func (a *Compactor) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.restore(loaded{})
}

// restore sets the state.
func (a *Compactor) restore(in loaded) {
	a.mem = in.memory(&a.mem, &a.cfg, a.counter())
	w := in.Waits
	a.decider.back, a.decider.settle = backOff{max(w.Misses, 0), w.At, w.When}, w.Settle
	a.written.reset()
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
	Pins     []model.Range
	Waits    waitsJSON
	unknown  []field

	decision, config json.RawMessage // of the entries of a journal
}

// readState reads a saved state; empty input and null are an empty one.
func readState(data []byte) (loaded, error) {
	if data = bytes.TrimSpace(data); len(data) == 0 || string(data) == "null" {
		return loaded{}, nil
	}
	in, err := readMembers(data)
	if err != nil {
		return in, err
	}
	if in.Messages == nil {
		return in, errors.New("there are no messages in it")
	}
	if in.Runtime == nil {
		in.Runtime = in.Messages // never compacted
	}
	for i := range in.Records {
		if h := in.Records[i].History; h.To > len(in.Messages) {
			return in, fmt.Errorf("compression %d covers messages up to %d, there are %d", i+1, h.To, len(in.Messages))
		}
	}
	return in, nil
}

// readMembers reads the members of the state by their exact names; those that
// are not ours are kept as they are. A name that comes twice is an error: one of
// the two would be lost.
func readMembers(data []byte) (in loaded, err error) {
	ours := map[string]any{
		"agentId": &in.Agent, "messages": &in.Messages, "runtimeMessages": &in.Runtime,
		"compressions": &in.Records, "tokenUsage": &in.Usage, "updatedAt": &in.Updated, "pins": &in.Pins, "waits": &in.Waits,
		"decision": &in.decision, "config": &in.config,
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
	return in, nil
}

// memory is the state as the memory that follows another.
func (in loaded) memory(was *memory, c *Config, count func(string) int) memory {
	m := memory{agent: cmp.Or(in.Agent, was.agent), version: was.version, updated: in.Updated, unknown: in.unknown}
	for _, msg := range in.Messages {
		m.append(held{msg: msg, tokens: msg.tokens(count), summary: isSummary(&msg)})
	}
	m.replace(placed(m.history, in.Runtime, in.Records, count))
	m.records, m.pinned = in.Records, in.Pins
	m.meter.fixed = int64(c.Fixed)
	u := in.Usage
	if u == nil {
		return m
	}
	m.reportedMax = max(u.Max, 0)
	if u.Used > 0 {
		m.sent = m.current()
		if u.Messages > 0 && u.Messages < len(m.runtime) {
			m.sent.messages, m.sent.counted = u.Messages, countTokens(m.runtime[:u.Messages])
		}
		m.report(u.ReportedUsage)
	}
	return m
}

// placed finds the messages of a runtime list in the full history: both are the
// same at their beginning and at their end, except for tool results that were
// shortened. What lies between is summaries.
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
		out[len(list)-1-tail] = held{msg: *is, tokens: is.tokens(count), hist: was.hist, turn: was.turn, summary: was.summary}
		tail++
	}
	made := map[string]bool{}
	for i := range records {
		made[records[i].Summary] = true
	}
	next := head // where a kept message may be in the history
	for i := head; i < len(list)-tail; i++ {
		m := &list[i]
		_, text, _ := strings.Cut(m.Content, "\n")
		out[i] = held{msg: *m, tokens: m.tokens(count), hist: -1, summary: isSummary(m) || made[text]}
		if out[i].summary {
			continue
		}
		if k := slices.IndexFunc(history[min(next, len(history)):], func(h held) bool { return equalJSON(m, &h.msg) }); k >= 0 {
			out[i].hist, out[i].turn, next = next+k, history[next+k].turn, next+k+1
		}
	}
	return out
}

func equalJSON(a, b *ChatMessage) bool {
	return a.same(b) && (a.raw == nil || b.raw == nil || bytes.Equal(a.raw, b.raw))
}
