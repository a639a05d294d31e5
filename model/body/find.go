package body

import (
	"bytes"
	"encoding/json"
	"regexp"
	"regexp/syntax"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/query"
)

// Place is a place in a body: a byte of a block's text.
type Place struct{ Block, At int }

// Before reports whether a place comes before another.
func (p Place) Before(q Place) bool { return p.Block < q.Block || p.Block == q.Block && p.At < q.At }

// Hit is a range of a block's text.
type Hit struct{ Block, From, To int }

// Start is where a hit begins.
func (h Hit) Start() Place { return Place{h.Block, h.From} }

// MostHits bounds what Find returns.
const MostHits = 10000

// Find returns where words are in a body, in order; it makes no
// difference between large and small letters.
func (d *Doc) Find(words string) []Hit {
	if strings.TrimSpace(words) == "" {
		return nil
	}
	return d.FindAll(regexp.MustCompile("(?i)" + regexp.QuoteMeta(words)))
}

// FindAll returns where an expression matches something, in order.
func (d *Doc) FindAll(re *regexp.Regexp) (hits []Hit) {
	for i := range d.Blocks {
		for _, m := range placesOf(re, d.Blocks[i].Text, MostHits-len(hits)) {
			if m[1] > m[0] {
				hits = append(hits, Hit{i, m[0], m[1]})
			}
		}
		if len(hits) >= MostHits {
			break
		}
	}
	return hits
}

// longText is from how many bytes on a text is looked through by literals.
const longText = 64 << 10

// placesOf returns where an expression matches, at most n. One that is made of literals
// is looked for by them in a long text: it takes a hundred times as long itself where
// case makes no difference.
func placesOf(re *regexp.Regexp, text string, n int) (list [][]int) {
	lits := literalsOf(re)
	if len(text) < longText || lits == nil || strings.Contains(text, "\u212a") || strings.Contains(text, "\u017f") { // fold to k and s
		return re.FindAllStringIndex(text, n)
	}
	low := make([]byte, len(text))
	copy(low, text)
	query.Lower(low, low)
	next := make([]int, len(lits)) // where each is found next
	for at := 0; len(list) < n; {
		best := -1
		for k, l := range lits {
			if next[k] >= 0 && (next[k] < at || at == 0) {
				if i := bytes.Index(low[at:], l.low); i >= 0 {
					next[k] = at + i
				} else {
					next[k] = -1
				}
			}
			if next[k] >= 0 && (best < 0 || next[k] < next[best]) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		from, to := next[best], next[best]+len(lits[best].low)
		if at = to; lits[best].exact != "" && text[from:to] != lits[best].exact {
			at = from + 1
		} else {
			list = append(list, []int{from, to})
		}
	}
	return list
}

// literalText is a literal of an expression.
type literalText struct {
	low   []byte // with small ASCII letters
	exact string // as it has to be spelled; "": case makes no difference
}

// literalsOf are the literals that an expression consists of; nil: it is something else.
func literalsOf(re *regexp.Regexp) (list []literalText) {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	alternatives := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpAlternate {
		alternatives = tree.Sub
	}
	for _, one := range alternatives {
		if one.Op != syntax.OpLiteral {
			return nil
		}
		l := literalText{exact: string(one.Rune)}
		if one.Flags&syntax.FoldCase != 0 {
			for _, r := range one.Rune {
				if r >= utf8.RuneSelf && unicode.SimpleFold(r) != r {
					return nil
				}
			}
			l.exact = ""
		}
		l.low = []byte(string(one.Rune))
		query.Lower(l.low, l.low)
		list = append(list, l)
	}
	return list
}

// RowOf is the row that shows a place, or the fold that hides it; −1: no row
// does.
func (l *Layout) RowOf(p Place) int {
	n := len(l.Rows)
	// The first row behind the place; the one before it has it.
	i := sort.Search(n, func(i int) bool {
		r := &l.Rows[i]
		if int(r.Block) != p.Block {
			return int(r.Block) > p.Block
		}
		return r.Kind != RowGap && r.Kind != RowHead && r.Cells == 0 && int(r.From) > p.At
	}) - 1
	for ; i >= 0 && int(l.Rows[i].Block) == p.Block; i-- {
		switch r := &l.Rows[i]; {
		case r.Kind == RowGap || r.Kind == RowHead:
		case r.Cells > 0:
			for _, c := range l.Cells[r.Cells-1] {
				if int(c.From) <= p.At && p.At <= int(c.To) {
					return i
				}
			}
		case int(r.From) <= p.At:
			return i
		}
	}
	return -1
}

// Hides reports the fold that hides a place.
func (l *Layout) Hides(p Place) (Fold, bool) {
	i := l.RowOf(p)
	if i < 0 {
		return Fold{}, false
	}
	r := &l.Rows[i]
	b := &l.Doc.Blocks[r.Block]
	if r.Kind == RowFold {
		return Fold{p.Block, Middle}, p.At < int(r.To)
	}
	if b.Kind == Tree && p.At > int(r.To) && strings.Contains(b.Text[r.To:p.At], "\n") {
		return Fold{p.Block, int(r.Line)}, true
	}
	return Fold{}, false
}

// Text is the text between two places, as it is read.
func (d *Doc) Text(from, to Place) string {
	if to.Before(from) {
		from, to = to, from
	}
	var out strings.Builder
	for i := max(0, from.Block); i <= to.Block && i < len(d.Blocks); i++ {
		b := &d.Blocks[i]
		a, z := 0, len(b.Text)
		if i == from.Block {
			a = min(from.At, z)
		}
		if i == to.Block {
			z = min(to.At, z)
		}
		if i > from.Block {
			out.WriteByte('\n')
			if !b.Tight && out.Len() > 1 {
				out.WriteByte('\n')
			}
		}
		if a == 0 && b.Marker != "" && (i > from.Block || to.Block > i) {
			out.WriteString(strings.Repeat("  ", max(0, b.Indent-1)) + b.Marker + " ")
		}
		if b.Kind == Diff {
			out.WriteString(b.signed(a, z))
		} else {
			out.WriteString(b.Text[a:z])
		}
	}
	return out.String()
}

// signed is a range of a diff's text with the signs before its whole lines.
func (b *Block) signed(from, to int) string {
	var out strings.Builder
	line := strings.Count(b.Text[:from], "\n")
	whole := from == 0 || b.Text[from-1] == '\n'
	for l := range strings.SplitAfterSeq(b.Text[from:to], "\n") {
		if whole && line < len(b.Marks) && b.Marks[line].Sign != '@' && l != "" {
			out.WriteByte(b.Marks[line].Sign)
		}
		out.WriteString(l)
		whole = true
		line++
	}
	return out.String()
}

// All is the range of the whole body.
func (d *Doc) All() (from, to Place) {
	if n := len(d.Blocks); n > 0 {
		to = Place{n - 1, len(d.Blocks[n-1].Text)}
	}
	return from, to
}

// Markdown is the whole body as Markdown: what was Markdown as it was written,
// calls and results in fences.
func (d *Doc) Markdown() string {
	var out strings.Builder
	fence := func(lang, text string) {
		ticks := "```"
		for strings.Contains(text, ticks) {
			ticks += "`"
		}
		out.WriteString(ticks + lang + "\n" + strings.TrimSuffix(text, "\n") + "\n" + ticks)
	}
	for _, p := range d.parts {
		if out.Len() > 0 && (p.Text != "" || p.Name != "") {
			out.WriteString("\n\n")
		}
		switch p.Kind {
		case model.PartCall:
			out.WriteString("**" + p.Name + "**\n\n")
			fence(map[bool]string{true: "json"}[json.Valid([]byte(p.Text))], Indented(p.Text))
		case model.PartResult:
			fence("", p.Text)
		case model.PartMedia, model.PartOpaque:
			out.WriteString("*" + p.Name + "*")
		default:
			out.WriteString(strings.TrimSuffix(p.Text, "\n"))
		}
	}
	return out.String()
}

// JSON is the whole body as a list of its parts.
func (d *Doc) JSON() string {
	type part struct {
		Kind  string          `json:"kind"`
		Name  string          `json:"name,omitempty"`
		Call  string          `json:"call,omitempty"`
		Error bool            `json:"error,omitempty"`
		Text  string          `json:"text,omitempty"`
		Args  json.RawMessage `json:"arguments,omitempty"`
	}
	list := make([]part, 0, len(d.parts))
	for _, p := range d.parts {
		x := part{Kind: p.Kind.String(), Name: p.Name, Call: p.CallID, Error: p.Error, Text: p.Text}
		if p.Kind == model.PartCall && json.Valid([]byte(p.Text)) {
			x.Args, x.Text = json.RawMessage(p.Text), ""
		}
		list = append(list, x)
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(list) != nil {
		return ""
	}
	return out.String()
}
