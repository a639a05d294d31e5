package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction/summarize/remote/trial"

	"github.com/zalando/go-keyring"
)

// bench is a client before a trial server; its waits are noted, not slept.
type bench struct {
	*Client
	server *trial.Server
	waits  []time.Duration
}

func setUp(t *testing.T, model string, change ...func(*Endpoint)) *bench {
	t.Helper()
	s, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Pace = time.Millisecond
	end := Endpoint{BaseURL: s.URL(), Model: model, Minute: 1000}
	for _, f := range change {
		f(&end)
	}
	c, err := New(end)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	b := &bench{Client: c, server: s}
	var lock sync.Mutex
	c.wait = func(ctx context.Context, d time.Duration) error {
		lock.Lock()
		defer lock.Unlock()
		b.waits = append(b.waits, d)
		return ctx.Err()
	}
	return b
}

func short(e *Endpoint) { e.Timeout = 150 * time.Millisecond }

func failure(t *testing.T, err error) *Failure {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T) is no Failure", err, err)
	}
	return f
}

var asked = Prompt{System: "Summarise.", User: "A long history.", MaxTokens: 200, Temperature: 0.3}

func TestAnAnswerIsStreamed(t *testing.T) {
	b := setUp(t, "good")
	var heard strings.Builder
	a, err := b.Complete(context.Background(), asked, func(p Progress) { heard.WriteString(p.Delta) })
	if err != nil {
		t.Fatal(err)
	}
	if a.Text == "" || heard.String() != a.Text || a.Finish != Ended || a.Output == 0 || a.Input == 0 || a.Tries != 1 || a.Model != "good" {
		t.Errorf("answer %+v, heard %q", a, heard.String())
	}
	q := b.server.Requests()[0]
	if q.System != asked.System || q.User != asked.User || q.MaxTokens != 200 || q.Tools != 0 || !q.Stream || q.Temperature < 0.29 || q.Temperature > 0.31 {
		t.Errorf("request %+v", q)
	}
}

func TestAServerWithoutStreamingIsUnderstood(t *testing.T) {
	a, err := setUp(t, "plain").Complete(context.Background(), asked, nil)
	if err != nil || !strings.Contains(a.Text, "src/parse.go") || a.Finish != Ended || a.Output == 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Whatever a server calls its answer: the body says what it is.
func TestAnAnswerByAnotherNameIsRead(t *testing.T) {
	for _, kind := range []string{"text/plain; charset=utf-8", "application/octet-stream", "text/html", "text/json"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, "\n {\"choices\": [{\"message\": {\"role\": \"assistant\",\n\"content\": \"all went well\"}, \"finish_reason\": \"stop\"}]}")
		}))
		defer s.Close()
		c, err := New(Endpoint{BaseURL: s.URL + "/v1", Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		if a, err := c.Complete(t.Context(), asked, nil); err != nil || a.Text != "all went well" || a.Finish != Ended {
			t.Errorf("%s: %+v, %v", kind, a, err)
		}
	}
}

func TestReasoningIsNoText(t *testing.T) {
	a, err := setUp(t, "reason").Complete(context.Background(), asked, nil)
	if err != nil || strings.Contains(a.Text, "Let me see") {
		t.Errorf("%+v, %v", a, err)
	}
}

// Models that take no temperature get none, and their own name of the ceiling.
func TestReasoningModelsAreAskedTheirWay(t *testing.T) {
	b := setUp(t, "o3-mini")
	_, err := b.Complete(context.Background(), asked, nil)
	if f := failure(t, err); f.Kind != NoModel { // the trial server does not know it
		t.Fatal(f)
	}
	if q := b.server.Requests()[0]; q.Temperature != 0 || q.MaxTokens != 200 {
		t.Errorf("request %+v", q)
	}
}

// Every misbehaviour has its kind; what could end otherwise is tried again.
func TestEveryMisbehaviourHasAName(t *testing.T) {
	for _, c := range []struct {
		model string
		kind  Kind
		tries int
		set   func(*Endpoint)
	}{
		{"status-400", BadRequest, 1, nil},
		{"status-401", Unauthorised, 1, nil},
		{"status-404", NoModel, 1, nil},
		{"status-413", TooLarge, 1, nil},
		{"status-429", Limited, 3, nil},
		{"status-429-long", Limited, 1, nil}, // asks for an hour
		{"status-500", ServerError, 3, nil},
		{"status-503", ServerError, 3, nil},
		{"first-byte", TimedOut, 3, short},
		{"stall", TimedOut, 3, short},
		{"endless", TimedOut, 3, short},
		{"reset", Broken, 3, nil},
		{"cut", Broken, 3, nil},
		{"malformed", Garbled, 3, nil},
		{"empty-choices", NoAnswer, 3, nil},
		{"empty-text", NoAnswer, 3, nil},
		{"wrong-type", Garbled, 3, nil},
		{"html", Garbled, 3, nil},
		{"redirect", NoModel, 1, nil},
		{"error-event", ServerError, 3, nil},
		{"huge", TooLong, 1, nil},
		{"never-heard-of", NoModel, 1, nil},
	} {
		t.Run(c.model, func(t *testing.T) {
			b := setUp(t, c.model)
			if c.set != nil {
				b = setUp(t, c.model, c.set)
			}
			a, err := b.Complete(context.Background(), asked, nil)
			if err == nil {
				t.Fatalf("answered %d bytes", len(a.Text))
			}
			f := failure(t, err)
			// On a machine that is slow enough a request is too late before it arrives.
			came := len(b.server.Requests())
			if f.Kind != c.kind || f.Tries != c.tries || came > c.tries || came < c.tries && c.kind != TimedOut {
				t.Errorf("kind %s after %d tries (%d requests), want %s after %d: %v", f.Kind, f.Tries, came, c.kind, c.tries, f.Err)
			}
			if len(b.waits) != c.tries-1 {
				t.Errorf("waits %v", b.waits)
			}
		})
	}
}

func TestEveryKindHasASentence(t *testing.T) {
	kinds := []Kind{Misconfigured, Unreachable, Unauthorised, NoModel, TooLarge, Limited, ServerError, BadRequest,
		TimedOut, Broken, Garbled, NoAnswer, TooLong, Paused, Stopped}
	for _, k := range kinds {
		if (&Failure{Kind: k}).Error() == "" {
			t.Errorf("%s has none", k)
		}
	}
	if len(kinds) != len(reasons) {
		t.Errorf("%d kinds, %d sentences", len(kinds), len(reasons))
	}
}

func TestWhatIsNotWholeIsSaid(t *testing.T) {
	for model, want := range map[string]Finish{"length": CutOff, "filter": Filtered, "good": Ended} {
		a, err := setUp(t, model).Complete(context.Background(), asked, nil)
		if err != nil || a.Finish != want {
			t.Errorf("%s: %+v, %v", model, a, err)
		}
	}
	a, err := setUp(t, "refusal").Complete(context.Background(), asked, nil)
	if err != nil || a.Refusal == "" || a.Text != "" {
		t.Errorf("refusal: %+v, %v", a, err)
	}
}

func TestAnotherTryHelps(t *testing.T) {
	for _, model := range []string{"status-500@2", "reset@1", "empty-text@2", "malformed@1"} {
		b := setUp(t, model)
		resets := 0
		a, err := b.Complete(context.Background(), asked, func(p Progress) {
			if p.Reset {
				resets++
			}
		})
		if err != nil || a.Tries != resets+1 || resets == 0 {
			t.Errorf("%s: %+v, %v after %d resets", model, a, err, resets)
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	b := setUp(t, "status-429@1")
	if _, err := b.Complete(context.Background(), asked, nil); err != nil {
		t.Fatal(err)
	}
	if len(b.waits) != 1 || b.waits[0] < time.Second {
		t.Errorf("waits %v, the server asked for one second", b.waits)
	}
}

func TestWaitsGrowAndStayBounded(t *testing.T) {
	for n := 2; n < 40; n++ {
		d, ok := pause(n, 0)
		if !ok || d < firstWait/2 || d > maxWait+1 {
			t.Errorf("attempt %d waits %v", n, d)
		}
	}
	if _, ok := pause(2, time.Hour); ok {
		t.Error("an hour is not waited for")
	}
}

// The breaker opens after several calls, keeps the cause, and a person's word closes it.
func TestTheBreakerOpens(t *testing.T) {
	b := setUp(t, "status-500")
	call := func() *Failure {
		_, err := b.Complete(context.Background(), asked, nil)
		return failure(t, err)
	}
	for range failuresInARow {
		if f := call(); f.Kind != ServerError {
			t.Fatal(f)
		}
	}
	n := len(b.server.Requests())
	f := call()
	if f.Kind != Paused || f.Tries != 1 || f.Cause() == nil || f.Cause().Kind != ServerError || !strings.Contains(f.Error(), "status 500") {
		t.Errorf("%+v", f)
	}
	if len(b.server.Requests()) != n {
		t.Error("a server that is left alone was asked")
	}
	b.Forgive()
	if f := call(); f.Kind != ServerError || len(b.server.Requests()) == n {
		t.Errorf("%+v", f)
	}
}

// One question of three parts that all fail opens no breaker: the next is asked, and
// each says why it failed.
func TestOneQuestionOpensNoBreaker(t *testing.T) {
	b := setUp(t, "status-500")
	for range 2 {
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, err := b.Complete(context.Background(), asked, nil)
				if f := (*Failure)(nil); !errors.As(err, &f) || f.Kind != ServerError {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		b.Forgive()
	}
}

// Our own mistakes are no reason to leave a server alone.
func TestTheBreakerIgnoresWhatTheServerIsNotToBlameFor(t *testing.T) {
	b := setUp(t, "status-401")
	for range failuresInARow + 2 {
		_, err := b.Complete(context.Background(), asked, nil)
		if f := failure(t, err); f.Kind != Unauthorised {
			t.Fatal(f)
		}
	}
}

func TestCallsAMinuteAreLimited(t *testing.T) {
	b := setUp(t, "good", func(e *Endpoint) { e.Minute = 2 })
	for range 2 {
		if _, err := b.Complete(context.Background(), asked, nil); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := b.Complete(ctx, asked, nil)
	if f := failure(t, err); f.Kind != Stopped || len(b.server.Requests()) != 2 {
		t.Errorf("%v after %d requests", f, len(b.server.Requests()))
	}
}

// Cancel ends the call at any point and leaves nothing behind.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		for _, model := range []string{"first-byte", "stall", "endless"} {
			s, err := trial.Listen("")
			if err != nil {
				t.Fatal(err)
			}
			s.Pace = time.Millisecond
			c, err := New(Endpoint{BaseURL: s.URL(), Model: model})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() {
				_, err := c.Complete(ctx, asked, nil)
				done <- err
			}()
			for len(s.Requests()) == 0 {
				runtime.Gosched()
			}
			cancel()
			if f := failure(t, <-done); f.Kind != Stopped || !errors.Is(f, context.Canceled) {
				t.Errorf("%s: %v", model, f)
			}
			c.Close()
			s.Close()
		}
	}()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); runtime.Gosched() { // closed connections end their goroutines soon, not at once
		if runtime.NumGoroutine() <= before {
			return
		}
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestTheKeyIsSentAndNeverShown(t *testing.T) {
	const key = "sk-trial-8f3a"
	t.Setenv("TRIAL_KEY", key+"\n")
	withKey := func(e *Endpoint) { e.Key.Env = "TRIAL_KEY" }
	b := setUp(t, "good", withKey)
	b.server.Key = key
	if _, err := b.Complete(context.Background(), asked, nil); err != nil {
		t.Fatal(err)
	}
	_, err := setUp(t, "echo-key", withKey).Complete(context.Background(), asked, nil)
	if f := failure(t, err); strings.Contains(f.Error(), key) || f.Kind != Unauthorised {
		t.Errorf("%v", f)
	}
}

func TestKeysFromTheStoreOfTheSystem(t *testing.T) {
	keyring.MockInit()
	if err := SaveKey("work", "sk-stored\n"); err != nil {
		t.Fatal(err)
	}
	if key, err := (KeyRef{Keyring: "work"}).lookup(); err != nil || key != "sk-stored" {
		t.Errorf("%q, %v", key, err)
	}
	t.Setenv("TRIAL_KEY", "sk-variable")
	if key, err := (KeyRef{Keyring: "other", Env: "TRIAL_KEY"}).lookup(); err != nil || key != "sk-variable" {
		t.Errorf("falls back to the variable: %q, %v", key, err)
	}
	if err := keyring.Delete(keyringService, "work"); err != nil {
		t.Fatal(err)
	}
	_, err := (KeyRef{Keyring: "work"}).lookup()
	if err == nil || !strings.Contains(err.Error(), "work") {
		t.Errorf("%v", err)
	}
	keyring.MockInitWithError(errors.New("no bus"))
	if _, err := (KeyRef{Keyring: "work"}).lookup(); err == nil || !strings.Contains(err.Error(), "no bus") {
		t.Errorf("%v", err)
	}
}

func TestWithoutItsKeyNothingIsSent(t *testing.T) {
	b := setUp(t, "good", func(e *Endpoint) { e.Key.Env = "TRIAL_KEY_THAT_IS_NOT_SET" })
	_, err := b.Complete(context.Background(), asked, nil)
	if f := failure(t, err); f.Kind != Misconfigured || !strings.Contains(f.Error(), "TRIAL_KEY_THAT_IS_NOT_SET") {
		t.Error(f)
	}
	t.Setenv("TRIAL_KEY", "sk-two\nlines")
	b = setUp(t, "good", func(e *Endpoint) { e.Key.Env = "TRIAL_KEY" })
	_, err = b.Complete(context.Background(), asked, nil)
	if f := failure(t, err); f.Kind != Misconfigured || strings.Contains(f.Error(), "sk-two") || len(b.server.Requests()) != 0 {
		t.Error(f)
	}
}

func TestEndpointsThatCantBeAsked(t *testing.T) {
	for _, url := range []string{"", "localhost:8080", "ftp://host/v1", "http://", "http://me:secret@host/v1", "http://host/v1?key=secret", "http://ho st/"} {
		_, err := New(Endpoint{BaseURL: url, Model: "m"})
		if err == nil {
			t.Errorf("%q was taken", url)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error tells the secret: %v", url, err)
		}
	}
	for _, p := range Presets() {
		if _, err := New(p.Endpoint); err != nil {
			t.Errorf("preset %s: %v", p.ID, err)
		}
	}
	b := setUp(t, "")
	_, err := b.Complete(context.Background(), asked, nil)
	if f := failure(t, err); f.Kind != Misconfigured {
		t.Error(f)
	}
}

func TestNoServer(t *testing.T) {
	b := setUp(t, "good")
	b.server.Close()
	b.server = nil
	c, err := New(b.end)
	if err != nil {
		t.Fatal(err)
	}
	c.wait = func(context.Context, time.Duration) error { return nil }
	_, err = c.Complete(context.Background(), asked, nil)
	if f := failure(t, err); f.Kind != Unreachable || f.Tries != 3 {
		t.Errorf("%v %v", f, f.Err)
	}
	_, err = c.Probe(context.Background())
	if f := failure(t, err); f.Kind != Unreachable {
		t.Error(f)
	}
}

func TestProbe(t *testing.T) {
	b := setUp(t, "good")
	found, err := b.Probe(context.Background())
	if err != nil || !found.Has || len(found.Models) != len(trial.Behaviours()) || found.Models[0].Window != 32000 {
		t.Errorf("%+v, %v", found, err)
	}
	b.server.Key = "sk-needed"
	_, err = b.Probe(context.Background())
	if f := failure(t, err); f.Kind != Unauthorised || !strings.Contains(f.Error(), "Incorrect API key") {
		t.Error(f)
	}
}
