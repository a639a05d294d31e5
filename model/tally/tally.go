// Package tally counts the calls of tools and their results in bytes that are about to leave,
// and finds the texts that are gone from them, by a separate walk over the JSON: it imports
// nothing of ours, so that it sees what the readers and writers of formats, and the rule of what
// goes together, overlook.
package tally

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
)

// Count is what a walk found.
type Count struct {
	Messages []Message // objects with a role, in their order
	calls    map[string]place
	results  map[string]place
	texts    map[uint64]string // the long ones by their hash: how each begins
	at       int               // calls and results so far
	inside   int               // calls and results of the message that is being walked
	open     Message           // that message
}

// Message is one with a role, and what it calls and answers.
type Message struct {
	Role           string
	Calls, Results []string
	served         []string // of these, those that the provider runs
}

// place is where a call or a result is first, and how often it is.
type place struct {
	at, message, times int
	served             bool
}

// Of walks a file or the body of a request: one JSON value, or one a line. Lines that are no
// JSON are passed over.
func Of(r io.Reader) (*Count, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	t := New()
	line, err := b.ReadBytes('\n')
	if len(line) > 0 && !t.Add(line) && err == nil { // a part of one value, or broken
		rest, err := io.ReadAll(b)
		if err != nil {
			return nil, err
		}
		all := New()
		if all.Add(append(line, rest...)) {
			return all, nil
		}
		b.Reset(bytes.NewReader(rest))
	}
	for err == nil {
		line, err = b.ReadBytes('\n')
		t.Add(line)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return t, err
}

// New begins with nothing.
func New() *Count {
	return &Count{calls: map[string]place{}, results: map[string]place{}, texts: map[uint64]string{}}
}

// Add walks one more value, a message or a record, and reports whether it is JSON. What is
// found before a fault counts.
func (t *Count) Add(value []byte) bool {
	s := scanner{buf: value, end: t.object, said: t.text}
	if _, err := s.value(""); err != nil {
		t.open, t.inside = Message{}, 0
		return false
	}
	if t.inside > 0 { // an item without a role
		t.ended(nil)
	}
	return s.space() == 0
}

// text keeps a text that is long enough to be found again: shorter ones are in many messages.
func (t *Count) text(spelled []byte) {
	const long = 64
	if len(spelled) > long && bytes.IndexByte(spelled, ' ') >= 0 {
		t.texts[maphash.Bytes(seed, spelled)] = string(spelled[1:long])
	}
}

var seed = maphash.MakeSeed()

// Unsaid returns how the texts begin that are in none of others.
func (t *Count) Unsaid(others ...*Count) (begin []string) {
	for sum, text := range t.texts {
		if !slices.ContainsFunc(others, func(o *Count) bool { return o.texts[sum] != "" }) {
			begin = append(begin, text)
		}
	}
	slices.Sort(begin)
	return begin
}

// object takes in an object whose inner ones were taken in.
func (t *Count) object(o *object) {
	if id, served := o.call(); id != nil {
		t.note(t.calls, &t.open.Calls, id, served)
	} else if id, served := o.result(); id != nil {
		t.note(t.results, &t.open.Results, id, served)
	}
	if o.role != nil {
		t.ended(o.role)
	}
}

// call is the id of the call that an object is; nil: it is none. served: the server makes
// its result.
func (o *object) call() (id []byte, served bool) {
	switch {
	case o.ends("tool_use") && o.id != nil && o.name != nil:
		return o.id, !o.is("tool_use")
	case o.ends("_call") && o.callID != nil:
		return o.callID, false
	case o.is("mcp_approval_request"), o.is("toolCall"),
		o.in == "tool_calls" && (o.function || o.name != nil || o.kind != nil):
		return o.id, false
	case o.is("tool-call"):
		return o.callerID, false
	}
	return nil, false
}

// result is the id of the call whose result an object is; nil: it is none.
func (o *object) result() (id []byte, served bool) {
	tool := string(o.role) == "tool" || o.is("tool") || o.is("ToolMessage")
	switch {
	case o.ends("tool_result") && o.useID != nil && (o.in == "content" || o.in == ""): // no server reads another member
		return o.useID, !o.is("tool_result")
	case o.ends("_output") && o.callID != nil:
		return o.callID, false
	case o.approval != nil:
		return o.approval, false
	case string(o.role) == "toolResult", o.is("tool-result"):
		return o.callerID, false
	case tool:
		return o.toolCallID, false
	}
	return nil, false
}

// note notes the first place of an id, as it is spelled.
func (t *Count) note(in map[string]place, list *[]string, spelled []byte, served bool) {
	t.at++
	t.inside++
	p, known := in[string(spelled)]
	if !known {
		p = place{t.at, len(t.Messages), 0, served}
	}
	p.times++
	in[string(spelled)] = p
	id := string(spelled)
	*list = append(*list, id)
	if served {
		t.open.served = append(t.open.served, id)
	}
}

// ended ends a message.
func (t *Count) ended(role []byte) {
	t.inside = 0
	t.open.Role = string(role)
	t.Messages = append(t.Messages, t.open)
	t.open = Message{}
}

// Faults says of each id what is wrong with its call and its result.
func (t *Count) Faults() map[string]string {
	out := map[string]string{}
	for id, call := range t.calls {
		switch result, ok := t.results[id]; {
		case !ok:
			out[id] = "a call has no result"
		case result.at < call.at:
			out[id] = "a result is before its call"
		case !call.served && result.message-call.message > 1:
			out[id] = "a result does not follow its call"
		}
	}
	for id := range t.results {
		if _, ok := t.calls[id]; !ok {
			out[id] = "a result has no call"
		}
	}
	return out
}

// Worse returns why what a walk found is worse than what another found before it: an id has a
// fault that it did not have. Logs repeat calls in records that stay: where one of several went,
// its result may have gone with it. apart: a result may be some messages behind its call.
func (t *Count) Worse(before *Count, apart bool) error {
	had := before.Faults()
	for id, fault := range t.Faults() {
		fewer := t.calls[id].times+t.results[id].times > 0 && t.calls[id].times < before.calls[id].times &&
			t.results[id].times < before.results[id].times
		if had[id] != fault && !fewer && !(apart && fault == "a result does not follow its call") {
			return fmt.Errorf("%s (%s)", fault, id)
		}
	}
	return nil
}

// Legal returns why the messages of a request are ones that a service refuses: a role it does
// not know, a call whose results do not follow at once, a result of no call. The calls of the
// last message may wait. tool is the role of results: "tool", or "user" where blocks are results.
func (t *Count) Legal(tool string, roles ...string) error {
	waits := map[string]bool{}
	for i, m := range t.Messages {
		if !slices.Contains(roles, m.Role) {
			return fmt.Errorf("message %d has the role %q", i+1, m.Role)
		}
		for _, id := range m.Results {
			if !waits[id] && !slices.Contains(m.served, id) {
				return fmt.Errorf("message %d answers %s, which does not wait", i+1, id)
			}
			delete(waits, id)
		}
		if len(m.Results) > 0 && m.Role != tool && len(m.served) == 0 {
			return fmt.Errorf("message %d answers as %s", i+1, m.Role)
		}
		if (m.Role != tool || tool == "user") && len(waits) > 0 {
			for id := range waits {
				return fmt.Errorf("message %d comes before the result of %s", i+1, id)
			}
		}
		for _, id := range m.Calls {
			if waits[id] = true; slices.Contains(m.served, id) {
				delete(waits, id)
			}
		}
	}
	return nil
}
