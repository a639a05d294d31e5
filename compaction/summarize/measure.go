package summarize

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"palimpsest/model"
)

// charsAToken is about how many code points a token has.
const charsAToken = 4

// measure is a budget and the way to size a text against it.
type measure struct {
	limit int
	size  func(string) int
	chars bool // it counts code points
}

func newMeasure(b model.Amount, count func(string) int) (measure, error) {
	switch {
	case b.N < 0:
		return measure{}, fmt.Errorf("summarize: a budget of %d %s is negative", b.N, b.Unit)
	case b.N == 0:
		return measure{math.MaxInt, utf8.RuneCountInString, true}, nil
	case b.Unit == model.Chars:
		return measure{b.N, utf8.RuneCountInString, true}, nil
	case b.Unit != model.Tokens:
		return measure{}, fmt.Errorf("summarize: a budget in %q is neither tokens nor characters", b.Unit)
	case count == nil:
		return measure{}, errors.New("summarize: a budget in tokens needs a token count")
	}
	return measure{limit: b.N, size: count}, nil
}

// tokens is about how many tokens a size is.
func (m measure) tokens(size int) int {
	if m.chars {
		size /= charsAToken
	}
	return size
}

func (m measure) bounded() bool      { return m.limit != math.MaxInt }
func (m measure) fits(s string) bool { return m.size(s) <= m.limit }
