package workbench

import (
	"strings"
	"unicode/utf8"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Block is one stretch of a detail: a quiet heading, if it needs one, and its
// text.
type Block struct {
	Head string
	Text string
	warn bool
}

// A page of a detail: so many lines of the source, but no more bytes than that.
const (
	PageLines = 80
	PageBytes = 64 << 10
	// RestPages are shown at once where a page ends inside a very long line: there
	// is nothing to page by.
	RestPages = 64
)

// blocksOf puts a message into blocks. A message of one plain text has no
// heading.
func blocksOf(t *desk.Detail) []Block {
	if t.Err != nil {
		return []Block{{Head: words.T("detail.failed"), Text: t.Err.Error(), warn: true}}
	}
	if t.Raw {
		list := make([]Block, 0, 2)
		for _, x := range t.Texts {
			list = append(list, Block{Text: x.Text})
		}
		if t.More > 0 {
			list = append(list, Block{Head: words.T("detail.leftOut", "size", words.Bytes(t.More))})
		}
		return list
	}
	var list []Block
	for _, x := range t.Texts {
		b := Block{Text: x.Text}
		switch x.Kind {
		case model.PartReasoning:
			b.Head = words.T("detail.reasoning")
		case model.PartCall:
			b.Head = words.T("detail.call", "tool", x.Name)
		case model.PartResult:
			if x.Error {
				b.Head, b.warn = words.T("detail.errorResult"), true
			} else if len(t.Texts) > 1 {
				b.Head = words.T("role.result")
			}
		case model.PartMedia, model.PartOpaque:
			b = Block{Head: "[" + x.Name + ", " + words.Bytes(int64(x.Bytes)) + "]"}
		default:
			if len(t.Texts) > 1 {
				b.Head = words.T("detail.text")
			}
		}
		list = append(list, b)
	}
	switch {
	case len(list) > 0:
	case t.Row.Kind == session.RowSummary:
		list = append(list, Block{Head: words.T("detail.noSummary")})
	default:
		list = append(list, Block{Head: words.T("detail.empty")})
	}
	return list
}

// WrapPages wraps the first pages of the blocks. It runs outside the goroutine
// of the window.
func WrapPages(blocks []Block, pages int, m kit.Measure, room float32) Wrapped {
	var out Wrapped
	total, bytes := 0, 0
	for _, b := range blocks {
		total += lineCount(b.Text)
		bytes += len(b.Text)
	}
	lines, size, no := pages*PageLines, pages*PageBytes, 0
	for i, b := range blocks {
		if b.Head != "" {
			if i > 0 {
				out.Lines = append(out.Lines, kit.Line{})
			}
			kind := kit.LineHead
			if b.warn {
				kind = kit.LineWarn
			}
			out.Lines = append(out.Lines, kit.Line{Text: kit.Clean(b.Head), Kind: kind})
		}
		if b.Text == "" {
			continue
		}
		part, whole := FirstLines(b.Text, lines, size)
		out.Lines = append(out.Lines, kit.Wrap(part, m, room, no+1)...)
		n := lineCount(part)
		no, lines, size = no+n, lines-n, size-len(part)
		if !whole {
			out.More = true
			out.InLine = !strings.HasSuffix(part, "\n")
			break
		}
	}
	switch {
	case out.InLine:
		out.Foot = words.T("detail.firstBytes", "shown", words.Bytes(int64(pages*PageBytes-size)), "total", words.Bytes(int64(bytes)))
	case out.More:
		out.Foot = words.T("kit.lines", "from", 1, "to", no, "total", total)
	case total > PageLines:
		out.Foot = words.T("detail.allLines", "count", total)
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

// FirstLines is the beginning of a text: at most so many lines and bytes, cut
// at the end of a line if there is one, and whether that is all of it.
func FirstLines(s string, lines, size int) (part string, whole bool) {
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
