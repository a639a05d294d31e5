package steps

import (
	"errors"
	"fmt"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Settings are the parameters of a [History].
type Settings struct {
	Window   int  `json:"window"`   // windowSize: most steps that are kept in full, at least 1
	Batch    int  `json:"batch"`    // compressionBatchSize: most steps of one summary, 1 … Window
	Adaptive bool `json:"adaptive"` // window and batch follow the length so far

	// Cap (maxSummaryLength) bounds the summary layer in code points, the blank lines between
	// summaries counted: [LeastCap] or more. 0: no limit.
	Cap int `json:"cap"`

	// LeastSaving is the share, in percent, that a summary has to save of the steps
	// it replaces; one that does not becomes a line for each step. 0: it must have
	// no more code points and tokens than they have.
	LeastSaving int `json:"leastSaving,omitzero"`

	// PhaseLimit bounds each phase of a step that is kept in full, in code points.
	// Summaries are made of the whole phase. 0: no limit.
	PhaseLimit int `json:"phaseLimit,omitzero"`

	// Strategy (compressionStrategy) makes the summaries: [model.Extract], [model.StructuredJSON],
	// [model.StructuredTable] or [ModelText].
	Strategy model.Strategy `json:"strategy"`

	Lang   summarize.Lang `json:"lang,omitempty"` // [summarize.Auto]: that of the first step with words
	Compat Compat         `json:"compat,omitzero"`
}

// ModelText is the strategy of a [History] that asks a model, and falls back on
// [model.Extract] while that fails.
const ModelText = model.ModelText

// LeastCap is the smallest limit of the summary layer. Half of it has room for
// an announcement and one line with the longest step numbers there are.
const LeastCap = 200

// DefaultSettings adapt window and batch to the length and keep summaries
// to 5000 code points.
func DefaultSettings() Settings {
	return Settings{Window: 5, Batch: 3, Adaptive: true, Cap: 5000, Strategy: model.Extract}
}

// FixedSettings have a fixed window, batch and limit of the summary layer.
func FixedSettings(window, batch, limit int) Settings {
	return Settings{Window: window, Batch: batch, Cap: limit, Strategy: model.Extract}
}

// Legal returns the nearest legal settings. The error says what had to change
// and into what; nil: nothing.
func (s Settings) Legal() (Settings, error) {
	var changes []error
	set := func(what string, v *int, legal int) {
		if *v != legal {
			err := fmt.Errorf("step history: %s %d is not legal; the nearest legal value is %d", what, *v, legal)
			changes = append(changes, err)
			*v = legal
		}
	}
	if !s.Compat.Passes { // with one pass an append every value ends
		set("window", &s.Window, max(1, s.Window))
		set("batch", &s.Batch, min(max(1, s.Batch), s.Window))
	}
	if !s.Compat.Overflow && s.Cap != 0 {
		set("summary limit", &s.Cap, max(LeastCap, s.Cap))
	}
	set("least saving", &s.LeastSaving, min(max(0, s.LeastSaving), 100))
	set("phase limit", &s.PhaseLimit, max(0, s.PhaseLimit))
	switch s.Strategy {
	case model.Extract, model.StructuredJSON, model.StructuredTable, ModelText:
	default:
		err := fmt.Errorf("step history: strategy %q is none of extract, structured, table and model; extract is", s.Strategy)
		changes = append(changes, err)
		s.Strategy = model.Extract
	}
	switch s.Lang {
	case summarize.Auto, summarize.English, summarize.Chinese:
	default:
		changes = append(changes, fmt.Errorf("step history: language %q is neither en nor zh; that of the history is taken", s.Lang))
		s.Lang = summarize.Auto
	}
	return s, errors.Join(changes...)
}

// Compat says in what a [History] behaves exactly as its first authors'
// program did, for comparison with it. The zero value is the corrected
// behaviour.
type Compat struct {
	Adaptive bool `json:"adaptive,omitempty"` // window and batch always follow the length, whatever is set
	FieldEnd bool `json:"fieldEnd,omitempty"` // a field ends at the next "**"
	Markers  bool `json:"markers,omitempty"`  // only the Chinese markers in their one spelling are read; the words are Chinese
	NullText bool `json:"nullText,omitempty"` // a phase that is missing prints as "null"

	// Overflow: above the limit the oldest summaries are dropped, if need be all of
	// them, without an announcement; separators do not count. A
	// summary may be longer than what it replaces.
	Overflow bool `json:"overflow,omitempty"`

	Passes bool `json:"passes,omitempty"` // one summary an append; every window and batch is taken
	Unit   bool `json:"unit,omitempty"`   // lengths are in UTF-16 units, and only goal and result are cut
}

// AllCompat turns every switch on.
func AllCompat() Compat {
	return Compat{Adaptive: true, FieldEnd: true, Markers: true, NullText: true, Overflow: true, Passes: true, Unit: true}
}

// reading are the switches for reading the fields of a step.
func (c Compat) reading() summarize.StepCompat {
	return summarize.StepCompat{FieldEnd: c.FieldEnd, Markers: c.Markers, Unit: c.Unit}
}
