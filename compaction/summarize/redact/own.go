package redact

import (
	"fmt"
	"regexp"
	"strings"
)

// Own is a rule that a person made: words or an expression that are withheld wherever
// they are found, whatever they look like.
type Own struct {
	Name string `json:"name"`           // of the stand-in: "build-host" stands as [redacted:build-host-1]
	Find string `json:"find"`           // the words, in any case; or an expression of Go's regexp
	Expr bool   `json:"expr,omitempty"` // Find is an expression
}

// Check says why a rule can't be used; nil when it can.
func (o Own) Check() error {
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
	for _, o := range list {
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
				out = append(out, Finding{From: at[0], To: at[1], Kind: Secret, Rule: o.name, About: "A rule of your own.",
					Secret: text[at[0]:at[1]]})
			}
		}
	}
	return out
}
