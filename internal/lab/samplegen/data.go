package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"text/template"
)

//go:embed data
var files embed.FS

// read gives an embedded file, which can't be missing.
func read(name string) string {
	b, err := files.ReadFile("data/" + name)
	if err != nil {
		panic("samplegen: " + err.Error())
	}
	return string(b)
}

// load decodes an embedded JSON file.
func load[T any](name string) T {
	var v T
	d := json.NewDecoder(strings.NewReader(read(name)))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		panic("samplegen: " + name + ": " + err.Error())
	}
	return v
}

// phrases are lists of which the texts take one at random.
var phrases = load[map[string][]string]("phrases.json")

var texts = template.Must(template.New("").Funcs((&rng{}).functions()).Parse(read("texts.txt")))

// phrase takes one phrase of a list.
func (r *rng) phrase(list string) string { return pick(r, phrases[list]...) }

// say puts args into one phrase of a list.
func (r *rng) say(list string, args ...any) string { return fmt.Sprintf(r.phrase(list), args...) }

// text fills a template of data/texts.txt.
func (r *rng) text(name string, dot any) string { return r.fill(texts.Lookup(name), dot) }

// line fills a template of one line.
func (r *rng) line(text string) string {
	return r.fill(template.Must(template.New("").Funcs(r.functions()).Parse(text)), nil)
}

func (r *rng) fill(t *template.Template, dot any) string {
	var b strings.Builder
	if err := t.Funcs(r.functions()).Execute(&b, dot); err != nil {
		panic("samplegen: " + err.Error())
	}
	return b.String()
}

// functions are those that templates call.
func (r *rng) functions() template.FuncMap {
	return template.FuncMap{
		"n": r.n, "between": r.between, "chance": r.chance, "hex": r.hex, "phrase": r.phrase,
		"pick":    func(choices ...any) any { return pick(r, choices...) },
		"one":     func(list []string) string { return pick(r, list...) },
		"phrases": func(list string) []string { return phrases[list] },
		"decimal": r.decimal, "setting": r.setting, "settings": r.settings, "case": r.caseName, "expectation": r.expectation,
		"mul": func(a, b int) int { return a * b }, "inc": func(a int) int { return a + 1 },
		"hundredths": func(whole, part int) float64 { return float64(whole) + float64(part)/100 },
		"upper":      upper, "lower": strings.ToLower, "base": path.Base, "join": strings.Join, "clip": clip, "testName": testName,
	}
}

// upper makes the first letter a capital.
func upper(s string) string {
	if s == "" || s[0] == '`' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// clip cuts a text to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n])) + "…"
}
