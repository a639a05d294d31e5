package model

import "slices"

// params is the table. Each number below 0 is clamped to 0.
var params = []*Param{{
	Key: "window", JSON: "contextWindow", Word: "parameter.window", Zero: "?", Axis: true, Own: true,
	Units: inTokens, Clamped: "clamped",
	Flag: Flag{"context-window", "N", "The model's limit in tokens. Default: as the file or the table of models says."},

	value: func(p *Policy) any { return &p.Window },
}, {
	Key: "reserve", JSON: "reserve", Word: "parameter.reserve", Axis: true,
	Units: inTokens, Clamped: "clamped-reserve", Scale: map[Unit]Scale{Tokens: {.5, 64000}},
	Flag: Flag{"reserve", "N", "Tokens kept free for the answer."},

	value: func(p *Policy) any { return &p.Reserve },
	most: func(p *Policy) int {
		if p.Window > 0 {
			return p.Window - 1
		}
		return mostNumber
	},
}, {
	Key: "trigger", JSON: "triggers", Word: "parameter.trigger", Axis: true,
	Units: slices.Concat([]Unit{Percent, Tokens}, alongHistory), Plain: Tokens, Zero: "parameters.off",
	Usual: map[Unit][]float64{Percent: {50, 55, 60, 65, 70, 75, 80, 85, 90, 95}},
	Scale: map[Unit]Scale{Percent: {0, 100}, Tokens: {1, 200000}, Messages: {0, 200}, Groups: {0, 60}, Steps: {0, 60}, Turns: {0, 60}},
	Flag: Flag{"trigger", "80%", "When to compact: 80%, 120000 (tokens), +32000 (tokens over the fixed part), 40msgs, 5steps. " +
		"Repeatable: any one fires."},

	value: func(p *Policy) any { return &p.Triggers },
}, {
	Key: "tail", JSON: "window", Word: "parameter.tail", Axis: true,
	Units: slices.Concat([]Unit{Percent, Tokens}, alongHistory), Plain: Messages, Clamped: "clamped-window",
	Usual: map[Unit][]float64{Percent: {2, 4, 6, 10, 16, 24}, Tokens: {4e3, 8e3, 12e3, 20e3, 32e3, 48e3}},
	Scale: map[Unit]Scale{Percent: {0, 50}, Tokens: {.5, 100000}, Messages: {0, 100}, Groups: {0, 40}, Steps: {0, 40}, Turns: {0, 40}},
	Flag: Flag{"tail", "N", "Recent tail that stays word for word: 10% (of the context window), 20000tok, 10msgs, 5steps, 3turns. " +
		"A plain number is messages, at most 1,000. Also --window."},

	value: func(p *Policy) any { return &p.Tail },
	used:  notAdaptive,
	now:   (*Policy).TailInForce,
	then:  (*Policy).windowSet,
}, {
	Key: "batch", JSON: "batch", Word: "parameter.batch", Zero: "parameters.all", Axis: true,
	Units: slices.Concat(alongHistory, inTokens), Clamped: "clamped-batch",
	Scale: map[Unit]Scale{Tokens: {.5, 100000}, Messages: {0, 100}, Groups: {0, 100}, Steps: {0, 100}, Turns: {0, 100}},
	Flag:  Flag{"batch", "N", "The most one pass takes, in the same units; 0 is all before the recent tail."},

	value: func(p *Policy) any { return &p.Batch },
	like:  func(p *Policy) Unit { return p.TailInForce().Unit },
	used:  notAdaptive,
	then:  func(p *Policy, _ bool) { p.Adaptive = false },
}, {
	Key: "firstUser", JSON: "keepFirstUser", Word: "parameters.firstUser", Rank: Rare,
	Flag: Flag{"keep-first-user", "", "Keep the first user message."},

	value: func(p *Policy) any { return &p.KeepFirstUser },
}, {
	Key: "target", JSON: "target", Word: "parameter.target", Rank: Second, Zero: "parameters.off", Axis: true,
	Units: inTokens, Clamped: "clamped",
	Flag: Flag{"target", "N", "Tokens that must be reached once it has fired."},

	value: func(p *Policy) any { return &p.Target },
}, {
	Key: "gain", JSON: "minGain", Word: "compare.gain", Rank: Rare, Axis: true, AxisWord: "parameter.gain",
	Units: []Unit{Messages}, Clamped: "clamped",
	Flag: Flag{"min-gain", "N", "Messages a pass must free at least."},

	value: func(p *Policy) any { return &p.MinGain.Messages },
}, {
	Key: "gainTokens", JSON: "minGain", Word: "parameter.gain", Rank: Rare,
	Units: inTokens, Clamped: "clamped",

	value: func(p *Policy) any { return &p.MinGain.Tokens },
}, {
	Key: "keep", JSON: "clear", Word: "parameter.clear", Off: "parameters.off", Axis: true, AxisWord: "axis.keep",
	Units: []Unit{Results}, Clamped: "clamped",
	Flag: Flag{"clear-tool-results", "N", "Replace old tool results by a note, but the newest N; off turns a preset's clearing off."},

	value:  func(p *Policy) any { return &p.Clear.Keep },
	toggle: func(p *Policy) *bool { return &p.Clear.On },
	used:   clears,
}, {
	Key: "above", JSON: "clear", Word: "parameters.clearAbove", Rank: Rare, Off: "parameters.off", Axis: true, AxisWord: "axis.above",
	Units: inTokens, Clamped: "clamped",

	value:  func(p *Policy) any { return &p.Clear.Above },
	toggle: func(p *Policy) *bool { return &p.Clear.On },
	used:   clears,
}, {
	Key: "strategy", JSON: "strategy", Word: "parameter.strategy", Axis: true, Choices: wordsOf(Strategies()), Formerly: formerStrategies,
	Flag: Flag{"strategy", "NAME", "How the summary is made: extract, structured (JSON), table, " +
		"note (what to go on with: asks, orders, to-dos, state, work done, files, commits, facts; also ledger); " +
		"model asks one (see below), model+note puts a short note after its words; " +
		"drop leaves the messages out, clear only clears old tool results."},

	value: func(p *Policy) any { return (*string)(&p.Strategy) },
}, {
	Key: "budget", JSON: "summaryBudget", Word: "parameter.budget", Zero: "parameters.noLimit", Axis: true,
	Units: ofText, Plain: Tokens, Clamped: "clamped-budget",
	Usual: map[Unit][]float64{Percent: {1, 2, 3, 4, 6}},
	Scale: map[Unit]Scale{Percent: {0, 10}, Tokens: {0, 12000}, Chars: {0, 20000}},
	Flag:  Flag{"summary-budget", "N", "Most one summary may take: 2% (of the context window), 1000tok, 1500chars."},

	value: func(p *Policy) any { return &p.Budget },
	used:  func(p *Policy) bool { return p.Strategy != Drop && p.Strategy != ClearOnly },
	now:   (*Policy).BudgetInForce,
}, {
	Key: "former", JSON: "former", Word: "parameter.former", Rank: Second, Axis: true, Choices: wordsOf([]Former{MergeFormer, LayerFormer}),

	value: func(p *Policy) any { return (*string)(&p.Former) },
}, {
	Key: "layer", JSON: "layerBudget", Word: "parameters.layer", Rank: Second, Zero: "parameters.noLimit",
	Axis: true, AxisWord: "axis.layer", Units: ofText, Plain: Tokens, Clamped: "clamped-budget",
	Flag: Flag{"layer-budget", "N", "Most all summaries may take together."},

	value: func(p *Policy) any { return &p.LayerBudget },
	like:  func(p *Policy) Unit { return p.Budget.Unit },
	used:  func(p *Policy) bool { return p.Former == LayerFormer },
	now:   (*Policy).LayerInForce,
}, {
	Key: "tiers", JSON: "adaptive", Word: "parameter.tiers", Rank: Rare,
	Flag: Flag{"adaptive", "", "Let window and batch follow the length so far."},

	value: func(p *Policy) any { return &p.Adaptive },
}, {
	Key: "fixed", JSON: "fixed", Word: "parameters.fixed", Rank: Rare, Zero: "?", Own: true,
	Units: inTokens, Clamped: "clamped",

	value: func(p *Policy) any { return &p.Fixed },
}, {
	Key: "failure", JSON: "onFailure", Word: "parameter.failure", Rank: Rare,
	Choices: wordsOf([]OnFailure{KeepEverything, ExtractInstead, TruncateAtHard}),
	Flag:    Flag{"on-failure", "WHAT", "When the summary can't be made: keep, extract or truncate."},

	value: func(p *Policy) any { return (*string)(&p.OnFailure) },
}, {
	Key: "backoff", JSON: "backOff", Word: "parameter.backoff", Rank: Rare, Zero: "parameters.off", Axis: true,
	Units: []Unit{Messages}, Clamped: "clamped",

	value: func(p *Policy) any { return &p.BackOff },
}, {
	Key: "pins", JSON: "pins", Word: "parameter.pins", Zero: "result.none", Own: true,

	value: func(p *Policy) any { return &p.Pins },
}}

// Units of what is counted along a history, and of a text.
var (
	inTokens     = []Unit{Tokens}
	alongHistory = []Unit{Messages, Groups, Steps, Turns}
	ofText       = []Unit{Percent, Tokens, Chars}
)

func notAdaptive(p *Policy) bool { return !p.Adaptive }
func clears(p *Policy) bool      { return p.Clear.On || p.Strategy == ClearOnly }

func wordsOf[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// Sliding reports whether a policy slides a window over steps: the latest steps, as
// many as its window, stay whole, and the oldest batch of them is summarised once
// there are more. So it has one number where others have a threshold and a recent
// tail: it acts above its window, and what stays then follows from the batch.
//
//	window 5, batch 3    1 2 3 4 5 │ 6      the sixth step: 1-3 go, 4-6 stay
func (p *Policy) Sliding() bool {
	return len(p.Triggers) == 1 && p.Triggers[0].Share == 0 && p.Triggers[0].At.Unit == Steps &&
		p.Tail.Unit == Steps && p.Batch.Unit == Steps && p.Former == LayerFormer
}

// SetTriggers sets the clauses of the trigger, of which any one fires.
func (p *Policy) SetTriggers(list []Clause) {
	sliding := p.Sliding()
	p.Triggers = list
	if sliding && p.Sliding() {
		p.Tail, p.Adaptive = list[0].At, false
	}
}

// windowSet makes up a policy whose window was set: it no longer follows the length,
// and where it slides over steps it acts above that window.
func (p *Policy) windowSet(sliding bool) {
	if p.Adaptive = false; sliding && p.Tail.Unit == Steps {
		p.Triggers = []Clause{{At: p.Tail}}
	}
}
