// Package blocks reads the text of a summary as blocks of lines, and changes it by
// them: a line or a block is removed, moved, written anew or taken over from another
// summary, and facts are put back. The text stays the only truth: everything that is
// not changed keeps its bytes.
//
//	[Conversation summary - earlier context]        frame
//	Messages 2–79: turns 1–8, 36 calls, 1 failed.
//
//	Turn 1 (messages 2–11)                          block of turns
//	User: Please start by reading …                   line, depth 0
//	5 calls:                                            depth 1: goes with it
//	- Edit ×2: /srv/code/larch/lex/number.go
//
//	[Fact ledger: strings from …]                   title of the ledger, fixed
//	Instructions:                                   block of facts
//	- Never edit files under gen/                     line
//	Paths: lex/number.go lex/string.go              block whose head holds a line
//
// A note, and a text of any other kind, a model's for instance, is blocks under its
// headings and lines that are paragraphs or list items. A line of a note ends in the
// messages that it was made from, which are no part of its words.
package blocks

import (
	"encoding/json"
	"regexp"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize"
)

// Kind is what a block holds.
type Kind uint8

// The kinds.
const (
	Frame   Kind = iota // heading and cover of the summary, title of its ledger: not to be changed
	Earlier             // lines of former summaries
	Turns               // what was done, by turn
	Facts               // literal facts of one kind
	Section             // what is under a heading of a note or of a model's
	Text                // anything else
)

// Line is one line of a summary that can be changed alone.
type Line struct {
	Text  string // its words, without marks of lists, sources and the spelling of a container
	Depth int    // 1: belongs to the last line of depth 0 before it
	Fixed bool   // part of a frame: the columns of a table, the end of a list
	// Listed says that it lists facts side by side, behind the head of its block.
	Listed bool

	at  int // which line of the text
	col int // where in it the line begins
}

// Block is lines under one head.
type Block struct {
	Kind  Kind
	Fact  facts.Kind // of a block of facts
	Title string     // its head as it is written; "" for none
	Lines []Line

	from, to int  // lines of the text, those behind it that are empty included
	indent   int  // of its first line
	zone     int  // blocks are moved within their zone
	head     bool // its first line of the text is, or begins with, its head
}

// Outline is a text and its blocks. It is immutable.
type Outline struct {
	Blocks []Block

	text  string
	lines []string
	json  bool // what is before the ledger is one JSON value
}

// Text is the text that was read.
func (o *Outline) Text() string { return o.text }

// Parse reads a text.
func Parse(text string) *Outline {
	o := &Outline{text: text, lines: strings.Split(text, "\n")}
	r := reader{o: o, zone: 1}
	for i := range o.lines {
		r.line(i)
	}
	r.end(len(o.lines))
	return o
}

// reader puts lines into blocks.
type reader struct {
	o      *Outline
	zone   int
	table  bool // the last line belongs to a table
	ledger bool
	fenced bool
}

// block begins a block at a line.
func (r *reader) block(i int, b Block) {
	r.end(i)
	b.from, b.zone = i, r.zone
	r.o.Blocks = append(r.o.Blocks, b)
}

// end ends the last block before a line.
func (r *reader) end(i int) {
	if n := len(r.o.Blocks); n > 0 {
		r.o.Blocks[n-1].to = i
	}
}

// last is the block that is being read, begun as one of text where there is none that
// takes lines.
func (r *reader) last(i int) *Block {
	n := len(r.o.Blocks)
	if n == 0 || r.o.Blocks[n-1].Kind == Frame {
		r.block(i, Block{Kind: Text})
		n = len(r.o.Blocks)
	}
	return &r.o.Blocks[n-1]
}

func (r *reader) line(i int) {
	raw := r.o.lines[i]
	l := strings.TrimSpace(raw)
	if facts.IsLedgerTitle(l) {
		r.block(i, Block{Kind: Frame, Title: l})
		r.zone++
		r.ledger, r.fenced = true, false
		return
	}
	fence := !r.ledger && strings.HasPrefix(l, "```")
	r.fenced = r.fenced != fence
	switch {
	case l == "":
		r.table = false
		return
	case r.fenced || fence:
		r.last(i).add(i, 0, 1, raw)
		return
	case r.ledger && r.facts(i, raw):
		return
	case r.jsonLine(i, l):
		return
	}
	switch summarize.RoleOf(l) {
	case summarize.RoleFrame:
		r.frame(i)
	case summarize.RoleEarlier:
		r.block(i, Block{Kind: Earlier, Title: l, head: true})
	case summarize.RoleLabel:
		r.block(i, Block{Kind: Section, Title: strings.Trim(l, "#* :："), head: true})
	case summarize.RoleTurn:
		r.turns(i, true).add(i, 0, 0, raw)
	default:
		r.words(i, raw, l)
	}
}

// turns is the block of turns that is being read, if that one is to go on, or a new
// one.
func (r *reader) turns(i int, goOn bool) *Block {
	if n := len(r.o.Blocks); n == 0 || r.o.Blocks[n-1].Kind != Turns || !goOn {
		r.block(i, Block{Kind: Turns})
	}
	return &r.o.Blocks[len(r.o.Blocks)-1]
}

// frame adds a line to the frame, or begins one.
func (r *reader) frame(i int) {
	if n := len(r.o.Blocks); n == 0 || r.o.Blocks[n-1].Kind != Frame {
		r.block(i, Block{Kind: Frame})
	}
}

// facts reads a line of a ledger.
func (r *reader) facts(i int, raw string) bool {
	k, rest, ok := facts.LedgerHead(raw)
	if !ok {
		return false
	}
	title := strings.TrimSpace(strings.TrimSuffix(raw, rest))
	r.block(i, Block{Kind: Facts, Fact: k, Title: strings.TrimRight(title, ":："), head: true})
	if rest != "" {
		b := r.last(i)
		b.add(i, len(raw)-len(rest), 0, rest)
		b.Lines[0].Listed = true
	}
	return true
}

var (
	tableRule = regexp.MustCompile(`^\|[\s:|-]*\|$`)
	listMark  = regexp.MustCompile(`^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?`)
)

// words reads a line that says something itself.
func (r *reader) words(i int, raw, l string) {
	if strings.HasPrefix(l, "|") {
		b := r.turns(i, r.table)
		b.add(i, 0, 0, raw)
		n := len(b.Lines) - 1
		b.Lines[n].Text = strings.Join(cells(l), " · ")
		b.Lines[n].Fixed = !r.table || tableRule.MatchString(l)
		r.table = true
		return
	}
	b := r.last(i)
	indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
	depth := 0
	switch {
	case len(b.Lines) == 0:
		b.indent = indent
	case b.Kind == Turns, indent >= b.indent+2:
		depth = 1
	}
	b.add(i, len(listMark.FindString(raw)), depth, raw)
}

// add adds a line that begins at a column of a line of the text.
func (b *Block) add(i, col, depth int, raw string) {
	if depth == 1 && len(b.Lines) == 0 {
		depth = 0
	}
	text := raw
	if col <= len(raw) && b.from != i {
		text = raw[col:]
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "- "))
	if b.Kind == Section {
		text = madeFrom.ReplaceAllString(text, "")
	}
	b.Lines = append(b.Lines, Line{Text: text, Depth: depth, at: i, col: col})
}

// cells are the cells of a row of a table that hold something.
func cells(l string) (list []string) {
	for _, c := range strings.Split(strings.Trim(l, "|"), "|") {
		if c = strings.TrimSpace(c); c != "" {
			list = append(list, c)
		}
	}
	return list
}

// jsonLine reads a line of a summary in JSON, which has an element a line.
func (r *reader) jsonLine(i int, l string) bool {
	if !r.o.json {
		if !strings.HasPrefix(l, `{"messages":`) {
			return false
		}
		r.o.json = true
		r.frame(i)
		return true
	}
	if r.ledger {
		return false
	}
	if name, ok := strings.CutSuffix(l, ":["); ok && strings.HasPrefix(name, `"`) {
		k := Turns
		if name == `"earlier"` {
			k = Earlier
		}
		r.block(i, Block{Kind: k, Title: strings.Trim(name, `"`), head: true})
		return true
	}
	b := r.last(i)
	b.add(i, 0, 0, r.o.lines[i])
	x := &b.Lines[len(b.Lines)-1]
	if x.Fixed = !strings.HasPrefix(l, "{") && !jsonText.MatchString(l); x.Fixed {
		return true
	}
	if words, ok := jsonWords(strings.TrimSuffix(l, ",")); ok {
		x.Text = strings.TrimSpace(words)
	}
	return true
}

// jsonText is an element of a list that is a text.
var jsonText = regexp.MustCompile(`^"(?:[^"\\]|\\.)*",?$`)

// jsonWords are the texts in a JSON value, in their order.
func jsonWords(l string) (string, bool) {
	dec := json.NewDecoder(strings.NewReader(l))
	dec.UseNumber()
	var list []string
	key := false // the next string is the name of a member
	var open []json.Delim
	for {
		t, err := dec.Token()
		if err != nil {
			break
		}
		switch v := t.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				open = append(open, v)
			} else {
				open = open[:len(open)-1]
			}
			key = len(open) > 0 && open[len(open)-1] == '{'
			continue
		case string:
			if !key {
				list = append(list, strings.TrimSpace(v))
			}
		case json.Number:
			list = append(list, v.String())
		}
		key = len(open) > 0 && open[len(open)-1] == '{' && !key
	}
	return strings.Join(list, " · "), len(list) > 0
}

// Under is the range of lines of a block that go with one: itself and those below
// it.
func (b *Block) Under(line int) (from, to int) {
	to = line + 1
	if b.Lines[line].Depth == 0 {
		for to < len(b.Lines) && b.Lines[to].Depth > 0 {
			to++
		}
	}
	return line, to
}

// Raw is a line as it is spelled in the text, to be edited.
func (o *Outline) Raw(block, line int) string {
	l := o.Blocks[block].Lines[line]
	raw := o.lines[l.at][l.col:]
	if o.json {
		raw = strings.TrimSuffix(raw, ",")
	}
	return raw
}

// BlockText is a block as it is spelled, without the empty lines behind it.
func (o *Outline) BlockText(block int) string {
	b := o.Blocks[block]
	return strings.TrimRight(strings.Join(o.lines[b.from:b.to], "\n"), "\n")
}

// LineText is a line with those under it, as they are spelled.
func (o *Outline) LineText(block, line int) string {
	b := &o.Blocks[block]
	from, to := b.Under(line)
	return strings.Join(o.lines[b.Lines[from].at:b.Lines[to-1].at+1], "\n")
}
