package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
)

// Task is what an agent was called for, according to its caller's messages. An
// agent is found where its caller passed the words it begins with as an argument
// of a tool call, or where the result of a call names it.
type Task struct {
	Caller   int    // index into the tree; −1: a person, and the messages are the agent's own
	Called   int    // number of the caller's message that called it, from 1; 0: it is in a summary
	Begins   int    // number of the agent's own message that it begins with, from 1; 0: there is none
	Returned int    // number of the caller's message that brought its result; 0: none
	CalledAt int64  // Unix milliseconds; 0: unknown
	BackAt   int64  // Unix milliseconds; 0: unknown
	Asked    string // first words of what it was to do
	Answered string // first words of its result
	Passed   int64  // tokens of the message that called it
	Back     int64  // tokens of the result
}

// agentTraces are what tasks are found by.
type agentTraces struct {
	asked []toolCall // the messages that it was called with, and its answers
	calls []toolCall
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
	taskRunes  = 60   // by so many two texts are compared
	taskBytes  = 4096 // in which they are, with the white space between words
	leastRunes = 8    // fewer are in any text
	endBytes   = 600
)

// taskKey is the beginning of a text, by which a task is recognised, its words
// separated by single spaces.
func taskKey(text string) string {
	text = strings.TrimSpace(text)
	words := []rune(strings.Join(strings.Fields(text[:min(len(text), taskBytes)]), " "))
	return string(words[:min(len(words), taskRunes)])
}

// wordsAsked are what the agent of a thread, or those that share it, were called with: the
// messages from the user's side, each with the last answer before the next.
func wordsAsked(t *CountedThread) (out []toolCall) {
	for h, i := range t.thread.History {
		m := messageAt(t, h)
		switch t.thread.Messages[i].Kind {
		case model.KindUser:
			if t.thread.Messages[i].Origin != model.OriginInjected {
				out = append(out, toolCall{call: m, words: []string{taskKey(m.first)}})
			}
		case model.KindAssistant:
			if n := len(out); n > 0 {
				out[n-1].result = m
			}
		}
	}
	return out
}

// messageAt is what a task holds of a message of the history.
func messageAt(t *CountedThread, h int) callerMessage {
	m := &t.thread.Messages[t.thread.History[h]]
	return callerMessage{num: h + 1, time: m.Time, tokens: int64(t.Tokens(t.thread.History[h])), first: m.Preview}
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
		message := messageAt(t, h)
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

// taskFinder finds the calls that agents were called by.
type taskFinder struct {
	all      []Agent
	person   []toolCall // that a person made
	contexts bool       // a program keeps the contexts: an agent goes on with each call, also that of a person
	byWords  map[string][]callPlace
}

// callPlace is a call of an agent, or of the person at −1.
type callPlace struct{ agent, call int }

// findTasks finds the call that began each agent, whose caller may be nearer than
// the one in the file; where a program keeps the contexts of its agents, the call of each
// message that came in.
func findTasks(all []Agent, person []toolCall, contexts bool) {
	f := &taskFinder{all, person, contexts, map[string][]callPlace{}}
	for a := -1; a < len(all); a++ {
		for c, x := range f.callsOf(a) {
			for _, k := range x.words {
				f.byWords[k] = append(f.byWords[k], callPlace{a, c})
			}
		}
	}
	for i := range all {
		asked := all[i].traces.asked
		if !contexts {
			if all[i].Parent < 0 {
				continue
			}
			asked = append(asked, toolCall{})[:1] // one that was called without words is named by a result
		}
		for n, m := range asked {
			if p, ok := f.find(i, taskKey(m.call.first)); ok {
				if !contexts || n == 0 && all[i].Parent < 0 {
					all[i].Parent = p.agent
				}
				all[i].Tasks = append(all[i].Tasks, f.take(p, all[i].ID, m))
			}
		}
	}
}

// addPast adds the tasks of a recorded conversation whose messages are in a summary.
func (f *File) addPast(all []Agent) {
	if f.recorded == nil {
		return
	}
	place := map[string]int{"": -1}
	for i := range all {
		place[all[i].ID] = i
	}
	for _, t := range f.recorded.conversation.Tasks() {
		i, known := place[t.Agent]
		caller, calls := place[t.Caller]
		x := Task{Caller: caller, CalledAt: t.CalledAt.UnixMilli(), BackAt: max(0, t.EndedAt.UnixMilli()),
			Asked: t.Input, Answered: t.Answer}
		if known && calls && !slices.ContainsFunc(all[i].Tasks, func(y Task) bool { return y.CalledAt == x.CalledAt }) {
			all[i].Tasks = append(all[i].Tasks, x)
		}
	}
	for i := range all {
		slices.SortStableFunc(all[i].Tasks, func(x, y Task) int { return cmp.Compare(x.CalledAt, y.CalledAt) })
	}
}

func (f *taskFinder) callsOf(agent int) []toolCall {
	if agent < 0 {
		return f.person
	}
	return f.all[agent].traces.calls
}

// find is the first call of nobody else yet that passed an agent the words. Few words are in
// any text, so such a call has to name the agent beside them.
func (f *taskFinder) find(agent int, key string) (p callPlace, ok bool) {
	id := f.all[agent].ID
	for _, p := range f.byWords[key] {
		c := &f.callsOf(p.agent)[p.call]
		if p.agent == agent || c.used {
			continue
		}
		if p.agent < 0 || utf8.RuneCountInString(key) >= leastRunes || slices.Contains(c.words, taskKey(id)) {
			return p, true
		}
	}
	if f.contexts {
		return p, false
	}
	p.agent = f.all[agent].Parent
	p.call = slices.IndexFunc(f.callsOf(p.agent), func(c toolCall) bool { return namesAgent(&c, id) })
	return p, p.call >= 0
}

// take is the task of a call. An agent that works in parallel to its caller returns by
// the last result that names it; the result of the call then only says that it
// began.
func (f *taskFinder) take(p callPlace, id string, asked toolCall) Task {
	calls := f.callsOf(p.agent)
	c := &calls[p.call]
	c.used = true
	back := c.result
	for k := p.call + 1; k < len(calls) && !f.contexts; k++ {
		if namesAgent(&calls[k], id) && !calls[k].used {
			back = calls[k].result
		}
	}
	t := Task{Caller: p.agent, Called: c.call.num, CalledAt: c.call.time, Passed: c.call.tokens,
		Begins: asked.call.num, Asked: asked.call.first,
		Returned: back.num, BackAt: back.time, Back: back.tokens, Answered: back.first}
	if p.agent < 0 {
		t.Called, t.Returned = asked.call.num, min(back.num, 1)*asked.result.num // none without an answer to the person
	}
	return t
}

// namesAgent reports whether the result of a call names an agent. Short IDs are
// words of any text.
func namesAgent(c *toolCall, id string) bool {
	return c.result.num > 0 && utf8.RuneCountInString(id) >= leastRunes && strings.Contains(c.ends, id)
}
