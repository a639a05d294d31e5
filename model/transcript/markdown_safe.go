package transcript

import (
	"html"
	"strings"

	"palimpsest/model/pattern"
)

// harmless is Markdown of a transcript that does nothing when it is shown: HTML is
// text, images are links (a remote one would tell its server that somebody reads),
// links lead only where a browser may go, and a fence that was left open is closed.
// Code stays as it is; what only may be code is taken for none.
func harmless(text string) string {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if end := fenced(lines, i); end > i {
			i = end
			continue
		}
		lines[i] = harmlessLine(lines[i])
		i++
	}
	return strings.Join(lines, "\n")
}

// fenced is the line behind a block of code that begins at a line; that line itself
// when none begins there, or it does not end.
func fenced(lines []string, at int) int {
	fence := fenceExpr.FindStringSubmatch(lines[at])
	if fence == nil {
		return at
	}
	for i := at + 1; i < len(lines); i++ {
		l := strings.TrimRight(lines[i], " \t\r")
		if indent := len(l) - len(strings.TrimLeft(l, " ")); indent > 3 {
			continue
		}
		if l = strings.TrimLeft(l, " "); len(l) >= len(fence[1]) && strings.Trim(l, fence[1][:1]) == "" {
			return i + 1
		}
	}
	return at
}

var (
	fenceExpr = pattern.New("^ {0,3}(`{3,}|~{3,})[^`]*$")
	codeExpr  = pattern.New("`+")
	linkExpr  = pattern.New(`\]\(`)
	refExpr   = pattern.New(`^([ >]*)\[([^\]]*)\]:[ \t]*(\S*)`)
	plainURL  = pattern.New(`^(?:(?i:https?|mailto|ftp):|[^:]*(?:[/?#]|$))`)
)

func harmlessLine(l string) string {
	if fenceExpr.MatchString(l) { // it opens code that never ends
		l = `\` + strings.TrimLeft(l, " ")
	}
	if m := refExpr.FindStringSubmatch(l); m != nil && !leadsSomewhere(m[3]) {
		l = m[1] + `\` + strings.TrimPrefix(l, m[1])
	}
	var b strings.Builder
	for l != "" {
		at := codeExpr.FindStringIndex(l)
		if at == nil {
			break
		}
		mark := l[at[0]:at[1]]
		end := closing(l[at[1]:], len(mark))
		if end < 0 || strings.HasSuffix(l[:at[0]], `\`) {
			b.WriteString(harmlessWords(l[:at[1]]))
			l = l[at[1]:]
			continue
		}
		b.WriteString(harmlessWords(l[:at[0]]) + l[at[0]:at[1]+end])
		l = l[at[1]+end:]
	}
	return b.String() + harmlessWords(l)
}

// closing is where a run of exactly so many backquotes ends in a text; -1: there is
// none.
func closing(s string, n int) int {
	for _, at := range codeExpr.FindAllStringIndex(s, -1) {
		if at[1]-at[0] == n {
			return at[1]
		}
	}
	return -1
}

// harmlessWords is a piece of a line that is no code.
func harmlessWords(s string) string {
	s = strings.NewReplacer("<", "&lt;", "![", `\![`).Replace(s)
	var b strings.Builder
	for {
		at := linkExpr.FindStringIndex(s)
		if at == nil {
			return b.String() + s
		}
		b.WriteString(s[:at[0]])
		to, _, _ := strings.Cut(strings.TrimLeft(s[at[1]:], " \t"), ")")
		if leadsSomewhere(to) {
			b.WriteString("](")
		} else {
			b.WriteString(`]\(`)
		}
		s = s[at[1]:]
	}
}

// leadsSomewhere reports whether the target of a link is an address or a path, and
// no code.
func leadsSomewhere(to string) bool {
	to = strings.TrimPrefix(strings.TrimSpace(html.UnescapeString(html.UnescapeString(to))), "<")
	to = strings.Map(func(r rune) rune {
		if r <= ' ' || r == '\\' {
			return -1
		}
		return r
	}, to)
	return plainURL.MatchString(to)
}
