package body

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// A diff side by side: a row has a line as it was and the line that took its place.
//
//	unified          side by side
//	  func a() {       func a() {   │  func a() {
//	− 	return 1   −   	return 1   │+ 	return 2
//	+ 	return 2     }            │  }
//	  }

// pair is two lines of a diff that are beside each other; −1: there is none. A heading
// is on the left alone.
type pair struct{ old, new int }

// pairs puts lines from one to another beside each other: the k-th that went with the
// k-th that came in its place.
func pairs(marks []Mark, from, to int) (list []pair) {
	for i := from; i < to; {
		switch marks[i].Sign {
		case '-', '+':
			gone := i
			for gone < to && marks[gone].Sign == '-' {
				gone++
			}
			come := gone
			for come < to && marks[come].Sign == '+' {
				come++
			}
			for k := range max(gone-i, come-gone) {
				p := pair{-1, -1}
				if i+k < gone {
					p.old = i + k
				}
				if gone+k < come {
					p.new = gone + k
				}
				list = append(list, p)
			}
			i = come
		case ' ':
			list = append(list, pair{i, i})
			i++
		default:
			list = append(list, pair{i, -1})
			i++
		}
	}
	return list
}

// lineStarts are where the lines of a text begin, and behind them where a next one
// would.
func lineStarts(s string) []int {
	list := []int{0}
	for i := range len(s) {
		if s[i] == '\n' {
			list = append(list, i+1)
		}
	}
	return append(list, len(s)+1)
}

// leastAlike is the share of two lines that has to be the same for the rest to be
// marked: else all of it changed, as the lines' colours say.
const leastAlike = .5

// longestMarked bounds the lines whose changes are marked, in bytes.
const longestMarked = 2000

// markChanges marks what changed within the lines of a diff that took each other's
// place.
func (b *Block) markChanges() {
	starts := lineStarts(b.Text)
	for _, p := range pairs(b.Marks, 0, min(len(b.Marks), len(starts)-1)) {
		if p.old < 0 || p.new < 0 || p.old == p.new {
			continue
		}
		a, z := b.Text[starts[p.old]:starts[p.old+1]-1], b.Text[starts[p.new]:starts[p.new+1]-1]
		gone, come := changes(a, z)
		for _, r := range gone {
			b.overlay(Span{From: starts[p.old] + r[0], To: starts[p.old] + r[1]}, markChanged)
		}
		for _, r := range come {
			b.overlay(Span{From: starts[p.new] + r[0], To: starts[p.new] + r[1]}, markChanged)
		}
	}
}

func markChanged(s *Span) { s.Changed = true }

// changes are the ranges in which two lines differ, by words; none where they have
// little in common.
func changes(a, z string) (gone, come [][2]int) {
	if len(a) > longestMarked || len(z) > longestMarked {
		return nil, nil
	}
	from, to := wordsOf(a), wordsOf(z)
	same := len(a)
	shift := 0 // how much longer the new words are so far
	at := func(words string, i int) int { return i - strings.Count(words[:i], "\n") }
	for _, e := range udiff.Lines(from, to) {
		if e.End > e.Start {
			gone = append(gone, [2]int{at(from, e.Start), at(from, e.End)})
			same -= at(from, e.End) - at(from, e.Start)
		}
		if n := len(e.New); n > 0 {
			come = append(come, [2]int{at(to, e.Start+shift), at(to, e.Start+shift+n)})
		}
		shift += len(e.New) - (e.End - e.Start)
	}
	if float64(same) < leastAlike*float64(max(len(a), len(z))) {
		return nil, nil
	}
	return joined(a, gone), joined(z, come)
}

// joined makes one of ranges that only spaces part.
func joined(s string, list [][2]int) [][2]int {
	var out [][2]int
	for _, r := range list {
		if n := len(out); n > 0 && strings.TrimSpace(s[out[n-1][1]:r[0]]) == "" {
			out[n-1][1] = r[1]
		} else {
			out = append(out, r)
		}
	}
	return out
}

// wordsOf is a line with each of its words, spaces and signs on a line of its own.
func wordsOf(s string) string {
	var out strings.Builder
	last := 0
	for i, r := range s {
		k := kindOf(r)
		if i > 0 && (k != last || k == 3) {
			out.WriteByte('\n')
		}
		out.WriteString(s[i : i+max(1, runeLen(s[i:]))])
		last = k
	}
	out.WriteByte('\n')
	return out.String()
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func kindOf(r rune) int {
	switch {
	case r == '_' || (unicode.IsLetter(r) || unicode.IsDigit(r)) && r < cjkFirst:
		return 1
	case unicode.IsSpace(r):
		return 2
	}
	return 3
}

// leastSide is how many letters a side of a diff has room for at least; with less
// both are shown in one column.
const leastSide = 18

// SideGutter is the room of the number and the sign before a side of a diff.
func SideGutter(b *Block, mono float32) float32 {
	return mono * (float32(DiffDigits(b)) + 2.5)
}

// sides lays lines of a diff out side by side; false: there is no room.
func (l *layer) sides(i int, x float32, from, to, line int) bool {
	b := &l.out.Doc.Blocks[i]
	mono := l.p.Letter(FaceMono, '0')
	half := (l.p.Width - x - l.right(b)) / 2
	width := half - SideGutter(b, mono) - mono
	if !l.p.Sides || b.Kind != Diff || width < leastSide*mono {
		return false
	}
	starts := lineStarts(b.Text[from:to])
	last := min(len(b.Marks), line+len(starts)-1)
	if last > line && to > from && b.Text[to-1] == '\n' && to < len(b.Text) {
		last-- // the empty line behind the last one is of what follows
	}
	for _, p := range pairs(b.Marks, line, last) {
		var list []Cell
		for side, k := range [2]int{p.old, p.new} {
			if k < 0 {
				continue
			}
			c := Cell{From: int32(from + starts[k-line]), To: int32(from + starts[k-line+1] - 1), Line: int32(k), Right: side == 1,
				X: x + SideGutter(b, mono) + float32(side)*half, Width: width}
			if b.Marks[k].Sign == '@' {
				c.X, c.Width = x, 2*half
			}
			list = append(list, c)
		}
		first := p.old
		if first < 0 {
			first = p.new
		}
		l.cellRows(i, first, x, list, wrapper{l: l, b: b, mono: !b.Prose, scale: 1})
	}
	return true
}
