package redact

import (
	"strings"
	"unicode/utf8"
)

// maskShown is how many code points of a secret are shown.
const maskShown = 4

// Entropy is how much chance is in a finding, in bits a character: words have less
// than 3, keys more than 4.
func (f *Finding) Entropy() float64 { return entropy(f.Secret) }

// Mask is enough of a secret for its owner to know which it is: the beginning of
// a long one, nothing of a short one.
func Mask(secret string) string {
	if utf8.RuneCountInString(secret) > 2*maskShown {
		return string([]rune(secret)[:maskShown]) + "…"
	}
	return strings.Repeat("•", maskShown)
}
