package auto

import (
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Reason says why automatic compaction acts or does not. It is a stable key.
type Reason string

const (
	Acts          Reason = "ok"
	Disabled      Reason = "disabled"
	NoModel       Reason = "no-model"       // enabled, but no summary model or nobody to ask
	WindowUnknown Reason = "window-unknown" // nothing fires, and the share is not known
	Below         Reason = "below-threshold"
	TooFew        Reason = "too-few" // a clause fires, but nothing can or should be taken
	Waits         Reason = "back-off"
	Broken        Reason = "breaker-open"
)

// Decision is what automatic compaction would do now, and why.
type Decision struct {
	Acts    bool // a summary is made now
	Why     Reason
	ByShare bool // the share of the window fires
	ByCount bool // the number of messages fires
	ByLimit bool // the list can't be sent as it is
	Usage   Usage

	WaitMessages int           // with back-off: how much the history must still grow
	WaitTime     time.Duration // and how long until it need not

	take    model.Range // entries of the runtime list that go
	kept    []int       // of them, those that stay after all, behind the summary
	noModel bool        // the summary is made without the model, which has to wait
	exact   bool        // Compat: whatever the gain
}

// decider says when to compact and what goes. It reads the configuration and
// the messages of its compactor, whose lock is held.
type decider struct {
	cfg    *Config
	mem    *memory
	clock  Clock
	client bool // there is somebody to ask

	planner compaction.Planner
	back    backOff            // after failures of the model
	settle  compaction.BackOff // after compactions that left a clause firing
}

// decide measures the clauses and plans. margin lowers the share trigger.
func (d *decider) decide(manual bool, margin float64) Decision {
	c := d.cfg
	out := Decision{Usage: d.mem.usage(c), Why: Acts}
	out.ByShare, out.ByCount = c.fires(out.Usage, margin)
	out.ByLimit = d.mem.limits(c).Exceeded(out.Usage.size())
	switch {
	case manual:
	case !c.Enabled:
		out.Why = Disabled
	case !d.active():
		out.Why = NoModel
	case out.ByShare || out.ByCount || out.ByLimit:
	case !c.NoShare && out.Usage.Max <= 0:
		out.Why = WindowUnknown
	default:
		out.Why = Below
	}
	if out.Why != Acts {
		return out
	}
	if !d.choose(&out, manual, margin) {
		out.Why = TooFew
		return out
	}
	if !manual {
		d.holdBack(&out)
	}
	out.Acts = out.Why == Acts
	return out
}

// fires reports which clauses of the trigger fire. margin lowers the share.
func (c *Config) fires(u Usage, margin float64) (byShare, byCount bool) {
	byShare = !c.NoShare && u.Max > 0 && compaction.GaugeOf(c.shareClause(margin), int(u.Max)).Fires(u.Used)
	byCount = c.MaxCount > 0 && compaction.GaugeOf(c.countClause(), 0).Fires(int64(u.Messages))
	return byShare, byCount
}

func (c *Config) shareClause(margin float64) model.Clause {
	if t := c.Threshold - margin; t > 0 {
		return compaction.ShareClause(t)
	}
	return compaction.TriggerAt(0, model.Tokens) // a share of 0 is always reached
}

func (c *Config) countClause() model.Clause {
	return compaction.TriggerAt(c.MaxCount, model.Messages)
}

// holdBack lets a decision wait: after a compaction that left a clause firing,
// unless messages would be left out instead, and after misses of the model. A
// summary that can be made without the model need not wait for it.
func (d *decider) holdBack(out *Decision) {
	if n := d.settle.Left(len(d.mem.history)); n > 0 && !out.ByLimit {
		out.Why, out.WaitMessages = Waits, n
		return
	}
	limit := d.mem.limit(d.cfg)
	atHard := limit > 0 && d.mem.used() > limit || d.cfg.HardCount > 0 && len(d.mem.runtime) > d.cfg.HardCount
	messages, wait, ok := d.back.wait(d.cfg, len(d.mem.history), d.clock.Now(), atHard)
	if ok {
		return
	}
	if k := d.cfg.OnFailure; k == model.ExtractInstead || k == AnnounceOnly {
		out.noModel = true
		return
	}
	out.Why, out.WaitMessages, out.WaitTime = Waits, messages, wait
	if d.back.open(d.cfg) {
		out.Why = Broken
	}
}

// choose finds what goes; false: nothing that would be worth it.
func (d *decider) choose(out *Decision, manual bool, margin float64) bool {
	c, list := d.cfg, d.mem.runtime
	switch {
	case out.byCountAlone() && c.CountCompat.Cut:
		out.take, out.exact = model.Range{To: compatCountEnd(list, c.Batch)}, true
		return true
	case out.ByShare && c.ShareCompat.Cut:
		out.take, out.exact = model.Range{From: 1, To: max(1, len(list)-c.KeepRecent)}, true
		return out.take.To > 1
	}
	l, p := d.mem.line(), d.policy(out, manual, margin)
	var pl *compaction.Plan
	if manual {
		pl = d.planner.Plan(l, p, compaction.Options{Manual: true})
	} else {
		pl = d.planner.PlanToFit(l, p, compaction.Options{}, d.mem.limits(c))
	}
	out.take, out.kept = pl.Taken, protected(pl)
	return pl.Outcome == compaction.WouldApply && pl.Removed.Messages > 0
}

func (d *Decision) byCountAlone() bool { return d.ByCount && !d.ByShare && !d.ByLimit }

// policy is the configuration in the engine's terms. While only the count
// fires, a pass takes a batch; once the context fills up, everything before the
// recent messages goes.
func (d *decider) policy(out *Decision, manual bool, margin float64) model.Policy {
	p := d.cfg.policy(out.Usage.Max, margin)
	p.Pins = d.mem.pins(d.cfg)
	if !out.byCountAlone() || manual {
		p.Batch.N = 0
	}
	return p
}

// Policy is the configuration in the engine's terms.
func (c *Config) Policy() model.Policy {
	p := c.described(c.policy(int64(c.Window), 0))
	p.Reserve = c.Reserve
	p.LayerBudget = model.Amount{N: 3 * p.Budget.N, Unit: p.Budget.Unit} // as in the presets
	return p
}

// described is a policy with the name of its preset, and what it says beside when and what.
func (c *Config) described(p model.Policy) model.Policy {
	if p.Preset = "token-share"; c.MaxCount > 0 {
		p.Preset = "message-count"
	}
	if p.Strategy = c.Strategy; p.Strategy == "" {
		p.Strategy = model.ModelText
	}
	p.OnFailure, p.MaxMessages, p.KeepFirstUser = c.OnFailure, c.HardCount, c.KeepFirstUser
	return p
}

func (c *Config) policy(window int64, margin float64) model.Policy {
	p := compaction.BasePolicy()
	p.Window = int(window)
	p.Tail = model.Amount{N: c.KeepRecent, Unit: model.Messages}
	if n := int(c.KeepShare * float64(window)); n > 0 {
		p.Tail = model.Amount{N: n, Unit: model.Tokens}
	}
	p.Batch = model.Amount{N: c.Batch, Unit: model.Messages}
	if !c.NoShare {
		p.Triggers = append(p.Triggers, c.shareClause(margin))
	}
	if c.MaxCount > 0 {
		p.Triggers = append(p.Triggers, c.countClause())
	}
	if p.Budget = (model.Amount{N: c.SummaryMaxTokens, Unit: model.Tokens}); c.SummaryMaxTokens == 0 {
		p.Budget = model.Amount{N: c.SummaryMaxChars, Unit: model.Chars}
	}
	p.MinGain = model.Gain{Messages: 1, Tokens: 1} // two messages at least go, former summaries not counted
	return p
}

// active reports whether summaries can be made: without a model, or by one that
// there is somebody to ask.
func (d *decider) active() bool { return !d.cfg.asks() || d.client && d.cfg.model() != "" }

// languageOf is the language of texts about these messages.
func (c *Config) languageOf(e []summarize.Entry) summarize.Lang {
	if l := c.lang(); l != summarize.Auto {
		return l
	}
	return summarize.HistoryLang(e)
}
