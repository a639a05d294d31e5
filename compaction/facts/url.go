package facts

import "strings"

// urlEnd is the end of the URL whose scheme ends at colon; 0: it is none.
func urlEnd(s string, i, colon int) int {
	if !strings.HasPrefix(s[colon:], "://") || schemeStart(s, i, colon) < 0 {
		return 0
	}
	depth := 0
	j := colon + 3
loop:
	for ; j < len(s); j++ {
		switch c := s[j]; {
		case c <= ' ' || c >= 0x7F:
			break loop
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				break loop
			}
		case strings.IndexByte("\"'`<>[]{}|\\^", c) >= 0:
			break loop
		}
	}
	return j
}

// schemeStart is where the scheme begins that ends at colon; -1: there is none.
func schemeStart(s string, i, colon int) int {
	j := colon
	for j > i && (isLetter(s[j-1]) || isDigit(s[j-1])) {
		j--
	}
	if n := colon - j; n < 2 || n > 12 || !isLetter(s[j]) {
		return -1
	}
	return j
}

// trimURL takes the punctuation of the sentence off a URL.
func trimURL(u string) string { return strings.TrimRight(u, ".,;:!?*_&=#") }

// driveEnd is the end of a Windows path whose drive letter is s[i:colon]; 0: it
// is none. Doubled backslashes, as JSON spells them, belong to it.
func driveEnd(s string, i, colon int) int {
	if colon-i != 1 || !isLetter(s[i]) || colon+2 >= len(s) || s[colon+1] != '\\' && s[colon+1] != '/' || s[colon+2] == '/' {
		return 0
	}
	j := colon + 1
	for j < len(s) && (class[s[j]] != 0 || s[j] == '\\') {
		j++
	}
	return j
}

var hostEnds = map[string]bool{"com": true, "org": true, "net": true, "edu": true, "gov": true}

// isHost reports whether a token is the name of a site, written without a scheme.
func isHost(t string) bool {
	if strings.HasPrefix(t, "www.") {
		return strings.Count(t, ".") >= 2
	}
	at := strings.LastIndexByte(t, '.')
	if at < 2 || !hostEnds[t[at+1:]] {
		return false
	}
	for i := 0; i < at; i++ {
		if c := t[i]; class[c]&(lower|digit) == 0 && c != '-' && c != '.' {
			return false
		}
	}
	return true
}
