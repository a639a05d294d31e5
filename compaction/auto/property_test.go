package auto

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"pgregory.net/rapid"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// drawChat makes a run of messages as agents have them: parallel calls, results
// out of order or missing, interjections, reused ids, odd texts.
func drawChat(t *rapid.T, from int) []ChatMessage {
	var out []ChatMessage
	var open []string
	text := func() string {
		s := rapid.SampledFrom([]string{"a", "字", "😀", "\xff", "---\n", "[User]: x\n", "/srv/app.go ", ""}).Draw(t, "text")
		return fmt.Sprintf("%d ", from+len(out)) + strings.Repeat(s, rapid.SampledFrom([]int{1, 9, 80, 700}).Draw(t, "times"))
	}
	for k := range rapid.IntRange(0, 30).Draw(t, "messages") {
		switch rapid.IntRange(0, 8).Draw(t, "what") {
		case 0, 1:
			out = append(out, ChatMessage{Role: "user", Content: text()})
		case 2:
			out = append(out, ChatMessage{Role: "assistant", Content: text(), Reasoning: "hm"})
		case 3:
			out = append(out, ChatMessage{Role: rapid.SampledFrom([]string{"system", "developer", "odd", ""}).Draw(t, "role"), Content: text()})
		case 4, 5:
			m := ChatMessage{Role: "assistant", Content: text()}
			for c := range rapid.IntRange(1, 3).Draw(t, "calls") {
				id := fmt.Sprint(from, "-", k, "-", c)
				if rapid.IntRange(0, 9).Draw(t, "reuse") == 0 {
					id = "same"
				}
				m.ToolCalls = append(m.ToolCalls, ChatCall{id, "run", `{"command":"ls"}`})
				open = append(open, id)
			}
			out = append(out, m)
		default:
			if len(open) > 0 {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				out = append(out, ChatMessage{Role: "tool", ToolCallID: open[i], Content: text()})
				open = slices.Delete(open, i, i+1)
			}
		}
	}
	return out
}

func drawConfig(t *rapid.T) Config {
	n := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	c := DefaultConfig()
	c.SummaryModel = "m"
	c.Threshold = rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.8, 1}).Draw(t, "threshold")
	c.NoShare = rapid.Bool().Draw(t, "no share")
	c.MaxCount, c.KeepRecent, c.Batch = n("count", 0, 1, 5, 40), n("keep", 0, 1, 3, 10, 1000), n("batch", 0, 1, 7, 30, 9999)
	c.Window, c.Reserve, c.HardCount = n("window", 0, 400, 5000, 100000), n("reserve", 0, 100), n("hard", 0, 1, 12, 50)
	c.SummaryMaxChars, c.SummaryMaxTokens = n("chars", 0, 1, 60, 1500), n("tokens", 0, 1, 50, 1000)
	c.SummaryFromUser = rapid.Bool().Draw(t, "from user")
	c.SummaryLanguage = rapid.SampledFrom([]string{"", "en", "zh"}).Draw(t, "language")
	c.OnFailure = rapid.SampledFrom([]model.OnFailure{model.KeepEverything, model.ExtractInstead, AnnounceOnly, model.TruncateAtHard}).Draw(t, "on failure")
	c.BackOff, c.BreakAfter = n("back-off", 0, 1, 5), n("break", 0, 1, 3)
	return c
}

// drawModel is a summary model of any temper. hung are those that wait for
// their context.
func drawModel(t *rapid.T, r **rig) *scripted {
	return &scripted{reply: func(ctx context.Context, q SummaryRequest) (string, error) {
		if !utf8.ValidString(q.Prompt) {
			t.Fatal("the prompt is not valid UTF-8")
		}
		switch rapid.IntRange(0, 8).Draw(t, "temper") {
		case 0:
			return "", errors.New("HTTP 503")
		case 1:
			return " \n", nil
		case 2:
			panic("boom")
		case 3:
			return strings.Repeat("长", 20000), nil
		case 4:
			return "\xff\xfe\x1b[31m sum", nil
		case 5:
			(*r).clock.move(time.Hour)
			<-ctx.Done()
			return "", ctx.Err()
		}
		return "Conversation summary: it goes on.", nil
	}}
}

// faults is what a provider would refuse in a list, by message.
func faults(list []ChatMessage) map[string]int {
	th := &model.Thread{}
	var items []model.Item
	for i := range list {
		th.Messages = append(th.Messages, list[i].message())
		items = append(items, model.Item{Msg: int32(i)})
	}
	out := map[string]int{}
	for _, f := range compaction.Faults(th, items) {
		m := &list[f.Entry]
		out[f.Code+fmt.Sprint(m.Role, m.ToolCallID, m.ToolCalls)]++
	}
	return out
}

func TestI1ToI8AnAgentUnderAnyConfiguration(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var r *rig
		r = newRig(t, drawConfig(rt), drawModel(rt, &r))
		prompt := chat(strings.Repeat("S ", rapid.IntRange(0, 2).Draw(rt, "systems")), 30)
		r.Append(prompt...)
		all := slices.Clone(prompt)
		lead := len(prompt)
		for turn := range rapid.IntRange(1, 8).Draw(rt, "turns") {
			more := drawChat(rt, turn*100)
			if turn == 0 {
				for lead-len(prompt) < len(more) && (more[lead-len(prompt)].Role == "system" || more[lead-len(prompt)].Role == "developer") {
					lead++
				}
			}
			r.Append(more...)
			all = append(all, more...)
			before := heldCopy(r)
			var res Result
			if rapid.IntRange(0, 4).Draw(rt, "manual") == 0 {
				res = r.CompactNow(context.Background())
			} else {
				res = r.BeforeCall(context.Background())
				for _, l := range r.log.take() {
					if l.Message == truncateError.english || l.Message == truncateError.chinese {
						rt.Fatal("truncating failed")
					}
				}
				if limit := r.mem.limit(&r.cfg); limit > 0 && !res.Refused && r.mem.usage(&r.cfg).Used > limit {
					rt.Fatalf("a list of %d tokens is sent, the limit is %d", r.mem.usage(&r.cfg).Used, limit)
				}
			}
			checkList(rt, r, res, before, all, lead)
			if rapid.IntRange(0, 3).Draw(rt, "report") == 0 {
				r.ReportUsage(ReportedUsage{Used: int64(rapid.IntRange(0, 9000).Draw(rt, "used")), Max: int64(rapid.SampledFrom([]int{0, 3000}).Draw(rt, "max"))})
			}
			checkState(rt, r)
		}
	})
}

func heldCopy(r *rig) []held {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.mem.runtime)
}

// checkList checks one result (I1–I4, I6, I8).
func checkList(t *rapid.T, r *rig, res Result, before []held, all []ChatMessage, lead int) {
	had := faults(all)
	for f, n := range faults(res.Messages) {
		if n > had[f] {
			t.Fatalf("I1: a new fault: %s in %s", f, layout(r.mem.runtime))
		}
	}
	if got := r.History(); len(got) != len(all) {
		t.Fatalf("I2: the full history holds %d of %d", len(got), len(all))
	}
	for i, m := range r.History() {
		if !m.same(&all[i]) {
			t.Fatalf("I2: message %d of the full history changed", i)
		}
	}
	for i := range lead {
		if !res.Messages[i].same(&all[i]) {
			t.Fatalf("I3: the system prompt changed")
		}
	}
	at := -1
	for i, h := range r.mem.runtime {
		if h.hist < 0 {
			if !h.summary {
				t.Fatalf("message %d comes from nowhere", i)
			}
			continue
		}
		if h.hist <= at {
			t.Fatalf("message %d is out of order", i)
		}
		at = h.hist
	}
	if n := countTokens(before); res.Compressed && (r.mem.counted >= n || len(res.Messages) > len(before)) {
		t.Fatalf("I4: from %d tokens to %d, from %d messages to %d", n, r.mem.counted, len(before), len(res.Messages))
	}
	if !res.Compressed && res.Truncated == 0 && res.Shortened == 0 && layout(r.mem.runtime) != layout(before) {
		t.Fatal("I6: the list changed although nothing was done")
	}
	c := r.cfg
	for _, h := range r.mem.runtime {
		if h.summary && !utf8.ValidString(h.msg.Content) {
			t.Fatal("I8: a summary is not valid UTF-8")
		}
	}
	if res.Compressed && res.Instead != AnnounceOnly && res.Instead != model.ExtractInstead {
		if n := utf8.RuneCountInString(res.Summary); c.SummaryMaxChars > 0 && n > c.SummaryMaxChars {
			t.Fatalf("I8: a summary of %d characters, the limit is %d", n, c.SummaryMaxChars)
		}
		if n := byFour(res.Summary); c.SummaryMaxTokens > 0 && n > c.SummaryMaxTokens {
			t.Fatalf("I8: a summary of %d tokens, the limit is %d", n, c.SummaryMaxTokens)
		}
	}
	if res.Record != nil {
		if o, err := r.Originals(*res.Record); err != nil || len(o) != res.Record.History.To-res.Record.History.From {
			t.Fatalf("I2: originals: %d, %v", len(o), err)
		}
	}
}

// checkState checks that what is saved is what is loaded and saved again
// (I10).
func checkState(t *rapid.T, r *rig) {
	saved, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(r.cfg, Options{Clock: r.clock, Count: byFour})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Load(saved); err != nil {
		t.Fatal(err)
	}
	again, err := other.MarshalJSON()
	if err != nil || !bytes.Equal(saved, again) {
		at := 0
		for at < min(len(saved), len(again)) && saved[at] == again[at] {
			at++
		}
		t.Fatalf("I10: saved …%s, again …%s", saved[max(0, at-80):min(len(saved), at+80)], again[max(0, at-80):min(len(again), at+80)])
	}
	if got, want := layout(other.mem.runtime), layout(r.mem.runtime); got != want {
		t.Fatalf("I10: %s is loaded as %s", want, got)
	}
	if got, want := len(other.mem.runtime), len(r.mem.runtime); got != want {
		t.Fatalf("I10: %d messages, want %d", got, want)
	}
}

// I5: what an earlier summary holds is in front of the model that writes the
// next one, and with the stand-ins in the next summary itself.
func TestI5AFactInASummaryIsCarriedOn(t *testing.T) {
	for _, failing := range []model.OnFailure{"", model.ExtractInstead, AnnounceOnly} {
		cfg := MessageCountConfig("m")
		if failing != "" {
			cfg.OnFailure = failing
		}
		client := says("对话摘要：偏好 /srv/data；KEY-FACT-1")
		r := newRig(t, cfg, client)
		r.Append(chatter(40, 200)...)
		if res := r.BeforeCall(t.Context()); !res.Compressed {
			t.Fatalf("%+v", res)
		}
		if failing != "" {
			client.reply = fails(errors.New("down")).reply
		}
		r.Append(chatter(40, 200)[1:]...)
		res := r.BeforeCall(t.Context())
		if !res.Compressed || res.Instead != failing {
			t.Fatalf("%s: %+v", failing, res)
		}
		if reqs := client.requests(); !strings.Contains(reqs[len(reqs)-1].Prompt, "KEY-FACT-1") {
			t.Errorf("%s: the earlier summary is not in the prompt", failing)
		}
		if failing != "" && !strings.Contains(res.Summary, "KEY-FACT-1") {
			t.Errorf("%s: the earlier summary is lost: %s", failing, res.Summary)
		}
	}
}

// I7: a model that always fails is asked O(log n) times, whatever else is
// configured, when no time passes; with time, once a pause.
func TestI7AFailingModelIsSeldomAsked(t *testing.T) {
	for _, k := range []model.OnFailure{model.KeepEverything, model.ExtractInstead, AnnounceOnly, model.TruncateAtHard} {
		for _, hard := range []bool{false, true} {
			cfg := MessageCountConfig("m")
			cfg.OnFailure = k
			if hard {
				cfg.NoShare, cfg.Window = false, 3000
			}
			client := fails(errors.New("down"))
			r := newRig(t, cfg, client)
			const turns = 500
			for range turns {
				r.Append(chat("U A", 80)...)
				if res := r.BeforeCall(t.Context()); res.Refused {
					t.Fatalf("%s: %v", k, res.Err)
				}
			}
			if n := len(client.requests()); n > cfg.BreakAfter+bits.Len(turns) {
				t.Errorf("%s, hard %v: asked %d times in %d turns", k, hard, n, turns)
			}
			asked := len(client.requests())
			for range 100 {
				r.clock.move(time.Minute)
				r.Append(chat("U A", 80)...)
				r.BeforeCall(t.Context())
			}
			if n := len(client.requests()) - asked; n > 11 {
				t.Errorf("%s, hard %v: asked %d times in 100 minutes", k, hard, n)
			}
		}
	}
}

// I11: nothing that is appended while a summary is made is lost or moved.
func TestI11EightGoroutinesAppendWhileCompactionRuns(t *testing.T) {
	cfg := DefaultConfig()
	cfg.SummaryModel, cfg.Window, cfg.BackgroundMargin = "m", 6000, 0.3
	r := newRig(t, cfg, says("Conversation summary: so far."))
	r.Append(chat("S", 20)...)
	const writers, each = 8, 60
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				r.Append(
					ChatMessage{Role: "user", Content: fmt.Sprintf("w%d %d ", w, i) + strings.Repeat("x", 60)},
					ChatMessage{Role: "assistant", Content: "ok " + strings.Repeat("y", 60)})
				switch i % 12 {
				case 3:
					if res := r.BeforeCall(context.Background()); len(res.Messages) == 0 {
						t.Error("an empty list is sent")
					}
				case 7:
					r.ReportUsage(ReportedUsage{Used: 3000, Max: 6000})
				case 9:
					r.CompactNow(context.Background())
				case 11:
					if _, err := json.Marshal(r.Compactor); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	history := r.History()
	if len(history) != 1+writers*each*2 {
		t.Fatalf("%d messages, want %d", len(history), 1+writers*each*2)
	}
	next := map[string]int{}
	for _, m := range history[1:] {
		var w string
		var i int
		if n, _ := fmt.Sscanf(m.Content, "%s %d", &w, &i); n == 2 && strings.HasPrefix(w, "w") {
			if next[w] != i {
				t.Fatalf("%s: message %d comes at the place of %d", w, i, next[w])
			}
			next[w]++
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := -1
	for _, h := range r.mem.runtime {
		if h.hist >= 0 && h.hist <= at {
			t.Fatal("the runtime list is out of order")
		}
		at = max(at, h.hist)
	}
	if r.metrics.Applied == 0 {
		t.Error("nothing was compacted")
	}
}

// A plain answer is a summary message that a reader knows again.
func TestTheSummaryMessageIsKnownAgain(t *testing.T) {
	r := newRig(t, MessageCountConfig("m"), says("all is well"))
	r.Append(chatter(45, 100)...)
	res := r.BeforeCall(t.Context())
	if m := res.Messages[1]; !res.Compressed || m.Role != "system" || !summarize.IsSummary(m.Content) {
		t.Errorf("%+v", res.Messages[:2])
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"agentId":"a","messages":[{"role":"user","content":"x"}],"runtimeMessages":[{"role":"system","content":"[对话摘要 - 早期上下文]\ny"}],"compressions":[{"summary":"y","historyRange":{"start":0,"end":1}}],"tokenUsage":{"usedTokens":5,"maxTokens":9,"messages":1},"updatedAt":"x","more":[1]}`))
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}],"runtimeMessages":null}`))
	f.Add([]byte(`{"messages":[],"runtimeMessages":[{"role":"user"}],"runtimeMessAges":[{}]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := New(DefaultConfig(), Options{Clock: newClock(), Count: byFour})
		if err != nil {
			t.Fatal(err)
		}
		if a.Load(data) != nil {
			if _, err := a.MarshalJSON(); err == nil {
				t.Fatal("what could not be read is overwritten")
			}
			return
		}
		a.BeforeCall(context.Background())
		saved, err := a.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Load(saved); err != nil {
			t.Fatalf("%v: %s", err, saved)
		}
		again, err := a.MarshalJSON()
		if err != nil || !bytes.Equal(saved, again) {
			t.Fatalf("saved\n%s\nagain\n%s", saved, again)
		}
	})
}
