package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// F21: what is written is what is read again; nothing is a stub.
func TestF21ContextsAreStored(t *testing.T) {
	ctx := t.Context()
	j := &memoryJournal{}
	c := newConversation(t, Options{Journal: j})
	must(t, c.Begin(ctx, Task{ID: "1", Agent: "A", Input: question}))
	again := newConversation(t, Options{Journal: j})
	if got := list(contextOf(t, again, "A")); got != "["+askItem+"]" {
		t.Errorf("%s", got)
	}
}

// F22, I11: eight goroutines append while contexts are read and replaced.
// Nothing is lost and each goroutine's items are in its order.
func TestF22ConcurrentAppends(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{Now: tick()})
	const writers, each = 8, 50
	var wg, readers sync.WaitGroup
	done := make(chan struct{})
	must(t, c.Agents().Called(ctx, "A", "start"))
	readers.Go(func() {
		for {
			x, _ := c.Agents().Context("A")
			for i := range x.Items {
				_ = x.Items[i].Raw()
			}
			x.Items = append(x.Items, historyitem.Wrapped.Message("user", "mine"))
			_ = c.Agents().State("A", summarize.Auto)
			_ = c.Document().Bytes()
			select {
			case <-done:
				return
			default:
			}
		}
	})
	replaced := 0
	readers.Go(func() {
		for {
			x, _ := c.Agents().Context("A")
			err := c.Agents().Replace(ctx, x, x.Items[len(x.Items)/2:])
			if err != nil {
				t.Error(err)
			}
			replaced++
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := errors.Join(c.Agents().Responded(ctx, "A", fmt.Sprintf("%d/%d", w, i)), c.History().AppendUserMessage(ctx, fmt.Sprintf("%d/%d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	close(done)
	readers.Wait()
	if replaced == 0 {
		t.Error("nothing was replaced meanwhile")
	}
	originals, err := c.Agents().Originals(ctx, "A")
	must(t, err)
	checkOrder(t, originals[1:], writers, each)
	checkOrder(t, c.History().Context().Items, writers, each)
	if s := c.History().Stats(); s.Messages != writers*each {
		t.Errorf("%d messages", s.Messages)
	}
}

// checkOrder demands all of "w/i", each w in order.
func checkOrder(t *testing.T, items []historyitem.Item, writers, each int) {
	t.Helper()
	next := make([]int, writers)
	for _, it := range items {
		var w, i int
		if _, err := fmt.Sscanf(it.Text(), "%d/%d", &w, &i); err != nil {
			t.Fatalf("%q: %v", it.Text(), err)
		}
		if next[w] != i {
			t.Fatalf("writer %d: item %d where %d was due", w, i, next[w])
		}
		next[w]++
	}
	for w, n := range next {
		if n != each {
			t.Errorf("writer %d: %d items of %d", w, n, each)
		}
	}
}

// F23: once per task, also when the answers come from several goroutines, and
// also after a restart.
func TestF23OncePerTask(t *testing.T) {
	ctx := t.Context()
	j := &memoryJournal{}
	c := newConversation(t, Options{Journal: j})
	must(t, c.Begin(ctx, Task{ID: "t", Agent: "A", Input: "x"}))
	if err := c.Begin(ctx, Task{ID: "t", Agent: "A", Input: "x"}); code(err) != "task-known" {
		t.Error(err)
	}
	if ok, err := c.Finish(ctx, "t", ""); ok || err != nil {
		t.Errorf("an empty answer: %v, %v", ok, err)
	}
	var wg sync.WaitGroup
	recorded := make(chan bool, 8)
	for range 8 {
		wg.Go(func() {
			ok, err := c.Finish(ctx, "t", "y")
			if err != nil {
				t.Error(err)
			}
			recorded <- ok
		})
	}
	wg.Wait()
	close(recorded)
	n := 0
	for ok := range recorded {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("recorded %d times", n)
	}
	again := newConversation(t, Options{Journal: j})
	if ok, err := again.Finish(ctx, "t", "z"); ok || err != nil {
		t.Errorf("after a restart: %v, %v", ok, err)
	}
	if got := len(again.History().Context().Items); got != 2 {
		t.Errorf("%d items", got)
	}
	if _, err := c.Finish(ctx, "nobody", "y"); code(err) != "unknown-task" {
		t.Error(err)
	}
}

// F24: whatever way a run ends without an answer, that is written.
func TestF24FailuresAreRecorded(t *testing.T) {
	type respond = func(Response) error
	boom := errors.New("连接超时\n请重试")
	for name, c := range map[string]struct {
		run    func(ctx context.Context, cancel func(), r respond) error
		reason string
		err    error
	}{
		"error":     {func(context.Context, func(), respond) error { return boom }, "错误: 连接超时 请重试", boom},
		"no answer": {func(_ context.Context, _ func(), r respond) error { return r(Response{Event: 1}) }, "错误: the agent ended without an answer", ErrNoAnswer},
		"cancelled": {func(ctx context.Context, cancel func(), _ respond) error { cancel(); return ctx.Err() }, "错误: context canceled", context.Canceled},
		"panic":     {func(context.Context, func(), respond) error { panic("broken") }, "错误: the agent's program broke off", nil},
	} {
		t.Run(name, func(t *testing.T) {
			conv := newConversation(t, Options{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var err error
			func() {
				defer func() {
					if p := recover(); (p != nil) != (name == "panic") {
						t.Errorf("recovered %v", p)
					}
				}()
				err = conv.Execute(ctx, Task{ID: "t", Agent: "A", Input: question}, func(ctx context.Context, r func(Response) error) error {
					return c.run(ctx, cancel, r)
				}, nil)
			}()
			if !errors.Is(err, c.err) {
				t.Errorf("error %v", err)
			}
			if got := conv.Agents().State("A", summarize.Auto); got != "输入: 帮我查北京天气 | "+c.reason {
				t.Errorf("%q", got)
			}
			h := conv.History()
			if s := h.Stats(); s.Messages != 2 || s.LastType != "error" || !strings.HasPrefix(s.LastContent, "错误: ") {
				t.Errorf("%+v", s)
			}
			if got := contextOf(t, conv, "A").Items[1]; got.Role() != "assistant" {
				t.Errorf("%s", got.Raw())
			}
			if st, _ := conv.Agents().Stats("A"); st.LastType != "error" || st.Interactions != 1 {
				t.Errorf("%+v", st)
			}
			if ok, err := conv.Finish(t.Context(), "t", "late"); ok || err != nil {
				t.Errorf("an answer after the failure: %v, %v", ok, err)
			}
		})
	}
}

// A failing agent that was called by another leaves no call unanswered.
func TestF24AFailureWithoutAReasonIsOne(t *testing.T) {
	conv := newConversation(t, Options{})
	must(t, conv.Begin(t.Context(), Task{ID: "t", Agent: "A", Input: question}))
	if recorded, err := conv.Fail(t.Context(), "t", nil); !recorded || err != nil {
		t.Errorf("%v, %v", recorded, err)
	}
	if s := conv.Agents().State("A", summarize.English); !strings.HasSuffix(s, "Error: "+ErrNoAnswer.Error()) {
		t.Errorf("state %q", s)
	}
}

func TestF24FailureOfACalledAgent(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.Begin(ctx, Task{ID: "1", Agent: "A", Input: "Find it."}))
	must(t, c.Begin(ctx, Task{ID: "2", Agent: "B", Input: "Look.", Caller: "A"}))
	if ok, err := c.Fail(ctx, "2", errors.New("no access")); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got := list(contextOf(t, c, "A")); !strings.HasSuffix(got, `{"function_call_output": {"call_id": "2", "output": "Error: no access"}}]`) {
		t.Errorf("%s", got)
	}
	if got := c.Agents().State("B", summarize.Chinese); got != "输入: Look. | 错误: no access" {
		t.Errorf("%q", got)
	}
	if len(c.History().Context().Items) != 1 {
		t.Error("the shared history has what only the agents had to do with")
	}
	// What went down with the program is known after a restart.
	if left := c.Unfinished(); len(left) != 1 || left[0] != (Task{ID: "1", Agent: "A", Input: "Find it."}) {
		t.Errorf("unfinished: %+v", left)
	}
}

// F25, I2: a compaction takes the place of the context, what came meanwhile
// stays behind it, and the originals can be had.
func TestF25Replace(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	a := c.Agents()
	for i := range 3 {
		must(t, a.Called(ctx, "A", fmt.Sprint("q", i)))
		must(t, a.Responded(ctx, "A", fmt.Sprint("a", i)))
	}
	x := contextOf(t, c, "A")
	must(t, a.Called(ctx, "A", "meanwhile"))
	sum := historyitem.Wrapped.Message("user", "sum")
	must(t, a.Replace(ctx, x, []historyitem.Item{sum, x.Items[5]}))
	texts := func(items []historyitem.Item) string {
		s := ""
		for _, it := range items {
			s += it.Text() + " "
		}
		return s
	}
	if got := texts(contextOf(t, c, "A").Items); got != "sum a2 meanwhile " {
		t.Errorf("%q", got)
	}
	if err := a.Replace(ctx, x, nil); code(err) != "context-changed" {
		t.Error(err)
	}
	// A second one covers the first, and what was appended behind it.
	x = contextOf(t, c, "A")
	must(t, a.Responded(ctx, "A", "after"))
	must(t, a.Replace(ctx, x, []historyitem.Item{sum}))
	if got := texts(contextOf(t, c, "A").Items); got != "sum after " {
		t.Errorf("%q", got)
	}
	originals, err := a.Originals(ctx, "A")
	if err != nil || texts(originals) != "q0 a0 q1 a1 q2 a2 meanwhile after " {
		t.Errorf("%q, %v", texts(originals), err)
	}
	if s, _ := a.Stats("A"); s.Interactions != 8 {
		t.Errorf("%+v", s)
	}
	// The shared history in the same way.
	h := c.History()
	must(t, h.AppendUserMessage(ctx, "u"))
	must(t, h.Replace(ctx, h.Context(), []historyitem.Item{sum}))
	if got, err := h.Originals(ctx); texts(h.Context().Items) != "sum " || texts(got) != "u " || err != nil {
		t.Errorf("%q, %q, %v", texts(h.Context().Items), texts(got), err)
	}
	if err := h.Replace(ctx, x, nil); code(err) != "other-context" {
		t.Error(err)
	}
}

// I1: no replacement may make an orphan, now or with the output to come.
func TestI1ReplaceKeepsGroupsWhole(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	a := c.Agents()
	must(t, a.Called(ctx, "A", "q"))
	must(t, a.CalledTool(ctx, "A", "1", "f", "{}"))
	must(t, a.ToolReturned(ctx, "A", "1", "r"))
	must(t, a.CalledTool(ctx, "A", "2", "f", "{}"))
	x := contextOf(t, c, "A")
	if err := a.Replace(ctx, x, x.Items[2:]); code(err) != "orphan-result" {
		t.Error(err)
	}
	if err := a.Replace(ctx, x, x.Items[:3]); code(err) != "pending-call" {
		t.Error(err)
	}
	must(t, a.ToolReturned(ctx, "A", "2", "r"))
	if err := a.Replace(ctx, x, x.Items[:3]); code(err) != "orphan-result" { // its output came meanwhile
		t.Error(err)
	}
	must(t, a.Replace(ctx, x, x.Items[3:]))
	if o := contextOf(t, c, "A").Orphans(); len(o) > 0 {
		t.Error(o)
	}
}

// F26: a state never grows, and a digest is cut between code points.
func TestF26StatesAreShort(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"a\nb\r\nc\rd":                 "a b c d",
		"a\r\r\n\nb":                   "a   b",
		strings.Repeat("漢", 50):        strings.Repeat("漢", 50),
		strings.Repeat("😀", 51):        strings.Repeat("😀", 50) + "...",
		strings.Repeat("x", 50) + "\n": strings.Repeat("x", 50) + "...",
	} {
		if got := digest(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	ctx := t.Context()
	c := newConversation(t, Options{})
	for range 100 {
		must(t, c.Agents().Called(ctx, "A", strings.Repeat("漢", 1000)))
		must(t, c.Agents().CalledTool(ctx, "A", "1", strings.Repeat("f\n", 1000), "{}"))
	}
	if got, want := c.Agents().State("A", summarize.Auto), "输入: "+strings.Repeat("漢", 50)+"... | 调用工具: "+strings.Repeat("f ", 25)+"..."; got != want {
		t.Errorf("%q", got)
	}
}

// F27, K18: conversation and agent are written together and at once, or not at
// all; a failing journal changes nothing.
func TestF27OneWrite(t *testing.T) {
	ctx := t.Context()
	j := &watchedJournal{}
	c := newConversation(t, Options{Journal: j})
	must(t, c.Begin(ctx, Task{ID: "1", Agent: "A", Input: "x"}))
	if len(j.writes) != 1 || len(j.writes[0]) != 2 || j.stats[0].History.Messages != 1 || j.stats[0].Agents[0].Interactions != 1 {
		t.Errorf("%+v %+v", j.writes, j.stats)
	}
	before := string(c.Document().Bytes())
	j.fail = errors.New("disk full")
	for _, err := range []error{
		c.Begin(ctx, Task{ID: "2", Agent: "B", Input: "x"}),
		c.History().AppendUserMessage(ctx, "y"),
		c.Agents().Failed(ctx, "A", "z"),
		c.Agents().Replace(ctx, contextOf(t, c, "A"), nil),
	} {
		if !errors.Is(err, j.fail) {
			t.Error(err)
		}
	}
	if ok, err := c.Finish(ctx, "1", "y"); ok || !errors.Is(err, j.fail) {
		t.Error(ok, err)
	}
	if after := string(c.Document().Bytes()); after != before {
		t.Errorf("it is now\n%s\nwas\n%s", after, before)
	}
	j.fail = nil
	if ok, err := c.Finish(ctx, "1", "y"); !ok || err != nil {
		t.Error(ok, err)
	}
}

// K15: the shared history is what person and agents say to each other.
func TestK15OnlyExchangesWithThePerson(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.Begin(ctx, Task{ID: "1", Agent: "A", Input: question}))
	for i, agent := range []string{"B", "C"} {
		id := fmt.Sprint("sub", i)
		must(t, c.Begin(ctx, Task{ID: id, Agent: agent, Input: "x", Caller: "A"}))
		if _, err := c.Finish(ctx, id, "y"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Finish(ctx, "1", answer); err != nil {
		t.Fatal(err)
	}
	if got := list(c.History().Context()); got != "["+askItem+", "+sayItem+"]" {
		t.Errorf("%s", got)
	}
	if got := len(contextOf(t, c, "A").Items); got != 6 {
		t.Errorf("A has %d items", got)
	}
}

// K16: the phase is the running tool or the output, and a new input begins anew.
func TestK16LatestInputAndPhase(t *testing.T) {
	ctx := t.Context()
	for _, grows := range []bool{false, true} {
		c := newConversation(t, Options{Compat: Compat{StateAppend: grows}})
		a := c.Agents()
		must(t, a.CalledTool(ctx, "A", "0", "init", "{}")) // before anybody asked
		must(t, a.Called(ctx, "A", "one"))
		must(t, a.CalledTool(ctx, "A", "1", "f", "{}"))
		must(t, a.ToolReturned(ctx, "A", "1", "r"))
		must(t, a.CalledTool(ctx, "A", "2", "g", "{}"))
		must(t, a.Responded(ctx, "A", "done"))
		must(t, a.Called(ctx, "A", "two"))
		want := "Input: two"
		if grows {
			want = "Calling tool: init | Input: one | Calling tool: f | Calling tool: g | Output: done | Input: two"
		}
		if got := a.State("A", summarize.English); got != want {
			t.Errorf("%q", got)
		}
	}
}

// K17: the call is a function call, with its output behind it: nothing that a
// provider would refuse.
func TestK17CallAndOutput(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{Form: historyitem.Flat})
	must(t, c.Begin(ctx, Task{ID: "1", Agent: "B", Input: "say \"hi\" <&>", Caller: "A", CallID: "c"}))
	if got := pendingCalls(contextOf(t, c, "A").Items); len(got) != 1 || got[0] != "c" {
		t.Errorf("pending: %q", got)
	}
	if _, err := c.Finish(ctx, "1", "hi"); err != nil {
		t.Fatal(err)
	}
	want := `[{"type":"function_call","name":"call_agent","arguments":"{\"agent\":\"B\",\"message\":\"say \\\"hi\\\" <&>\"}","call_id":"c"}, {"type":"function_call_output","call_id":"c","output":"hi"}]`
	if got := list(contextOf(t, c, "A")); got != want {
		t.Errorf("%s", got)
	}
}

// Odd input is kept as it came, or refused with a sentence.
func TestBadInput(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	h, a := c.History(), c.Agents()
	must(t, h.AppendUserMessage(ctx, ""))
	must(t, h.AppendFunctionCall(ctx, "", "", ""))
	must(t, h.AppendUserMessage(ctx, "broken \xff\xed\xa0\x80 text\x00"))
	if got := h.Context().Items[2].Text(); got != "broken \uFFFD\uFFFD\uFFFD\uFFFD text\x00" {
		t.Errorf("%q", got)
	}
	huge := strings.Repeat("漢", 10<<20/3)
	must(t, a.ToolReturned(ctx, "A", "nobody", huge))
	must(t, a.CalledTool(ctx, "A", "twice", "f", "{"))
	must(t, a.CalledTool(ctx, "A", "twice", "f", "{}"))
	must(t, a.ToolReturned(ctx, "A", "twice", "1"))
	must(t, a.ToolReturned(ctx, "A", "twice", "2"))
	x := contextOf(t, c, "A")
	if x.Items[0].Text() != huge {
		t.Error("a large output changed")
	}
	if got := x.Orphans(); len(got) != 1 || got[0] != "nobody" {
		t.Errorf("orphans %q", got)
	}
	if _, ok := a.Context("Z"); ok || a.State("Z", summarize.Auto) != "" {
		t.Error("an agent that never came is there")
	}
	if _, ok := a.Stats("Z"); ok {
		t.Error("an agent that never came has statistics")
	}
	if _, err := a.Originals(ctx, "Z"); code(err) != "unknown-agent" {
		t.Error(err)
	}
	events := c.Events()
	for want, err := range map[string]error{
		"no-agent": errors.Join(a.Called(ctx, "", "x"), a.Failed(ctx, "", "x"), a.AppendItems(ctx, "", x.Items[:1]), a.Replace(ctx, Context{}, nil), c.Begin(ctx, Task{ID: "1"})),
		"no-task":  c.Begin(ctx, Task{Agent: "A"}),
		"no-item":  errors.Join(a.AppendItems(ctx, "A", []historyitem.Item{{}}), a.Replace(ctx, x, []historyitem.Item{{}})),
	} {
		if code(err) != want {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := Open(ctx, "", Options{}); code(err) != "no-name" {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := a.Called(gone, "A", "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if c.Events() != events {
		t.Error("what was refused was written")
	}
	wide, err := historyitem.Parse(`{"message":{"role":"user","content":[{"text":"\ud800 lone"}]},"extra":1}`)
	must(t, err)
	must(t, h.AppendItems(ctx, []historyitem.Item{wide}))
	items := h.Context().Items
	if got := items[len(items)-1].Raw(); got != wide.Raw() {
		t.Errorf("%s", got)
	}
}

// A journal whose items can't be read is not opened, and so never written over.
func TestDamagedJournal(t *testing.T) {
	good := model.Event{Seq: 1, Kind: model.EventCalled, Agent: "A", Items: askItem}
	for name, bad := range map[string]model.Event{
		"not JSON":    {Seq: 2, Kind: model.EventResponded, Agent: "A", Items: `{"message": `},
		"empty":       {Seq: 2, Kind: model.EventResponded, Agent: "A"},
		"a gap":       {Seq: 3, Kind: model.EventResponded, Agent: "A", Items: sayItem},
		"no list":     {Seq: 2, Kind: model.EventReplaced, Agent: "A", Items: sayItem},
		"covers more": {Seq: 2, Kind: model.EventReplaced, Agent: "A", Items: "[]", Covers: 2},
		"covers less": {Seq: 2, Kind: model.EventReplaced, Agent: "A", Items: "[]", Covers: -1},
	} {
		j := &memoryJournal{events: []model.Event{good, bad}}
		if _, err := Open(t.Context(), "c", Options{Journal: j}); code(err) != "damaged-conversation" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The journal gets the compactions beside the event that replaces the context.
func TestTheJournalGetsTheCompactions(t *testing.T) {
	j := &watchedJournal{}
	c := newConversation(t, Options{Journal: j})
	must(t, c.Agents().Called(t.Context(), "A", "q"))
	sum := historyitem.Wrapped.Message("user", "sum")
	must(t, c.Agents().Replace(t.Context(), contextOf(t, c, "A"), []historyitem.Item{sum}, model.Compacted{Summary: "sum"}))
	if n := len(j.made); n != 1 || j.made[0].Summary != "sum" {
		t.Errorf("%d compactions: %+v", n, j.made)
	}
}
