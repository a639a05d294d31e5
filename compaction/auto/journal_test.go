package auto

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// noted is a journal in memory.
type noted struct {
	entries []model.Entry
	unread  error // in place of its events
}

func (n *noted) Events(_ context.Context, _ string, after int64) (list []model.Event, err error) {
	for _, e := range n.entries {
		list = append(list, e.Events...)
	}
	return list[min(int(after), len(list)):], n.unread
}

func (n *noted) Append(_ context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	n.entries = append(n.entries, e)
	return nil, nil
}

// made are the compactions that it was told of.
func (n *noted) made() (list []model.Compacted) {
	for _, e := range n.entries {
		list = append(list, e.Compacted...)
	}
	return list
}

func openRig(t *testing.T, cfg Config, o Options) (*rig, *noted) {
	t.Helper()
	j := &noted{}
	r := &rig{clock: newClock()}
	o.Agent, o.Clock, o.Journal, o.Count = "agent-123", r.clock, j, byFour
	var err error
	if r.Compactor, err = Open(t.Context(), cfg, o); err != nil {
		t.Fatal(err)
	}
	return r, j
}

// A record of a hard limit names the messages that left, and the pinned ones among them
// that stayed. A pin before or after what left is not among them.
func TestARecordOfAHardLimitNamesWhatStayed(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 34))
	first, behind, inside := 0, 0, 0
	for range 150 {
		cfg := TokenShareConfig("m")
		cfg.Window = 1200
		r, j := openRig(t, cfg, Options{Client: fails(errors.New("down"))})
		r.Append(full()...)
		var pins []model.Range
		pinned := map[int]bool{}
		for range rng.IntN(5) {
			at := []int{0, 1, 30 + rng.IntN(14), rng.IntN(45)}[rng.IntN(4)]
			pinned[at] = true
			pins = append(pins, model.Range{From: at, To: at + 1})
		}
		r.Pin(pins...)
		r.BeforeCall(t.Context())
		made := j.made()
		i := slices.IndexFunc(made, func(c model.Compacted) bool { return c.LeftOut })
		if i < 0 {
			t.Fatalf("pins %v: %d compactions are in the journal, none left anything out", pins, len(made))
		}
		c := made[i]
		var want []int
		for at := c.Take.From; at < c.Take.To; at++ {
			if pinned[at] {
				want = append(want, at)
			}
		}
		if !slices.Equal(c.Kept, want) || c.Outcome != model.Applied || c.Cause != model.CauseAutomatic {
			t.Errorf("pins %v: %v left, of them %v stayed, want %v; %s, %s", pins, c.Take, c.Kept, want, c.Outcome, c.Cause)
		}
		inside += len(want)
		if pinned[c.Take.From] {
			first++
		}
		if pinned[c.Take.To] {
			behind++
		}
	}
	if first < 10 || behind < 3 || inside < 30 {
		t.Errorf("%d pins were the first that left, %d the first that stayed, %d between", first, behind, inside)
	}
}

// A summary that is made beside the work is an automatic one: it gives way to one by hand.
func TestD21ByHandGoesBeforeOneInTheBackground(t *testing.T) {
	h := newHanging()
	r := shareRig(t, h, func(c *Config) { c.BackgroundMargin = 0.1 })
	r.Append(full()...)
	r.ReportUsage(ReportedUsage{Used: 2250})
	r.BeforeCall(t.Context())
	background := <-h.asked
	r.mu.Lock()
	byHand := r.flight.manual
	r.mu.Unlock()
	if byHand {
		t.Fatal("it counts as one by hand, which another by hand waits for")
	}
	manual := make(chan Result)
	go func() { manual <- r.CompactNow(context.Background()) }()
	<-background.Done()
	h.free <- "late"
	<-h.asked
	h.free <- "fine"
	if res := <-manual; !res.Compressed || res.Joined || res.Summary != "Conversation summary: fine" {
		t.Errorf("%+v", res)
	}
}

// Open refuses what it could not keep, and a history that can't be read.
func TestOpenSaysWhatIsMissing(t *testing.T) {
	cfg := TokenShareConfig("m")
	good := Options{Agent: "a", Clock: newClock(), Journal: &noted{}}
	if _, err := Open(t.Context(), cfg, good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Options, *Config){
		"no journal":       func(o *Options, _ *Config) { o.Journal = nil },
		"has no id":        func(o *Options, _ *Config) { o.Agent = "" },
		"agent a: on fire": func(o *Options, _ *Config) { o.Journal = &noted{unread: errors.New("on fire")} },
		"threshold":        func(_ *Options, c *Config) { c.Threshold = 2 },
		`"note" is none of automatic compaction`: func(o *Options, _ *Config) {
			o.Journal = &noted{entries: []model.Entry{{Events: []model.Event{{Seq: 1, Kind: "note"}}}}}
		},
		"it goes on from message 3, there are 0": func(o *Options, _ *Config) {
			o.Journal = &noted{entries: []model.Entry{{Events: []model.Event{{Seq: 1, Kind: model.EventAgentState, Covers: 3, Items: "{}"}}}}}
		},
	} {
		o, c := good, cfg
		change(&o, &c)
		if a, err := Open(t.Context(), c, o); err == nil || !strings.Contains(err.Error(), want) || a != nil {
			t.Errorf("%v, %v, want an error with %q", a, err, want)
		}
	}
}
