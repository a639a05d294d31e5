package auto

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// handClock is a clock that is moved by hand. Its contexts end when it is moved
// past their time.
type handClock struct {
	mu      sync.Mutex
	now     time.Time
	pending []deadline
}

type deadline struct {
	at  time.Time
	end context.CancelFunc
}

func newClock() *handClock { return &handClock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = append(c.pending, deadline{c.now.Add(d), cancel})
	return ctx, cancel
}

func (c *handClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for _, p := range c.pending {
		if !p.at.After(c.now) {
			p.end()
		}
	}
}

// scripted is a summary model that answers as it is told.
type scripted struct {
	mu    sync.Mutex
	asked []SummaryRequest
	reply func(ctx context.Context, r SummaryRequest) (string, error)
}

func (s *scripted) Summarise(ctx context.Context, r SummaryRequest) (string, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	reply := s.reply
	s.mu.Unlock()
	return reply(ctx, r)
}

func (s *scripted) requests() []SummaryRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]SummaryRequest(nil), s.asked...)
}

func says(text string) *scripted {
	return &scripted{reply: func(context.Context, SummaryRequest) (string, error) { return text, nil }}
}

func fails(err error) *scripted {
	return &scripted{reply: func(context.Context, SummaryRequest) (string, error) { return "", err }}
}

// logged collects a log.
type logged struct {
	mu      sync.Mutex
	records []slog.Record
}

func (*logged) Enabled(context.Context, slog.Level) bool { return true }
func (l *logged) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l *logged) WithGroup(string) slog.Handler          { return l }
func (l *logged) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, r)
	return nil
}

// take gives the records so far and forgets them.
func (l *logged) take() []slog.Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.records
	l.records = nil
	return out
}

func fieldsOf(r slog.Record) map[string]any {
	out := map[string]any{}
	r.Attrs(func(a slog.Attr) bool {
		out[a.Key] = a.Value.Any()
		return true
	})
	return out
}

// rig is an agent under test.
type rig struct {
	*Compactor
	clock *handClock
	log   *logged
}

func newRig(t testing.TB, cfg Config, client SummaryClient) *rig {
	t.Helper()
	r := &rig{clock: newClock(), log: &logged{}}
	var err error
	r.Compactor, err = New(cfg, Options{Agent: "agent-123", Client: client, Clock: r.clock, Log: slog.New(r.log), Count: byFour})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// byFour counts a token for every four bytes begun.
func byFour(s string) int { return (len(s) + 3) / 4 }

// chat reads a history in letters as the vectors spell it: S U A chats,
// T:1+2 calls, R:1 results. Each message has size bytes of text.
func chat(spelled string, size int) []ChatMessage {
	var out []ChatMessage
	for i, w := range strings.Fields(spelled) {
		kind, ids, _ := strings.Cut(w, ":")
		m := ChatMessage{Content: pad(fmt.Sprintf("%s %d ", w, i), size)}
		switch kind {
		case "S":
			m.Role = "system"
		case "U":
			m.Role = "user"
		case "A":
			m.Role = "assistant"
		case "T":
			m.Role = "assistant"
			for _, id := range strings.Split(ids, "+") {
				m.ToolCalls = append(m.ToolCalls, ChatCall{ID: id, Name: "run", Arguments: `{"n":1}`})
			}
		case "R":
			m.Role, m.ToolCallID = "tool", ids
		}
		out = append(out, m)
	}
	return out
}

func pad(s string, size int) string {
	if len(s) < size {
		s += strings.Repeat("x", size-len(s))
	}
	return s
}

// chatter is a history of n chats after a system prompt.
func chatter(n, size int) []ChatMessage {
	return chat("S"+strings.Repeat(" U A", n/2)+strings.Repeat(" U", n%2), size)
}

// layout spells a list in letters, # for a summary.
func layout(list []held) string {
	var b strings.Builder
	for i := range list {
		m := &list[i].msg
		switch {
		case list[i].summary:
			b.WriteByte('#')
		case m.Role == "tool":
			b.WriteByte('R')
		case m.ToolCalls != nil:
			b.WriteByte('T')
		default:
			b.WriteString(strings.ToUpper(string((m.Role + "?")[0])))
		}
	}
	return b.String()
}
