package body

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfm "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownParser reads GitHub's Markdown, but definitions of links stay where they are: else they are not seen.
var markdownParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(extension.NewLinkifyParser(), 999))...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
})

// markdown adds the blocks of a Markdown text.
func (r *reader) markdown(s string) {
	m := marker{r: r, src: []byte(s)}
	m.children(markdownParser().Parse(text.NewReader(m.src)), place{})
}

// place is where in lists and quotes a block is.
type place struct {
	indent, quote int
	marker        string
	tight         bool
}

type marker struct {
	r   *reader
	src []byte
}

func (m *marker) add(b Block, at *place) {
	b.Indent, b.Quote, b.Marker, b.Tight = at.indent, at.quote, at.marker, at.tight
	at.marker = "" // the first block of an item has it
	m.r.add(b)
}

func (m *marker) children(n ast.Node, at place) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.block(c, &at)
		at.tight = false
	}
}

func (m *marker) block(n ast.Node, at *place) {
	switch x := n.(type) {
	case *ast.Heading:
		m.add(m.inline(n, Block{Kind: Heading, Level: x.Level}), at)
	case *ast.Paragraph, *ast.TextBlock:
		m.add(m.inline(n, Block{}), at)
	case *ast.ThematicBreak:
		m.add(Block{Kind: Rule}, at)
	case *ast.FencedCodeBlock:
		lang := ""
		if x.Info != nil {
			lang, _, _ = strings.Cut(strings.TrimSpace(string(x.Info.Segment.Value(m.src))), " ")
		}
		m.add(codeBlock(m.lines(n), lang, lang), at)
	case *ast.CodeBlock:
		m.add(codeBlock(m.lines(n), "", ""), at)
	case *ast.HTMLBlock:
		s := m.lines(n)
		if x.HasClosure() {
			s += string(x.ClosureLine.Value(m.src))
		}
		m.add(Block{Text: strings.TrimSuffix(s, "\n")}, at)
	case *ast.Blockquote:
		in := *at
		in.quote++
		m.children(n, in)
	case *ast.List:
		m.list(x, *at)
	case *gfm.Table:
		m.add(m.table(x), at)
	default:
		m.children(n, *at)
	}
}

func (m *marker) list(x *ast.List, at place) {
	no := x.Start
	for item := x.FirstChild(); item != nil; item = item.NextSibling() {
		in := at
		in.indent++
		in.marker = "•"
		if x.IsOrdered() {
			in.marker = strconv.Itoa(no) + string(x.Marker)
		}
		in.tight = at.tight || x.IsTight && no > x.Start
		if p := item.PreviousSibling(); p != nil {
			in.tight = x.IsTight
		}
		no++
		if item.FirstChild() == nil {
			m.add(Block{}, &in)
			continue
		}
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			m.block(c, &in)
			in.tight = x.IsTight
		}
	}
}

// lines are the raw lines of a block.
func (m *marker) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(m.src))
	}
	return b.String()
}

// inline fills a block with the text of a node.
func (m *marker) inline(n ast.Node, b Block) Block {
	w := writer{src: m.src}
	w.children(n, Style{}, "")
	b.Text, b.Spans = strings.TrimRight(w.text.String(), " \n"), w.spans
	for n := len(b.Spans); n > 0 && b.Spans[n-1].To > len(b.Text); n = len(b.Spans) { // of spaces at the end
		b.Spans[n-1].To = len(b.Text)
		if b.Spans[n-1].From >= len(b.Text) {
			b.Spans = b.Spans[:n-1]
		}
	}
	return b
}

// table makes lines of the rows of a table and puts tabs between its cells.
func (m *marker) table(t *gfm.Table) Block {
	w := writer{src: m.src, flat: true}
	b := Block{Kind: Table}
	for _, a := range t.Alignments {
		b.Align = append(b.Align, map[gfm.Alignment]Align{gfm.AlignRight: AlignRight, gfm.AlignCenter: AlignCenter}[a])
	}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		if row != t.FirstChild() {
			w.text.WriteByte('\n')
		}
		_, head := row.(*gfm.TableHeader)
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if cell != row.FirstChild() {
				w.text.WriteByte('\t')
			}
			w.children(cell, Style{Bold: head}, "")
		}
	}
	b.Text, b.Spans = w.text.String(), w.spans
	return b
}

// writer makes text and spans of inline nodes.
type writer struct {
	src   []byte
	text  strings.Builder
	spans []Span
	flat  bool // the text is one cell of a table: no tabs, no line ends
}

func (w *writer) put(s string, st Style, link string) {
	if s == "" {
		return
	}
	if w.flat {
		s = strings.NewReplacer("\t", " ", "\n", " ").Replace(s)
	}
	from := w.text.Len()
	w.text.WriteString(s)
	if st != (Style{}) || link != "" {
		w.spans = append(w.spans, Span{From: from, To: w.text.Len(), Style: st, Link: link})
	}
}

func (w *writer) children(n ast.Node, st Style, link string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, st, link)
	}
}

func (w *writer) node(n ast.Node, st Style, link string) {
	switch x := n.(type) {
	case *ast.Text:
		// A backslash stays: agents write paths far more often than escapes.
		w.put(string(util.ResolveEntityNames(util.ResolveNumericReferences(x.Segment.Value(w.src)))), st, link)
		if x.SoftLineBreak() || x.HardLineBreak() {
			w.put("\n", Style{}, "")
		}
	case *ast.String:
		w.put(string(x.Value), st, link)
	case *ast.CodeSpan:
		st.Code = true
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				w.put(strings.ReplaceAll(string(t.Segment.Value(w.src)), "\n", " "), st, link)
			}
		}
	case *ast.Emphasis:
		if x.Level == 2 {
			st.Bold = true
		} else {
			st.Italic = true
		}
		w.children(n, st, link)
	case *gfm.Strikethrough:
		st.Strike = true
		w.children(n, st, link)
	case *gfm.TaskCheckBox:
		w.put(map[bool]string{true: "☑ ", false: "☐ "}[x.IsChecked], st, link)
	case *ast.Link:
		st.Ink = InkLink
		w.children(n, st, string(x.Destination))
	case *ast.AutoLink:
		st.Ink = InkLink
		w.put(string(x.Label(w.src)), st, string(x.URL(w.src)))
	case *ast.Image:
		st.Ink = InkLink
		w.put("🖼 ", st, string(x.Destination))
		w.children(n, st, string(x.Destination))
	case *ast.RawHTML:
		for i := range x.Segments.Len() {
			s := x.Segments.At(i)
			w.put(string(s.Value(w.src)), st, link)
		}
	default:
		w.children(n, st, link)
	}
}
