package model

import (
	"cmp"
	"slices"
)

// Strategy is the method that makes the text for the messages that go.
type Strategy string

const (
	NoteText        Strategy = "note"       // what to go on with: asks, orders, to-dos, state, work done, files, commits, facts
	Extract         Strategy = "extract"    // the person's words, the agent's closing text, each call in a line
	StructuredJSON  Strategy = "structured" // the same as JSON
	StructuredTable Strategy = "table"      // the same as a table
	ModelText       Strategy = "model"      // a model's words, asked for over an endpoint
	ModelNote       Strategy = "model+note" // a model's words, then a short note
	Drop            Strategy = "drop"       // no text: the messages are left out
	ClearOnly       Strategy = "clear"      // no range at all: only old tool results are cleared
)

// Strategies lists all strategies, those that need no model first.
func Strategies() []Strategy {
	return []Strategy{Extract, StructuredJSON, StructuredTable, NoteText, ModelText, ModelNote, Drop, ClearOnly}
}

// Asks reports whether the strategy asks a model, which takes a person's word.
func (s Strategy) Asks() bool { return s == ModelText || s == ModelNote }

// otherStrategies are names that strategies had in earlier versions, and have in the
// documents of the four systems.
var otherStrategies = map[string]string{"ledger": string(NoteText), "model+ledger": string(ModelNote),
	"SIMPLE_EXTRACT": string(Extract), "AI_SUMMARY": string(ModelText), "STRUCTURED_COMPRESS": string(StructuredJSON)}

// UnmarshalText reads any name of a strategy.
func (s *Strategy) UnmarshalText(name []byte) error {
	*s = Strategy(cmp.Or(otherStrategies[string(name)], string(name)))
	return nil
}

// Former says what becomes of earlier summaries.
type Former string

const (
	MergeFormer Former = "merge" // summarised again together with the range
	LayerFormer Former = "layer" // are side by side, oldest first
)

// OnFailure says what to do when the summary can't be made.
type OnFailure string

const (
	KeepEverything OnFailure = "keep"
	ExtractInstead OnFailure = "extract"
	TruncateAtHard OnFailure = "truncate"
)

// Checkpoints says what to do with a compaction of the provider's that only the provider can
// read, where a range takes it in.
type Checkpoints string

const (
	CheckpointsStay Checkpoints = "stay"      // it stays as it is
	FromOriginals   Checkpoints = "originals" // it goes, and the messages before it are summarised once more; without any it stays
	LoseCheckpoints Checkpoints = "lose"      // it goes, and what it says is lost
)

// Range is a half-open range of history indices.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Clearing replaces the content of old tool results by a short note.
type Clearing struct {
	On    bool `json:"on"`
	Keep  int  `json:"keep"`  // newest results that stay
	Above int  `json:"above"` // only results of more than this many tokens
}

// Gain is the least a pass must free to be applied. Tokens is a count that must
// be freed at least; one is always demanded.
type Gain struct {
	Messages int `json:"messages"`
	Tokens   int `json:"tokens"`
}

// Policy says when to compact, what stays, and what replaces the rest. It is a
// small immutable value: changing a parameter makes a new one. Slices must not
// be written to.
type Policy struct {
	Preset   string   `json:"preset,omitempty"` // the preset it started from
	Window   int      `json:"contextWindow"`    // tokens; 0: unknown
	Reserve  int      `json:"reserve"`          // tokens kept free for the answer
	Fixed    int      `json:"fixed,omitempty"`  // fixed part that the file does not hold, tokens; 0: unknown
	Triggers []Clause `json:"triggers"`
	Tail     Amount   `json:"window"` // recent tail; see TailInForce
	Batch    Amount   `json:"batch"`  // 0: all before the tail
	Target   int      `json:"target,omitempty"`
	MinGain  Gain     `json:"minGain"`
	Adaptive bool     `json:"adaptive,omitempty"`

	KeepFirstUser bool    `json:"keepFirstUser"`
	NoThinking    bool    `json:"noThinking,omitempty"` // signed thinking after a message that goes is left out of the file
	Pins          []Range `json:"pins,omitempty"`

	Clear Clearing `json:"clear,omitzero"`

	Strategy    Strategy    `json:"strategy"`
	Budget      Amount      `json:"summaryBudget"` // see BudgetInForce
	Former      Former      `json:"former"`
	LayerBudget Amount      `json:"layerBudget,omitzero"`  // see LayerInForce
	Checkpoints Checkpoints `json:"checkpoints,omitempty"` // "", as in older records: they stay
	OnFailure   OnFailure   `json:"onFailure"`
	MaxMessages int         `json:"maxMessages,omitempty"` // with OnFailure truncate: of a longer list the latest stay; 0: no limit
	BackOff     int         `json:"backOff"`               // messages the history must grow by after a failure, doubling
}

// What a share of the context window comes to at least, in tokens: a shorter tail
// forgets what is being worked on, a shorter summary can't name it.
const (
	leastTail   = 4000
	leastBudget = 1000
	leastLayer  = 3 * leastBudget
)

// InTokens is the policy with all shares of its context window in tokens, but for
// those of its trigger.
func (p Policy) InTokens() Policy {
	p.Tail, p.Budget, p.LayerBudget = p.TailInForce(), p.BudgetInForce(), p.LayerInForce()
	return p
}

// TailInForce is the recent tail; a share of the context window in tokens.
func (p *Policy) TailInForce() Amount { return p.Tail.of(p.Window, leastTail) }

// BudgetInForce is the most one summary may take; a share in tokens.
func (p *Policy) BudgetInForce() Amount { return p.Budget.of(p.Window, leastBudget) }

// LayerInForce is the most all summaries may take; a share in tokens.
func (p *Policy) LayerInForce() Amount { return p.LayerBudget.of(p.Window, leastLayer) }

// params is the table. Each number below 0 is clamped to 0.
var params = []*Param{{
	Key: "window", JSON: "contextWindow", Word: "parameter.window", Zero: "?", Axis: true, Own: true,
	Units: inTokens, Clamped: "clamped",
	Flag: Flag{"model-limit", "N", "How much the model can hold, in tokens. Default: as the file or the table of models says."},
	Also: []string{"context-window", "hard-limit"},

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
	Flag: Flag{"threshold", "80%", "When to compact: 80%, 120000 (tokens), +32000 (tokens over the fixed part), 40msgs, 5steps. " +
		"Repeatable: any one is enough."},
	Also: []string{"trigger"},

	value: func(p *Policy) any { return &p.Triggers },
}, {
	Key: "tail", JSON: "window", Word: "parameter.tail", Axis: true,
	Units: slices.Concat([]Unit{Percent, Tokens}, alongHistory), Plain: Messages, Clamped: "clamped-window",
	Usual: map[Unit][]float64{Percent: {2, 4, 6, 10, 16, 24}, Tokens: {4e3, 8e3, 12e3, 20e3, 32e3, 48e3}},
	Scale: map[Unit]Scale{Percent: {0, 50}, Tokens: {.5, 100000}, Messages: {0, 100}, Groups: {0, 40}, Steps: {0, 40}, Turns: {0, 40}},
	Flag: Flag{"window", "N", "The latest messages, which stay word for word: 10% (of the model limit), 20000tok, 10msgs, 5steps, " +
		"3turns. " +
		"A plain number is messages, at most 1,000."},
	Also: []string{"tail", "keep-recent"},

	value: func(p *Policy) any { return &p.Tail },
	used:  notAdaptive,
	now:   (*Policy).TailInForce,
	then:  (*Policy).windowSet,
}, {
	Key: "batch", JSON: "batch", Word: "parameter.batch", Zero: "parameters.all", Axis: true,
	Units: slices.Concat(alongHistory, inTokens), Clamped: "clamped-batch",
	Scale: map[Unit]Scale{Tokens: {.5, 100000}, Messages: {0, 100}, Groups: {0, 100}, Steps: {0, 100}, Turns: {0, 100}},
	Flag:  Flag{"batch", "N", "The most one pass takes, in the same units; 0 is all before the window."},

	value: func(p *Policy) any { return &p.Batch },
	like:  func(p *Policy) Unit { return p.TailInForce().Unit },
	used:  notAdaptive,
	then:  func(p *Policy, _ bool) { p.Adaptive = false },
}, {
	Key: "firstUser", JSON: "keepFirstUser", Word: "parameters.firstUser", Rank: Rare,
	Flag: Flag{"keep-first-user", "", "Keep the first user message."},

	value: func(p *Policy) any { return &p.KeepFirstUser },
}, {
	Key: "noThinking", JSON: "noThinking", Word: "parameters.noThinking", Rank: Rare,
	Flag: Flag{"no-thinking", "", "Leave signed thinking out of the messages that stay behind what goes: newer models of Anthropic " +
		"refuse it there."},

	value: func(p *Policy) any { return &p.NoThinking },
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
	Key: "strategy", JSON: "strategy", Word: "parameter.strategy", Axis: true, Choices: wordsOf(Strategies()), Formerly: otherStrategies,
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
	Flag:  Flag{"summary-budget", "N", "Most one summary may take: 2% (of the model limit), 1000tok, 1500chars."},
	Also:  []string{"max-summary"},

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
	Also: []string{"max-summary-length"},

	value: func(p *Policy) any { return &p.LayerBudget },
	like:  func(p *Policy) Unit { return p.Budget.Unit },
	used:  func(p *Policy) bool { return p.Former == LayerFormer },
	now:   (*Policy).LayerInForce,
}, {
	Key: "checkpoints", JSON: "checkpoints", Word: "parameter.checkpoints", Rank: Rare,
	Choices:  wordsOf([]Checkpoints{CheckpointsStay, FromOriginals, LoseCheckpoints}),
	Formerly: map[string]string{"": string(CheckpointsStay)}, // of policies that have none
	Flag: Flag{"checkpoints", "WHAT", "Compactions that only the provider can read: stay, originals (summarise the messages before " +
		"them, which the file still has) or lose."},

	value: func(p *Policy) any { return (*string)(&p.Checkpoints) },
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
	Key: "hard", JSON: "maxMessages", Word: "parameter.hard", Rank: Rare, Zero: "parameters.noLimit",
	Units: []Unit{Messages}, Clamped: "clamped",
	Flag: Flag{"max-messages", "N", "With --on-failure truncate: of a longer list only the latest N messages stay."},
	Also: []string{"max-history-size"},

	value: func(p *Policy) any { return &p.MaxMessages },
	used:  func(p *Policy) bool { return p.OnFailure == TruncateAtHard },
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
