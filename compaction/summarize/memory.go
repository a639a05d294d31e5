package summarize

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"palimpsest/model"
)

// Memory keeps what was read of messages, for the next text that is made of some of them:
// a sweep writes many texts of one history. Of a message its entries have the same parts
// each time, and all are measured by the same count of tokens. The zero value is empty;
// several goroutines may use it. A request without one keeps nothing.
type Memory struct {
	mu       sync.Mutex
	messages map[messageKey]*heard
	lines    map[lineKey]rawLine  // of former summaries
	specific map[string]float64   // how specific their lines are
	tokens   map[string]int       // of blocks and remarks
	told     map[messageKey]*told // what messages tell a note
}

type lineKey struct {
	text string
	lang Lang
}

// Forget empties it.
func (m *Memory) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages, m.lines, m.specific, m.tokens, m.told = nil, nil, nil, nil, nil
}

type messageKey struct {
	msg   *model.Message
	lang  Lang
	guess bool
}

// mostKept is how many messages it keeps, and how many lines; then it begins anew.
const mostKept = 1 << 14

// heard is what a summary may say of one message.
type heard struct {
	said    string   // by a person or the agent
	calls   []call   // as they begin
	results []result // how calls ended
}

// result is the end of a call.
type result struct {
	id, name, err string
	failed        bool
}

// heard reads a message.
func (r *reader) heard(e *Entry, text string) *heard {
	key := messageKey{e.Msg, r.d.w.lang, r.guess}
	return remember(r.d.memory, &r.d.memory.messages, key, func() (messageKey, *heard) { return key, r.readMessage(e, text) })
}

// remember looks up what is known of a key; if nothing is, it keeps what fresh returns.
func remember[K comparable, V any](m *Memory, known *map[K]V, key K, fresh func() (K, V)) V {
	m.mu.Lock()
	v, ok := (*known)[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	key, v = fresh()
	m.mu.Lock()
	defer m.mu.Unlock()
	if *known == nil || len(*known) >= mostKept {
		*known = map[K]V{}
	}
	(*known)[key] = v
	return v
}

func (r *reader) readMessage(e *Entry, text string) *heard {
	m, out := e.Msg, &heard{}
	if m.Kind == model.KindAssistant || m.Kind == model.KindUser && (m.Origin == model.OriginTyped || m.Origin == model.OriginUnknown) {
		out.said = r.described(e, text)
	}
	for i := range e.Parts {
		switch p := &e.Parts[i]; p.Kind {
		case model.PartCall:
			c := call{tool: line(p.Name, nameLimit), times: 1}
			if c.tool == "" {
				c.tool = "call"
			}
			c.key, c.edit = keyArgument(p.Name, p.Text)
			out.calls = append(out.calls, c)
		case model.PartResult:
			if handedOver(m) {
				out.calls = append(out.calls, call{tool: cmp.Or(line(m.Name, nameLimit), "handoff"), key: line(p.Text, keyLimit), times: 1})
			}
			out.results = append(out.results, r.ended(m, p))
		}
	}
	if m.Kind == model.KindResult && !slices.ContainsFunc(e.Parts, func(p model.Part) bool { return p.Kind == model.PartResult }) {
		out.results = append(out.results, r.ended(m, &model.Part{Text: text, CallID: m.Answers, Name: m.Name}))
	}
	return out
}

// handedOver reports whether a message is a result that nobody called for, as another agent
// hands over: what it says is told like what a call was made with.
func handedOver(m *model.Message) bool { return m.Kind == model.KindResult && m.Answers == "" }

// ended reads a result.
func (r *reader) ended(m *model.Message, p *model.Part) result {
	out := result{id: p.CallID, name: line(p.Name, nameLimit)}
	if out.id == "" {
		out.id = m.Answers
	}
	out.err, out.failed = failure(p.Text, p.Error || m.Error && m.Kind == model.KindResult, r.guess)
	return out
}

// line reads a line of a former summary.
func (m *Memory) line(raw string, w *words) rawLine {
	return remember(m, &m.lines, lineKey{raw, w.lang}, func() (lineKey, rawLine) {
		raw := strings.Clone(raw) // not with the summary that it is of
		return lineKey{raw, w.lang}, readLine(raw, w)
	})
}

// specificity is that of a line, worked out once: pages are filled again and again.
func (m *Memory) specificity(l string) float64 {
	return remember(m, &m.specific, l, func() (string, float64) { return strings.Clone(l), specificity(l) })
}

// size is that of a block, which other pages have as well.
func (m *Memory) size(block string, by measure) int {
	if by.chars {
		return by.size(block)
	}
	return remember(m, &m.tokens, block, func() (string, int) { return block, by.size(block) })
}
