package gui

import (
	"strings"
	"unicode/utf8"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// block is one stretch of a detail: a quiet heading, if it needs one, and its
// text.
type block struct {
	head string
	text string
	warn bool
}

// A page of a detail: so many lines of the source, but no more bytes than that.
const (
	pageLines = 80
	pageBytes = 64 << 10
	// restPages are shown at once where a page ends inside a very long line: there
	// is nothing to page by.
	restPages = 64
)

// blocksOf puts a message into blocks. A message of one plain text has no
// heading.
func blocksOf(t *desk.Detail) []block {
	if t.Err != nil {
		return []block{{head: words.T("detail.failed"), text: t.Err.Error(), warn: true}}
	}
	if t.Raw {
		list := make([]block, 0, 2)
		for _, x := range t.Texts {
			list = append(list, block{text: x.Text})
		}
		if t.More > 0 {
			list = append(list, block{head: words.T("detail.leftOut", "size", words.Bytes(t.More))})
		}
		return list
	}
	var list []block
	for _, x := range t.Texts {
		b := block{text: x.Text}
		switch x.Kind {
		case model.PartReasoning:
			b.head = words.T("detail.reasoning")
		case model.PartCall:
			b.head = words.T("detail.call", "tool", x.Name)
		case model.PartResult:
			if x.Error {
				b.head, b.warn = words.T("detail.errorResult"), true
			} else if len(t.Texts) > 1 {
				b.head = words.T("role.result")
			}
		case model.PartMedia, model.PartOpaque:
			b = block{head: "[" + x.Name + ", " + words.Bytes(int64(x.Bytes)) + "]"}
		default:
			if len(t.Texts) > 1 {
				b.head = words.T("detail.text")
			}
		}
		list = append(list, b)
	}
	switch {
	case len(list) > 0:
	case t.Row.Kind == session.RowSummary:
		list = append(list, block{head: words.T("detail.noSummary")})
	default:
		list = append(list, block{head: words.T("detail.empty")})
	}
	return list
}

// wrapPages wraps the first pages of the blocks. It runs outside the goroutine
// of the window.
func wrapPages(blocks []block, pages int, m kit.Measure, room float32) wrapped {
	var out wrapped
	total, bytes := 0, 0
	for _, b := range blocks {
		total += lineCount(b.text)
		bytes += len(b.text)
	}
	lines, size, no := pages*pageLines, pages*pageBytes, 0
	for i, b := range blocks {
		if b.head != "" {
			if i > 0 {
				out.lines = append(out.lines, kit.Line{})
			}
			kind := kit.LineHead
			if b.warn {
				kind = kit.LineWarn
			}
			out.lines = append(out.lines, kit.Line{Text: kit.Clean(b.head), Kind: kind})
		}
		if b.text == "" {
			continue
		}
		part, whole := firstLines(b.text, lines, size)
		out.lines = append(out.lines, kit.Wrap(part, m, room, no+1)...)
		n := lineCount(part)
		no, lines, size = no+n, lines-n, size-len(part)
		if !whole {
			out.more = true
			out.inLine = !strings.HasSuffix(part, "\n")
			break
		}
	}
	switch {
	case out.inLine:
		out.foot = words.T("detail.firstBytes", "shown", words.Bytes(int64(pages*pageBytes-size)), "total", words.Bytes(int64(bytes)))
	case out.more:
		out.foot = words.T("kit.lines", "from", 1, "to", no, "total", total)
	case total > pageLines:
		out.foot = words.T("detail.allLines", "count", total)
	}
	return out
}

// lineCount is how many lines a text has; a line feed at its end opens none.
func lineCount(s string) int {
	if s == "" {
		return 0
	}
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// firstLines is the beginning of a text: at most so many lines and bytes, cut
// at the end of a line if there is one, and whether that is all of it.
func firstLines(s string, lines, size int) (part string, whole bool) {
	end := 0
	for n := 0; n < lines && end < len(s) && end < size; n++ {
		i := strings.IndexByte(s[end:], '\n')
		if i < 0 {
			end = len(s)
			break
		}
		end += i + 1
	}
	if end > size {
		end = max(size, 0)
		if cut := strings.LastIndexByte(s[:end], '\n'); cut > 0 {
			end = cut + 1
		}
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
	}
	return s[:end], end == len(s)
}
