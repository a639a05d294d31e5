package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Own is a rule that a person made: words or an expression that are withheld wherever
// they are found, whatever they look like. With a kind it says whether that is looked for;
// secrets always are.
type Own struct {
	Name string `json:"name,omitempty"` // of the stand-in: "build-host" stands as [redacted:build-host-1]
	Find string `json:"find,omitempty"` // the words, in any case; or an expression of Go's regexp
	Expr bool   `json:"expr,omitempty"` // Find is an expression
	Kind Kind   `json:"kind,omitempty"` // one of [Switched], in place of a name and words
	Off  bool   `json:"off,omitempty"`  // it is kept, and not used
}

// Switched are the kinds that a person can have looked for or let through, those first
// that are looked for unless a rule says otherwise.
var Switched = slices.Concat([]Kind{Email, Home}, ByChoice)

// LooksFor reports whether a kind is looked for by some rules.
func LooksFor(rules []Own, kind Kind) bool {
	on := !slices.Contains(ByChoice, kind)
	for _, o := range rules {
		if o.Kind == kind && kind != Secret {
			on = !o.Off
		}
	}
	return on
}

// Check says why a rule can't be used; nil when it can.
func (o Own) Check() error {
	if o.Kind != "" {
		return nil
	}
	_, err := o.compile()
	return err
}

func (o Own) compile() (*regexp.Regexp, error) {
	if o.name() == "" {
		return nil, fmt.Errorf("a rule needs a name")
	}
	if strings.TrimSpace(o.Find) == "" {
		return nil, fmt.Errorf("a rule needs something to find")
	}
	text := "(?i)" + regexp.QuoteMeta(o.Find)
	if o.Expr {
		text = o.Find
	}
	expr, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("the expression can't be read: %w", err)
	}
	if expr.MatchString("") {
		return nil, fmt.Errorf("the expression finds nothing at all, everywhere")
	}
	return expr, nil
}

// name is the name as a stand-in can hold it.
func (o Own) name() string {
	return strings.Join(strings.FieldsFunc(o.Name, func(r rune) bool { return strings.ContainsRune(" \t[]:,", r) || r < ' ' }), "-")
}

// ownRule is a rule of a person, compiled.
type ownRule struct {
	name string
	expr *regexp.Regexp
}

// Own has a person's own rules looked for as well. One that can't be used is an error,
// and then nothing must leave.
func (r *Redactor) Own(list []Own) error {
	for _, k := range Switched {
		r.also[k] = LooksFor(list, k)
	}
	for _, o := range list {
		if o.Kind != "" || o.Off {
			continue
		}
		expr, err := o.compile()
		if err != nil {
			return fmt.Errorf("own rule %q: %w", o.Name, err)
		}
		r.own = append(r.own, ownRule{o.name(), expr})
	}
	return nil
}

// owned lists what a person's own rules find in a text.
func (r *Redactor) owned(text string) (out []Finding) {
	for _, o := range r.own {
		for _, at := range o.expr.FindAllStringIndex(text, -1) {
			if at[0] < at[1] {
				out = append(out, Finding{From: at[0], To: at[1], Kind: Secret, Rule: o.name, Secret: text[at[0]:at[1]]})
			}
		}
	}
	return out
}
