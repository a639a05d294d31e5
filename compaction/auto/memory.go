package auto

import (
	"slices"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// memory is what is known of an agent, and what is saved of it: the full
// history, which only grows, the runtime list, which is what is sent, and what
// was reported of its calls.
//
//	history   S u a u a u a u a u a …   hist 0, 1, 2 …
//	runtime   S #       u a u a u a …   # is a summary, hist -1
type memory struct {
	agent   string // id
	history []held
	runtime []held
	counted int64 // tokens of the runtime list
	version int   // of the runtime list's beginning: appending leaves it
	records []Record
	pinned  []model.Range // of the full history

	meter       usageMeter
	reportedMax int64     // context window; 0: not reported
	sent        *sentList // by the last BeforeCall; nil: none since the list was set

	updated string  // time of the last change, as it is spelled
	unknown []field // fields of a saved state that are not ours, in their order
}

// held is a message with what is known about it. It is not written to once it
// is in a list.
type held struct {
	msg     ChatMessage
	tokens  int64
	hist    int // position in the full history; -1: not from there
	turn    int // of the full history that it belongs to, from 1; 0: a person has typed nothing yet
	summary bool
}

// typed reports whether a person typed the message, with which a turn begins.
func (h *held) typed() bool { return !h.summary && h.msg.typed() }

func (m *memory) append(h held) {
	h.hist = len(m.history)
	if h.hist > 0 {
		h.turn = m.history[h.hist-1].turn
	}
	if h.typed() {
		h.turn++
	}
	m.history = append(m.history, h)
	m.runtime = append(m.runtime, h)
	m.counted += h.tokens
}

// recount counts everything anew, for another model.
func (m *memory) recount(count func(string) int) {
	for _, list := range []*[]held{&m.history, &m.runtime} {
		fresh := slices.Clone(*list)
		for i := range fresh {
			fresh[i].tokens = fresh[i].msg.tokens(count)
		}
		*list = fresh
	}
	m.replace(m.runtime)
	m.sent = nil
}

func (m *memory) touch(at time.Time) { m.updated = at.UTC().Format(isoTime) }

// replace sets a new runtime list.
func (m *memory) replace(list []held) {
	m.runtime, m.counted = list, countTokens(list)
	m.version++
}

func countTokens(list []held) int64 {
	var n int64
	for i := range list {
		n += list[i].tokens
	}
	return n
}

// isSummary reports whether a message that comes from outside is a summary.
func isSummary(m *ChatMessage) bool {
	return m.Role == "system" && summarize.IsSummary(m.Content)
}

// line is the runtime list as the engine works on it. Messages weigh what was
// counted; what usage is above or below that is the fixed part, so that clauses
// measure the usage itself.
func (m *memory) line() *compaction.Line {
	list := m.runtime
	th := &model.Thread{Messages: make([]model.Message, len(list)), History: make([]int32, len(list))}
	for i := range list {
		msg := list[i].msg.message()
		if list[i].summary {
			msg.Kind = model.KindSummary
		}
		th.Messages[i], th.History[i] = msg, int32(i)
	}
	return compaction.NewLine(compaction.Source{
		Thread: th, At: len(list), Fixed: int(m.used() - m.counted),
		Tokens: func(i int32, _ bool) int32 { return int32(min(list[i].tokens, 1<<30)) },
	})
}

// system is the length of the leading run of system messages; a summary ends it.
func system(list []held) int {
	n := 0
	for n < len(list) && !list[n].summary && (list[n].msg.Role == "system" || list[n].msg.Role == "developer") {
		n++
	}
	return n
}

// historyRange is the part of the full history that the entries [from, to) of
// the runtime list cover. Before a summary both lists are the same, so the part
// that a summary covers begins at the summary's own place.
func (m *memory) historyRange(from, to int) model.Range {
	r := model.Range{From: from, To: from}
	if h := m.runtime[from].hist; h >= 0 {
		r.From, r.To = h, h
	}
	for _, h := range m.runtime[from:to] {
		if h.hist >= 0 {
			r.To = max(r.To, h.hist+1)
		}
	}
	if n := len(m.records); n > 0 {
		r.To = max(r.To, m.records[n-1].History.To)
	}
	return r
}

// entries are messages as summarize reads them, a former summary as its text.
func entries(list []held, clean func(string) string) []summarize.Entry {
	out := make([]summarize.Entry, 0, len(list))
	for i := range list {
		h := &list[i]
		if h.summary {
			out = append(out, summarize.Entry{Former: clean(h.msg.Content)})
			continue
		}
		e := h.msg.entry(h.hist+1, clean)
		if h.hist >= 0 {
			e.Turn = max(1, h.turn) // what came before a person's first words belongs to their turn
		}
		out = append(out, e)
	}
	return out
}

func messagesOf(list []held) []ChatMessage {
	out := make([]ChatMessage, len(list))
	for i := range list {
		out[i] = list[i].msg.clone()
	}
	return out
}

// legalFrom is the legal cut for a list that is to go on at start: the smallest
// one not before it, else the largest one before it. Nothing may
// be left after it.
func legalFrom(l *compaction.Line, start int) int {
	start = min(max(start, 0), l.Len())
	if c := l.CutAfter(start); c <= l.Len() {
		return c
	}
	return l.CutBefore(start)
}
