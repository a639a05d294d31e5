package dialogs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/session/filling"
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// A batch says how far it is, and what has become of it.
func TestBatchState(t *testing.T) {
	now := time.Now()
	done := map[string]int{"applied": 3, "refused": 1}
	for name, x := range map[string]struct {
		b     model.BatchRun
		state string
		sign  kit.Glyph
	}{
		"works":   {model.BatchRun{Total: 8, Done: done, Changed: now}, "4 of 8", kit.GlyphHalf},
		"stops":   {model.BatchRun{Total: 8, Done: done, Changed: now, Stopping: true}, "4 of 8 · stopping", kit.GlyphHalf},
		"left":    {model.BatchRun{Total: 8, Done: done, Changed: now.Add(-24 * time.Hour)}, "4 of 8 · nobody works on it", kit.GlyphWarning},
		"ended":   {model.BatchRun{Total: 4, Done: done, Changed: now, Ended: now}, "4 of 4 · finished", kit.GlyphOK},
		"failed":  {model.BatchRun{Total: 5, Done: done, Failed: 1, Changed: now, Ended: now}, "5 of 5 · 1 failed · finished", kit.GlyphWarning},
		"stopped": {model.BatchRun{Total: 8, Done: done, Changed: now, Ended: now}, "4 of 8 · stopped", kit.GlyphWarning},
		"in time": {model.BatchRun{Total: 8, Done: done, Changed: now, Course: []model.BatchMark{{At: now.Add(-20 * time.Second), N: 2}, {At: now, N: 4}}},
			"4 of 8 · ~40 s left", kit.GlyphHalf},
	} {
		sign, _ := BatchSign(&x.b)
		if got := BatchState(&x.b); got != x.state || sign != x.sign {
			t.Errorf("%s: %q with %v, want %q with %v", name, got, sign, x.state, x.sign)
		}
	}
	if got := doneWords(&model.BatchRun{Total: 8, Done: done, Failed: 2}); got != "4 of 8 · 3 compacted · 1 refused" {
		t.Errorf("done: %q", got)
	}
}

// A session that runs says when it is compacted; where no program compacts it, when it would be.
func TestLiveState(t *testing.T) {
	growing := func(change func(*model.LiveSession)) *model.LiveSession {
		s := &model.LiveSession{Source: model.LiveGateway, Mode: "ledger", Path: "/x/a.jsonl", Window: 1000, Trigger: 500, Used: 300,
			Messages: 30, Course: []int{100, 200, 300}, At: []int{10, 20, 30}}
		change(s)
		return s
	}
	for want, s := range map[string]*model.LiveSession{
		"compacts in ~20 messages":        growing(func(*model.LiveSession) {}),
		"would compact in ~20 messages":   growing(func(s *model.LiveSession) { s.Mode = "watch" }),
		"compacts at its next call":       growing(func(s *model.LiveSession) { s.Used, s.Course = 500, []int{100, 300, 500} }),
		"would compact now":               growing(func(s *model.LiveSession) { s.Source, s.Used, s.Course = model.LiveHook, 500, []int{100, 300, 500} }),
		"originals from its next call on": growing(func(s *model.LiveSession) { s.Wish = model.RestoreNext }),
		"paused":                          growing(func(s *model.LiveSession) { s.Paused, s.Trigger = true, 0 }),
		"30 messages":                     growing(func(s *model.LiveSession) { s.Trigger = 0 }),
	} {
		if got := LiveState(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	s := growing(func(s *model.LiveSession) { s.Used = 500 })
	if LiveColor(s) != kit.ColorWarning || LiveColor(growing(func(*model.LiveSession) {})) != kit.ColorKept {
		t.Error("the gauge is not yellow from the threshold on alone")
	}
	if LiveTitle(s) != "a.jsonl" || !strings.Contains(LiveTip(s), "/x/a.jsonl") {
		t.Errorf("it is called %q: %s", LiveTitle(s), LiveTip(s))
	}
}

// What fills a context stands in groups, each part with its share of the whole; the fixed part
// is none of the messages.
func TestFillingRows(t *testing.T) {
	f := &filling.Filling{Tokens: 80, Beyond: 20,
		Kinds: []filling.Part{{Kind: model.KindResult, Tokens: 60}, {Kind: model.KindUser, Tokens: 20}},
		Tools: []filling.Part{{Name: "Read", Tokens: 60}}}
	var heads int
	var shares []float64
	for _, r := range fillingRows(f) {
		if r.head != "" {
			heads++
			continue
		}
		shares = append(shares, r.share)
	}
	if heads != 2 || !slices.Equal(shares, []float64{.6, .2, .2, .6}) {
		t.Errorf("%d groups, shares %v", heads, shares)
	}
}

// A preset's name becomes a file's.
func TestFileLetter(t *testing.T) {
	if got := strings.Map(fileLetter, "a/b: \"c\"?\n对"); got != "a-b- -c---对" {
		t.Errorf("the file is called %q", got)
	}
}
