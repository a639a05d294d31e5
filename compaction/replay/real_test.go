package replay_test

import (
	"context"
	"errors"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// sessions opens the first threads of a file; nil when no format reads it.
func sessions(t *testing.T, path string) []*session.Session {
	t.Helper()
	f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
	var p *model.Problem
	if errors.As(err, &p) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	choices := f.Choices()
	if len(choices) > 3 {
		choices = choices[:3]
	}
	var out []*session.Session
	for _, c := range choices {
		s, err := f.Session(context.Background(), c.Ref, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// Every real history under every preset and look-alike, with its own context window and with
// one that its messages overflow: call by call what a line and a plan made anew
// for each call give.
func TestRealHistoriesAgainstTheSlowReplay(t *testing.T) {
	ctx := context.Background()
	fired, histories := 0, 0
	for _, path := range realdata.Sources(t) {
		for _, s := range sessions(t, path) {
			th, h := s.Thread(), s.History()
			if h.Len() == 0 {
				continue
			}
			histories++
			sizes := make([]int32, len(th.Messages))
			for i := range sizes {
				sizes[i] = int32(s.Tokens(int32(i)))
			}
			tight := int(h.Before(h.Len()))/4 + 10
			presets := compaction.Presets()
			for _, l := range compaction.LookAlikes() {
				presets = append(presets, l.Preset)
			}
			for _, preset := range presets {
				s.UsePreset(preset.Policy)
				p := s.Policy()
				if preset.ID != "balanced" || p.Window == 0 {
					p.Window, p.Fixed = tight, min(p.Fixed, tight/10)
					if p.Tail.Unit == model.Tokens {
						p.Tail.N = min(p.Tail.N, tight/4)
					}
				}
				p.Pins = append(p.Pins, model.Range{From: h.Len() / 9, To: h.Len()/9 + 2})
				got, err := replay.Run(ctx, h, p, replay.Options{})
				if err != nil {
					t.Fatal(err)
				}
				p.Fixed = int(h.Fixed(&p)) // with what the file does not hold
				if err := replay.Same(got, replay.Define(ctx, th, sizes, p, nil)); err != nil {
					t.Errorf("%s %v, %s: %v", path, s.Ref(), preset.ID, err)
				}
				fired += got.Totals.Firings
			}
		}
	}
	if fired == 0 {
		t.Error("no replay fired: the test proves nothing")
	}
	t.Logf("%d histories, %d firings", histories, fired)
}
