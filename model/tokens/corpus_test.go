package tokens

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"palimpsest/internal/realdata"
)

// realStrings returns every different string that is a value in the real
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
