package redact

import (
	"fmt"
	"strings"
)

// hiddenUser begins the placeholder for the user name in a home folder.
const hiddenUser = "redacted-user-"

// Replace puts placeholders in place of findings of this text, which must be in
// order and must not overlap.
func (r *Redactor) Replace(text string, found []Finding) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for i := range found {
		f := &found[i]
		b.WriteString(text[at:f.From])
		b.WriteString(r.Placeholder(f))
		at = f.To
	}
	b.WriteString(text[at:])
	return b.String()
}

// Placeholder is what replaces a finding: the same for the same secret.
func (r *Redactor) Placeholder(f *Finding) string {
	if p, ok := r.known[f.Secret]; ok {
		return p
	}
	r.count[f.Rule]++
	p := fmt.Sprintf("[redacted:%s-%d]", f.Rule, r.count[f.Rule])
	if f.Kind == Home { // a path stays a path
		p = fmt.Sprintf(hiddenUser+"%d", r.count[f.Rule])
	}
	r.known[f.Secret] = p
	return p
}
