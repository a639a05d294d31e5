package main

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// words turns HeredocMarker into "heredoc marker".
func words(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// define sets the names of one thing into a template of a kind of file.
func (r *rng) define(template, thing string) string {
	why := r.phrase("reason")
	return strings.NewReplacer(
		"@T@", thing, "@t@", words(thing), "@t1@", strings.ToLower(thing[:1])+thing[1:], "@k@", strings.ToLower(thing),
		"@n@", fmt.Sprint(r.between(2, 9)), ". @why@", ". "+upper(why), "@why@", why,
		"@why2@", pick(r, "appended", "replaced", "joined without duplicates"), "@v@", "resume",
	).Replace(template)
}

// packageOf is the name of the package that a file belongs to.
func packageOf(name string) string {
	if strings.HasPrefix(name, "cmd/") {
		return "main"
	}
	return path.Base(path.Dir(name))
}

// source is one file of the project: its imports, then every template of its
// kind for each of its things.
func (r *rng) source(name, kind string, things []string) string {
	templates := strings.Split(strings.TrimSpace(read(kind+".tmpl")), "\n---\n")
	out := []string{"package " + packageOf(name), templates[0]}
	for _, thing := range things {
		for _, t := range templates[1:] {
			out = append(out, strings.TrimSpace(r.define(t, thing)))
		}
	}
	return strings.Join(out, "\n\n") + "\n"
}

// testSource is the table test of a file.
func (r *rng) testSource(name, kind string, things []string) string {
	var functions []string
	for _, thing := range things {
		for _, prefix := range phrases[kind+" tests"] {
			functions = append(functions, prefix+thing)
		}
	}
	return r.text("test file", map[string]any{"Package": packageOf(name), "Functions": functions})
}

// testName is the name of the test of a function.
func testName(fn string) string { return "Test" + upper(fn) }

func (r *rng) caseName() string {
	return r.phrase("case") + pick(r, "", "", "", " in block", " twice", " in list")
}

func (r *rng) expectation(in string) string {
	if r.chance(25) {
		return fmt.Sprintf("%s%04d at %d:%d", pick(r, "L", "P", "E", "S"), r.between(101, 7900), r.between(1, 9), r.between(1, 40))
	}
	return in
}

// setting is one assignment of the language.
func (r *rng) setting() string { return r.line(r.phrase("setting")) }

// settings are at most n assignments of different names.
func (r *rng) settings(n int) (out []string) {
	set := map[string]bool{}
	for range n {
		line := r.setting()
		if key, _, _ := strings.Cut(line, " "); !set[key] {
			set[key] = true
			out = append(out, line)
		}
	}
	return out
}
