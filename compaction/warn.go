package compaction

import "palimpsest/model"

// warn says what a person should know about these parameters on this line.
func (b *planner) warn() {
	pl, p := b.plan, b.p
	say := func(code string, n, m int64) {
		pl.Warnings = append(pl.Warnings, Reason{Code: code, N: n, M: m})
	}
	at, share := b.tokenTrigger()
	if share && p.Window == 0 {
		say("window-unknown", 0, 0)
	}
	if at > 0 {
		if room := int64(p.Window - p.Reserve); p.Window > 0 && at > room {
			say("trigger-above-reserve", at, room)
		}
		if b.l.fixed >= at {
			say("fixed-above-trigger", b.l.fixed, at)
		} else if p.Tail.Unit == model.Tokens && int64(p.Tail.N) >= at {
			say("tail-above-trigger", int64(p.Tail.N), at)
		}
	}
	if b.l.fixed == 0 {
		say("fixed-unknown", 0, 0)
	}
	if pl.Outcome != WouldApply {
		return
	}
	if at > 0 && pl.After.Tokens >= at {
		say("fires-again", pl.After.Tokens, at)
	}
	if p.Target > 0 && pl.After.Tokens > int64(p.Target) {
		say("target-missed", pl.After.Tokens, int64(p.Target))
	}
	if p.Window > 0 && pl.After.Tokens > int64(p.Window) {
		say("over-window", pl.After.Tokens, int64(p.Window))
	}
}

// tokenTrigger is the lowest clause in tokens, 0 if none is known, and whether
// any clause is a share of the window.
func (b *planner) tokenTrigger() (int64, bool) {
	low, share := int64(0), false
	for _, c := range b.p.Triggers {
		share = share || c.Share > 0
		if c.Share == 0 && c.At.Unit != model.Tokens {
			continue
		}
		if at, known := limit(c, b.p.Window); known && (low == 0 || at < low) {
			low = at
		}
	}
	return low, share
}
