package compaction

import (
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Reason says why something is so. Code is a stable key under which a screen
// finds its own words; N and M are the numbers that belong to it.
type Reason struct {
	Code string `json:"code"`
	N    int64  `json:"n,omitempty"`
	M    int64  `json:"m,omitempty"`
}

// reasonTexts are the English sentences; %[1]d is N, %[2]d is M.
var reasonTexts = map[string]string{
	// fates
	"system":         "system prompt",
	"pinned":         "pinned by you",
	"kept-start":     "kept start: first user message",
	"tail":           "recent tail",
	"pending":        "its result is still to come",
	"range":          "summarised together",
	"former":         "former summary, merged into the new one",
	"former-stands":  "former summary, stands beside the new one",
	"range-dropped":  "dropped without a summary",
	"cleared":        "old tool result, cleared by rule",
	"cleared-before": "tool result cleared before",
	"between":        "outside the batch",
	"untaken":        "before the recent tail, left as it is",

	// decisions
	"fires":           "the trigger fires",
	"manual":          "compacted by hand",
	"over-limit":      "the list (%[1]d tokens) does not fit the context window less the reserve (%[2]d)",
	"not-triggered":   "the trigger has not fired",
	"back-off":        "waiting after an attempt that did not help until the history has grown by %[1]d messages",
	"nothing":         "nothing to compact: all %[1]d messages are inside the recent tail",
	"all-kept":        "nothing to compact: every message before the recent tail is kept or pinned",
	"only-former":     "nothing to compact: before the recent tail there are only former summaries and what is kept or pinned",
	"gain":            "refused: it would free %[1]d messages and %[2]d tokens, less than the minimum gain",
	"not-smaller":     "refused: the summary (%[1]d tokens) is not smaller than what it replaces (%[2]d tokens)",
	"empty":           "refused: the summary is empty",
	"grows":           "refused: the summary grows with the range, so that %[1]d tokens would still reach the trigger",
	"nothing-cleared": "nothing to clear: no old tool result is above the limit",
	"window-unknown":  "the context window is not known, so a share of it can't fire",

	// clauses: N is the measure, M the limit
	"clause-tokens":   "%[1]d of %[2]d tokens",
	"clause-messages": "%[1]d of %[2]d messages",
	"clause-groups":   "%[1]d of %[2]d groups",
	"clause-steps":    "%[1]d steps, fires above %[2]d",
	"clause-turns":    "%[1]d of %[2]d turns",

	// warnings
	"trigger-above-reserve": "the trigger (%[1]d) is above context window − output reserve (%[2]d): the answer may not fit before it fires",
	"fixed-above-trigger":   "the fixed part (%[1]d) is above the trigger (%[2]d): it would fire on every call",
	"tail-above-trigger":    "system, tools and recent tail (%[1]d) are not below the trigger (%[2]d): it fires again at once",
	"fires-again":           "the result (%[1]d tokens) still reaches the trigger (%[2]d): it fires again at once",
	"target-missed":         "the result (%[1]d tokens) is above the target (%[2]d): only the recent tail and what is kept is left",
	"over-window":           "the result (%[1]d tokens) does not fit the context window (%[2]d)",
	"still-fires":           "the result still reaches the trigger (%[1]d, fires at %[2]d): it fires again at once",
	"estimate-off":          "the last call is estimated at %[1]d tokens, reported at %[2]d: treat sizes as rough",
	"tools-unknown":         "the tool list is not in the file: the real usage is higher",
	"fixed-unknown":         "system prompt and tool list are not in the file: the real usage is higher",
	"clamped-window":        "the window was set to its nearest legal value, %[1]d",
	"clamped-batch":         "the batch was set to its nearest legal value, %[1]d",
	"clamped-trigger":       "a trigger was set to its nearest legal value, %[1]d",
	"clamped-budget":        "the summary budget was set to its nearest legal value, %[1]d",
	"clamped-reserve":       "the output reserve was set to its nearest legal value, %[1]d",
	"clamped":               "a value was set to its nearest legal value, %[1]d",
	// warnings of a replay
	"no-trigger":         "there is no trigger: it never compacts by itself",
	"unreachable":        "the trigger (%[1]d) is above the context window (%[2]d): it can't fire in time",
	"never-fires":        "it never fires in this history: the largest of %[1]d calls sends %[2]d tokens",
	"thrash":             "it fires again within %[2]d calls %[1]d times",
	"refused-calls":      "before %[1]d of %[2]d calls the trigger fires, but nothing can be compacted",
	"summary-larger":     "%[1]d summaries are not smaller than what they would replace",
	"summary-failed":     "the summary could not be made",
	"failed-calls":       "%[1]d summaries could not be made",
	"left-out":           "%[1]d messages don't fit the context window and are left out without a summary, before %[2]d calls",
	"calls-over-window":  "%[1]d calls are larger than the context window (%[2]d)",
	"budget-above-range": "the summary budget (%[1]d) is not smaller than what it replaces (%[2]d)",
}

// reasonTextsOfOne are the sentences that differ where N is 1.
var reasonTextsOfOne = map[string]string{
	"back-off":          "waiting after an attempt that did not help until the history has grown by 1 message",
	"nothing":           "nothing to compact: the only message is inside the recent tail",
	"gain":              "refused: it would free 1 message and %[2]d tokens, less than the minimum gain",
	"clause-steps":      "1 step, fires above %[2]d",
	"never-fires":       "it never fires in this history: the only call sends %[2]d tokens",
	"thrash":            "it fires again within %[2]d calls once",
	"summary-larger":    "1 summary is not smaller than what it would replace",
	"failed-calls":      "1 summary could not be made",
	"left-out":          "1 message does not fit the context window and is left out without a summary",
	"calls-over-window": "1 call is larger than the context window (%[2]d)",
}

// String is the reason in English, its numbers with separators of thousands.
func (r Reason) String() string {
	text, ok := reasonTexts[r.Code]
	if !ok {
		return r.Code
	}
	if one, differs := reasonTextsOfOne[r.Code]; differs && r.N == 1 {
		text = one
	}
	return message.NewPrinter(language.English).Sprintf(text+"%[3]s", r.N, r.M, "")
}

// ReasonCodes lists every code there is, so that a screen can prove that it has
// words for each.
func ReasonCodes() []string {
	codes := make([]string, 0, len(reasonTexts))
	for c := range reasonTexts {
		codes = append(codes, c)
	}
	return codes
}
