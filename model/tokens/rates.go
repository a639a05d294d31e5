package tokens

import "strings"

// Rates are what a provider charges for a token, over what it charges for a token of
// fresh input.
type Rates struct {
	Read   float64 // from its prompt cache
	Write  float64 // into it
	Output float64
}

// RatesFor are the rates of the family of a model: those of Claude as Anthropic documents
// them for its cache of five minutes, those of others as they usually are (2026-11).
// Prices within a family differ, so a figure made with them is an estimate.
func RatesFor(model string) Rates {
	name := bareName(model)
	switch {
	case claudeName(name) != "":
		return Rates{Read: .1, Write: 1.25, Output: 5}
	case openAIName(name):
		return Rates{Read: .1, Write: 1, Output: 8}
	case strings.HasPrefix(name, "gemini"):
		return Rates{Read: .25, Write: 1, Output: 8}
	}
	return Rates{Read: .25, Write: 1, Output: 4}
}
