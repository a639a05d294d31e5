package pattern

import (
	"reflect"
	"regexp"
	"sync"
	"testing"
)

// A pattern finds what a compiled one does, whoever asks first; one that can't be compiled
// panics when it is used.
func TestAPatternIsARegexp(t *testing.T) {
	const expr, text = `(\w)(\d+)`, "a12 b3 -"
	p, r := New(expr), regexp.MustCompile(expr)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for name, is := range map[string][2]any{
				"MatchString":                {p.MatchString(text), r.MatchString(text)},
				"Match":                      {p.Match([]byte("-")), r.Match([]byte("-"))},
				"FindString":                 {p.FindString(text), r.FindString(text)},
				"FindStringIndex":            {p.FindStringIndex(text), r.FindStringIndex(text)},
				"FindStringSubmatch":         {p.FindStringSubmatch(text), r.FindStringSubmatch(text)},
				"FindAllString":              {p.FindAllString(text, 1), r.FindAllString(text, 1)},
				"FindAllStringIndex":         {p.FindAllStringIndex(text, -1), r.FindAllStringIndex(text, -1)},
				"FindAllStringSubmatch":      {p.FindAllStringSubmatch(text, -1), r.FindAllStringSubmatch(text, -1)},
				"FindAllStringSubmatchIndex": {p.FindAllStringSubmatchIndex(text, -1), r.FindAllStringSubmatchIndex(text, -1)},
				"ReplaceAllString":           {p.ReplaceAllString(text, "$2"), r.ReplaceAllString(text, "$2")},
			} {
				if !reflect.DeepEqual(is[0], is[1]) {
					t.Errorf("%s: %v, want %v", name, is[0], is[1])
				}
			}
		})
	}
	all.Wait()
	bad := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a pattern that can't be compiled is used")
		}
	}()
	bad.MatchString("")
}
