package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How a token is read:
//
//	see <b>@app/(main)/users.go:12, which
//	       │└───┬─┘│└──┬──┘   token: to the first byte of class 0, groups in it
//	       │    │  group      of a path stepped over
//	       trimmed: it mentions a file
//
// What the token holds (slash, dot, digit, a capital in the middle …) is noted on
// the way, and decides which rule is asked whether it is an atom.

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

// atoms calls each with the paths, URLs, numbers and identifiers of a text, with
// the place in the text where the atom begins, a sign of currency before it not
// counted. One pass; what it looks at ahead and behind is bounded.
func atoms(s string, each func(k Kind, t string, at int)) {
	i := 0
	yield := func(k Kind, t string) { each(k, t, i) }
	for i < len(s) {
		i = atom(s, i, yield)
	}
}

// atom lifts what begins at i, and returns where to go on.
func atom(s string, i int, yield func(Kind, string)) int {
	if next := skip(s, i, yield); next > i {
		return next
	}
	if class[s[i]] == digit {
		if end := number(s, i, yield); end > 0 {
			return end
		}
	}
	end, sh := token(s, i)
	if end < len(s) && s[end] == ':' {
		if next := colon(s, i, end, yield); next > 0 {
			return next
		}
	}
	if sh != 0 && end-i <= tokenBytes {
		classify(s, i, end, sh, yield)
	}
	return end
}

// skip is where to go on when no token begins at i: behind what is in none, or
// at the figure behind a sign; else i.
func skip(s string, i int, yield func(Kind, string)) int {
	c := s[i]
	if c >= utf8.RuneSelf {
		if r, w := utf8.DecodeRuneInString(s[i:]); !unicode.IsLetter(r) {
			return i + w
		}
		return i
	}
	if class[c] == 0 {
		return between(s, i, yield)
	}
	if (c == '~' || c == '-') && i+1 < len(s) && isDigit(s[i+1]) {
		return i + 1 // about, or minus
	}
	return i
}

// colon lifts the URL or the path with a drive of which the token s[i:end] is
// the scheme or the drive, and returns where to go on; 0: it is neither.
func colon(s string, i, end int, yield func(Kind, string)) int {
	if u := urlEnd(s, i, end); u > 0 {
		if start := schemeStart(s, i, end); start >= i {
			if url := trimURL(s[start:u]); len(url) > end-start+3 && len(url) <= tokenBytes {
				yield(URL, url)
			}
		}
		return u
	}
	d := driveEnd(s, i, end)
	if d-i > 4 && d-i <= tokenBytes {
		yield(Path, strings.TrimRight(s[i:d], `.\`))
	}
	return d
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
	var small, capitals int // letters in a row
	var last rune           // the last character if it was no ASCII, else 0
	j := i
	for j < len(s) {
		c := s[j]
		if c >= utf8.RuneSelf {
			r, w := utf8.DecodeRuneInString(s[j:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) || scriptEnds(s, i, j, r, last) {
				break
			}
			sh |= hasWide
			last, small, capitals = r, 0, 0
			j += w
			continue
		}
		k := class[c]
		if k == 0 {
			g := group(s, j)
			if g == 0 || j == i {
				break
			}
			j = g
			continue
		}
		if cjk(last) && (k != joint || begins(s, j, i)) || twoDots(s, i, j) {
			break
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

// scriptEnds reports whether a token ends before r, which is no ASCII: CJK text
// begins or ends where another script touches it.
func scriptEnds(s string, i, j int, r, last rune) bool {
	if last != 0 {
		return cjk(r) != cjk(last)
	}
	return j > i && class[s[j-1]] != joint && cjk(r)
}

// twoDots reports whether a..b is at j, which is two names, unlike ../b.
func twoDots(s string, i, j int) bool {
	return s[j] == '.' && j > i && s[j-1] != '/' && j+1 < len(s) && s[j+1] == '.'
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
	default:
		name(t, sh, yield)
	}
}

// name lifts a token that is no path: a host, an identifier, or both of a
// difference (l.pos-start).
func name(t string, sh shape, yield func(Kind, string)) {
	switch {
	case sh&hasDot != 0 && isHost(t):
		yield(URL, t)
	case sh&hasWide != 0:
	case isIdentifier(t, sh):
		yield(Identifier, t)
	case sh&hasDash != 0 && sh&(hasDot|hasLine|hasHump) != 0 && len(t) <= identifierBytes:
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
	for i < end && !spells(s[i:end]) {
		switch s[i] {
		case '.':
			i += dots(s[i:end])
			continue
		case '_': // _emphasis_
			end--
		}
		i++
	}
	return i, max(i, end)
}

// spells reports whether the first character of a token belongs to its name.
func spells(t string) bool {
	switch t[0] {
	case '-':
		return len(t) > 3 && t[1] == '-' && isLetter(t[2])
	case '@': // a mention of a file, but a scope belongs to the name of a package
		return strings.IndexByte(t, '/') > 1 && strings.IndexByte(t, '.') < 0
	case '.':
		n := dots(t)
		return n < len(t) && (n == 1 && !isDigit(t[n]) || n == 2 && t[n] == '/')
	case '~':
		return len(t) > 1 && t[1] == '/'
	case '_':
		return t[len(t)-1] != '_' || strings.HasPrefix(t, "__")
	}
	return true
}

// dots counts the dots that t begins with.
func dots(t string) int {
	n := 0
	for n < len(t) && t[n] == '.' {
		n++
	}
	return n
}
