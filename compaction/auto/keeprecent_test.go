package auto

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
)

// The case of an author: fourteen messages are too large for the context, and ten of
// them with the summary that was made are not. The summary was expected to be longer.
func TestRecentMessagesStayWhenTheSummaryIsShort(t *testing.T) {
	cfg := TokenShareConfig("gpt-4o-mini")
	cfg.Threshold, cfg.SummaryMaxTokens = 0.9, 0
	r := newRig(t, cfg, says("Summary: the user asked to deploy the service; config done."))
	list := chat("S U U U A A U A U T:1+2+3 R:1 R:2 R:3 U", 4*(2465-FrameTokens))
	r.Append(list...)
	r.ReportUsage(ReportedUsage{Used: 14 * 2465, Max: 32768})
	res := r.BeforeCall(t.Context())
	if got := layout(r.mem.runtime); got != "S#AAUAUTRRRU" || res.Refused || len(res.Record.Summary) == 0 {
		t.Fatalf("layout %s, want the system prompt, the summary and the last ten; %+v", got, res.Decision)
	}
	if originals, err := r.Originals(*res.Record); err != nil || len(originals) != 3 {
		t.Errorf("the record stands for %d messages: %v", len(originals), err)
	}
}

// Of any list that is too large, compacted by share: as many recent messages stay as
// are to be kept, at a cut between call and result, whenever they can be sent with the
// summary; and where they can't, those that stay are the most that can, or a clause
// would fire with one more block.
func TestRecentMessagesStayWhateverFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 1))
	whole, shortened := 0, 0
	for range 1500 {
		spelled := []string{"S"}
		var cuts []int // between blocks: no call is parted from its results
		for calls := 0; len(spelled) < 8+rng.IntN(20); {
			cuts = append(cuts, len(spelled))
			if rng.IntN(3) > 0 {
				spelled = append(spelled, []string{"U", "A"}[rng.IntN(2)])
				continue
			}
			ids := []string{}
			for range 1 + rng.IntN(4) {
				calls++
				ids = append(ids, string(rune('a'+calls/26))+string(rune('a'+calls%26)))
			}
			spelled = append(spelled, "T:"+strings.Join(ids, "+"))
			for _, id := range ids {
				spelled = append(spelled, "R:"+id)
			}
		}
		list := chat(strings.Join(spelled, " "), 400+rng.IntN(4000))
		cfg := TokenShareConfig("m")
		cfg.KeepRecent, cfg.Threshold, cfg.SummaryMaxTokens = 1+rng.IntN(14), 0.7+0.3*rng.Float64(), rng.IntN(3)*500
		r := newRig(t, cfg, says("Conversation summary: "+strings.Repeat("done. ", 1+rng.IntN(60))))
		r.Append(list...)
		cfg.Window = int(float64(r.mem.used()) * (0.4 + 0.6*rng.Float64()))
		if err := r.Update(func(c *Config) { c.Window = cfg.Window }); err != nil {
			t.Fatal(err)
		}
		if limit := r.mem.limit(&r.cfg); r.mem.used() <= limit {
			continue
		}
		before, growth := r.mem.runtime, r.mem.limits(&r.cfg).Growth
		if res := r.BeforeCall(t.Context()); !res.Compressed || res.Truncated > 0 || len(r.Records()) != 1 {
			continue // nothing could go, or the summary was too long and a second one was made
		}
		after := r.mem.runtime
		from := len(before) - (len(after) - 2)
		size := func(cut int) int64 { return before[0].tokens + after[1].tokens + countTokens(before[cut:]) }
		limit, asked := int64(cfg.Window), 1
		for _, c := range cuts {
			if c <= len(before)-cfg.KeepRecent {
				asked = max(asked, c)
			}
		}
		switch {
		case asked > 1 && size(asked) <= limit && after[1].tokens < countTokens(before[1:asked]):
			if whole++; from != asked {
				t.Fatalf("%s: from %d on stays, want from %d: %d of %d tokens", strings.Join(spelled, " "), from, asked, size(asked), limit)
			}
		case from > asked:
			shortened++
			longer := 1
			for _, c := range cuts {
				if c < from {
					longer = c
				}
			}
			if n := size(longer); longer > 1 && after[1].tokens < countTokens(before[1:longer]) &&
				n+growth < int64(cfg.Threshold*float64(limit)) {
				t.Fatalf("%s: from %d on stays, from %d on fits: %d of %d tokens", strings.Join(spelled, " "), from, longer, n, limit)
			}
		}
	}
	if whole < 200 || shortened < 100 {
		t.Errorf("%d lists kept what was asked, %d less", whole, shortened)
	}
}

// After each further miss the history has to grow by twice as many messages as before.
func TestEachMissWaitsTwiceAsLong(t *testing.T) {
	c := &Config{BackOff: 5, RetryAfter: Milliseconds(time.Hour / time.Millisecond)}
	var b backOff
	now := time.Unix(0, 0)
	for i, want := range []int{5, 10, 20, 40, 80} {
		b.miss(100, now)
		if n, _, ok := b.wait(c, 100, now, false); n != want || ok {
			t.Errorf("after miss %d: %d messages, want %d", i+1, n, want)
		}
		if _, _, ok := b.wait(c, 100+want-1, now, false); ok {
			t.Errorf("after miss %d it does not wait for %d messages", i+1, want)
		}
		if n, _, ok := b.wait(c, 100+want, now, false); n != 0 || !ok {
			t.Errorf("after miss %d and %d messages it still waits", i+1, want)
		}
	}
}

// A configuration that can't be is an error, and not what is done.
func TestReadConfigRefusesWhatCantBe(t *testing.T) {
	for _, app := range []string{
		`{"conversation": {"autoCompression": {"threshold": 1.5}}}`, `{"keepRecentCount": -1}`, `{"onFailure": "hope"}`,
	} {
		if c, err := ReadConfig([]byte(app)); err == nil {
			t.Errorf("%s is taken: %+v", app, c)
		}
	}
}

// A file that names one threshold alone has no other.
func TestReadConfigAddsNoThreshold(t *testing.T) {
	for app, want := range map[string]Config{
		`{"conversation": {"autoCompression": {"enabled": true, "threshold": 0.8, "keepRecentCount": 10, "summaryModel": "m"}}}`: TokenShareConfig("m"),
		`{"compactThreshold": 40}`:                   func() Config { c := DefaultConfig(); c.NoShare = true; return c }(),
		`{"compactThreshold": 40, "threshold": 0.8}`: DefaultConfig(),
		`{"keepRecentCount": 10}`:                    DefaultConfig(),
	} {
		if c, err := ReadConfig([]byte(app)); err != nil || c != want {
			t.Errorf("%s is %+v, want %+v: %v", app, c, want, err)
		}
	}
}

// A tool result that is cut for a second time is cut from the original: its text says
// how much of that is missing, and holds no note of the first cut.
func TestAResultIsCutFromItsOriginal(t *testing.T) {
	cfg := TokenShareConfig("")
	cfg.Window = 9000
	r := newRig(t, cfg, nil)
	r.Append(chat("S U T:1 R:1", 100)[:3]...)
	original := strings.Repeat("0123456789", 4000)
	r.Append(ChatMessage{Role: "tool", ToolCallID: "1", Content: original})
	var size int
	for _, window := range []int{9000, 5000, 3000} {
		if err := r.Update(func(c *Config) { c.Window = window }); err != nil {
			t.Fatal(err)
		}
		res := r.BeforeCall(t.Context())
		text := res.Messages[len(res.Messages)-1].Content
		if res.Shortened > 0 {
			size++
			if strings.Count(text, " characters cut;") != 1 || !strings.Contains(text, " of 40000 characters cut;") {
				t.Errorf("in %d tokens it is %.300q", window, text)
			}
			if b, err := res.Messages[len(res.Messages)-1].MarshalJSON(); err != nil || !strings.Contains(string(b), "characters cut;") {
				t.Errorf("it is written as %.300s: %v", b, err)
			}
		}
	}
	if size < 2 {
		t.Errorf("it was cut %d times", size)
	}
}

// The first message of a person is kept where it is the first of all, too.
func TestTheVeryFirstMessageIsKept(t *testing.T) {
	cfg := MessageCountConfig("")
	cfg.Strategy, cfg.KeepFirstUser, cfg.OnFailure = model.Extract, true, model.KeepEverything
	r := newRig(t, cfg, nil)
	r.Append(chat(strings.TrimSpace(strings.Repeat("U A ", 22)), 400)...)
	first := r.History()[0].Content
	res := r.BeforeCall(t.Context())
	if !res.Compressed || !strings.HasPrefix(layout(r.mem.runtime), "#U") || res.Messages[1].Content != first {
		t.Errorf("%v: %s", res.Err, layout(r.mem.runtime))
	}
}

// Edges that were calculated by hand. A message is 56 tokens of text and 4 of its frame: a
// system prompt and 14 chats are 900 tokens. The summary has 65 bytes with its heading, 17
// tokens, and 4 of its frame.
func TestTheEdgesOfThresholdAndKeepRecent(t *testing.T) {
	for _, x := range []struct {
		window    int
		threshold float64
		keep      int
		want      string
	}{
		{1000, .9, 10, "S#UAUAUAUAUA"}, // 900 of 1,000 is at the threshold
		{1000, .901, 10, "SUAUAUAUAUAUAUA"},
		{1001, .9, 10, "SUAUAUAUAUAUAUA"},
		{999, .9, 10, "S#UAUAUAUAUA"},
		{900, 1, 10, "S#UAUAUAUAUA"},      // as large as the model limit: it can still be sent
		{1000, .9, 14, "SUAUAUAUAUAUAUA"}, // nothing goes
		{1000, .9, 13, "SUAUAUAUAUAUAUA"}, // one message alone is not worth a summary
		{1000, .9, 12, "S#UAUAUAUAUAUA"},
		{1000, .9, 100, "SUAUAUAUAUAUAUA"},
		{1000, .9, 1, "S#A"},
		{1000, .9, 0, "S#"},
		{681, .9, 10, "S#UAUAUAUAUA"}, // 60 + 21 + 600 can just be sent
		{680, .9, 10, "S#UAUAUA"},     // and here can't: fewer stay, so that the next turns fit too
	} {
		r := shareRig(t, says("ok"), func(c *Config) { c.Window, c.Threshold, c.KeepRecent = x.window, x.threshold, x.keep })
		r.Append(chatter(14, 224)...)
		res := r.BeforeCall(t.Context())
		if got := layout(r.mem.runtime); got != x.want || res.Refused || res.Truncated > 0 {
			t.Errorf("window %d, threshold %g, keep %d: %s, want %s; %+v", x.window, x.threshold, x.keep, got, x.want, res.Decision)
		}
	}
	for count, want := range map[int]string{15: "S#UAUAUAUAUA", 16: "SUAUAUAUAUAUAUA"} {
		cfg := MessageCountConfig("m")
		cfg.MaxCount = count
		r := newRig(t, cfg, says("ok"))
		r.Append(chatter(14, 224)...)
		r.BeforeCall(t.Context())
		if got := layout(r.mem.runtime); got != want {
			t.Errorf("threshold %d messages: %s, want %s", count, got, want)
		}
	}
}

// A configuration with the values of a policy describes that policy, and what no policy says
// stays: members that are not known, too. With the values that it has it is left alone.
func TestRetunedHasTheValuesOfThePolicy(t *testing.T) {
	for _, start := range []string{
		`{"enabled":true,"threshold":0.8,"keepRecentCount":10,"maxTokens":6000,"summaryModel":"small","summaryTimeout":9000,"theirs":[1, 2]}`,
		`{"enabled":false,"compactThreshold":40,"compactWindow":30,"maxHistorySize":50,"theirs":[1, 2],"strategy":"extract"}`,
	} {
		c, err := ReadConfig([]byte(start))
		if err != nil {
			t.Fatal(err)
		}
		if b := Retuned([]byte(start), c.Policy()); b != nil {
			t.Errorf("%s became %s", start, b)
		}
		p := c.Policy()
		for _, change := range []func(){
			func() { p.SetTriggers([]model.Clause{{Share: .35}}); p.Window = 6000 },
			func() { p.Tail.N, p.Batch = 4, model.Amount{N: 12, Unit: model.Messages} },
			func() { p.SetTriggers([]model.Clause{{At: model.Amount{N: 28, Unit: model.Messages}}}) },
			func() { p.Budget, p.Strategy = model.Amount{N: 800, Unit: model.Chars}, model.StructuredTable },
			func() { p.OnFailure, p.MaxMessages, p.KeepFirstUser = model.TruncateAtHard, 70, true },
		} {
			change()
			b := Retuned([]byte(start), p)
			now, err := ReadConfig(b)
			if err != nil {
				t.Fatal(err, string(b))
			}
			q := now.Policy()
			q.Window, q.Preset, q.LayerBudget, q.Reserve = p.Window, p.Preset, p.LayerBudget, p.Reserve
			if !reflect.DeepEqual(q, p) {
				t.Errorf("%s says\n%+v\nwant\n%+v", b, q, p)
			}
			if now.Enabled != c.Enabled || now.SummaryModel != c.SummaryModel || now.SummaryTimeout != c.SummaryTimeout ||
				now.BackOff != c.BackOff || !strings.Contains(string(b), `"theirs":[1,2]`) {
				t.Errorf("%s of %s", b, start)
			}
		}
	}
}

// A summary of a list that can't be sent may have three quarters of what it takes, and elsewhere
// as much as is set.
func TestASummaryAtTheLimitIsShorterThanWhatItTakes(t *testing.T) {
	j := &job{cfg: TokenShareConfig("m"), count: byFour, taken: []held{{tokens: 300}, {tokens: 100}}}
	if got := j.maxTokens(); got != j.cfg.SummaryMaxTokens {
		t.Errorf("%d tokens, %d are set", got, j.cfg.SummaryMaxTokens)
	}
	j.decision.ByLimit = true
	if got, want := j.maxTokens(), 300-int(j.message("").tokens); got != want {
		t.Errorf("at the limit %d tokens, want %d", got, want)
	}
}

// One message alone is replaced by a summary only where the list can't be sent.
func TestOneMessageAloneIsNotSummarised(t *testing.T) {
	for _, limit := range []bool{false, true} {
		r := newRig(t, TokenShareConfig("m"), says("short"))
		r.Append(chatter(4, 400)...)
		j := &job{flight: &flight{}, cfg: r.cfg, count: byFour, version: r.mem.version, taken: r.mem.runtime[1:2]}
		j.decision.take, j.decision.ByLimit = model.Range{From: 1, To: 2}, limit
		if err := r.apply(j, &Result{Summary: "short"}); errors.Is(err, ErrNotSmaller) == limit {
			t.Errorf("at the limit %v: %v", limit, err)
		}
	}
}

// The notice of what is left out takes all the tokens that there are for it, and no more.
func TestANoticeFitsItsTokens(t *testing.T) {
	r := newRig(t, TokenShareConfig("m"), says("short"))
	r.Append(chatter(6, 400)...)
	for room := 1; room < 200; room++ {
		if h, ok := r.notice(&cut{from: 1, to: 3, notice: room}); ok {
			if h.tokens != int64(room) {
				t.Errorf("the first notice has %d tokens where there are %d", h.tokens, room)
			}
			return
		}
	}
	t.Error("no notice fits 199 tokens")
}
