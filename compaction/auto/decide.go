package auto

import (
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// AutoWhy says why automatic compaction acts or does not. It is a stable key.
type AutoWhy string

const (
	AutoActs          AutoWhy = "ok"
	AutoDisabled      AutoWhy = "disabled"
	AutoNoModel       AutoWhy = "no-model"       // enabled, but no summary model or nobody to ask (D6, K8)
	AutoWindowUnknown AutoWhy = "window-unknown" // nothing fires, and the share can't be told
	AutoBelow         AutoWhy = "below-threshold"
	AutoTooFew        AutoWhy = "too-few" // a clause fires, but nothing can or should be taken
	AutoWaits         AutoWhy = "back-off"
	AutoBroken        AutoWhy = "breaker-open"
)

// AutoDecision is what automatic compaction would do now, and why.
type AutoDecision struct {
	Acts    bool // a summary is made now
	Why     AutoWhy
	ByShare bool // the share of the window fires
	ByCount bool // the number of messages fires
	Usage   AutoUsage

	WaitMessages int           // with back-off: how much the history must still grow
	WaitTime     time.Duration // and how long until it need not

	take  model.Range // entries of the runtime list that go
	plain bool        // without asking a model, which is waited with
	exact bool        // Compat: whatever the gain
}

// decide measures the clauses and plans. margin lowers the share trigger.
func (a *AutoCompactor) decide(manual bool, margin float64) AutoDecision {
	c := &a.cfg
	d := AutoDecision{Usage: a.usage(), Why: AutoActs}
	d.ByShare, d.ByCount = c.fires(d.Usage, margin)
	switch {
	case manual:
	case !c.Enabled:
		d.Why = AutoDisabled
	case !a.active():
		d.Why = AutoNoModel
	case d.ByShare || d.ByCount:
	case !c.NoShare && d.Usage.Max <= 0:
		d.Why = AutoWindowUnknown
	default:
		d.Why = AutoBelow
	}
	if d.Why != AutoActs {
		return d
	}
	if !a.choose(&d, manual, margin) {
		d.Why = AutoTooFew
		return d
	}
	if !manual {
		a.holdBack(&d)
	}
	d.Acts = d.Why == AutoActs
	return d
}

// fires reports which clauses of the trigger fire. margin lowers the share.
func (c *AutoConfig) fires(u AutoUsage, margin float64) (byShare, byCount bool) {
	byShare = !c.NoShare && u.Max > 0 && compaction.GaugeOf(c.shareClause(margin), int(u.Max)).Fires(u.Used)
	byCount = c.MaxCount > 0 && compaction.GaugeOf(c.countClause(), 0).Fires(int64(u.Messages))
	return byShare, byCount
}

func (c *AutoConfig) shareClause(margin float64) model.Clause {
	if t := c.Threshold - margin; t > 0 {
		return compaction.ShareClause(t)
	}
	return compaction.TriggerAt(0, model.Tokens) // a share of 0 is always reached
}

func (c *AutoConfig) countClause() model.Clause {
	return compaction.TriggerAt(c.MaxCount, model.Messages)
}

// holdBack lets a decision wait after misses. Where something else than a model
// stands in for it on failure, that need not wait.
func (a *AutoCompactor) holdBack(d *AutoDecision) {
	messages, wait, ok := a.back.wait(&a.cfg, len(a.mem.history), a.clock.Now(), a.atHardSize(d.Usage))
	if ok {
		return
	}
	if k := a.cfg.OnFailure; (k == model.ExtractInstead || k == AnnounceOnly) && !a.useless {
		d.plain = true
		return
	}
	d.Why, d.WaitMessages, d.WaitTime = AutoWaits, messages, wait
	if a.back.open(&a.cfg) {
		d.Why = AutoBroken
	}
}

// choose finds what goes; false: nothing that would be worth it.
func (a *AutoCompactor) choose(d *AutoDecision, manual bool, margin float64) bool {
	c, list := &a.cfg, a.mem.runtime
	switch {
	case d.byCountAlone() && c.CountCompat.Cut:
		d.take, d.exact = model.Range{To: compatCountEnd(list, c.Batch)}, true
		return true
	case d.ByShare && c.ShareCompat.Cut:
		d.take, d.exact = model.Range{From: 1, To: max(1, len(list)-c.KeepRecent)}, true
		return d.take.To > 1
	}
	pl := a.planner.Plan(engineLine(list, &a.meter), a.policy(d, manual, margin), compaction.Options{Manual: manual})
	d.take = pl.Taken
	return pl.Outcome == compaction.WouldApply && pl.Removed.Messages > 0
}

func (d *AutoDecision) byCountAlone() bool { return d.ByCount && !d.ByShare }

// policy says in the engine's terms what the configuration asks for. While only
// the count fires, a pass takes a batch; once the context fills up, everything
// before the recent messages goes.
func (a *AutoCompactor) policy(d *AutoDecision, manual bool, margin float64) model.Policy {
	c := &a.cfg
	p := compaction.BasePolicy()
	p.Window = int(d.Usage.Max)
	p.Tail = model.Amount{N: c.KeepRecent, Unit: model.Messages}
	p.Batch = model.Amount{Unit: model.Messages}
	if d.byCountAlone() && !manual {
		p.Batch.N = c.Batch
	}
	if !c.NoShare {
		p.Triggers = append(p.Triggers, c.shareClause(margin))
	}
	if c.MaxCount > 0 {
		p.Triggers = append(p.Triggers, c.countClause())
	}
	if p.Budget = (model.Amount{N: c.SummaryMaxTokens, Unit: model.Tokens}); c.SummaryMaxTokens == 0 {
		p.Budget = model.Amount{N: c.SummaryMaxChars, Unit: model.Chars}
	}
	// Two messages at least must go, not counting former summaries: with one of
	// those in the range the new summary adds nothing.
	p.MinGain = model.Gain{Messages: 1, Tokens: 1}
	if a.hasSummary() {
		p.MinGain.Messages = 2
	}
	return p
}

func (a *AutoCompactor) hasSummary() bool {
	for i := range a.mem.runtime {
		if a.mem.runtime[i].summary {
			return true
		}
	}
	return false
}

// active reports whether there is a model and somebody to ask it.
func (a *AutoCompactor) active() bool { return a.client != nil && a.cfg.model() != "" }

func (a *AutoCompactor) usage() AutoUsage {
	return AutoUsage{
		Used: a.meter.used(a.mem.counted), Max: a.window(), Fitted: a.meter.fitted, Messages: len(a.mem.runtime),
	}
}

// window is the context window: as set, as reported, or as the model is known
// to have; 0: unknown.
func (a *AutoCompactor) window() int64 {
	if a.cfg.Window > 0 {
		return int64(a.cfg.Window)
	}
	if a.reportedMax > 0 {
		return a.reportedMax
	}
	n, _, _ := tokens.Window(a.cfg.AgentName)
	return int64(n)
}

// limit is what a request may hold at most; 0: unknown.
func (a *AutoCompactor) limit() int64 {
	w := a.window()
	if w == 0 {
		return 0
	}
	return max(1, w-int64(a.cfg.Reserve))
}

// atHardSize reports whether the list is too large to be sent as it is.
func (a *AutoCompactor) atHardSize(u AutoUsage) bool {
	limit := a.limit()
	return limit > 0 && u.Used > limit || a.cfg.HardCount > 0 && u.Messages > a.cfg.HardCount
}

// languageOf is the language of texts about these messages.
func (c *AutoConfig) languageOf(e []summarize.Entry) summarize.Lang {
	if l := c.lang(); l != summarize.Auto {
		return l
	}
	return summarize.HistoryLang(e)
}
