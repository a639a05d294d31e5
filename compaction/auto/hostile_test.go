package auto

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"palimpsest/model"
)

// breaks is a log that panics.
type breaks struct{ slog.Handler }

func (breaks) Enabled(context.Context, slog.Level) bool  { return true }
func (breaks) Handle(context.Context, slog.Record) error { panic("no space left on device") }

func TestD18F60ALogThatPanicsBreaksNothing(t *testing.T) {
	for _, client := range []SummaryClient{says("fine"), fails(errors.New("down")), nil} {
		cfg := DefaultConfig()
		cfg.SummaryModel, cfg.Window = "m", 3000
		a, err := New(cfg, Options{Client: client, Clock: newClock(), Log: slog.New(breaks{}), Count: byFour})
		if err != nil {
			t.Fatal(err)
		}
		a.Append(chatter(60, 400)...)
		res := a.BeforeCall(t.Context())
		if res.Refused || a.Metrics().Triggers > 0 != (client != nil) || len(res.Messages) == 0 || len(a.History()) != 61 {
			t.Errorf("%+v", res)
		}
		a.Append(chat("U", 10)...) // the lock was given back
	}
}

// What a provider can't have meant doesn't make usage wrap around.
func TestF56AReportBeyondAllMeasureStillFires(t *testing.T) {
	for _, used := range []int64{math.MaxInt64, 1 << 60} {
		r := shareRig(t, says("fine"), nil)
		r.Append(full()...)
		r.ReportUsage(ReportedUsage{Used: used, Max: 3000})
		saved, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		r.Append(chat("U", 40000)...)
		if d := r.Decision(); !d.ByShare || d.Usage.Used <= 0 {
			t.Errorf("%d: %+v", used, d)
		}
		if err := r.Load(saved); err != nil {
			t.Fatal(err)
		}
		if again, err := r.MarshalJSON(); err != nil || string(again) != string(saved) {
			t.Errorf("%d: saved\n%s\nagain\n%s", used, saved, again)
		}
	}
}

// hostile is a summary model of every bad temper in turn. It keeps no promise:
// every seventh question is not answered before the end.
type hostile struct {
	turn  atomic.Int64
	never chan struct{}
}

func (h *hostile) Summarise(_ context.Context, r SummaryRequest) (string, error) {
	switch h.turn.Add(1) % 7 {
	case 0:
		<-h.never
	case 1:
		return "", errors.New("HTTP 500")
	case 2:
		return " \n\u3000", nil
	case 3:
		panic("boom")
	case 4:
		return strings.Repeat("长", 1_000_000), nil
	case 5:
		return r.Prompt + r.Prompt, nil // longer than its input
	}
	return "Conversation summary: \xff it goes on.", nil
}

// Eight goroutines append, call, cancel, compact by hand, configure and save
// while the model does its worst: nothing is lost, moved, sent twice or orphaned.
func TestI1I3I6I11AHostileModelUnderEightGoroutines(t *testing.T) {
	for _, onFailure := range []model.OnFailure{model.KeepEverything, model.ExtractInstead, AnnounceOnly, model.TruncateAtHard} {
		cfg := DefaultConfig()
		cfg.SummaryModel, cfg.Window, cfg.BackgroundMargin, cfg.OnFailure = "m", 6000, 0.3, onFailure
		cfg.BackOff, cfg.BreakAfter = 1, 0
		client := &hostile{never: make(chan struct{})}
		r := newRig(t, cfg, client)
		r.Append(chat("S", 20)...)
		const writers, each = 8, 20
		stop := make(chan struct{})
		var ticks, wg sync.WaitGroup
		ticks.Go(func() { // time goes by, so that questions run out of it
			for {
				select {
				case <-stop:
					return
				default:
					r.clock.move(time.Second)
				}
			}
		})
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					id := fmt.Sprint(w, "-", i)
					r.Append( // a group at once, so that what others append can't divide it
						ChatMessage{Role: "user", Content: id + strings.Repeat(" x", 40)},
						ChatMessage{Role: "assistant", ToolCalls: []ChatCall{{ID: id, Name: "run", Arguments: "{}"}}},
						ChatMessage{Role: "tool", ToolCallID: id, Content: strings.Repeat("字", 60)})
					ctx, cancel := context.WithCancel(context.Background())
					switch i % 5 {
					case 1:
						cancel()
						fallthrough
					case 0:
						checkSent(t, r.BeforeCall(ctx))
					case 2:
						if i%10 == 2 {
							go cancel()
							checkSent(t, r.CompactNow(ctx))
						}
					case 3:
						if err := r.Update(func(c *Config) { c.KeepRecent = 4 + i%8 }); err != nil {
							t.Error(err)
						}
					case 4:
						if _, err := json.Marshal(r.Compactor); err != nil {
							t.Error(err)
						}
					}
					cancel()
				}
			})
		}
		wg.Wait()
		if err := r.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		close(stop)
		ticks.Wait()
		close(client.never)
		if n := len(r.History()); n != 1+3*writers*each {
			t.Errorf("%s: the full history holds %d of %d", onFailure, n, 1+3*writers*each)
		}
		res := r.BeforeCall(t.Context())
		checkSent(t, res)
		if limit := r.mem.limit(&r.cfg); !res.Refused && r.mem.usage(&r.cfg).Used > limit {
			t.Errorf("%s: %d tokens are sent, the limit is %d", onFailure, r.mem.usage(&r.cfg).Used, limit)
		}
	}
}

// checkSent checks a list that is to be sent: the system prompt once and first,
// no result without its call, text that any file can hold.
func checkSent(t *testing.T, res Result) {
	t.Helper()
	list := res.Messages
	if len(list) == 0 || list[0].Role != "system" || !strings.HasPrefix(list[0].Content, "S 0 ") {
		t.Error("the system prompt does not come first")
	}
	for i := range list {
		if i > 0 && strings.HasPrefix(list[i].Content, "S 0 ") {
			t.Error("the system prompt comes twice")
		}
		if !utf8.ValidString(list[i].Content) {
			t.Error("a text is not valid UTF-8")
		}
	}
	if o := orphans(list); len(o) > 0 {
		t.Errorf("results without their calls: %v", o)
	}
	if res.Compressed && res.Record != nil && utf8.RuneCountInString(res.Summary) > 1500 {
		t.Errorf("a summary of %d characters", utf8.RuneCountInString(res.Summary))
	}
}
