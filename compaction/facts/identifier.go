package facts

import "strings"

const identifierBytes = 120

// isFlag reports whether a token is a long option: --no-verify.
func isFlag(t string) bool {
	if len(t) < 4 || len(t) > 60 {
		return false
	}
	for i := 2; i < len(t); i++ {
		if c := t[i]; !word(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// isAddress reports whether a token is an e-mail address or a package with its
// version.
func isAddress(t string) bool {
	name, host, _ := strings.Cut(t, "@")
	if name == "" || host == "" || len(t) > identifierBytes || strings.IndexByte(host, '@') >= 0 {
		return false
	}
	return hasLetter(name) && (strings.IndexByte(host, '.') > 0 || isDigit(host[0]) || isVersion(host))
}

// isIdentifier reports whether the spelling of a name alone shows that it is no ordinary
// word.
func isIdentifier(t string, sh shape) bool {
	if len(t) > identifierBytes {
		return false
	}
	if sh&hasDigit != 0 && (isVersion(t) || isHash(t) || isCode(t) || isReference(t)) {
		return true
	}
	switch {
	case !isLetter(t[0]) && t[0] != '_':
		return false
	case sh&hasDash != 0:
		return sh&hasDigit != 0 && len(t) > 3 && isKebab(t)
	case sh&hasDot != 0:
		return isDotted(t)
	case sh&hasLine != 0:
		return isSnake(t)
	case sh&(hasHump|hasAcro) != 0:
		return len(t) > 3 && !products[t] && !acronyms(t)
	}
	return false
}

// isVersion reports whether a token is a version: 1.2.3, v2, 1.11.x, 1.0.0-rc.1.
func isVersion(t string) bool {
	v := strings.TrimPrefix(t, "v")
	core, _, _ := strings.Cut(v, "-")
	parts := 0
	for p := range strings.SplitSeq(core, ".") {
		if p == "" || !digits(p) && (parts == 0 || p != "x") || len(p) > 9 {
			return false
		}
		parts++
	}
	return parts >= 3 || len(v) < len(t) && (parts == 2 || len(core) <= 3)
}

func digits(t string) bool {
	for i := 0; i < len(t); i++ {
		if !isDigit(t[i]) {
			return false
		}
	}
	return t != ""
}

// isHash reports whether a token is a hexadecimal digest or its beginning, a UUID, or 0x1f.
func isHash(t string) bool {
	if strings.HasPrefix(t, "0x") {
		return len(t) > 3 && hex(t[2:])
	}
	if len(t) == 36 && t[8] == '-' && t[13] == '-' && t[18] == '-' && t[23] == '-' {
		return hex(strings.ReplaceAll(t, "-", ""))
	}
	if len(t) < 6 || len(t) > 128 || !hex(t) {
		return false
	}
	d, l := 0, 0
	for i := 0; i < len(t); i++ {
		if isDigit(t[i]) {
			d++
		} else {
			l++
		}
	}
	return d > 0 && l > 0 && (len(t) > 6 || d > 1 && l > 1)
}

// hex reports whether a string is hexadecimal in one case of letters.
func hex(t string) bool {
	cases := uint8(0)
	for i := 0; i < len(t); i++ {
		c := t[i]
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
		cases |= class[c]
	}
	return t != "" && cases&(lower|upper) != lower|upper
}

// isCode reports whether a token is capitals with a number behind: E0308, TS2345.
func isCode(t string) bool {
	i := 0
	for i < len(t) && class[t[i]] == upper {
		i++
	}
	return i > 0 && i <= 5 && len(t)-i >= 3 && len(t)-i <= 6 && digits(t[i:])
}

// isReference reports whether a token mixes capitals and digits, as numbers of orders and
// reservations are: KCZ9UM, 4WQ150.
func isReference(t string) bool {
	if len(t) < 6 || len(t) > 12 {
		return false
	}
	d, l := 0, 0
	for i := 0; i < len(t); i++ {
		switch class[t[i]] {
		case digit:
			d++
		case upper:
			l++
		default:
			return false
		}
	}
	return d > 0 && l > 1
}

// isDotted reports whether a token is like pkg.Func, self.x or route.3.hint.
func isDotted(t string) bool {
	if len(t) < 4 || products[t] {
		return false
	}
	n, last := 0, ""
	for seg := range strings.SplitSeq(t, ".") {
		if seg == "" {
			return false
		}
		for i := 0; i < len(seg); i++ {
			if !word(seg[i]) {
				return false
			}
		}
		n, last = n+1, seg
	}
	return n > 1 && (len(last) > 1 || isDigit(last[0]))
}

func isSnake(t string) bool {
	letters := 0
	for i := 0; i < len(t); i++ {
		if isLetter(t[i]) {
			letters++
		} else if !word(t[i]) {
			return false
		}
	}
	return letters > 1 && (strings.HasPrefix(t, "__") || strings.IndexByte(strings.TrimLeft(t, "_"), '_') > 0)
}

// isKebab reports whether a token is like utf-8, av-l5qi or gpt-4.1-mini.
func isKebab(t string) bool {
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case word(c):
		case c == '-' && t[i-1] != '-':
		case c == '.' && isDigit(t[i-1]) && i+1 < len(t) && isDigit(t[i+1]):
		default:
			return false
		}
	}
	return isDigit(t[len(t)-1]) || strings.IndexByte(t, '_') < 0
}

// acronyms reports whether a token is a plural of capitals: APIs, URLs.
func acronyms(t string) bool {
	for i := 0; i < len(t)-1; i++ {
		if class[t[i]] != upper {
			return false
		}
	}
	return t[len(t)-1] == 's'
}
