package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shape is what a token is made of, gathered while it is read, so that an
// ordinary word costs no second look.
type shape uint16

const (
	hasSlash shape = 1 << iota
	hasDot
	hasLine // underscore
	hasDash
	hasAt
	hasDigit
	hasHump // a capital after a small letter
	hasAcro // capitals followed by small letters, as in HTMLParser
	hasWide // other than ASCII
	hasCapital
)

const tokenBytes = 1024 // longer tokens are data, not names

// atoms hands the paths, URLs, numbers and identifiers of a text to each, with the
// place in the text before which nothing of it stands but a sign of currency. One
// pass; what it looks at ahead and behind is bounded.
func atoms(s string, each func(k Kind, t string, at int)) {
	i := 0
	yield := func(k Kind, t string) { each(k, t, i) }
	for i < len(s) {
		c := s[i]
		switch {
		case c < utf8.RuneSelf:
			k := class[c]
			if k == 0 {
				i = between(s, i, yield)
				continue
			}
			if (c == '~' || c == '-') && i+1 < len(s) && isDigit(s[i+1]) {
				i++ // about, or minus
				continue
			}
			if k == digit {
				if end := number(s, i, yield); end > 0 {
					i = end
					continue
				}
			}
		default:
			if r, w := utf8.DecodeRuneInString(s[i:]); !unicode.IsLetter(r) {
				i += w
				continue
			}
		}
		end, sh := token(s, i)
		if end < len(s) && s[end] == ':' {
			if u := urlEnd(s, i, end); u > 0 {
				if start := schemeStart(s, i, end); start >= i {
					if url := trimURL(s[start:u]); len(url) > end-start+3 && len(url) <= tokenBytes {
						yield(URL, url)
					}
				}
				i = u
				continue
			}
			if d := driveEnd(s, i, end); d > 0 {
				if d-i > 4 && d-i <= tokenBytes {
					yield(Path, strings.TrimRight(s[i:d], `.\`))
				}
				i = d
				continue
			}
		}
		if sh != 0 && end-i <= tokenBytes {
			classify(s, i, end, sh, yield)
		}
		i = end
	}
}

// between steps over a byte that is in no token. Of an escape as JSON and shells
// write it the letter is stepped over too, so that \nsrc/a.go gives src/a.go.
func between(s string, i int, yield func(Kind, string)) int {
	switch s[i] {
	case '\\':
		if i+1 < len(s) && strings.IndexByte("ntr", s[i+1]) >= 0 {
			return i + 2
		}
	case '#':
		j := i + 1
		for j < len(s) && isDigit(s[j]) {
			j++
		}
		if n := j - i - 1; n >= 1 && n <= 7 && (i == 0 || s[i-1] == ' ' || s[i-1] == '(') && (j == len(s) || !word(s[j])) {
			yield(Identifier, s[i:j])
			return j
		}
	}
	return i + 1
}

// token reads to the end of the token that begins at i.
func token(s string, i int) (end int, sh shape) {
	var small, capitals int // of the run of small letters or capitals so far
	var last rune           // the last character if it was no ASCII, else 0
	j := i
	for j < len(s) {
		c := s[j]
		if c >= utf8.RuneSelf {
			r, w := utf8.DecodeRuneInString(s[j:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			if j > i && cjk(r) && last == 0 && class[s[j-1]] != joint || last != 0 && cjk(r) != cjk(last) {
				break // CJK text begins or ends where another script touches it
			}
			sh |= hasWide
			last, small, capitals = r, 0, 0
			j += w
			continue
		}
		k := class[c]
		if k == 0 {
			if g := group(s, j); g > 0 && j > i {
				j = g
				continue
			}
			break
		}
		if cjk(last) && (k != joint || begins(s, j, i)) || c == '.' && j > i && s[j-1] != '/' && j+1 < len(s) && s[j+1] == '.' {
			break // also a..b, which is two names
		}
		last = 0
		switch k {
		case lower:
			if small++; small >= 2 && capitals >= 2 {
				sh |= hasAcro
			}
		case upper:
			sh |= hasCapital
			if small > 0 {
				sh |= hasHump
				capitals = 0
			}
			small = 0
			capitals++
		case digit:
			sh |= hasDigit
			small, capitals = 0, 0
		default:
			sh |= jointShape(c)
			small, capitals = 0, 0
		}
		j++
	}
	return max(j, i+1), sh
}

// begins reports whether a flag, or a path from the root, begins at j, behind CJK
// text that began at i: 参数--dry-run, 日志在/var/log. 文档/设计.md is one path.
func begins(s string, j, i int) bool {
	if s[j] == '-' {
		return j+2 < len(s) && s[j+1] == '-' && isLetter(s[j+2])
	}
	if s[j] != '/' || strings.IndexByte(s[i:j], '/') >= 0 {
		return false
	}
	end := j + 1
	for end < len(s) && word(s[end]) {
		end++
	}
	return roots[s[j+1:end]]
}

func jointShape(c byte) shape {
	switch c {
	case '/', '~':
		return hasSlash
	case '.':
		return hasDot
	case '_':
		return hasLine
	case '-':
		return hasDash
	}
	return hasAt
}

// group is the end of a bracketed path segment that begins at j, as in
// app/(main)/users/[id]/page.tsx; 0: there is none.
func group(s string, j int) int {
	if s[j] != '(' && s[j] != '[' || s[j-min(j, 1)] != '/' {
		return 0
	}
	closing := byte(')')
	if s[j] == '[' {
		closing = ']'
	}
	for k := j + 1; k < len(s) && k < j+40; k++ {
		switch {
		case s[k] == closing:
			if k > j+1 && k+1 < len(s) && (s[k+1] == '/' || s[k+1] == '.') {
				return k + 1
			}
			return 0
		case !word(s[k]) && s[k] != '-' && s[k] != '.':
			return 0
		}
	}
	return 0
}

// classify lifts the token s[i:end].
func classify(s string, i, end int, sh shape, yield func(Kind, string)) {
	if i > 0 && s[i-1] == '<' && (i < 2 || !word(s[i-2])) {
		return // the name of a tag
	}
	whole := end - i
	i, end = trimToken(s, i, end)
	if end-i < 2 {
		return
	}
	t := s[i:end]
	if len(t) < whole {
		sh = reshape(t, sh)
	}
	switch {
	case strings.HasPrefix(t, "--"):
		if isFlag(t) {
			yield(Identifier, t)
		}
	case sh&hasSlash != 0 && strings.IndexByte(t, '/') >= 0:
		slashed(s, i, end, yield)
	case sh&hasAt != 0 && strings.IndexByte(t, '@') >= 0:
		if isAddress(t) {
			yield(Identifier, t)
		}
	case sh&(hasDot|hasCapital) != 0 && isFile(t, end < len(s) && s[end] == '(', i > 0 && s[i-1] == '*'):
		yield(Path, t)
	case sh&hasDot != 0 && isHost(t):
		yield(URL, t)
	case sh&hasWide != 0:
	case isIdentifier(t, sh):
		yield(Identifier, t)
	case sh&hasDash != 0 && sh&(hasDot|hasLine|hasHump) != 0 && len(t) <= identifierBytes: // l.pos-start
		for part := range strings.SplitSeq(t, "-") {
			if len(part) < 3 {
				continue
			}
			if end, sh := token(part, 0); end == len(part) && isIdentifier(part, sh) {
				yield(Identifier, part)
			}
		}
	}
}

// reshape corrects the shape of a token that was trimmed.
func reshape(t string, sh shape) shape {
	for _, j := range []byte("/~._-@") {
		if strings.IndexByte(t, j) < 0 && (j != '/' && j != '~' || !strings.ContainsAny(t, "/~")) {
			sh &^= jointShape(j)
		}
	}
	return sh
}

// trimToken takes off what punctuates rather than spells.
func trimToken(s string, i, end int) (int, int) {
	for end > i && strings.IndexByte(".-@~", s[end-1]) >= 0 {
		end--
	}
	for i < end {
		switch s[i] {
		case '-':
			if end-i > 3 && s[i+1] == '-' && isLetter(s[i+2]) {
				return i, end
			}
		case '@': // a mention of a file, but a scope belongs to the name of a package
			if strings.IndexByte(s[i:end], '/') > 1 && strings.IndexByte(s[i:end], '.') < 0 {
				return i, end
			}
		case '.':
			n := i
			for n < end && s[n] == '.' {
				n++
			}
			if n-i == 1 && n < end && !isDigit(s[n]) || n-i == 2 && n < end && s[n] == '/' {
				return i, end
			}
			i = n - 1
		case '~':
			if i+1 < end && s[i+1] == '/' {
				return i, end
			}
		case '_':
			if s[end-1] != '_' || strings.HasPrefix(s[i:end], "__") {
				return i, end
			}
			end-- // _emphasis_
		default:
			return i, end
		}
		i++
	}
	return i, max(i, end)
}
