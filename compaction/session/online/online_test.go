package online_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// bench is a session of a history in a file, a database, and a server.
type bench struct {
	t      *testing.T
	server *trial.Server
	client *remote.Client
	store  *store.Store
	path   string
	input  []byte
	model  string // behaviour of the server
	window int
	waits  time.Duration // for an answer that never comes
	opt    session.Options
}

const good = "Conversation summary: the person asked to look at files; each of them repeats the package clause main."

func newBench(t *testing.T, exchanges int) *bench {
	t.Helper()
	b := &bench{t: t, path: filepath.Join(t.TempDir(), "history.json"), input: history(exchanges), window: 32000, waits: 2 * time.Second, model: "good"}
	var err error
	if b.server, err = trial.Listen(""); err != nil {
		t.Fatal(err)
	}
	b.server.Text = func(string, string) string { return good }
	t.Cleanup(func() { b.server.Close() })
	if err := os.WriteFile(b.path, b.input, 0o600); err != nil {
		t.Fatal(err)
	}
	if b.store, err = store.Open(filepath.Join(filepath.Dir(b.path), "p.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	b.opt = session.Options{Store: b.store, Answers: b.store, Model: func() (*session.SummaryModel, error) {
		timeout := time.Minute // what answers is not held to the machine's speed
		switch name, _, _ := strings.Cut(b.model, "@"); name {
		case "first-byte", "stall", "endless":
			timeout = b.waits
		}
		c, err := remote.New(remote.Endpoint{BaseURL: b.server.URL(), Model: b.model, Tries: 1, Timeout: timeout, Minute: 10000})
		if err != nil {
			return nil, err
		}
		b.client = c
		t.Cleanup(c.Close)
		return online.Model(c, b.window, session.Price{}), nil
	}}
	return b
}

func history(exchanges int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range exchanges {
		fmt.Fprintf(&b, `,{"role":"user","content":"Look at file %d and say what it holds, in one sentence."}`, i)
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("package main // text\n", 60))
		fmt.Fprintf(&b, `,{"role":"assistant","content":"File %d repeats a package clause."}`, i)
	}
	b.WriteString("]}")
	return b.Bytes()
}

func (b *bench) write() {
	b.t.Helper()
	if err := os.WriteFile(b.path, b.input, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) open() *session.Session {
	b.t.Helper()
	f, err := session.Open(context.Background(), b.path, b.opt, transcript.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { f.Close() })
	s, err := f.Session(context.Background(), session.Ref{}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func policy(s *session.Session) model.Policy {
	p := s.Policy()
	p.Strategy, p.Tail = model.ModelText, model.Amount{N: 4, Unit: model.Messages}
	p.Budget = model.Amount{N: 400, Unit: model.Tokens}
	return p
}

var manual = compaction.Options{Manual: true}

// Whatever a server does, the history stays as it is, the record says what
// happened, and the next try works.
func TestMisbehaviour(t *testing.T) {
	b := newBench(t, 10)
	s := b.open()
	kinds := map[string]string{ // what the reason must say
		"status-401": "key", "status-404": "model", "status-429": "too many", "status-500": "failed", "status-413": "larger",
		"reset": "broke", "malformed": "no answer of this protocol", "empty-choices": "no text", "blank": "no summary",
		"html": "web page", "redirect": "another address", "length": "cut off", "refusal": "refuses", "filter": "filtered",
		"injected": "lacks the requested first line", "stall": "in time", "first-byte": "in time", "cut": "broke", "huge": "did not end", "endless": "in time",
	}
	for _, behaviour := range trial.Behaviours() {
		switch behaviour {
		case "good", "plain", "slow", "reason":
			continue
		}
		t.Run(behaviour, func(t *testing.T) {
			b.model = behaviour
			rec, err := s.Records.Compact(context.Background(), policy(s), manual, nil)
			if rec == nil || rec.Outcome == model.Applied || rec.Reason == "" || err == nil {
				t.Fatalf("record %+v, error %v", rec, err)
			}
			if want := kinds[behaviour]; !strings.Contains(rec.Reason, want) {
				t.Errorf("the reason %q does not tell %q", rec.Reason, want)
			}
			if rec.Asked == nil || rec.Model != behaviour {
				t.Errorf("the record does not tell who was asked: %+v", rec.Asked)
			}
			var out bytes.Buffer
			if _, err := s.Overlay().Export(&out); err != nil || !bytes.Equal(out.Bytes(), b.input) {
				t.Errorf("the history changed: %v", err)
			}
			if len(s.Stack()) != 0 {
				t.Errorf("%d records stand", len(s.Stack()))
			}
		})
	}
	b.model = "good"
	rec, err := s.Records.Compact(context.Background(), policy(s), manual, nil)
	if err != nil || rec.Outcome != model.Applied || rec.Summary != good {
		t.Fatalf("after all that: %+v, %v", rec, err)
	}
	if a := rec.Asked; a == nil || a.Calls != 1 || a.Input == 0 || a.Output == 0 || !strings.HasPrefix(a.Template, "sections@") || a.Wording == "" || rec.Model != "good" {
		t.Errorf("asked: %+v", a)
	}
}

// What the policy says about failures is done and recorded.
func TestOnFailure(t *testing.T) {
	b := newBench(t, 10)
	s := b.open()
	b.model = "status-500"
	p := policy(s)
	p.OnFailure = model.ExtractInstead
	rec, err := s.Records.Compact(context.Background(), p, manual, nil)
	if err != nil || rec.Outcome != model.Applied || !strings.HasPrefix(rec.Reason, "extracted, because the summary failed") || !strings.Contains(rec.Reason, "500") {
		t.Fatalf("%+v, %v", rec, err)
	}
}

// A draft with flaws is there to be read; it is applied only after a second
// word, and the record says both.
func TestFlawsNeedASecondWord(t *testing.T) {
	b := newBench(t, 10)
	s := b.open()
	b.model = "injected"
	e, err := s.Enquire(context.Background(), policy(s), manual, session.Asking{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Ask(context.Background(), e, nil)
	if err != nil || len(d.Flaws) == 0 || d.Text.Text == "" {
		t.Fatalf("%+v, %v", d, err)
	}
	var p *model.Problem
	if _, err := s.Records.Apply(context.Background(), d); !errors.As(err, &p) || p.Code != "flawed" {
		t.Fatalf("applied without a word: %v", err)
	}
	rec, err := s.Records.Apply(context.Background(), s.Accept(d))
	if err != nil || !rec.Asked.Accepted || !slices.Contains(rec.Asked.Flaws, string(summarize.FlawPrefix)) {
		t.Fatalf("%+v, %v", rec, err)
	}
}

// The summary that was shown is what is stored, to the byte, also after the
// program was closed.
func TestShownIsStored(t *testing.T) {
	b := newBench(t, 10)
	strange := "Conversation summary: tabs\tand  spaces, 🙂 é (e + accent), «quotes» \"and\" \\ backslashes,\n\n- a list\n- and its end"
	b.server.Text = func(string, string) string { return strange }
	s := b.open()
	e, err := s.Enquire(context.Background(), policy(s), manual, session.Asking{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Ask(context.Background(), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	shown := d.Text.Text
	if _, err := s.Records.Apply(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	b.store.Close()
	if b.store, err = store.Open(filepath.Join(filepath.Dir(b.path), "p.db")); err != nil {
		t.Fatal(err)
	}
	b.opt.Store = b.store
	stack := b.open().Stack()
	if len(stack) != 1 || stack[0].Summary != shown || shown != strange {
		t.Errorf("shown %q, stored %+v", shown, stack)
	}
}

// Asking again costs nothing and says so; asking for a fresh answer asks.
func TestAskingAgainIsFree(t *testing.T) {
	b := newBench(t, 10)
	s := b.open()
	ask := func(a session.Asking) *session.Draft {
		e, err := s.Enquire(context.Background(), policy(s), manual, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Ask(context.Background(), e, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, second := ask(session.Asking{}), ask(session.Asking{})
	if n := len(b.server.Requests()); n != 1 || second.Asked.Cached != 1 || second.Asked.Calls != 0 || second.Text.Text != first.Text.Text {
		t.Errorf("%d requests; %+v", n, second.Asked)
	}
	ask(session.Asking{Fresh: true})
	with := ask(session.Asking{Instruction: "Mention every file."})
	reqs := b.server.Requests()
	if len(reqs) != 3 || !strings.Contains(reqs[2].User, "Mention every file.") || with.Asked.Instruction != "Mention every file." {
		t.Errorf("%d requests, %+v", len(reqs), with.Asked)
	}
}

// Cancel ends what would go on, leaves nothing running and is recorded.
func TestCancel(t *testing.T) {
	for _, behaviour := range []string{"first-byte", "stall", "endless"} {
		t.Run(behaviour, func(t *testing.T) {
			b := newBench(t, 10)
			b.waits = time.Minute
			s := b.open()
			b.model = behaviour
			before := runtime.NumGoroutine()
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan *model.Record, 1)
			go func() {
				rec, _ := s.Records.Compact(ctx, policy(s), manual, nil)
				ended <- rec
			}()
			for len(b.server.Requests()) == 0 {
				runtime.Gosched()
			}
			cancel()
			if rec := <-ended; rec == nil || rec.Outcome != model.Cancelled { // the server would have kept it a minute
				t.Errorf("%+v", rec)
			}
			b.client.Close()
			b.server.Close()
			for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; {
				if time.Now().After(deadline) {
					buf := make([]byte, 1<<16)
					t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
				}
				runtime.Gosched()
			}
		})
	}
}

// A history of more than 1,000 messages that is larger than the model's window
// is sent in parts, none larger than the window, and merged; nothing else is
// sent.
func TestInParts(t *testing.T) {
	b := newBench(t, 300)
	b.window = 8000
	n := 0
	s := b.open()
	p := policy(s)
	e, err := s.Enquire(context.Background(), p, manual, session.Asking{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.server.Requests()) != 0 {
		t.Fatal("something was sent before it was asked for")
	}
	var done int
	d, err := s.Ask(context.Background(), e, func(h summarize.AskProgress) { n++; done = h.Done })
	if err != nil {
		t.Fatal(err)
	}
	reqs := b.server.Requests()
	if len(e.Questions) < 3 || len(reqs) != e.Calls || done != e.Calls || d.Asked.Parts != len(e.Questions) || d.Asked.Calls != e.Calls {
		t.Errorf("%d parts, %d calls told, %d made, %d heard of", len(e.Questions), e.Calls, len(reqs), done)
	}
	for i, r := range reqs {
		if w := s.CountText(r.System + r.User); w+r.MaxTokens > b.window || r.Tools != 0 || r.Temperature < .29 || r.Temperature > .31 {
			t.Errorf("request %d: %d tokens and %d of answer, %d tools, temperature %v", i, w, r.MaxTokens, r.Tools, r.Temperature)
		}
	}
	told := strings.Builder{}
	for _, r := range reqs {
		told.WriteString(r.User)
	}
	for i := range 298 {
		if !strings.Contains(told.String(), fmt.Sprintf("src/f%d.go", i)) {
			t.Errorf("the call on file %d was not told", i)
		}
	}
	if _, err := s.Records.Apply(context.Background(), d); err != nil {
		t.Fatal(err)
	}
}

// Secrets do not leave the machine, the list of them can be looked through, and
// what a person lets through goes.
func TestSecretsStay(t *testing.T) {
	const secret, mail = "ghp_1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s", "jane.doe@acme-corp.com"
	b := newBench(t, 10)
	b.input = bytes.Replace(b.input, []byte("Look at file 1 and"), []byte("With the token "+secret+" for "+mail+" look at file 1 and"), 1)
	if err := os.WriteFile(b.path, b.input, 0o600); err != nil {
		t.Fatal(err)
	}
	s := b.open()
	ask := func(keep map[string]bool) (*session.Enquiry, string) {
		e, err := s.Enquire(context.Background(), policy(s), manual, session.Asking{Keep: keep}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ask(context.Background(), e, nil); err != nil {
			t.Fatal(err)
		}
		reqs := b.server.Requests()
		return e, reqs[len(reqs)-1].User
	}
	e, sent := ask(nil)
	if strings.Contains(sent, secret) || strings.Contains(sent, mail) || !strings.Contains(sent, "[redacted:github-pat-1]") {
		t.Errorf("sent: %.600s", sent)
	}
	if len(e.Withheld) != 2 || e.Withheld[0].Secret != secret || e.Withheld[0].Num == 0 {
		t.Errorf("%+v", e.Withheld)
	}
	if _, sent = ask(map[string]bool{mail: true}); strings.Contains(sent, secret) || !strings.Contains(sent, mail) {
		t.Errorf("let through: %.600s", sent)
	}
}

// The key is in nothing that is kept: not in the database, not in a record, not
// in an error.
func TestTheKeyIsNowhere(t *testing.T) {
	const key = "sk-test-4f1c0a77d2e94b0c"
	t.Setenv("PALIMPSEST_TEST_KEY", key)
	b := newBench(t, 10)
	b.server.Key = key
	end := remote.Endpoint{BaseURL: b.server.URL(), Tries: 1, Key: remote.KeyRef{Env: "PALIMPSEST_TEST_KEY"}}
	b.opt.Model = func() (*session.SummaryModel, error) {
		end.Model = b.model
		c, err := remote.New(end)
		if err != nil {
			return nil, err
		}
		t.Cleanup(c.Close)
		return online.Model(c, 32000, session.Price{}), nil
	}
	s := b.open()
	var kept bytes.Buffer
	for _, behaviour := range []string{"echo-key", "status-500", "good"} {
		b.model = behaviour
		rec, err := s.Records.Compact(context.Background(), policy(s), manual, nil)
		text, jsonErr := json.Marshal(rec)
		if jsonErr != nil {
			t.Fatal(jsonErr)
		}
		fmt.Fprintln(&kept, string(text), err)
	}
	if err := b.store.SetSetting(context.Background(), "endpoint", end); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Overlay().Export(&kept); err != nil {
		t.Fatal(err)
	}
	b.store.Close()
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(b.path), "p.db*"))
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		kept.Write(raw)
	}
	if bytes.Contains(kept.Bytes(), []byte(key)) || kept.Len() < 1000 {
		t.Errorf("the key stands in what is kept (%d bytes)", kept.Len())
	}
}

type clock struct{}

func (clock) Now() time.Time { return time.Now() }
func (clock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

// A server that always fails is asked O(log n) times in n calls of an agent.
func TestAFailingServerIsLeftAlone(t *testing.T) {
	b := newBench(t, 1)
	c, err := remote.New(remote.Endpoint{BaseURL: b.server.URL(), Model: "status-500", Tries: 1, Minute: 10000})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cfg := auto.DefaultConfig()
	cfg.AgentName, cfg.SummaryModel, cfg.HardCount = "gpt-4o", "status-500", 0
	agent, err := auto.New(cfg, auto.Options{Agent: "a", Client: online.Summaries(c), Clock: clock{}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		agent.Append(auto.ChatMessage{Role: "user", Content: fmt.Sprintf("Question %d", i)}, auto.ChatMessage{Role: "assistant", Content: "Answer."})
		agent.BeforeCall(context.Background())
	}
	if n := len(b.server.Requests()); n == 0 || n > 20 {
		t.Errorf("%d requests in 1,000 calls", n)
	}
	if n := len(agent.History()); n != 2000 {
		t.Errorf("the history has %d messages", n)
	}
}

// A real history is drafted in parts, end to end.
func TestARealHistory(t *testing.T) {
	path := filepath.Join(realdata.Transcripts(t), "codex_rollout", "agentv_1f4427_0_compacted.jsonl")
	b := newBench(t, 1)
	b.window, b.path, b.server.Text = 16000, path, nil
	s := b.open()
	e, err := s.Enquire(context.Background(), policy(s), manual, session.Asking{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Ask(context.Background(), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Plan.Removed.Messages < 500 || len(b.server.Requests()) != e.Calls || len(e.Questions) < 2 {
		t.Errorf("%d messages, %d parts, %d requests of %d", e.Plan.Removed.Messages, len(e.Questions), len(b.server.Requests()), e.Calls)
	}
	rec, err := s.Records.Apply(context.Background(), s.Accept(d))
	if err != nil || rec.Summary != d.Text.Text {
		t.Fatalf("%v", err)
	}
	t.Logf("%d messages, %d parts, %d calls, ~%d tokens in, withheld %d, flaws %v", e.Plan.Removed.Messages, len(e.Questions), e.Calls, e.Input, len(e.Withheld), d.Flaws)
}
