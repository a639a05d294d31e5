// Package repair finds what keeps an agent's session from being resumed, and the smallest
// mends. It reads any file as far as that goes, says of each fault what the tool that wrote
// the file or its provider does because of it, and how that is known. A mended file is the
// same file but for the mends: what stays is the same bytes, and nothing is made up but
// marked notes.
package repair

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"palimpsest/model"
)

// Does is what comes of a fault.
type Does string

// Consequences in a tool or at a provider.
const (
	RefusesLoad  Does = "refuses-load"  // the tool does not load the session
	RefusesCall  Does = "refuses-call"  // the provider refuses this and every later call
	LosesBefore  Does = "loses-before"  // what is before it is not loaded
	LosesLine    Does = "loses-line"    // the line is skipped, and what it says is missing
	MayRefuse    Does = "may-refuse"    // some providers and models refuse the call
	PutsRight    Does = "puts-right"    // the tool puts it right when it loads
	OnlySpace    Does = "only-space"    // it takes space, nothing else
	OnlyProvider Does = "only-provider" // only the provider that made it can read it
	Unknown      Does = "unknown"       // it is not known
)

// Harm is how bad that is.
type Harm uint8

const (
	Harmless Harm = iota // nothing that a person has to mend
	Harmful              // something is lost or wrong, the session goes on
	Stops                // the session can't be resumed
)

// Harm is how bad it is.
func (d Does) Harm() Harm {
	switch d {
	case RefusesLoad, RefusesCall:
		return Stops
	case LosesBefore, LosesLine:
		return Harmful
	}
	return Harmless
}

// Sure is how something is known: "tried" with the program itself (scripts/repair.sh), "read" in its
// code, "documented" by its makers, "reported" by people who met it, "assumed" from what is usual.
type Sure string

// Consequence is what comes of a fault in one tool's files, and where that is known from.
type Consequence struct {
	Does   Does   `json:"does"`
	Source string `json:"source"`
	Sure   Sure   `json:"sure"`
}

// Rule is one kind of fault. The rules are in rules.json.
type Rule struct {
	ID    string                 `json:"id"`
	Title string                 `json:"title"`
	Mend  string                 `json:"mend"`  // what the mend is; "": there is none
	Text  bool                   `json:"text"`  // it is about the text, whatever that says
	Asked bool                   `json:"asked"` // where it does no harm, the mend is only made when a person asks for it
	As    string                 `json:"as"`    // a rule whose consequences are those of this one, but for those named here
	Tools map[string]Consequence `json:"in"`    // by formats, with spaces between
	Other Consequence            `json:"other"` // in all other files
}

// In is what comes of the fault in a file of a format.
func (r *Rule) In(f model.Format) Consequence {
	if c, ok := r.Tools[string(f)]; ok {
		return c
	}
	return r.Other
}

// Rules lists all rules, in the order in which they are looked for.
func Rules() []Rule { return slices.Clone(rules) }

// RuleOf finds a rule by its id.
func RuleOf(id string) (*Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return &rules[i], true
}

//go:embed rules.json
var rulesText []byte

var rules = func() (list []Rule) {
	if err := json.Unmarshal(rulesText, &list); err != nil {
		panic(err) // a fault of the program: its tests read the same text
	}
	for i := range list {
		r := &list[i]
		named := r.Tools
		r.Tools = map[string]Consequence{}
		if k := slices.IndexFunc(list[:i], func(o Rule) bool { return o.ID == r.As }); k >= 0 {
			maps.Copy(r.Tools, list[k].Tools)
		}
		for formats, c := range named {
			for _, f := range strings.Fields(formats) {
				r.Tools[f] = c
			}
		}
	}
	return list
}()
