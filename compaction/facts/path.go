package facts

import (
	"strings"
	"unicode/utf8"
)

const pathRunes = 260 // code points of the longest path

// slashed lifts a token with slashes: a path, a branch, the name of a package or
// of a subtest, or nothing.
func slashed(s string, i, end int, yield func(Kind, string)) {
	t := s[i:end]
	before, after := byte(0), byte(0)
	if i > 0 {
		before = s[i-1]
	}
	if end < len(s) {
		after = s[end]
	}
	switch {
	case before == '<' || after == '>' && t[len(t)-1] == '/': // </tag>, <tag/>
	case t[0] == '/' && strings.IndexByte("})$", before) >= 0 && before != 0: // the rest of a path that begins with a variable
	case utf8.RuneCountInString(t) > pathRunes, substitution(t), t == "/dev/null":
	case branch(t), t[0] == '@' && strings.Count(t, "/") == 1, subtest(t):
		yield(Identifier, t)
	case isPath(t):
		yield(Path, t)
	}
}

// subtest reports whether t names a subtest of Go: TestCount/empty.
func subtest(t string) bool {
	return strings.HasPrefix(t, "Test") && len(t) > 5 && class[t[4]] == upper && !hasExtension(t)
}

// substitution reports whether a token is an expression of sed: s/old/new/g, 3,10s/old/new/.
func substitution(t string) bool {
	t = strings.TrimLeft(t, "0123456789")
	return strings.HasPrefix(t, "s/") && strings.Count(t, "/") == 3 && len(t)-1-strings.LastIndexByte(t, '/') <= 2
}

// isPath judges a token with slashes.
func isPath(t string) bool {
	body, rooted := t, true
	switch {
	case strings.HasPrefix(t, "//"):
		return false
	case t[0] == '/':
		body = t[1:]
	case strings.HasPrefix(t, "./"), strings.HasPrefix(t, "~/"):
		body = t[2:]
	case strings.HasPrefix(t, "../"):
		body = strings.TrimLeft(t, "./")
	default:
		rooted = false
	}
	body, folder := strings.CutSuffix(body, "/")
	if !hasLetter(body) || strings.Contains(body, "//") {
		return false
	}
	first, _, nested := strings.Cut(body, "/")
	switch {
	case hasExtension(body):
		return nested || rooted
	case rooted && (t[0] != '/' || folder):
		return len(t) > 3
	case rooted:
		return nested && hasLetter(first) || roots[first]
	}
	return isRelative(body, first, folder)
}

// isRelative judges a path that begins nowhere in particular and has no
// extension; first is its first segment.
func isRelative(body, first string, folder bool) bool {
	slashes := strings.Count(body, "/")
	switch {
	case media[first] && slashes == 1:
		return false
	case folder:
		return len(body) > 1 && (slashes > 0 || len(body) > 2)
	case folders[first]:
		return true
	case strings.IndexByte(first, '.') > 0 || strings.IndexByte(body, '_') >= 0:
		return hasLetter(first)
	}
	return slashes > 1 && plainSegments(body)
}

// plainSegments reports whether segments are folders (lib/core/util), not
// alternatives (ja/zh/ko, yes/no/maybe).
func plainSegments(t string) bool {
	long := 0
	for seg := range strings.SplitSeq(t, "/") {
		if len(seg) < 2 || conjunctions[seg] || !hasLetter(seg) {
			return false
		}
		for i := 0; i < len(seg); i++ {
			if c := seg[i]; class[c] == upper || c >= utf8.RuneSelf {
				return false
			}
		}
		if len(seg) > 3 {
			long++
		}
	}
	return long > 1
}

func hasLetter(t string) bool {
	for i := 0; i < len(t); i++ {
		if isLetter(t[i]) || t[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// hasExtension reports whether the last segment ends like a file.
func hasExtension(t string) bool {
	name := t[strings.LastIndexByte(t, '/')+1:]
	at := strings.LastIndexByte(name, '.')
	if at < 0 || len(name)-at-1 < 1 || len(name)-at-1 > 8 {
		return false
	}
	return hasLetter(name[at+1:]) && !strings.ContainsAny(name[at+1:], "-_~@") || at > 0 && extensions[name[at+1:]]
}

// isFile reports whether a token is a file name without a folder. called: a bracket follows, as
// behind a method; starred: a star precedes it, as in *.md.
func isFile(t string, called, starred bool) bool {
	at := strings.LastIndexByte(t, '.')
	if at < 0 {
		return bareFiles[t]
	}
	if at == 0 {
		return dotFiles[t[1:]] && !starred || len(t) > 4 && strings.HasSuffix(t, "rc") && !starred && !called
	}
	if called || !extensions[t[at+1:]] || products[t] {
		return false
	}
	if t[0] == '.' {
		return true
	}
	return hasLetter(t[:at]) && strings.IndexByte(t[:at], '@') < 0
}

// branch reports whether a token is the name of a branch or another git reference.
func branch(t string) bool {
	first, rest, _ := strings.Cut(t, "/")
	return branches[first] && rest != "" && hasLetter(rest) && !hasExtension(rest)
}
