package tokens

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"palimpsest/internal/realdata"
)

// realStrings gives every different string that stands as a value in the real
// transcripts: prose, code, JSON in JSON, terminal output, base64.
func realStrings(tb testing.TB) []string {
	tb.Helper()
	files := realdata.Files(tb)
	readStrings.Do(func() { strs = stringsOf(files) })
	return strs
}

var (
	readStrings sync.Once
	strs        []string
)

func stringsOf(files []string) []string {
	var all []string
	seen := make(map[string]bool)
	add := func(s string) {
		if s != "" && !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if json.Valid(file) {
			eachString(file, add)
			continue
		}
		for line := range bytes.Lines(file) {
			eachString(line, add)
		}
	}
	return all
}

// eachString calls f with the string values of the JSON text, and with none if
// the text is damaged.
func eachString(text []byte, f func(string)) {
	var v any
	if json.Unmarshal(text, &v) == nil {
		eachValue(v, f)
	}
}

func eachValue(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, e := range v {
			eachValue(e, f)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) { // the same order every time
			eachValue(v[k], f)
		}
	}
}

// byKind sorts real strings into the kinds that the benchmarks report.
func byKind(tb testing.TB) map[string][]string {
	tb.Helper()
	kinds := make(map[string][]string)
	for _, s := range realStrings(tb) {
		kinds["real strings"] = append(kinds["real strings"], s)
		var letters, cjk, symbols, lines, total float64
		for _, r := range s {
			total++
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
				cjk++
			case unicode.IsLetter(r), r == ' ':
				letters++
			case r == '\n':
				lines++
			case !unicode.IsSpace(r):
				symbols++
			}
		}
		switch {
		case cjk > 0.3*total:
			kinds["CJK"] = append(kinds["CJK"], s)
		case total < 400:
		case json.Valid([]byte(s)):
			kinds["JSON"] = append(kinds["JSON"], s)
		case letters > 0.93*total && lines < 0.02*total:
			kinds["English"] = append(kinds["English"], s)
		case symbols > 0.1*total && lines > 0.015*total && strings.ContainsAny(s, "{}") && strings.Contains(s, ";\n"):
			kinds["code"] = append(kinds["code"], s)
		}
	}
	return kinds
}

var kindOrder = []string{"English", "code", "JSON", "CJK", "real strings"}
