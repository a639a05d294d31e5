package contexts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/agents"
	"palimpsest/compaction/auto"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// still is a clock that stands.
type still struct{}

func (still) Now() time.Time { return time.Unix(1_700_000_000, 0) }

func (still) WithTimeout(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// talk has an agent A that was asked so often, and calls a tool for each answer; and an agent
// B that was asked once.
func talk(t *testing.T, times int) *agents.Conversation {
	t.Helper()
	c, err := agents.Open(t.Context(), "talk", agents.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	a := c.Agents()
	must(a.Called(t.Context(), "B", "Are you there?"))
	for i := range times {
		id := fmt.Sprint("call", i)
		must(a.Called(t.Context(), "A", fmt.Sprintf("Look at src/file%d.go.", i)))
		must(a.CalledTool(t.Context(), "A", id, "read", fmt.Sprintf(`{"path":"src/file%d.go"}`, i)))
		must(a.ToolReturned(t.Context(), "A", id, strings.Repeat("a line of code\n", 40)))
		must(a.Responded(t.Context(), "A", "It is a parser."))
	}
	return c
}

func config() auto.Config {
	cfg := auto.MessageCountConfig("gpt-4o")
	cfg.Strategy = model.NoteText // asks nobody
	return cfg
}

// A context that is long enough is compacted before a call and replaced in the conversation:
// the items that stay are as they were spelled, each call with its output. Another agent's
// context, and one that is short, are as they were.
func TestAContextIsCompactedBeforeACall(t *testing.T) {
	c := talk(t, 20) // 60 messages: a question, an answer with its call, an output, an answer
	before, _ := c.Agents().Context("A")
	alone, _ := c.Agents().Context("B")
	all := New(c, config(), auto.Options{Clock: still{}})
	items, r, err := all.BeforeCall(t.Context(), "A")
	if err != nil || !r.Compressed {
		t.Fatalf("compacted %v, %v: %+v", r.Compressed, err, r.Decision)
	}
	after, _ := c.Agents().Context("A")
	if !slices.Equal(after.Items, items) || len(items) >= len(before.Items) {
		t.Errorf("%d items of %d to send, %d in the conversation", len(items), len(before.Items), len(after.Items))
	}
	kept := items[1:] // after the summary
	if tail := before.Items[len(before.Items)-len(kept):]; !slices.Equal(kept, tail) {
		t.Error("what stays is spelled otherwise")
	}
	if s := items[0]; s.Role() != "user" || !strings.Contains(s.Text(), "src/file0.go") {
		t.Errorf("the summary is from %s: %s", s.Role(), s.Text())
	}
	open := map[string]bool{}
	for _, it := range kept {
		switch it.Kind() {
		case historyitem.Call:
			open[it.CallID()] = true
		case historyitem.Output:
			if !open[it.CallID()] {
				t.Errorf("the output of %s has lost its call", it.CallID())
			}
		}
	}
	if items, r, err := all.BeforeCall(t.Context(), "B"); err != nil || r.Compressed || !slices.Equal(items, alone.Items) {
		t.Errorf("B: %v, compacted %v, %d items", err, r.Compressed, len(items))
	}
	if _, r, err := all.BeforeCall(t.Context(), "A"); err != nil || r.Compressed {
		t.Errorf("compacted again at once: %v, %v", r.Compressed, err)
	}
}

// Thoughts, words and calls of an agent in a row are one message; any other item is one.
func TestAnAnswerIsOneMessage(t *testing.T) {
	c := talk(t, 2)
	x, _ := c.Agents().Context("A")
	var runs []int
	for n := 0; n < len(x.Items); n += runs[len(runs)-1] {
		runs = append(runs, together(x.Items[n:]))
	}
	if want := []int{1, 1, 1, 1, 1, 1, 1, 1}; !slices.Equal(runs, want) {
		t.Errorf("the messages have %v items, want %v", runs, want)
	}
	said := []historyitem.Item{x.Items[3], x.Items[1], x.Items[3], x.Items[2]} // words, a call, words; its output
	if n := together(said); n != 3 {
		t.Errorf("words, a call and words are %d items of a message, want 3", n)
	}
	m := messageOf(said[:3])
	if m.Role != "assistant" || m.Content != "It is a parser.It is a parser." || len(m.ToolCalls) != 1 || m.ToolCalls[0].Name != "read" {
		t.Errorf("the message is %+v", m)
	}
}

// An agent that the conversation does not know is an error, and no compactor's.
func TestAnAgentThatIsNotThere(t *testing.T) {
	all := New(talk(t, 1), config(), auto.Options{Clock: still{}})
	if _, _, err := all.BeforeCall(t.Context(), "C"); err == nil || !strings.Contains(err.Error(), `"C"`) {
		t.Errorf("of an unknown agent it says %v", err)
	}
}

// A context that another program made shorter is taken as it is then.
func TestAContextThatBecameShorter(t *testing.T) {
	c := talk(t, 4)
	all := New(c, config(), auto.Options{Clock: still{}})
	if _, _, err := all.BeforeCall(t.Context(), "A"); err != nil {
		t.Fatal(err)
	}
	x, _ := c.Agents().Context("A")
	short := []historyitem.Item{historyitem.Wrapped.Message("user", "All was done.")}
	if err := c.Agents().Replace(t.Context(), x, short); err != nil {
		t.Fatal(err)
	}
	if items, _, err := all.BeforeCall(t.Context(), "A"); err != nil || !slices.Equal(items, short) {
		t.Errorf("%v, %d items", err, len(items))
	}
}

// An output that is shortened so that the list fits is short in the context too.
func TestAShortenedOutput(t *testing.T) {
	c := talk(t, 1)
	a, long := c.Agents(), strings.Repeat("a line of the log\n", 3000)
	for _, err := range []error{a.CalledTool(t.Context(), "A", "long", "read", "{}"), a.ToolReturned(t.Context(), "A", "long", long)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg := auto.TokenShareConfig("")
	cfg.Strategy, cfg.Window, cfg.KeepRecent = model.NoteText, 2000, 2
	items, r, err := New(c, cfg, auto.Options{Clock: still{}}).BeforeCall(t.Context(), "A")
	if err != nil || r.Shortened != 1 {
		t.Fatalf("%v, %d shortened, %v", err, r.Shortened, r.Err)
	}
	now, _ := a.Context("A")
	if last := items[len(items)-1]; last.CallID() != "long" || len(last.Text()) > len(long)/2 || !slices.Equal(now.Items, items) {
		t.Errorf("the output of %s has %d bytes", last.CallID(), len(last.Text()))
	}
}

type failing struct{}

func (failing) Summarise(context.Context, auto.SummaryRequest) (string, error) {
	return "", errors.New("the line is busy")
}

// noted is a journal that keeps the compactions it is told of.
type noted struct{ of []model.Compacted }

func (*noted) Events(context.Context, string, int64) ([]model.Event, error) { return nil, nil }

func (n *noted) Append(_ context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	n.of = append(n.of, e.Compacted...)
	return nil, nil
}

// A compaction that failed goes to the journal of the conversation, and the context stays.
func TestAFailedCompactionIsNoted(t *testing.T) {
	j := &noted{}
	c, err := agents.Open(t.Context(), "talk", agents.Options{Journal: j})
	for i := 0; i < 60 && err == nil; i++ {
		err = c.Agents().Called(t.Context(), "A", fmt.Sprintf("Look at src/file%d.go.", i))
	}
	if err != nil {
		t.Fatal(err)
	}
	cfg := auto.MessageCountConfig("gpt-4o")
	cfg.OnFailure = model.KeepEverything
	items, r, err := New(c, cfg, auto.Options{Clock: still{}, Client: failing{}}).BeforeCall(t.Context(), "A")
	if err != nil || r.Compressed || r.Err == nil || len(items) != 60 {
		t.Fatalf("%v, %v, %d items", err, r.Err, len(items))
	}
	if len(j.of) != 1 || j.of[0].Outcome != model.Failed || j.of[0].Thread != 1 {
		t.Errorf("noted was %+v", j.of)
	}
}
