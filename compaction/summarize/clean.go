package summarize

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/compaction/facts"
)

const ellipsis = "…"

// Truncate keeps the first limit code points of a text and says by "..." that more
// followed. A negative limit is 0.
func Truncate(text string, limit int) string {
	n := 0
	for i := range text {
		if n >= limit {
			return text[:i] + "..."
		}
		n++
	}
	return text
}

// line puts what a history says on one line of at most limit code points: white
// space runs become one space, terminal escapes, control and direction
// characters go, invalid UTF-8 is replaced. It reads no more than it needs.
func line(s string, limit int) string {
	out, more := scrub(s, limit)
	if more {
		return ellipsize(out, limit)
	}
	return out
}

// scrub is the reading half of [line].
// It returns at most limit code points and whether text is left.
func scrub(s string, limit int) (string, bool) {
	if limit <= 0 {
		return "", strings.TrimSpace(head(s, 64)) != ""
	}
	var b strings.Builder
	n, gap := 0, ""
	stop := min(len(s), limit*16+1024)
	for i := 0; i < stop; {
		r, w := utf8.DecodeRuneInString(s[i:])
		if r == 0x1b || r == 0x9b {
			i += w + escape(s[i+w:], r == 0x9b)
			continue
		}
		i += w
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			if gap == "" {
				gap = " "
			}
		case facts.Invisible(r):
		default:
			need := 1
			if gap != "" && n > 0 {
				need = 2
			}
			if n+need > limit {
				return b.String(), true
			}
			if need == 2 {
				b.WriteString(gap)
			}
			b.WriteRune(r) // the replacement character where the input is invalid
			gap, n = "", n+need
		}
	}
	return b.String(), stop < len(s)
}

// escapeEnds and sequenceEnds are what follows the introducer of a terminal escape, and of a control sequence.
var (
	escapeEnds   = regexp.MustCompile(`^(?:\[[ -?]{0,63}[@-~]?|[\]P^_][^\x07\x1b\n]*(?:\x07|\x1b.?)?|[\x00-/][\x00-\x7f]|[\x00-\x7f])`)
	sequenceEnds = regexp.MustCompile(`^[ -?]{0,64}[@-~]?`)
)

// escape is the length of a terminal escape after its introducer; csi: the
// introducer was that of a control sequence.
func escape(s string, csi bool) int {
	expr := escapeEnds
	if csi {
		expr = sequenceEnds
	}
	return len(expr.FindString(head(s, 4096)))
}

// shorten cuts a clean line to at most limit code points, an ellipsis included.
func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return ellipsize(s, limit)
}

// ellipsize says that a clean line goes on, within limit code points; it cuts
// at the end of a word if one is near.
func ellipsize(s string, limit int) string {
	if limit <= 0 {
		return ""
	}
	n, end, space := 0, len(s), 0
	for i, r := range s {
		if n == limit-1 {
			end = i
			break
		}
		if r == ' ' {
			space = i
		}
		n++
	}
	if end < len(s) && space > end*3/5 {
		end = space
	}
	return strings.TrimRight(s[:end], " ") + ellipsis
}

// head and tail are the first and last bytes of a text, cut between code points.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}

// ends are the first and the last bytes of a text, where it has more than both.
func ends(s string, n int) string {
	if len(s) <= 2*n {
		return s
	}
	return head(s, n) + "\n" + tail(s, n)
}

// plainText keeps a text as it is, but for what must not be in a summary:
// escapes, control and direction characters, invalid UTF-8, "\r\n".
func plainText(s string) string {
	clean := utf8.ValidString(s)
	for i := 0; clean && i < len(s); i++ {
		if c := s[i]; c < 0x20 && c != '\n' && c != '\t' || c == 0x7f || c == 0xc2 || c == 0xe2 || c == 0xef {
			clean = false // may start a character that has to go
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		i += w
		switch {
		case r == 0x1b || r == 0x9b:
			i += escape(s[i:], r == 0x9b)
		case r == '\r':
			if !strings.HasPrefix(s[i:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\n' || r == '\t' || !facts.Invisible(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func chars(s string) int { return utf8.RuneCountInString(s) }

// shortenList joins what fits in size code points and says how many more there
// are; "" when not even one fits.
func shortenList(parts []string, size int, sep string) string {
	used, k := 0, 0
	for k < len(parts) {
		n := chars(parts[k]) + len(sep)
		if used+n > size-8 && (k+1 < len(parts) || used+n > size) {
			break
		}
		used += n
		k++
	}
	if k == 0 {
		return ""
	}
	s := strings.Join(parts[:k], sep)
	if k < len(parts) {
		s += fmt.Sprintf(" … +%d", len(parts)-k)
	}
	return s
}
