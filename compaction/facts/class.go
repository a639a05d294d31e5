package facts

import "unicode"

// Classes of ASCII bytes as the token scanner sees them; 0 ends a token.
const (
	lower = 1 << iota
	upper
	digit
	joint // _ - . / ~ @, inside a token
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-32] = lower, upper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for _, c := range "_-./~@" {
		t[c] = joint
	}
	return t
}()

func isLetter(c byte) bool { return class[c]&(lower|upper) != 0 }
func isDigit(c byte) bool  { return class[c] == digit }

// word reports whether a byte is an ASCII letter, digit or underscore.
func word(c byte) bool { return class[c]&(lower|upper|digit) != 0 || c == '_' }

// cjk reports whether a character is of a script that is written without
// spaces, or, as Hangul, ties particles to words of other scripts.
func cjk(r rune) bool { return r >= 0x1100 && (han(r) || kana(r) || hangul(r)) }

func han(r rune) bool {
	return r >= 0x3400 && r <= 0x9FFF || r >= 0x2E80 && r <= 0x2FDF || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x3FFFF
}

func kana(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF && r != '・' || r >= 0x31F0 && r <= 0x31FF || r >= 0xFF66 && r <= 0xFF9D
}

func hangul(r rune) bool {
	return r >= 0xAC00 && r <= 0xD7AF || r >= 0x1100 && r <= 0x11FF || r >= 0x3130 && r <= 0x318F
}

// continues reports whether a character would continue a word of which another
// one is part: letters and digits of scripts that separate words.
func continues(r rune) bool {
	if r < 0x80 {
		return word(byte(r))
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !cjk(r)
}
