// Package pattern holds regular expressions that are compiled when first used. Most
// verbs need none of the program's hundred patterns, and compiling all of them took
// half of the time of a start.
package pattern

import (
	"regexp"
	"sync"
)

// Regexp is a [regexp.Regexp] that is compiled at its first use. Any number of goroutines
// may use it.
type Regexp struct {
	expr     string
	compiled func() *regexp.Regexp
}

// New is a pattern that will be compiled. One that can't be compiled panics then: its
// package's tests use it.
func New(expr string) *Regexp {
	return &Regexp{expr, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// MatchString is that of [regexp.Regexp].
func (p *Regexp) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString is that of [regexp.Regexp].
func (p *Regexp) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringIndex is that of [regexp.Regexp].
func (p *Regexp) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

// FindStringSubmatch is that of [regexp.Regexp].
func (p *Regexp) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindAllString is that of [regexp.Regexp].
func (p *Regexp) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

// FindAllStringIndex is that of [regexp.Regexp].
func (p *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of [regexp.Regexp].
func (p *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of [regexp.Regexp].
func (p *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is that of [regexp.Regexp].
func (p *Regexp) ReplaceAllString(s, repl string) string {
	return p.compiled().ReplaceAllString(s, repl)
}

// Match is that of [regexp.Regexp].
func (p *Regexp) Match(b []byte) bool { return p.compiled().Match(b) }
