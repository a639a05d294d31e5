package body

import (
	"strconv"
	"strings"
)

// terminal reads the output of a terminal: sequences that set colours (ECMA-48
// SGR) become spans, and a lone carriage return a new line. Any other sequence
// stays, to be seen as what it is.
func terminal(s string) (string, []Span) {
	var b strings.Builder
	b.Grow(len(s))
	var spans []Span
	var st Style
	from := 0
	flush := func() {
		if st != (Style{}) && b.Len() > from {
			spans = append(spans, Span{From: from, To: b.Len(), Style: st})
		}
		from = b.Len()
	}
	for i := 0; i < len(s); {
		if next := strings.IndexAny(s[i:], "\x1b\r"); next != 0 {
			if next < 0 {
				next = len(s) - i
			}
			b.WriteString(s[i : i+next])
			i += next
			continue
		}
		if s[i] == '\r' {
			i++
			for i < len(s) && s[i] == '\r' {
				i++
			}
			if i < len(s) && s[i] != '\n' {
				b.WriteByte('\n')
			}
			continue
		}
		n := sgr(s[i:])
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		flush()
		st = st.set(s[i+2 : i+n-1])
		i += n
	}
	flush()
	return b.String(), spans
}

// sgr is the length of a sequence that sets colours; 0: there is none.
func sgr(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s) && i < 64; i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

var terminalInks = [8]Ink{InkFaint, InkRed, InkGreen, InkYellow, InkBlue, InkMagenta, InkCyan, InkText}

// set applies the numbers of one sequence.
func (st Style) set(list string) Style {
	nums := strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == ':' })
	if len(nums) == 0 {
		return Style{}
	}
	for i := 0; i < len(nums); i++ {
		n, _ := strconv.Atoi(nums[i])
		switch {
		case n == 38 || n == 48:
			c, used := extended(nums[i+1:])
			if n == 38 {
				st.RGB = c
			} else {
				st.Back = c
			}
			i += used
		case n >= 30:
			st = st.coloured(n)
		default:
			st = st.lettered(n)
		}
	}
	return st
}

// lettered applies a number that isn't a colour's.
func (st Style) lettered(n int) Style {
	switch n {
	case 0:
		return Style{}
	case 1:
		st.Bold = true
	case 2:
		st.Ink, st.RGB = InkFaint, 0
	case 3, 23:
		st.Italic = n == 3
	case 4, 24:
		st.Under = n == 4
	case 7, 27:
		st.Invert = n == 7
	case 9, 29:
		st.Strike = n == 9
	case 22:
		st.Bold = false
		if st.Ink == InkFaint {
			st.Ink = InkText
		}
	}
	return st
}

// coloured applies the number of one of the sixteen colours.
func (st Style) coloured(n int) Style {
	switch {
	case n <= 37:
		st.Ink, st.RGB = terminalInks[n-30], 0
	case n == 39:
		st.Ink, st.RGB = InkText, 0
	case n >= 40 && n <= 47:
		st.Back = ansiRGB(n - 40)
	case n == 49:
		st.Back = 0
	case n >= 90 && n <= 97:
		st.Ink, st.RGB = terminalInks[n-90], 0
	case n >= 100 && n <= 107:
		st.Back = ansiRGB(n - 100 + 8)
	}
	return st
}

// extended reads a colour of 256 (5;n) or a true one (2;r;g;b) and how many
// numbers it took.
func extended(nums []string) (rgb uint32, used int) {
	num := func(i int) uint32 {
		n, _ := strconv.Atoi(nums[i])
		return uint32(n & 0xFF)
	}
	switch {
	case len(nums) >= 2 && nums[0] == "5":
		return ansiRGB(int(num(1))), 2
	case len(nums) >= 4 && nums[0] == "2":
		return 1<<24 | num(1)<<16 | num(2)<<8 | num(3), 4
	}
	return 0, len(nums)
}

var ansiBase = [16]uint32{0x000000, 0xCD3131, 0x0DBC79, 0xE5E510, 0x2472C8, 0xBC3FBC, 0x11A8CD, 0xE5E5E5,
	0x666666, 0xF14C4C, 0x23D18B, 0xF5F543, 0x3B8EEA, 0xD670D6, 0x29B8DB, 0xFFFFFF}

// ansiRGB is one of the 256 colours of a terminal.
func ansiRGB(n int) uint32 {
	switch {
	case n < 16:
		return 1<<24 | ansiBase[n]
	case n < 232:
		step := func(v int) uint32 {
			if v == 0 {
				return 0
			}
			return uint32(55 + 40*v)
		}
		n -= 16
		return 1<<24 | step(n/36)<<16 | step(n/6%6)<<8 | step(n%6)
	}
	v := uint32(8 + 10*(n-232))
	return 1<<24 | v<<16 | v<<8 | v
}
