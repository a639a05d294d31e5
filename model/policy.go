package model

import "cmp"

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

// formerStrategies are the names that strategies had in earlier versions.
var formerStrategies = map[string]string{"ledger": string(NoteText), "model+ledger": string(ModelNote)}

// UnmarshalText reads the name of a strategy, as earlier versions wrote it too.
func (s *Strategy) UnmarshalText(name []byte) error {
	*s = Strategy(cmp.Or(formerStrategies[string(name)], string(name)))
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
	Pins          []Range `json:"pins,omitempty"`

	Clear Clearing `json:"clear,omitzero"`

	Strategy    Strategy  `json:"strategy"`
	Budget      Amount    `json:"summaryBudget"` // see BudgetInForce
	Former      Former    `json:"former"`
	LayerBudget Amount    `json:"layerBudget,omitzero"` // see LayerInForce
	OnFailure   OnFailure `json:"onFailure"`
	BackOff     int       `json:"backOff"` // messages the history must grow by after a failure, doubling
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
