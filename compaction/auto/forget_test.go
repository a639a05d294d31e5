package auto

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/summarize"
)

// forgetful is a random agent: its window, how large its messages are, how often
// its model fails.
type forgetful struct {
	rng    *rand.Rand
	window int
	size   int // tokens of its messages, about
	fails  float64
	failed bool // the last question was not answered
	calls  int  // tool calls so far
}

func drawForgetful(rng *rand.Rand) *forgetful {
	between := func(from, to float64) int { return int(math.Exp(math.Log(from) + rng.Float64()*math.Log(to/from))) }
	a := &forgetful{rng: rng, window: between(4_000, 200_000), size: between(50, 5_000)}
	a.fails = []float64{0, 0, 0, .3, 1}[rng.IntN(5)]
	return a
}

func (a *forgetful) Summarise(_ context.Context, r SummaryRequest) (string, error) {
	if a.failed = a.rng.Float64() < a.fails; a.failed {
		return "", errors.New("down")
	}
	return "Conversation summary: " + strings.Repeat("it went on. ", 1+a.rng.IntN(200)), nil
}

// turn is what the agent appends between two calls: words of the person, of the
// agent, calls with their results.
func (a *forgetful) turn() []ChatMessage {
	text := func() string {
		n := min(max(50, int(float64(a.size)*(.5+a.rng.Float64()))), 5_000)
		return pad(fmt.Sprintf("at %d /srv/app%d.go ", a.calls, a.calls), 4*n)
	}
	switch a.rng.IntN(3) {
	case 0:
		return []ChatMessage{{Role: "user", Content: text()}}
	case 1:
		return []ChatMessage{{Role: "assistant", Content: text()}, {Role: "user", Content: text()}}
	}
	m := ChatMessage{Role: "assistant", Content: "so"}
	out := []ChatMessage{m}
	for range 1 + a.rng.IntN(2) {
		a.calls++
		id := fmt.Sprint("c", a.calls)
		out[0].ToolCalls = append(out[0].ToolCalls, ChatCall{id, "run", `{"command":"ls"}`})
		out = append(out, ChatMessage{Role: "tool", ToolCallID: id, Content: text()})
	}
	return out
}

// agentsTried is how many agents are drawn: docs/reliability.md has what a long run gave.
var agentsTried = flag.Int("agents", 150, "random agents of TestNothingIsForgotten…")

// No message leaves the list unsummarised while a summary of it could have been
// made, under any window, size of messages and model; and what does leave is
// announced in the list.
func TestNothingIsForgottenThatCouldBeSummarised(t *testing.T) {
	agents := *agentsTried
	if testing.Short() {
		agents = 40
	}
	total := map[string]int{}
	for seed := range agents {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		a := drawForgetful(rng)
		cfg := TokenShareConfig("m")
		cfg.SummaryMaxChars, cfg.KeepRecent, cfg.Window = []int{0, 1500}[rng.IntN(2)], []int{3, 10, 10, 30}[rng.IntN(4)], a.window
		if rng.IntN(2) == 0 {
			cfg.MaxCount, cfg.Batch = 40, 30
		}
		if rng.IntN(4) == 0 {
			cfg.Fixed = int(float64(a.window) * .85 * rng.Float64())
		}
		r := newRig(t, cfg, a)
		r.Append(chat("S", 400)...)
		for range 120 {
			r.Append(a.turn()...)
			a.failed = false
			was := r.Metrics()
			before := heldCopy(r)
			res := r.BeforeCall(t.Context())
			r.clock.move(time.Minute)
			healthy := a.fails == 0
			switch {
			case res.Refused:
				total["refused calls"]++
			case res.Truncated == 0:
			case healthy && !nothingToSummarise(r, before):
				t.Fatalf("agent %d (window %d, messages of %d tokens): %d messages left unsummarised though the model is well: %s → %s",
					seed, a.window, a.size, res.Truncated, layout(before), layout(r.mem.runtime))
			case !a.failed && !healthy && r.decider.back.misses == 0:
				t.Fatalf("agent %d: %d messages left unsummarised though the model had not failed", seed, res.Truncated)
			}
			if res.Truncated > 0 {
				total["left unsummarised, model failing"] += res.Truncated
				announced(t, seed, r, before)
			}
			total["compactions"] += r.Metrics().Applied - was.Applied
			total["calls"]++
		}
		total["messages"] += len(r.History())
		total["agents"]++
		if a.fails == 0 {
			total["agents with a healthy model"]++
			total["messages of theirs"] += len(r.History())
			total["left unsummarised, model healthy"] += r.Metrics().Truncated
		}
	}
	if total["left unsummarised, model healthy"] > 0 || total["left unsummarised, model failing"] == 0 || total["compactions"] < total["agents"] {
		t.Errorf("%v", total)
	}
	t.Logf("%v", total)
}

// nothingToSummarise reports whether a list holds no more than its last group.
func nothingToSummarise(r *rig, list []held) bool {
	return lastCut(lineOf(messagesOf(list))) <= system(list)
}

var noticed = regexp.MustCompile(`^Messages (\d+)(?:–(\d+))?`)

// announced checks that a list names every message that a truncation took from
// it.
func announced(t *testing.T, seed int, r *rig, before []held) {
	t.Helper()
	left := map[int]bool{}
	notice := ""
	for _, h := range r.mem.runtime {
		left[h.hist] = true
		if summarize.IsLeftOut(h.msg.Content) {
			notice = h.summaryText()
		}
	}
	m := noticed.FindStringSubmatch(notice)
	if m == nil && r.mem.used() > r.mem.limit(&r.cfg)-leastNotice {
		return // there is no room to say it; the log and the metrics do
	}
	if m == nil {
		t.Fatalf("agent %d: nothing in the list says what is gone: %s", seed, layout(r.mem.runtime))
	}
	from, _ := strconv.Atoi(m[1])
	to, _ := strconv.Atoi(m[2])
	to = max(from, to)
	for _, h := range before {
		if h.hist >= 0 && !left[h.hist] && (h.hist+1 < from || h.hist+1 > to) && !r.covered(h.hist) {
			t.Fatalf("agent %d: message %d is gone, and the notice says %q", seed, h.hist+1, notice)
		}
	}
	if !strings.Contains(notice, "/srv/") && len(notice) > 400 {
		t.Errorf("agent %d: a long notice without a fact: %q", seed, notice)
	}
}

// covered reports whether a summary was made of a message.
func (r *rig) covered(hist int) bool {
	for _, rec := range r.Records() {
		if !rec.LeftOut && hist >= rec.History.From && hist < rec.History.To {
			return true
		}
	}
	return false
}

// A small window with a healthy model: the recent messages alone can't be sent.
// The tail is shortened, and everything that goes is summarised; the
// facts of a truncation, when the model is down, stay in the list.
func TestASmallWindowForgetsNothing(t *testing.T) {
	cfg := DefaultConfig()
	cfg.SummaryModel, cfg.Window = "m", 8192
	client := says("Conversation summary: " + strings.Repeat("it went on. ", 60))
	r := newRig(t, cfg, client)
	r.Append(chat("S", 400)...)
	for i := range 101 {
		r.Append(chat([]string{"U", "A"}[i%2], 4*650)...)
		r.BeforeCall(t.Context())
	}
	if m := r.Metrics(); m.Truncated != 0 || m.Rejected != 0 || m.Applied < 6 || m.Applied > 50 {
		t.Errorf("%+v", m)
	}
	client.reply = fails(errors.New("down")).reply
	r.Append(ChatMessage{Role: "user", Content: "Deploy from /srv/release/app.tar.gz on port 8443. " + strings.Repeat("x", 2000)})
	for i := range 30 {
		r.Append(chat([]string{"U", "A"}[i%2], 4*650)...)
		r.BeforeCall(t.Context())
	}
	m := r.Metrics()
	notices := 0
	for _, h := range r.mem.runtime {
		if isNotice(&h) {
			notices++
			if !strings.Contains(h.msg.Content, "/srv/release/app.tar.gz") {
				t.Errorf("the fact is gone: %s", h.msg.Content)
			}
		}
	}
	if m.Truncated == 0 || notices != 1 {
		t.Errorf("%d truncated, %d notices: %s", m.Truncated, notices, layout(r.mem.runtime))
	}
}

// A trigger that no compaction can get below does not compact before every
// call: it waits, longer from time to time, until messages would have to be left
// out. The model has not failed, so its breaker stays shut.
func TestF58ATriggerOutOfReachDoesNotThrash(t *testing.T) {
	cfg := TokenShareConfig("m")
	cfg.Window, cfg.Fixed, cfg.KeepRecent = 200_000, 170_000, 4 // 80 % is 160,000
	client := says("fine")
	r := newRig(t, cfg, client)
	r.Append(chat("S", 40)...)
	for i := range 100 {
		r.Append(chat("U A", 200)...)
		res := r.BeforeCall(t.Context())
		if res.Truncated > 0 || res.Refused {
			t.Fatalf("call %d: %+v", i, res.Err)
		}
	}
	m := r.Metrics()
	if m.Applied < 2 || m.Applied > 8 {
		t.Errorf("%d compactions in 100 calls", m.Applied)
	}
	if d := r.Decision(); d.Why == Broken || r.decider.back.misses != 0 {
		t.Errorf("the breaker took it for a failure: %+v", d)
	}
	t.Logf("%d compactions in 100 calls", m.Applied)
}

// However often an agent is compacted, a few answers of the model are kept.
func TestFewAnswersAreKept(t *testing.T) {
	client := says("It was deployed.")
	r := newRig(t, MessageCountConfig("gpt-4o"), client)
	for i := range 600 {
		r.Append(ChatMessage{Role: "user", Content: fmt.Sprintf("Deploy build %d to the servers of the north.", i)},
			ChatMessage{Role: "assistant", Content: fmt.Sprintf("Build %d runs.", i)})
		r.BeforeCall(t.Context())
		if n := len(r.answers); n > mostAnswers {
			t.Fatalf("%d answers are kept", n)
		}
	}
	if n := len(client.requests()); n <= 2*mostAnswers {
		t.Errorf("%d were asked for", n)
	}
}
