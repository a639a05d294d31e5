package figure

import (
	"strconv"
	"strings"

	"palimpsest/model/pattern"
)

// Absurd finds in a text that is shown what no figure may look like, and returns
// it; "" where there is nothing. Tests hold every screen and verb to it.
//
//	≥ 0 %  ≤ 100 %     bounds that say nothing
//	−100 %             a change to nothing, which no compaction makes
//	10564 %            above 200 % it is a multiple
//	1 tokens           a plural of one
//	= −6,201           a bound below nothing
//	NaN, +Inf, %!d(…)  no numbers
func Absurd(text string) string {
	for _, p := range []*pattern.Regexp{emptyBound, allGone, oneOfMany, noNumber, belowNothing} {
		if m := p.FindString(text); m != "" {
			return m
		}
	}
	for _, m := range percentage.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64); err == nil && n > 100*MuchMore {
			return m[0]
		}
	}
	return ""
}

// counted are the plurals that texts have.
const counted = "tokens|messages|steps|turns|groups|calls|facts|results|needs|summaries|records|compactions|firings|characters|times"

var (
	emptyBound = pattern.New(`≥ ~?0(\.0)?( ?%|[^.,\dKMG]|$)|≤ ~?100 ?%`)
	allGone    = pattern.New(`−100 ?%`)
	oneOfMany  = pattern.New(`(^|[^\d.,])1 (` + counted + `)\b`)
	// belowNothing is a limit that nothing can be below.
	belowNothing = pattern.New(`below [^.\n]*= ?[−-]\d`)
	noNumber     = pattern.New(`\bNaN\b|[+-]Inf\b|%!\w?\(`)
	percentage   = pattern.New(`(\d[\d,.]*) ?%`)
)
