// Package body makes what a message says ready to be read: Markdown, code, edits,
// JSON, the output of a terminal, pictures. It knows no screen and no font.
//
//	parts ──Read──▶ Doc ──Lay(width, letters, what is open)──▶ Layout
//	                 │ Blocks: Text, Spans                      │ Rows: a piece of a block's text each
//	                 ├─Find──▶ Hits                             └ all of one height
//	                 └─Text, Markdown──▶ the clipboard
//
// Whatever a block shows is its Text; Spans only say how ranges of it look. So
// that what is found, selected and copied is what is seen, a place in a body is
// always a block and a byte in its text. Texts are what the source holds: tabs,
// control characters and invalid UTF-8 are still in them.
//
// All functions are pure, and their costs are bounded where a part is huge: what
// is larger than the limits below is plain text, and its middle is folded until
// somebody opens it. A Doc is not changed after Read.
package body

import (
	"strings"

	"palimpsest/model"
)

// Kind is what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota // running text, wrapped at words
	Heading
	Label    // the line over a part: who it is from, which tool it calls
	Verbatim // text that is laid out by its columns: the output of a tool
	Code     // as Verbatim, in a frame, coloured by its language
	Diff     // as Code, with what each line is
	Tree     // JSON, whose objects and lists fold
	Table
	Rule
	Picture
)

// Mono reports whether a block is drawn in letters of one width.
func (k Kind) Mono() bool { return k == Verbatim || k == Code || k == Diff || k == Tree }

// Framed reports whether a block has a frame.
func (k Kind) Framed() bool { return k == Code || k == Diff || k == Table }

// Block is one stretch of a body.
type Block struct {
	Kind   Kind
	Level  int    // of a heading, 1 to 6
	Indent int    // how deep in lists
	Quote  int    // how deep in quotes
	Marker string // in front of the first line of a list's item
	Tight  bool   // follows the block before without a gap
	Warn   bool   // an error
	Prose  bool   // a Verbatim block in proportional letters
	Text   string
	Spans  []Span // in order, and none overlaps another
	Title  string // of a frame: a file's name, a language
	First  int    // number of the first line; 0: lines have no numbers of their own
	Marks  []Mark // of a Diff: what each line is
	Ends   []int32
	Align  []Align
	Media  int // of a Picture: its number among the pictures of the message
	Size   int // of a Picture: bytes in the source
	Part   int // which part of the message it is from
}

// Mark is what a line of a diff is.
type Mark struct {
	Sign     byte  // ' ', '+', '-'; '@' is a heading
	Old, New int32 // numbers of the line; 0: unknown
}

// Align is how a column of a table is aligned.
type Align uint8

// The alignments.
const (
	AlignLeft Align = iota
	AlignRight
	AlignCenter
)

// Ink is the role of a colour. What it is on a screen is the theme's.
type Ink uint8

// The roles of colours.
const (
	InkText Ink = iota
	InkMuted
	InkFaint
	InkLink
	InkKeyword
	InkType
	InkFunction
	InkString
	InkNumber
	InkComment
	InkAdded
	InkRemoved
	InkWarn
	InkRed
	InkGreen
	InkYellow
	InkBlue
	InkMagenta
	InkCyan
)

// Style is how a range of text looks.
type Style struct {
	Ink    Ink
	Bold   bool
	Italic bool
	Strike bool
	Under  bool
	Code   bool // inline code
	Invert bool // ink and ground change places
	// Changed is what differs within a line of a diff that took another's place.
	Changed bool
	// RGB and Back are the colours that a terminal's output chose itself, as
	// 0x01RRGGBB; 0: none.
	RGB, Back uint32
}

// Span is a range of a block's text that looks different.
type Span struct {
	From, To int
	Style
	Link string // where it leads; "": nowhere
}

// Doc is the body of one message.
type Doc struct {
	Blocks []Block
	parts  []model.Part
}

// How much is looked at, in bytes. What is larger is plain text.
const (
	markdownLimit = 512 << 10
	colourLimit   = 128 << 10 // of code
	treeLimit     = 4 << 20
	terminalLimit = 4 << 20
	diffLimit     = 512 << 10
)

// Options says what is known of a body beside its parts.
type Options struct {
	// Label is the line over a part; "" for none.
	Label func(p model.Part, parts int) string
	// Plain leaves every text as it is spelled: no Markdown, no tree, no diff.
	Plain bool
	// Bytes: the parts are the bytes of the source.
	Bytes bool
	// Tool and Args are the call that a result answers, as far as they are known:
	// they say in which language a file is, and whether a text is Markdown.
	Tool, Args string
	// Links finds links in a text that its own markup does not have: spans of which
	// From, To and Link are used; nil: none.
	Links func(text string) []Span
}

// Read makes a body of the parts of a message.
func Read(parts []model.Part, o Options) *Doc {
	d := &Doc{parts: parts}
	media := 0
	for i, p := range parts {
		r := reader{o: o, part: i, media: &media}
		r.read(p, len(parts))
		d.Blocks = append(d.Blocks, r.blocks...)
	}
	if len(d.Blocks) > 0 {
		d.Blocks[0].Tight = true
	}
	for i := range d.Blocks {
		if b := &d.Blocks[i]; o.Links != nil && len(b.Text) <= markdownLimit {
			for _, l := range o.Links(b.Text) {
				b.link(l)
			}
		}
	}
	return d
}

// link lays a link over the spans of a block.
func (b *Block) link(l Span) {
	b.overlay(l, func(s *Span) { s.Ink, s.Link = InkLink, l.Link })
}

// overlay changes how a range looks, whatever spans it has.
func (b *Block) overlay(l Span, look func(*Span)) {
	var out []Span
	at := l.From
	add := func(s Span, from, to int) {
		if from < to {
			s.From, s.To = from, to
			out = append(out, s)
		}
	}
	over := func(s Span, to int) {
		look(&s)
		add(s, at, to)
		at = max(at, to)
	}
	for _, s := range b.Spans {
		if s.To <= l.From {
			out = append(out, s)
			continue
		}
		add(s, s.From, min(s.To, l.From))
		over(Span{}, min(s.From, l.To))
		over(s, min(s.To, l.To))
		if s.From >= l.To {
			over(Span{}, l.To)
		}
		add(s, max(s.From, l.To), s.To)
	}
	over(Span{}, l.To)
	b.Spans = out
}

// Note is a body of what the program says itself, and the text it is about.
func Note(say, text string) *Doc {
	d := &Doc{Blocks: []Block{{Kind: Label, Text: say, Tight: true}}}
	if text != "" {
		d.Blocks = append(d.Blocks, Block{Kind: Verbatim, Text: text, Prose: true, Warn: true, Tight: true})
	}
	return d
}

// Add puts another body behind this one, which is not shown yet.
func (d *Doc) Add(more *Doc) {
	for i, b := range more.Blocks {
		b.Part, b.Tight = b.Part+len(d.parts), b.Tight && i > 0
		d.Blocks = append(d.Blocks, b)
	}
	d.parts = append(d.parts, more.parts...)
}

// Plain is a body of one text as it is spelled.
func Plain(text string) *Doc { return Read([]model.Part{{Text: text}}, Options{Plain: true}) }

type reader struct {
	o      Options
	part   int
	media  *int
	blocks []Block
}

func (r *reader) add(b Block) {
	b.Part = r.part
	if n := len(r.blocks); n > 0 && r.blocks[n-1].Kind == Label && !b.Kind.Framed() {
		b.Tight = true
	}
	r.blocks = append(r.blocks, b)
}

func (r *reader) read(p model.Part, parts int) {
	if r.o.Label != nil {
		if s := r.o.Label(p, parts); s != "" {
			r.add(Block{Kind: Label, Text: s, Warn: p.Error})
		}
	}
	switch {
	case p.Kind == model.PartMedia:
		r.add(Block{Kind: Picture, Media: *r.media, Text: p.Name, Size: p.Bytes})
		*r.media++
	case p.Kind == model.PartOpaque || p.Text == "":
	case r.o.Bytes:
		r.source(p.Text)
	case r.o.Plain:
		r.add(Block{Kind: Verbatim, Text: spread(p), Prose: p.Kind == model.PartText || p.Kind == model.PartReasoning, Warn: p.Error})
	case p.Kind == model.PartCall:
		r.call(p)
	case p.Kind == model.PartResult:
		r.result(p)
	default:
		r.text(p.Text)
	}
}

// source shows bytes of the source; JSON with its colours.
func (r *reader) source(s string) {
	b := Block{Kind: Verbatim, Text: s}
	if len(s) <= colourLimit && looksJSON(s) {
		b.Spans = highlight(s, "json")
	}
	r.add(b)
}

// spread is the text of a part as it is spelled; the arguments of a call on lines
// of their own.
func spread(p model.Part) string {
	if p.Kind == model.PartCall {
		return Indented(p.Text)
	}
	return p.Text
}

// text shows what a person or a model wrote: Markdown, and what programs paste
// into it.
func (r *reader) text(s string) {
	if len(s) > markdownLimit {
		r.add(Block{Kind: Verbatim, Text: s, Prose: true})
		return
	}
	for rest := s; rest != ""; {
		before, code, first, after := numbered(rest)
		if strings.TrimSpace(before) != "" {
			r.markdown(before)
		}
		if code != "" {
			r.add(Block{Kind: Code, Text: code, First: first})
		}
		rest = after
	}
}
