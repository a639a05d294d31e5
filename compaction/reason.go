package compaction

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/figure"
)

// Reason says why something is so. Code is a stable key under which a screen
// finds its own words; N and M are the numbers that belong to it.
type Reason struct {
	Code string `json:"code"`
	N    int64  `json:"n,omitempty"`
	M    int64  `json:"m,omitempty"`
}

// Soon is how few calls after a firing another one is called thrash.
const Soon = 3

// reasonTexts are the English sentences: {n} is N, {n tokens} is it with its noun;
// {m} is M. {~n} and {~m} are tokens that were measured, of which a history whose
// tokens are estimated holds no exact number; {≥n} and {≥m} are those of a whole
// context, which is larger where its fixed part is not in the file.
var reasonTexts = map[string]string{
	// fates
	"system":         "system prompt",
	"pinned":         "pinned by you",
	"kept-start":     "kept start: first user message",
	"tail":           "in the window",
	"tail-pair":      "a call and its results stay together, and the window begins among them",
	"pending":        "its result is still to come",
	"range":          "summarised together",
	"former":         "former summary, merged into the new one",
	"former-stands":  "former summary, kept beside the new one",
	"range-dropped":  "dropped without a summary",
	"cleared":        "old tool result, cleared by rule",
	"cleared-before": "tool result cleared before",
	"between":        "outside the batch",
	"untaken":        "before the window, left as it is",
	"sealed":         "a compaction that only its provider can read: it stays",

	"sealed-lost":      "a compaction that only its provider can read: it goes, and what it says is lost",
	"sealed-originals": "a compaction that only its provider can read: it goes, and the messages before it are summarised",

	// decisions
	"fires":           "the threshold is reached",
	"manual":          "compacted by hand",
	"over-limit":      "the list ({≥n tokens}) does not fit the model limit less the reserve ({m})",
	"not-triggered":   "the threshold is not reached",
	"back-off":        "waiting after an attempt that did not help until the history has grown by {n messages}",
	"nothing":         "nothing to compact: all {n messages} are inside the window",
	"all-kept":        "nothing to compact: every message before the window is kept or pinned",
	"only-former":     "nothing to compact: before the window there are only former summaries and what is kept or pinned",
	"gain":            "refused: it would free {n messages} and {~m tokens}, less than the minimum gain", // of older records
	"gain-messages":   "refused: it would free {n messages}, the minimum gain is {m}",
	"gain-tokens":     "refused: it would free {~n tokens}, the minimum gain is {m}",
	"not-smaller":     "refused: the summary ({~n tokens}) is not smaller than what it replaces ({~m tokens})",
	"empty":           "refused: the summary is empty",
	"grows":           "refused: the summary grows with the range, so that {≥n tokens} would still reach the threshold",
	"nothing-cleared": "nothing to clear: no old tool result is above the limit",
	"window-unknown":  "enter the model limit: a threshold in % can't be reached without it",

	// clauses: N is the measure, M the limit
	"clause-tokens":   "{≥n} of {m tokens}",
	"clause-messages": "{n} of {m messages}",
	"clause-groups":   "{n} of {m groups}",
	"clause-steps":    "{n steps}, fires above {m}",
	"clause-turns":    "{n} of {m turns}",

	// warnings
	"trigger-above-reserve": "the threshold ({n}) is above model limit − output reserve ({m}): the answer may not fit before it fires",
	"fixed-above-trigger":   "what lies beyond the messages ({~n}) is above the threshold ({m}): it would fire on every call",
	"tail-above-trigger":    "system, tools and window ({≥n}) are not below the threshold ({m}): it fires again at once",
	"fires-again":           "the result ({≥n tokens}) still reaches the threshold ({m}): it fires again at once",
	"target-missed":         "the result ({≥n tokens}) is above the target ({m}): only the window and what is kept is left",
	"over-window":           "the result ({≥n tokens}) does not fit the model limit ({m})",
	"still-fires":           "the result still reaches the threshold ({n}, fires at {m}): it fires again at once",
	"estimate-off":          "the last call is estimated at {~n tokens}, reported at {m}: treat sizes as rough",
	"sealed-live":           "the size of {n messages} that only the provider can read is not known: the real usage is higher",
	"thinking-stale":        "{n messages} stay with signed thinking from before what goes: newer models of Anthropic refuse or drop it",
	"thinking-left-out":     "the thinking of {n messages} that stay is left out of the file",
	"sealed-gone":           "{n messages} that only the provider can read go; what they say is lost",
	"originals-read":        "the summary is made of the {n messages} before a compaction that only the provider can read, too",
	"originals-missing":     "the file has no messages before {n} of the compactions that only the provider can read: these stay",
	"tools-unknown":         "the tool list is not in the file: the real usage is higher",
	"fixed-unknown":         "system prompt and tool list are not in the file: the real usage is higher",
	"clamped-window":        "the window was set to its nearest legal value, {n}",
	"clamped-batch":         "the batch was set to its nearest legal value, {n}",
	"clamped-trigger":       "a threshold was set to its nearest legal value, {n}",
	"clamped-budget":        "the summary budget was set to its nearest legal value, {n}",
	"clamped-reserve":       "the output reserve was set to its nearest legal value, {n}",
	"clamped":               "a value was set to its nearest legal value, {n}",
	// warnings of a replay
	"no-trigger":        "there is no threshold: it never compacts by itself",
	"unreachable":       "the threshold ({n}) is above the model limit ({m}): it can't fire in time",
	"never-fires":       "it never fires in this history: the largest of {n calls} sends {≥m tokens}",
	"thrash":            "{n} of {m compactions} fire again within {soon} calls",
	"refused-calls":     "{n} of {m calls} exceed the threshold but nothing is left to compact",
	"summary-larger":    "{n} summaries are not smaller than what they would replace",
	"summary-failed":    "the summary could not be made",
	"failed-calls":      "{n} summaries could not be made",
	"left-out":          "{n messages} don't fit the model limit and are left out without a summary, before {m calls}",
	"calls-over-window": "{n calls} are larger than the model limit ({m})",
}

// reasonTextsOfOne are the sentences that differ where N is 1.
var reasonTextsOfOne = map[string]string{
	"thinking-stale":    "1 message stays with signed thinking from before what goes: newer models of Anthropic refuse or drop it",
	"thinking-left-out": "the thinking of 1 message that stays is left out of the file",
	"sealed-gone":       "1 message that only the provider can read goes; what it says is lost",
	"originals-missing": "the file has no messages before a compaction that only the provider can read: it stays",
	"nothing":           "nothing to compact: the only message is inside the window",
	"never-fires":       "it never fires in this history: the only call sends {≥m tokens}",
	"thrash":            "1 of {m compactions} fires again within {soon} calls",
	"summary-larger":    "1 summary is not smaller than what it would replace",
	"failed-calls":      "1 summary could not be made",
	"left-out":          "1 message does not fit the model limit and is left out without a summary",
	"calls-over-window": "1 call is larger than the model limit ({m})",
}

// nouns are what the numbers of reasons count.
var nouns = []string{"token", "message", "group", "step", "turn", "call", "compaction"}

// Measure is what a number of a reason is.
type Measure int

// The kinds of numbers.
const (
	Given        Measure = iota // a limit, or a count
	PartSize                    // measured tokens of some messages
	WholeContext                // measured tokens of a whole context
)

// Measured reports what N and M are.
func (r Reason) Measured() (n, m Measure) {
	text := reasonTexts[r.Code]
	of := func(name string) Measure {
		switch {
		case strings.Contains(text, "{~"+name):
			return PartSize
		case strings.Contains(text, "{≥"+name):
			return WholeContext
		}
		return Given
	}
	return of("n"), of("m")
}

// Sizes says how the sizes of a history are known.
type Sizes struct {
	Estimated bool
	AtLeast   bool // what no message holds is not in the file
}

// SizesOf are those of a history under parameters, which hold its fixed part.
func SizesOf(estimated bool, p *model.Policy) Sizes { return Sizes{estimated, p.Fixed == 0} }

// Write writes a number of a reason with the marks of an estimate and a bound.
func (z Sizes) Write(n int64, m Measure) string {
	f := figure.Figure{Value: float64(n), Kind: figure.Counted}
	if m == Given {
		return figure.Int(n)
	}
	if z.Estimated {
		f.Kind = figure.Estimated
	}
	if z.AtLeast && m == WholeContext && n > 0 {
		f.Bound = figure.AtLeast
	}
	return f.Full()
}

// String is the reason in English, its numbers with separators of thousands.
func (r Reason) String() string { return r.Text(Sizes{}) }

// Text is String with the marks of sizes that are not exact.
func (r Reason) Text(z Sizes) string {
	text, ok := reasonTexts[r.Code]
	if !ok {
		return r.Code
	}
	if one, differs := reasonTextsOfOne[r.Code]; differs && r.N == 1 {
		text = one
	}
	byN, byM := r.Measured()
	text = strings.NewReplacer("{~", "{", "{≥", "{").Replace(text)
	n, m := z.Write(r.N, byN), z.Write(r.M, byM)
	pairs := []string{"{n}", n, "{m}", m, "{soon}", figure.Int(Soon)}
	for _, noun := range nouns {
		pairs = append(pairs, "{n "+noun+"s}", n+strings.TrimPrefix(figure.Plural(r.N, noun), figure.Int(r.N)),
			"{m "+noun+"s}", m+strings.TrimPrefix(figure.Plural(r.M, noun), figure.Int(r.M)))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// ReasonIn is the reason that a sentence says, and how its sizes are known: records keep
// the sentence alone, and a screen has words of its own for it. It is false for any other
// text, such as that of a failure.
func ReasonIn(text string) (Reason, Sizes, bool) {
	var in [3]int64 // the first numbers of the sentence, behind a 0
	found := strings.FieldsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != ',' })
	found = slices.DeleteFunc(found, func(s string) bool { return strings.Trim(s, ",") == "" })
	for i, s := range found[:min(2, len(found))] {
		n, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
		if err == nil {
			in[i+1] = n
		}
	}
	z := Sizes{Estimated: strings.Contains(text, "~"), AtLeast: strings.Contains(text, "≥")}
	for code, usual := range reasonTexts {
		for _, t := range []string{usual, reasonTextsOfOne[code]} {
			head, _, _ := strings.Cut(t, "{")
			if t == "" || !strings.HasPrefix(text, head) {
				continue
			}
			for _, n := range [][2]int64{{in[1], in[2]}, {in[2], in[1]}, {in[1], 0}, {1, in[1]}, {0, in[1]}, {0, 0}} {
				if r := (Reason{code, n[0], n[1]}); r.Text(z) == text {
					return r, z, true
				}
			}
		}
	}
	return Reason{}, Sizes{}, false
}

// ReasonCodes lists every code there is, so that a screen can prove that it has
// words for each.
func ReasonCodes() []string { return slices.Collect(maps.Keys(reasonTexts)) }
