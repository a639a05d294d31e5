package auto

import (
	"errors"
	"strings"
	"testing"

	"palimpsest/model"
)

// A standing order of the person and what is pinned survive any number of
// compactions and truncations, under every strategy, with a model that is well
// and one that is not.
func TestAStandingOrderSurvives(t *testing.T) {
	const order = "Never touch /srv/prod; use python 3.11."
	for _, strategy := range []model.Strategy{"", model.ModelNote, model.Extract, model.StructuredJSON, model.StructuredTable, model.NoteText} {
		for _, client := range []*scripted{says("Conversation summary: " + strings.Repeat("it went on. ", 30)), fails(errors.New("down"))} {
			cfg := DefaultConfig()
			cfg.SummaryModel, cfg.Window, cfg.Strategy = "m", 8192, strategy
			cfg.KeepFirstUser, cfg.KeepShare = true, .3
			if !cfg.asks() {
				cfg.SummaryModel = ""
			}
			r := newRig(t, cfg, client)
			r.Append(chat("S", 400)...)
			r.Append(ChatMessage{Role: "user", Content: order})
			r.Append(chat("A T:7 R:7", 100)...)
			r.Pin(model.Range{From: 4, To: 5}) // a result, and with it its call
			for i := range 60 {
				r.Append(chat([]string{"U", "A", "T:1 R:1"}[i%3], 1500)...)
				if res := r.BeforeCall(t.Context()); res.Refused {
					t.Fatalf("%q: %v", strategy, res.Err)
				}
			}
			got := ""
			for _, m := range r.Messages() {
				got += m.Content + m.ToolCallID + "\n"
			}
			if !strings.Contains(got, order) || !strings.Contains(got, "R:7") || len(orphans(r.Messages())) > 0 {
				t.Errorf("%q: %s", strategy, layout(r.mem.runtime))
			}
			m := r.Metrics()
			if m.Applied+m.Truncations < 3 {
				t.Errorf("%q: %+v", strategy, m)
			}
			if asked := len(client.requests()); cfg.asks() != (asked > 0) {
				t.Errorf("%q asks %d times", strategy, asked)
			}
		}
	}
}

// Each strategy writes its own form; the ledger's facts are in it.
func TestStrategiesOfAutomaticCompaction(t *testing.T) {
	for strategy, want := range map[model.Strategy]string{
		model.Extract: "\n## Goal and asks\n", model.StructuredJSON: `"asks":[`, model.StructuredTable: " | Goal and asks | ", model.NoteText: "/srv/data/in.csv",
		model.ModelNote: "/srv/data/in.csv",
	} {
		cfg := DefaultConfig()
		cfg.SummaryModel, cfg.Strategy = "m", strategy
		r := newRig(t, cfg, says("Conversation summary: fine."))
		r.Append(chat("S", 40)...)
		r.Append(ChatMessage{Role: "user", Content: "Read /srv/data/in.csv and count its 4711 rows."})
		r.Append(chatter(45, 300)[1:]...)
		res := r.BeforeCall(t.Context())
		if !res.Compressed || !strings.Contains(res.Summary, want) {
			t.Errorf("%s: %v %q", strategy, res.Err, res.Summary)
		}
		if n := len([]rune(res.Summary)); n > cfg.SummaryMaxChars {
			t.Errorf("%s: %d characters", strategy, n)
		}
	}
}

// A recent part that is a share of the window holds in the place of a number of messages,
// where the window is known.
func TestTheRecentPartIsAShare(t *testing.T) {
	for window, want := range map[int]int{3000: 600, 0: 10 * 60} {
		r := shareRig(t, says("fine"), func(c *Config) { c.KeepShare, c.Window, c.KeepRecent = .2, window, 10 })
		r.Append(chatter(44, 224)...) // 60 tokens each
		res := r.CompactNow(t.Context())
		if kept := countTokens(r.mem.runtime[2:]); !res.Compressed || kept != int64(want) {
			t.Errorf("of a window of %d, %d tokens stay, want %d", window, kept, want)
		}
	}
	for _, share := range []float64{.1, .4} {
		r := shareRig(t, says("fine"), func(c *Config) { c.KeepShare = share })
		r.Append(chatter(44, 224)...)
		r.BeforeCall(t.Context())
		if kept := float64(countTokens(r.mem.runtime[2:])); kept < share*3000 || kept > share*3000+60 {
			t.Errorf("%v tokens stay of a window of 3000, want %v of it", kept, share)
		}
	}
}
