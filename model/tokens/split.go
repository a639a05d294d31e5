package tokens

// A splitter cuts text into the pieces within which bytes may merge, by hand
// what the encoding's pattern would do by backtracking. The text must not be
// empty from i on; the result is the end of the piece that begins at i, always
// more than i.
type splitter func(t *classPages, s string, i int) int

// endO200k follows the pattern of o200k_base, alternatives in this order:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func endO200k(t *classPages, s string, i int) int {
	c, w := asciiClass[s[i]], 1
	if c == 0 {
		c, w = t.wide(s, i)
	}
	word := i
	if c&(symbol|mark|space) != 0 {
		word += w
	}
	if c&(number|newline) == 0 {
		end, allUpper := t.wordEnd(s, word)
		if c == mark && allUpper {
			// The first alternative matches the mark alone before the
			// second one can take it as the prefix of an all-upper word.
			end = word
		} else if end == word && c != mark {
			end = i
		}
		if end > i {
			if end < len(s) && s[end] == '\'' {
				return contractionEnd(s, end)
			}
			return end
		}
	}
	switch {
	case c == number:
		return t.numberEnd(s, i+w)
	case c&(symbol|mark) != 0, s[i] == ' ' && t.symbolAt(s, i+1):
		end := t.runEnd(s, i+w, symbol|mark)
		for end < len(s) && (asciiClass[s[end]] == newline || s[end] == '/') {
			end++
		}
		return end
	}
	return t.spaceEnd(s, i, false)
}

// endCl100k follows the pattern of cl100k_base as openai/tiktoken 0.14 has it:
//
//	'(?i:[sdmt]|ll|ve|re)
//	[^\r\n\p{L}\p{N}]?+\p{L}++
//	\p{N}{1,3}+
//	 ?[^\s\p{L}\p{N}]++[\r\n]*+
//	\s++$
//	\s*[\r\n]
//	\s+(?!\S)
//	\s
//
// Here \s++$ comes first among the white space. Older releases, and the
// libraries that copied them, lack it and cut white space at the very end of a
// text after its last line break. The pieces differ, the counts do not: no
// token of the vocabulary reaches from a line break into such white space (a
// test holds this).
func endCl100k(t *classPages, s string, i int) int {
	if s[i] == '\'' {
		if end := contractionEnd(s, i); end > i {
			return end
		}
	}
	c, w := asciiClass[s[i]], 1
	if c == 0 {
		c, w = t.wide(s, i)
	}
	switch {
	case c&letter != 0:
		return t.runEnd(s, i+w, letter)
	case c == number:
		return t.numberEnd(s, i+w)
	case c == newline:
		return t.spaceEnd(s, i, true)
	}
	if end := t.runEnd(s, i+w, letter); end > i+w {
		return end
	}
	if c != space || s[i] == ' ' && t.symbolAt(s, i+1) {
		end := t.runEnd(s, i+w, symbol|mark)
		for end < len(s) && asciiClass[s[end]] == newline {
			end++
		}
		return end
	}
	return t.spaceEnd(s, i, true)
}

// wordEnd matches the two cased runs of o200k_base from i, without prefix and
// suffix: capitals and caseless, then small and caseless, at least one of the
// latter if the text can give it. It returns i if there is no word. allUpper
// says that only the second alternative of the pattern matched, or none.
func (t *classPages) wordEnd(s string, i int) (end int, allUpper bool) {
	end = i
	soft := -1 // the end of the last character that both runs may hold
	for end < len(s) {
		c, w := asciiClass[s[end]], 1
		if c == 0 {
			c, w = t.wide(s, end)
		}
		if c&(upper|caseless|mark) == 0 {
			break
		}
		end += w
		if c != upper {
			soft = end
		}
	}
	small := end
	for small < len(s) && asciiClass[s[small]] == lower { // most text, without a call
		small++
	}
	if small < len(s) && asciiClass[s[small]] == 0 {
		small = t.runEnd(s, small, lower|caseless|mark)
	}
	if small > end {
		return small, false
	}
	if soft >= 0 {
		return soft, false
	}
	return end, true
}

// runEnd is the end of the longest run from i of characters of the set.
func (t *classPages) runEnd(s string, i int, set uint8) int {
	for i < len(s) {
		c, w := asciiClass[s[i]], 1
		if c == 0 {
			c, w = t.wide(s, i)
		}
		if c&set == 0 {
			break
		}
		i += w
	}
	return i
}

// numberEnd takes up to two more digits from i.
func (t *classPages) numberEnd(s string, i int) int {
	for n := 0; n < 2 && i < len(s); n++ {
		c, w := t.classAt(s, i)
		if c != number {
			break
		}
		i += w
	}
	return i
}

func (t *classPages) symbolAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	c, _ := t.classAt(s, i)
	return c&(symbol|mark) != 0
}

// spaceEnd cuts a run of white space that no word and no symbol took: up to its
// last line break if there is one, else without its last character, which is
// left for the word that follows. A run that ends the text is one piece; if it
// holds a line break, only when wholeAtEnd.
func (t *classPages) spaceEnd(s string, i int, wholeAtEnd bool) int {
	end, last, lineEnd := i, i, -1
	for end < len(s) {
		c, w := t.classAt(s, end)
		if c&(space|newline) == 0 {
			break
		}
		last = end
		end += w
		if c == newline {
			lineEnd = end
		}
	}
	switch {
	case end == len(s) && (wholeAtEnd || lineEnd < 0):
		return end
	case lineEnd >= 0:
		return lineEnd
	case last > i:
		return last
	}
	return end
}

// contractionEnd skips an English contraction ('s, 't, 're, 've, 'm, 'll, 'd in
// any case) at i, if there is one. The long s, ſ, is an s in another case.
func contractionEnd(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	second := byte(0)
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		second = 'e'
	case 'l':
		second = 'l'
	default:
		if i+2 < len(s) && s[i+1:i+3] == "ſ" {
			return i + 3
		}
		return i
	}
	if i+2 < len(s) && s[i+2]|0x20 == second {
		return i + 3
	}
	return i
}
