// Package figures makes the figures of a session: what one compaction does, and
// what a whole run under the parameters comes to. Each is made here and nowhere
// else, so that every screen and verb that names one has the same value.
package figures

import (
	"math"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/tokens"
)

// The names of figures that are no metrics of a replay. Those that are bear the
// metric's name.
const (
	Before  = "before"  // tokens of the context before a compaction
	After   = "after"   // and after it
	Change  = "change"  // from the one to the other, as a share of the whole context before
	Orders  = "orders"  // a person's orders in what goes that still stand
	Summary = "summary" // tokens of the summary
	Lost    = "lost"    // facts that do not survive
)

// The reasons of unknown figures and bounds.
const (
	NoFixed        = figure.NoFixed   // system prompt and tools are not in the file
	Refused        = "refused"        // nothing is compacted
	Indexing       = "indexing"       // the messages are being searched
	NoOrders       = "noOrders"       // what goes holds no order of a person
	NoFacts        = "noFacts"        // what goes holds none
	NothingFollows = "nothingFollows" // no message after it
	NoNeeds        = "noNeeds"        // nothing that went was needed again
	NeverFires     = "neverFires"     // no compaction in the run
	AfterSummary   = "afterSummary"   // its text is still to be made
	NoTexts        = "noTexts"        // summaries have their expected size, and no text
	NotMeasured    = "notMeasured"    // facts were not looked for
	NotRecorded    = "notRecorded"    // the record does not hold it
	NotApplied     = "notApplied"     // nothing was compacted
	NotReported    = "notReported"    // the file reports no usage
	NoWindow       = "noWindow"       // the context window is not known
	NoCalls        = "noCalls"        // the agent has called no model yet
	Former         = "former"         // of the parameters before; the present ones' is being worked out
)

// Made is a compaction and what was worked out about it.
type Made struct {
	Plan     *compaction.Plan
	Drafted  bool            // the text of the summary is there
	Survival *facts.Survival // nil: not known (yet)
	Needed   *session.Needed // nil: nothing follows, or not known
	Bare     bool            // these two are without the summary's text, which is still to be made
}

// MadeOf is what a side of a comparison does now.
func MadeOf(x *session.Side) Made {
	return Made{Plan: x.Plan, Drafted: x.Draft != nil, Survival: x.Survival, Needed: x.After, Bare: x.Draft == nil && x.Plan.Insert >= 0}
}

// Compaction is the figures of one compaction.
type Compaction struct {
	Before, After, Change, Summary         figure.Figure
	Orders, Survives, Lost, Recall, Misses figure.Figure
}

// OfCompaction makes the figures of a compaction of a session.
func OfCompaction(s *session.Session, m Made) Compaction {
	pl := m.Plan
	applies := pl.Outcome == compaction.WouldApply
	size := func(name string, n int64, after bool) figure.Figure {
		f := figure.Figure{Name: name, Value: float64(n), Kind: kindOf(s), Methods: sizeMethods(s, pl, after && !m.Drafted),
			Parts: partsOf(pl, after)}
		if after && applies && pl.Insert >= 0 && !m.Drafted {
			f.Kind = figure.Estimated
		}
		return AtLeast(f, pl.Policy.Fixed)
	}
	after := pl.After
	if !applies {
		after = pl.Before
	}
	c := Compaction{Before: size(Before, pl.Before.Tokens, false), After: size(After, after.Tokens, applies)}
	c.Change = figure.Relative(Change, pl.Before.Tokens, after.Tokens, c.After.Kind)
	c.Change.Parts, c.Change.Methods = changeParts(pl.Before.Tokens, after.Tokens, pl.Line.Compactable()), unfixed(pl.Policy.Fixed)
	c.Summary = figure.Figure{Name: Summary, Kind: figure.Unknown, Reason: Refused}
	if applies && pl.Insert >= 0 {
		c.Summary = figure.Figure{Name: Summary, Value: float64(pl.Summary), Kind: kindOf(s)}
		if !m.Drafted {
			c.Summary.Kind = figure.Estimated
		}
	}
	if !applies {
		c.Change.Kind, c.Change.Reason = figure.Unknown, Refused
	}
	c.facts(s, m, applies)
	for _, f := range []*figure.Figure{&c.Before, &c.After, &c.Change, &c.Summary,
		&c.Orders, &c.Survives, &c.Lost, &c.Recall, &c.Misses} {
		f.Scope, f.At = figure.OfCompaction, pl.Line.At()
	}
	return c
}

// unfixed says of a change of sizes which lack their fixed part, 0, that its share is of less than the whole.
func unfixed(fixed int) []figure.Method {
	if fixed > 0 {
		return nil
	}
	return []figure.Method{{Name: "fixed", How: "lacking"}}
}

// changeParts are what a change is made of, and how much of it could go.
func changeParts(before, after, could int64) []figure.Part {
	return []figure.Part{{Name: Before, Value: float64(before)}, {Name: After, Value: float64(after)},
		{Name: "could", Value: float64(could)}}
}

// facts makes the figures of what survives and of what was needed later. While
// the text of the summary is still to be made, they are bounds.
func (c *Compaction) facts(s *session.Session, m Made, applies bool) {
	unknown := func(name, reason string, unit figure.Unit) figure.Figure {
		return figure.Figure{Name: name, Unit: unit, Reason: reason}
	}
	reason := Indexing
	if !applies {
		reason = Refused
	}
	c.Orders = unknown(Orders, reason, figure.Share)
	c.Survives, c.Lost = unknown(string(replay.MetricSurvives), reason, figure.Share), unknown(Lost, reason, figure.Count)
	if v := m.Survival; v != nil && applies {
		all, orders := v.All(), v.Kinds[facts.Instruction]
		c.Orders = figure.Ratio(Orders, int64(orders.Survived), int64(orders.Gone), NoOrders)
		c.Survives = figure.Ratio(string(replay.MetricSurvives), int64(all.Survived), int64(all.Gone), NoFacts)
		c.Lost = countOf(Lost, all.Gone-all.Survived)
	}
	switch {
	case !applies:
	case m.Plan.Line.At() >= len(s.Thread().History):
		reason = NothingFollows
	}
	c.Recall = unknown(string(replay.MetricRecall), reason, figure.Share)
	c.Misses = unknown(string(replay.MetricMisses), reason, figure.Count)
	if n := m.Needed; n != nil && applies { // what was needed later, and was still there
		c.Recall = figure.Ratio(string(replay.MetricRecall), int64(n.Met), int64(n.Needs.Needs), NoNeeds)
		c.Misses = countOf(string(replay.MetricMisses), n.Needs.Needs-n.Met)
	}
	for _, f := range []*figure.Figure{&c.Orders, &c.Survives, &c.Recall, &c.Lost, &c.Misses} {
		f.Methods = append(f.Methods, figure.Method{Name: "facts", How: "literal"})
		if !m.Bare || f.Kind == figure.Unknown {
			continue
		}
		f.Reason = AfterSummary
		if f.Bound = figure.AtLeast; f.Unit == figure.Count {
			f.Bound = figure.AtMost
		}
	}
}

func countOf(name string, n int) figure.Figure {
	return figure.Figure{Name: name, Value: float64(n), Unit: figure.Count, Kind: figure.Counted}
}

// Run is the figures of a whole history under the parameters.
type Run struct {
	Firings, Recall, Misses, Input, Cost, Resent, Largest figure.Figure
}

// OfRun makes the figures of a replay; needed is nil while it is not known.
func OfRun(s *session.Session, tl *replay.Timeline, needed *session.Needed) Run {
	how := TextsOf(s, tl)
	res := session.ResultOf(s, tl, needed)
	of := func(m replay.Metric) figure.Figure {
		v, known := res.Value(m)
		f := OfMetric(m, v, known, how)
		if !m.OfFacts() && f.Unit == figure.Tokens {
			f.Methods = append(sizeMethodsOf(s, tl.Policy), f.Methods...)
		}
		return f
	}
	r := Run{Firings: of(replay.MetricFirings), Recall: of(replay.MetricRecall), Misses: of(replay.MetricMisses),
		Input: of(replay.MetricInput), Cost: of(replay.MetricCost), Resent: of(replay.MetricResent), Largest: of(replay.MetricLargest)}
	r.Recall.N, r.Recall.Of = int64(res.Met), int64(res.Needs)
	switch {
	case needed == nil:
		r.Recall.Reason, r.Misses.Reason = Indexing, Indexing
	case tl.Totals.Firings == 0:
		r.Recall.Reason, r.Misses.Kind, r.Misses.Reason = NeverFires, figure.Unknown, NeverFires
	case res.Needs == 0:
		r.Recall.Reason = NoNeeds
	}
	r.Input.Parts = inputParts(tl)
	r.Cost.Parts = costParts(tl.Totals, tokens.RatesFor(s.Model()))
	return r
}

// inputParts are what all calls sent: what the one before had sent already, and
// what was new to the prompt cache.
func inputParts(tl *replay.Timeline) []figure.Part {
	t := tl.Totals
	return []figure.Part{{Name: "cacheRead", Value: float64(t.CacheRead)}, {Name: "cacheNew", Value: float64(t.CacheWrite - t.Resent)},
		{Name: "resent", Value: float64(t.Resent)}}
}

// costParts are what adds up to the cost of a run, in tokens of fresh input.
func costParts(t replay.Totals, r tokens.Rates) (parts []figure.Part) {
	for _, p := range []figure.Part{{Name: "costRead", Value: float64(t.CacheRead-t.Expired) * r.Read},
		{Name: "costWritten", Value: float64(t.CacheWrite) * r.Write}, {Name: "costExpired", Value: float64(t.Expired) * r.Write},
		{Name: "costModel", Value: float64(t.ModelInput) + float64(t.ModelOutput)*r.Output}} {
		if p.Value > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

// Texts says how the summaries of a run, or of several together, were made, and
// their tokens counted.
type Texts struct {
	Made      bool // they are real texts, made offline; else they have their expected size
	StandIn   bool // a model would write them; the words of a strategy without one represent it
	Estimated bool // token numbers are estimates
	NoFixed   bool // the fixed part of a history is not in its file
}

// TextsOf says it of a replay of a session.
func TextsOf(s *session.Session, tl *replay.Timeline) Texts {
	p := tl.Policy
	return Texts{Made: tl.Texts, StandIn: session.StandIn(p.Strategy) != "", Estimated: s.Estimated(), NoFixed: p.Fixed == 0}
}

// OfMetric is a metric of one replay, or of several together, as a figure.
func OfMetric(m replay.Metric, v float64, known bool, t Texts) figure.Figure {
	f := figure.Figure{Name: string(m), Value: v, Unit: unitOf(m, v), Kind: figure.Counted, Scope: figure.OfRun}
	how := "realTexts"
	switch {
	case !t.Made:
		how = "expectedSizes"
	case t.StandIn:
		how = "standIn"
	}
	f.Methods = []figure.Method{{Name: "summaries", How: how}}
	if f.Unit == figure.Tokens && t.Estimated || m == replay.MetricCost {
		f.Kind = figure.Estimated
	}
	if t.NoFixed {
		f.Bound, f.Reason = boundOf(m, v)
	}
	if m == replay.MetricCost {
		f.Methods = append(f.Methods, figure.Method{Name: "rates", How: "usualRates"})
	}
	if m.OfFacts() {
		f.Methods = append([]figure.Method{{Name: "facts", How: "literal"}}, f.Methods...)
		switch {
		case !t.Made && m.More():
			f.Bound, f.Reason = figure.AtLeast, NoTexts
		case !t.Made:
			f.Bound, f.Reason = figure.AtMost, NoTexts
		case t.StandIn:
			f.Kind = figure.Estimated
		}
	}
	if !known {
		f.Kind, f.Reason = figure.Unknown, NotMeasured
	}
	return f
}

// boundOf is the side on which the truth of a metric is that lacks the fixed part of
// each call: larger sizes, and a share of them that is nearer to nothing.
func boundOf(m replay.Metric, v float64) (figure.Bound, string) {
	switch m {
	case replay.MetricInput, replay.MetricCost, replay.MetricLargest, replay.MetricAfter:
		return figure.AtLeast, NoFixed
	case replay.MetricSaved:
		if v > 0 {
			return figure.AtMost, NoFixed
		}
	}
	return figure.None, ""
}

func unitOf(m replay.Metric, v float64) figure.Unit {
	switch m {
	case replay.MetricSaved, replay.MetricRecall, replay.MetricSurvives:
		return figure.Share
	case replay.MetricFirings, replay.MetricThrash, replay.MetricOver, replay.MetricMisses:
		if v != math.Trunc(v) { // the median of an even number of sessions
			return figure.Average
		}
		return figure.Count
	}
	return figure.Tokens
}

// kindOf is how the tokens of a session's messages are made.
func kindOf(s *session.Session) figure.Kind {
	if s.Estimated() {
		return figure.Estimated
	}
	return figure.Counted
}

// AtLeast makes a size without a fixed part a bound: what no message holds is
// not in it.
func AtLeast(f figure.Figure, fixed int) figure.Figure {
	if fixed == 0 {
		f.Bound, f.Reason = figure.AtLeast, NoFixed
	}
	return f
}

// sizeMethods says how the parts of a context are counted.
func sizeMethods(s *session.Session, pl *compaction.Plan, expected bool) []figure.Method {
	list := sizeMethodsOf(s, pl.Policy)
	if expected && pl.Outcome == compaction.WouldApply && pl.Insert >= 0 {
		list = append(list, figure.Method{Name: "summary", How: "expected"})
	}
	return list
}

func sizeMethodsOf(s *session.Session, p model.Policy) []figure.Method {
	list := []figure.Method{{Name: "messages", How: "counter"}}
	switch fit := s.Calibration(); {
	case p.Fixed == 0:
	case fit.Calls > 0 && p.Fixed == fit.Fixed:
		list = append(list, figure.Method{Name: "fixed", How: "residual", N: fit.Calls})
	default:
		list = append(list, figure.Method{Name: "fixed", How: "given"})
	}
	return list
}

// OutsideParts are what a context holds that is in no message, which is outside tokens:
// system prompt and tools as far as they are given, and what else is not in the file.
func OutsideParts(fixed, outside int64) (parts []figure.Part) {
	if fixed = min(fixed, outside); fixed > 0 {
		parts = append(parts, figure.Part{Name: "fixed", Value: float64(fixed)})
	}
	if outside > fixed {
		parts = append(parts, figure.Part{Name: "unseen", Value: float64(outside - fixed)})
	}
	return parts
}

// partsOf are what a context holds, before a plan or after it, in the order in
// which it is sent. They add up to its size.
func partsOf(pl *compaction.Plan, after bool) []figure.Part {
	parts := OutsideParts(int64(pl.Policy.Fixed), pl.Line.Fixed())
	summary := func() {
		if pl.Summary > 0 {
			p := figure.Part{Name: "summary", Value: float64(pl.Summary)}
			if pl.Budget.Unit == model.Tokens {
				p.Of = pl.Budget.N
			}
			parts = append(parts, p)
		}
	}
	added := !after || pl.Insert < 0
	for _, r := range pl.Runs.All() {
		if !added && r.From >= pl.Insert {
			summary()
			added = true
		}
		n := float64(r.Tokens)
		switch {
		case after && r.Goes():
			continue
		case after && r.Fate == model.Cleared:
			n = float64(compaction.NoteTokens * (r.To - r.From))
		}
		from, to := numbersOf(pl.Line, r)
		if k := len(parts) - 1; k >= 0 && parts[k].Name == r.Why && (from >= to || parts[k].From >= parts[k].To || parts[k].To == from) {
			parts[k].Value += n
			parts[k].From, parts[k].To = join(parts[k], from, to)
			continue
		}
		parts = append(parts, figure.Part{Name: r.Why, Value: n, From: from, To: to})
	}
	if !added {
		summary()
	}
	return parts
}

func join(p figure.Part, from, to int) (int, int) {
	switch {
	case from >= to:
		return p.From, p.To
	case p.From >= p.To:
		return from, to
	}
	return p.From, to
}

// numbersOf is the range of history positions of a run; empty where it holds
// summaries alone.
func numbersOf(l *compaction.Line, r compaction.Run) (from, to int) {
	from = -1
	for i := r.From; i < r.To; i++ {
		if h := l.History(i); h >= 0 {
			from = h
			break
		}
	}
	for i := r.To - 1; i >= r.From && from >= 0; i-- {
		if h := l.History(i); h >= 0 {
			return from, h + 1
		}
	}
	return 0, 0
}

// fewestCalls is how many reported calls an error needs to rest on.
const fewestCalls = 5

// ErrorOf is how far our counts of calls are off what the provider reported for
// them: the median of the shares; 0 where too few are reported.
func ErrorOf(points []session.Point) float64 {
	var off []float64
	for _, p := range points {
		if p.Recorded > 0 {
			off = append(off, math.Abs(float64(p.Counted-p.Recorded))/float64(p.Recorded))
		}
	}
	if len(off) < fewestCalls {
		return 0
	}
	slices.Sort(off)
	return off[len(off)/2]
}
