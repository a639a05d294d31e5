package redact

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checks are the tests that a rule can ask for by name: is what the expression
// found a secret at all?
var checks = map[string]func(string) bool{
	"random":         func(s string) bool { return len(s) >= minRandom && random(s) },
	"chosen":         func(s string) bool { return real(s) && (random(s) || chosen(s)) },
	"real":           real,
	"pair-in-base64": pairInBase64,
}

// numbered are the beginnings of what providers number their answers with. Such a
// name opens nothing.
var numbered = []string{"msg_", "call_", "toolu_", "chatcmpl-", "resp_", "req_", "run_", "thread_", "asst_", "fc_", "rs_", "srvtoolu_"}

// identifier reports whether a text is the name of a message, a call or an answer.
func identifier(s string) bool {
	return slices.ContainsFunc(numbered, func(begin string) bool { return strings.HasPrefix(s, begin) })
}

// minRandom is the shortest value that is taken for one made by chance, in bytes.
const minRandom = 8

// fillers are words of placeholder values in texts about secrets.
var fillers = []string{"example", "your", "placeholder", "changeme", "change-me", "change_me", "xxxx", "****", "....", "redacted", "dummy",
	"insert", "<", "${", "{{", "%s", "env.", "environ", "process.", "config.", "settings.", "secrets.", "none", "null", "undefined",
	"todo", "sample", "fake", "mock", "-here", "_here", "abcdef", "123456", "password", "passwd"}

// real reports whether a value is no placeholder.
func real(s string) bool {
	if len(s) < 3 || strings.HasPrefix(s, "$") || strings.HasPrefix(s, "%") || strings.Trim(s, s[:1]) == "" {
		return false
	}
	lower := strings.ToLower(s)
	for _, f := range fillers {
		if strings.Contains(lower, f) {
			return false
		}
	}
	switch lower {
	case "pass", "pwd", "secret", "token", "user", "test", "root", "admin", "postgres", "true", "false", "string":
		return false
	}
	return true
}

// chosen reports whether a value is like a password that a person made up: letters
// and a digit, and no name of a program.
func chosen(s string) bool {
	letters, digits := false, false
	for _, r := range s {
		letters = letters || unicode.IsLetter(r)
		digits = digits || unicode.IsDigit(r)
		if r == '.' || r == '_' || r == '/' || r == '-' || r == ':' {
			return false
		}
	}
	return letters && digits && entropy(s) >= 2.5
}

// random reports whether a text is like one made by chance: its characters change
// their kind often, as those of no word, name or path do.
func random(s string) bool {
	if !real(s) || entropy(s) < 2.75 {
		return false
	}
	var runs [3]int      // of each class of letters and digits
	odd, changes := 0, 0 // runs that no camelCase has: capitals in a row, one small letter
	longest, run, was := 0, 0, classOther
	end := func() {
		if was == classUpper && run > 1 || was == classLower && run == 1 {
			odd++
		}
		if was == classLower {
			longest = max(longest, run)
		}
	}
	for _, r := range s {
		k := classOf(r)
		if k == classOther {
			continue
		}
		if k != was {
			end()
			runs[k]++
			changes++
			run, was = 0, k
		}
		run++
	}
	end()
	switch {
	case runs[classLower]+runs[classUpper] == 0, longest > 10: // a number, a word
		return false
	case runs[classDigit] == 0:
		return odd > 1
	}
	return float64(changes-1) >= .15*float64(len(s))
}

const (
	classLower = iota
	classUpper
	classDigit
	classOther
)

func classOf(r rune) int {
	switch {
	case unicode.IsLower(r):
		return classLower
	case unicode.IsUpper(r):
		return classUpper
	case unicode.IsDigit(r):
		return classDigit
	}
	return classOther
}

// pairInBase64 reports whether a text is a name and a password, packed.
func pairInBase64(s string) bool {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(s), "="))
	name, password, ok := strings.Cut(string(b), ":")
	return err == nil && ok && name != "" && len(password) > 2 && printable(string(b))
}

// printable reports whether a text is one, and not the bytes of a picture.
func printable(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError && i < len(s)-utf8.UTFMax || r < 0x20 && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}

// shortestPacked is the shortest run of base64 that is unpacked, in bytes: what
// holds less holds no key.
const shortestPacked = 24

// packed lists the runs of base64 in a text that hold text.
func packed(text string, each func(from, to int, inside string)) {
	for i := 0; i < len(text); {
		for i < len(text) && !base64Char[text[i]] {
			i++
		}
		from := i
		for i < len(text) && base64Char[text[i]] {
			i++
		}
		if i-from < shortestPacked {
			continue
		}
		run := strings.NewReplacer("-", "+", "_", "/").Replace(text[from:min(i, from+2*shortestPacked)])
		head, _ := base64.RawStdEncoding.DecodeString(run[:len(run)/4*4])
		if !printable(string(head)) || len(head) == 0 {
			continue
		}
		whole := strings.NewReplacer("-", "+", "_", "/").Replace(text[from:i])
		if len(whole)%4 == 1 {
			whole = whole[:len(whole)-1]
		}
		b, err := base64.RawStdEncoding.DecodeString(whole)
		if err != nil {
			continue
		}
		to := i
		for to < len(text) && text[to] == '=' && to < i+2 {
			to++
		}
		each(from, to, string(b))
		i = to
	}
}

var base64Char = func() (set [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_" {
		set[c] = true
	}
	return set
}()
