package facts

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const errorRunes = 300 // code points of the longest error message

// errorLines calls yield with each error message of a text. failed: the text is the
// result of a call that failed, so its first line is one.
func errorLines(s string, failed bool, yield func(string)) {
	if failed {
		for l := range strings.Lines(s) {
			if l = bareLine(l[:min(len(l), 8*errorRunes)]); l != "" && !framing(l) {
				if !strings.HasPrefix(l, "{") && hasLetter(l) {
					yieldError(l, yield)
				}
				break
			}
		}
	}
	for _, hint := range errorHints {
		for i := 0; i < len(s); {
			at := strings.Index(s[i:], hint)
			if at < 0 {
				break
			}
			at += i
			begin := strings.LastIndexByte(s[max(0, at-2*errorRunes):at], '\n') + 1
			if begin > 0 || at <= 2*errorRunes {
				begin += max(0, at-2*errorRunes)
				end := nextLine(s[:min(len(s), at+4*errorRunes)], at)
				if e, ok := errorIn(bareLine(s[begin:end])); ok {
					yieldError(e, yield)
				}
			}
			i = nextLine(s, at)
		}
	}
}

// framing reports whether a line was put around a command's output by a tool.
func framing(l string) bool {
	l = strings.ToLower(l)
	return slices.ContainsFunc(frames, func(frame string) bool { return strings.HasPrefix(l, frame) })
}

// field reports whether a name is like isError, not like sqlite3.OperationalError.
func field(name string) bool { return class[name[strings.LastIndexByte(name, '.')+1]] == lower }

// noError are values of a field of a program that names an error and holds none.
var noError = set("null nil none None undefined false False true True 0")

func yieldError(e string, yield func(string)) {
	e = strings.TrimRight(e, " .:：。")
	if _, value, _ := strings.Cut(e, ": "); noError[strings.TrimRight(value, ",;")] {
		return
	}
	if len(e) >= 8 && utf8.ValidString(e) && utf8.RuneCountInString(e) <= errorRunes {
		yield(e)
	}
}

// bareLine takes off a line what frames it: line numbers, bullets, tags.
func bareLine(l string) string {
	l = strings.TrimSpace(l)
	if at := strings.IndexAny(l, "→\t"); at > 0 && at <= 7 && digits(l[:at]) {
		l = strings.TrimLeft(l[at:], "→\t ")
	}
	for rest := ""; rest != l; { // also "28. - Exception"
		rest, l = l, afterNumber(strings.TrimLeft(l, "-*>#•✗✘×└├│─ "))
	}
	for strings.HasPrefix(l, "<") {
		at := strings.IndexByte(l, '>')
		if at < 0 || strings.IndexByte(l[:at], ' ') >= 0 {
			break
		}
		l = strings.TrimSpace(l[at+1:])
	}
	for strings.HasSuffix(l, ">") {
		at := strings.LastIndex(l, "</")
		if at < 0 {
			break
		}
		l = strings.TrimSpace(l[:at])
	}
	return l
}

// afterNumber is what follows the number of an item of a list, "12. " or "3) ".
func afterNumber(l string) string {
	n := 0
	for n < len(l) && isDigit(l[n]) {
		n++
	}
	if n == 0 || n > 3 || n+1 >= len(l) || l[n] != '.' && l[n] != ')' || l[n+1] != ' ' {
		return l
	}
	return l[n+1:]
}

// errorIn finds the error message that a line holds: from the name of an error
// to the end of the line or of the code span around it, or the whole line.
func errorIn(l string) (string, bool) {
	for _, name := range []string{"Error: ", "Exception: "} {
		if e := namedError(l, name); e != "" {
			return e, true
		}
	}
	return l, marked(l) || ended(l) || strings.HasPrefix(l, "FAIL\t") || strings.HasPrefix(l, "--- FAIL: ") ||
		strings.HasPrefix(l, "FAILED ")
}

// namedError is the message that begins with the first name of an error which
// ends like name (ValueError: ); "" if there is none.
func namedError(l, name string) string {
	at := strings.Index(l, name)
	if at < 0 || len(l) < at+len(name)+4 {
		return ""
	}
	begin := at
	for begin > 0 && (word(l[begin-1]) || l[begin-1] == '.') {
		begin--
	}
	bare := begin == at // a name without anything before it
	switch {
	case !bare && field(l[begin:at+1]):
		return ""
	case bare && strings.ContainsAny(l[:begin], "\"'=("):
		return "" // a string in a program
	case begin == 0 || strings.IndexByte("`'\"", l[begin-1]) < 0:
		if bare {
			return l
		}
		return l[begin:]
	case bare:
		return "" // all that is quoted
	}
	e, mark := l[begin:], l[begin-1]
	if end := strings.IndexByte(e, mark); end > 0 {
		return e[:end]
	}
	if mark != '`' {
		return ""
	}
	return e
}

// marked reports whether a line has the mark of an error near its beginning, in
// no string of a program.
func marked(l string) bool {
	for _, mark := range errorMarks {
		at := strings.Index(l, mark)
		if at >= 0 && at < 100 && (at == 0 || !word(l[at-1]) || mark[0] == ' ') &&
			!strings.ContainsAny(l[:at], "\"'`=(|") && len(l) > at+len(mark) {
			return true
		}
	}
	return false
}

// ended reports whether a line ends as errors of a system do.
func ended(l string) bool {
	return strings.IndexByte(l, ':') > 0 && strings.IndexByte(l, '=') < 0 &&
		slices.ContainsFunc(errorEnds, func(end string) bool { return strings.HasSuffix(l, end) })
}
