package facts

import (
	"strings"
	"unicode/utf8"
)

const errorRunes = 300 // code points of the longest error message

// errorHints are strings one of which stands in every line that is judged; a
// plain search for each is what makes reading a long output cheap.
var errorHints = []string{"rror", "RROR", "xception", "atal:", "anic:", "FAIL", "ailed", "No such file", "not found", "denied", "Broken pipe", "cannot ",
	"错误", "失败", "异常", "エラー", "例外", "오류", "실패"}

// errorLines hands the error messages of a text to yield. told: the text is the
// result of a call that failed, so that its first line is one.
func errorLines(s string, told bool, yield func(string)) {
	if told {
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

// framing tells a line that a tool puts around what a command printed.
func framing(l string) bool {
	l = strings.ToLower(l)
	for _, f := range frames {
		if strings.HasPrefix(l, f) {
			return true
		}
	}
	return false
}

// field tells a name like isError from one like sqlite3.OperationalError.
func field(name string) bool { return class[name[strings.LastIndexByte(name, '.')+1]] == lower }

func yieldError(e string, yield func(string)) {
	e = strings.TrimRight(e, " .:：。")
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
	l = strings.TrimLeft(l, "-*>#•✗✘×└├│─ ")
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

// errorIn finds the error message that a line tells: from the name of an error
// to the end of the line or of the code span it stands in, or the whole line.
func errorIn(l string) (string, bool) {
	for _, name := range []string{"Error: ", "Exception: "} {
		at := strings.Index(l, name)
		if at < 0 || len(l) < at+len(name)+4 {
			continue
		}
		begin := at
		for begin > 0 && (word(l[begin-1]) || l[begin-1] == '.') {
			begin--
		}
		if begin < at && field(l[begin:at+1]) {
			continue
		}
		if begin == at && begin > 0 && strings.ContainsAny(l[:begin], "\"'=(") {
			continue // a string in a program
		}
		e := l[begin:]
		if begin > 0 && strings.IndexByte("`'\"", l[begin-1]) >= 0 {
			if end := strings.IndexByte(e, l[begin-1]); end > 0 {
				e = e[:end]
			} else if l[begin-1] != '`' {
				continue
			}
		} else if begin < at {
			return e, true
		} else {
			return l, true
		}
		if begin < at {
			return e, true
		}
	}
	for _, mark := range errorMarks {
		at := strings.Index(l, mark)
		if at >= 0 && at < 100 && (at == 0 || !word(l[at-1]) || mark[0] == ' ') && !strings.ContainsAny(l[:at], "\"'`=(|") && len(l) > at+len(mark) {
			return l, true
		}
	}
	for _, end := range errorEnds {
		if strings.HasSuffix(l, end) && strings.IndexByte(l, ':') > 0 && strings.IndexByte(l, '=') < 0 {
			return l, true
		}
	}
	if strings.HasPrefix(l, "FAIL\t") || strings.HasPrefix(l, "--- FAIL: ") || strings.HasPrefix(l, "FAILED ") {
		return l, true
	}
	return "", false
}

var (
	errorMarks = []string{"error: ", "ERROR: ", "[ERROR] ", "error[", "fatal: ", "FATAL: ", "panic: ", "syntax error ", "exception: ",
		"错误：", "错误:", "失败：", "失败:", "异常：", "エラー：", "エラー:", "エラー: ", "오류: ", "오류："}
	frames    = []string{"chunk id:", "wall time:", "exit code", "process exited with code", "original token count:", "total output lines:", "output:", "stdout:", "stderr:"}
	errorEnds = []string{"No such file or directory", "command not found", "ermission denied", "Broken pipe", "not found", " error", "failed"}
)
