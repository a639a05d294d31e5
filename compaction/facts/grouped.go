package facts

import (
	"strings"
	"unicode/utf8"
)

// A ledger writes a folder once, with the paths below it on one line:
//
//	/srv/app/{README.md, cmd/main.go, cmd/run.go}
//
// The folder stands there then, and each path below it. Templates of addresses (/users/{id})
// and what shells expand (src/{a,b}) are no groups.

const (
	groupBytes = 1 << 16 // of the longest group
	groupHolds = 2       // paths, at least
)

// Grouped calls yield with each path that a text writes in a group, and with the folders
// of groups, with the place in the text where its own part begins and ends.
func Grouped(s string, yield func(path string, from, to int)) {
	for i := 0; ; {
		at := strings.Index(s[i:], "/{")
		if at < 0 {
			return
		}
		brace := i + at + 1
		i = brace + 1
		begin := brace - 1
		for begin > 0 && inGroup(s[begin-1]) {
			begin--
		}
		own := inBraces(s[i:min(len(s), i+groupBytes)])
		if begin == brace-1 || len(own) < groupHolds {
			continue
		}
		yield(s[begin:brace-1], begin, brace-1)
		yield(s[begin:brace], begin, brace)
		from := i
		for _, path := range own {
			from += strings.Index(s[from:], path)
			yield(s[begin:brace]+path, from, from+len(path))
			from += len(path)
		}
	}
}

// inBraces are the paths from behind an opening brace to the closing one; none where
// anything else is there. Ledgers of earlier versions have no commas between them.
func inBraces(s string) (paths []string) {
	for {
		end := 0
		for end < len(s) && inGroup(s[end]) {
			end++
		}
		if end == 0 || end == len(s) {
			return nil
		}
		paths = append(paths, s[:end])
		s = strings.TrimLeft(strings.TrimPrefix(s[end:], " ×"), "0123456789") // how often it was changed
		if strings.HasPrefix(s, "}") {
			return paths
		}
		rest, ok := strings.CutPrefix(strings.TrimPrefix(s, ","), " ")
		if !ok {
			return nil
		}
		s = rest
	}
}

// inGroup reports whether a byte may be part of a path in a group.
func inGroup(c byte) bool {
	return class[c] != 0 || c >= utf8.RuneSelf || strings.IndexByte("()[]+", c) >= 0
}

// wholePath reports whether a string is a path from its first to its last byte.
func wholePath(t string) (whole bool) {
	atoms(t, func(k Kind, found string, _ int) { whole = k == Path && found == t })
	return whole
}
