package tokens

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
)

// limitsFile is the table of model limits: the only place that has them, with the day on
// which it was looked through. A name that ends with * stands for all that begin so.
//
//go:embed limits.json
var limitsFile []byte

type limitsTable struct {
	Sources map[string]string
	Limits  []struct {
		Models []string
		Tokens int
		Source string
	}
}

var limits = sync.OnceValue(func() *limitsTable {
	t := new(limitsTable)
	if err := json.Unmarshal(limitsFile, t); err != nil {
		panic(err) // it is in the program
	}
	return t
})

// AssumedWindow is the model limit that is assumed where nothing speaks for another.
const AssumedWindow = 200_000

// own are the limits that a person gave for models, by their names.
var own atomic.Pointer[map[string]int]

// SetOwnLimits takes over the limits that a person gave for models: they count before the table.
func SetOwnLimits(byModel map[string]int) { own.Store(&byModel) }

// OwnLimit is the source of a limit that a person gave.
const OwnLimit = "set by you for this model"

// Window returns the context window of a model in tokens, input and output
// together unless the source says else, and where the number is from. It knows
// what vendors' documentation states; for any other
// name ok is false, and nothing is guessed. A window that the transcript reports
// is better: a tool may use less than the model has.
func Window(model string) (tokens int, source string, ok bool) {
	if list := own.Load(); list != nil && (*list)[model] > 0 {
		return (*list)[model], OwnLimit, true
	}
	name := strings.NewReplacer("(1m)", "[1m]", ":1m", "[1m]").Replace(bareName(model))
	if strings.HasSuffix(name, "[1m]") && claudeName(name) != "" {
		return 1_000_000, "the suffix [1m] of Claude Code (code.claude.com/docs, model configuration, 2026-11)", true
	}
	if i := strings.Index(name, "claude"); i >= 0 {
		name = strings.ReplaceAll(name[i:], ".", "-")
	}
	for _, w := range limits().Limits {
		for _, m := range w.Models {
			if fitsLimit(name, m) {
				return w.Tokens, limits().Sources[w.Source], true
			}
		}
	}
	return 0, "", false
}

// fitsLimit reports whether a model is one of those that a row of the table is about.
func fitsLimit(name, row string) bool {
	if open, ok := strings.CutSuffix(row, "*"); ok {
		rest, found := strings.CutPrefix(name, open)
		return found && (rest == "" || strings.ContainsRune("-.@:_", rune(rest[0])))
	}
	rest, found := strings.CutPrefix(name, row)
	return found && isStamp(rest)
}

// isStamp reports whether what follows a model's name only dates or numbers a
// release of the same model: "-20241022-v2:0", "@20250929", "-latest", ":free".
func isStamp(rest string) bool {
	if rest == "" {
		return true
	}
	if !strings.ContainsRune("-@:_", rune(rest[0])) {
		return false
	}
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("-@:_", r) }) {
		switch word {
		case "latest", "preview", "exp", "experimental", "free", "v1", "v2":
			continue
		}
		if strings.Trim(word, "0123456789") != "" ||
			len(word) < 2 && !strings.Contains(rest, ":"+word) { // "-4-1" is another model than "-4"
			return false
		}
	}
	return true
}
