// Package drafts reads the text of a draft by its lines: what each weighs, which
// messages it was made from, and what facts that are put back would weigh.
package drafts

import (
	"regexp"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/model"
)

// Reading is a draft's text by blocks and lines. It is immutable.
type Reading struct {
	*blocks.Outline
	Of   []Block             // beside Outline.Blocks
	Used map[int][]LinePlace // by history position: the lines that were made from it
}

// LinePlace is a line of a reading.
type LinePlace struct{ Block, Line int }

// Block is what is known of a block.
type Block struct {
	Tokens  int
	Lines   []Line
	Sources []int // of all its lines, ascending
}

// Line is what is known of a line.
type Line struct {
	Tokens int         // with the lines under it
	Named  model.Range // messages that it names itself; empty: none
	// Sources are the history positions that it was made from, ascending; none while
	// the facts of the history are not indexed, or where it holds no fact.
	Sources []int
}

// Read reads a draft. Its sources are empty until the session's facts are indexed.
func Read(s *session.Session, dr *session.Draft) *Reading {
	o := blocks.Parse(dr.Text.Text)
	r := &Reading{Outline: o, Of: make([]Block, len(o.Blocks)), Used: map[int][]LinePlace{}}
	x, at := s.Insight.KnownFacts(), dr.Plan.Line.At()
	for b := range o.Blocks {
		of := &r.Of[b]
		of.Tokens = s.CountText(o.BlockText(b))
		of.Lines = make([]Line, len(o.Blocks[b].Lines))
		turn := model.Range{} // that the line belongs to
		for i, l := range o.Blocks[b].Lines {
			line := &of.Lines[i]
			line.Tokens = s.CountText(o.LineText(b, i))
			within := model.Range{}
			if o.Blocks[b].Kind == blocks.Turns {
				if named, ok := blocks.Named(o.Raw(b, i)); ok && l.Depth == 0 {
					turn, line.Named = named, named
				}
				within = turn
			}
			if x == nil || l.Fixed {
				continue
			}
			line.Sources = blocks.Sources(x, l.Text, at, within)
			for _, h := range line.Sources {
				r.Used[h] = append(r.Used[h], LinePlace{b, i})
			}
			of.Sources = append(of.Sources, line.Sources...)
		}
		slices.Sort(of.Sources)
		of.Sources = slices.Compact(of.Sources)
	}
	return r
}

// Price is how many tokens a fact adds to a text when it is put back.
func Price(s *session.Session, f facts.Fact) int {
	if f.Kind.Atom() {
		return s.CountText(" " + f.Text)
	}
	return s.CountText("\n- " + f.Text)
}

// turnExpr is what a turn begins with: its number and messages.
var turnExpr = regexp.MustCompile(`^(?:Turns? |第 )(\d+(?:–\d+)?)(?: 轮)?(?: \(messages? [\d–]+\)|（消息 [\d–]+）)(?:: |：)?`)

// FirstWords represents a turn in a list: its number and what was
// asked in it, or else what it came to. said is the line that has these words.
func (r *Reading) FirstWords(block, line int) (words string, said int) {
	b := &r.Blocks[block]
	head := b.Lines[line].Text
	m := turnExpr.FindStringSubmatch(head)
	if m == nil {
		return head, line
	}
	words, said = head[len(m[0]):], line
	from, to := b.Under(line)
	for i := from + 1; i < to; i++ {
		for _, role := range []string{"User: ", "用户：", "Agent: ", "助手："} {
			text, ok := strings.CutPrefix(b.Lines[i].Text, role)
			if ok && (words == "" || strings.HasPrefix(role, "User") || role == "用户：") {
				words, said = text, i
			}
		}
	}
	return m[1] + "  " + words, said
}
