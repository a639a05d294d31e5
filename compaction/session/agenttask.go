package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
)

// Task is what an agent was called for, according to its caller's messages. An
// agent is found where its caller passed the words it begins with as an argument
// of a tool call, or where the result of a call names it.
type Task struct {
	Called   int    // number of the caller's message that called it, from 1; 0: not found
	Returned int    // number of the caller's message that brought its result; 0: none
	CalledAt int64  // Unix milliseconds; 0: unknown
	BackAt   int64  // Unix milliseconds; 0: unknown
	Asked    string // first words of what it was to do
	Answered string // first words of its result
	Passed   int64  // tokens of the message that called it
	Back     int64  // tokens of the result
}

// toolCall is one tool call of an agent, with its result if there is one.
type toolCall struct {
	call, result callerMessage
	words        []string // keys of the texts it passed
	ends         string   // beginning and end of the result
	used         bool     // it called an agent that is found
}

// callerMessage is what a task holds of one message of the caller.
type callerMessage struct {
	num    int // from 1; 0: there is none
	time   int64
	tokens int64
	first  string
}

const (
	taskRunes  = 60 // by so many two texts are compared
	leastRunes = 8  // fewer are in any text
	endBytes   = 600
)

// taskKey is the beginning of a text, by which a task is recognised, its words
// separated by single spaces; "" is too short to recognise.
func taskKey(text string) string {
	var b strings.Builder
	n := 0
	for w := range strings.FieldsSeq(text) {
		if n > 0 {
			b.WriteByte(' ')
			n++
		}
		for _, r := range w {
			if n >= taskRunes {
				return b.String()
			}
			b.WriteRune(r)
			n++
		}
	}
	if n < leastRunes {
		return ""
	}
	return b.String()
}

// firstAsked is what the agent of a thread was called with: its first message
// from the user's side.
func firstAsked(t *CountedThread) string {
	for _, i := range t.thread.History {
		if m := &t.thread.Messages[i]; m.Kind == model.KindUser && m.Origin != model.OriginInjected {
			return m.Preview
		}
	}
	return ""
}

// callsMade reads the tool calls of a thread.
func (t *CountedThread) callsMade(ctx context.Context) ([]toolCall, error) {
	var out []toolCall
	open := map[string]int{}
	for h, i := range t.thread.History {
		if h%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m := &t.thread.Messages[i]
		if len(m.Calls) == 0 && m.Kind != model.KindResult {
			continue
		}
		at, waits := open[m.Answers]
		if m.Kind == model.KindResult && !waits {
			continue
		}
		parts, err := t.parts(i)
		if err != nil {
			return nil, fmt.Errorf("read message %d: %w", h+1, err)
		}
		message := callerMessage{num: h + 1, time: m.Time, tokens: int64(t.Tokens(i)), first: m.Preview}
		if m.Kind == model.KindResult {
			for _, p := range parts {
				out[at].ends += ends(p.Text)
			}
			out[at].result = message
			continue
		}
		for _, p := range parts {
			if p.Kind == model.PartCall {
				open[p.CallID] = len(out)
				out = append(out, toolCall{call: message, words: passedWords(p.Text)})
			}
		}
	}
	return out, nil
}

// ends are the beginning and the end of a text, where a program says whom it
// called.
func ends(text string) string {
	if len(text) <= 2*endBytes {
		return text
	}
	return text[:endBytes] + "\n" + text[len(text)-endBytes:]
}

// passedWords are the keys of the texts in the arguments of a call.
func passedWords(arguments string) []string {
	var v any
	if json.Unmarshal([]byte(arguments), &v) != nil {
		v = arguments
	}
	var out []string
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		if depth > 3 {
			return
		}
		switch v := v.(type) {
		case string:
			if k := taskKey(v); k != "" {
				out = append(out, k)
			}
		case []any:
			for _, x := range v {
				walk(x, depth+1)
			}
		case map[string]any:
			for _, x := range v {
				walk(x, depth+1)
			}
		}
	}
	walk(v, 0)
	return out
}

// findTasks finds the call that began each agent, whose caller may be nearer than
// the one in the file.
func findTasks(all []Agent) {
	type place struct{ agent, call int }
	byWords := map[string][]place{}
	for a := range all {
		for c := range all[a].calls {
			for _, k := range all[a].calls[c].words {
				byWords[k] = append(byWords[k], place{a, c})
			}
		}
	}
	for i := range all {
		if all[i].Parent < 0 {
			continue
		}
		found := place{-1, -1}
		for _, p := range byWords[taskKey(all[i].asked)] {
			if p.agent != i && !all[p.agent].calls[p.call].used {
				found = p
				break
			}
		}
		if found.agent < 0 {
			caller := all[i].Parent
			for c := range all[caller].calls {
				if namesAgent(&all[caller].calls[c], all[i].ID) {
					found = place{caller, c}
					break
				}
			}
		}
		if found.agent < 0 {
			continue
		}
		caller := &all[found.agent]
		caller.calls[found.call].used = true
		all[i].Parent = found.agent
		all[i].Task = taskOf(&all[i], caller.calls, found.call)
	}
}

// taskOf is the task of a call. An agent that works in parallel to its caller returns by
// the last result that names it; the result of the call then only says that it
// began.
func taskOf(a *Agent, calls []toolCall, at int) Task {
	c := &calls[at]
	back := c.result
	for k := at + 1; k < len(calls); k++ {
		if namesAgent(&calls[k], a.ID) && !calls[k].used {
			back = calls[k].result
		}
	}
	return Task{Called: c.call.num, CalledAt: c.call.time, Passed: c.call.tokens, Asked: a.asked,
		Returned: back.num, BackAt: back.time, Back: back.tokens, Answered: back.first}
}

// namesAgent reports whether the result of a call names an agent. Short IDs are
// words of any text.
func namesAgent(c *toolCall, id string) bool {
	return c.result.num > 0 && utf8.RuneCountInString(id) >= leastRunes && strings.Contains(c.ends, id)
}
