// Package drafts reads the text of a draft by its lines: what each weighs, which
// messages it was made from, and what facts that are put back would weigh.
package drafts

import (
	"regexp"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/model"
)

// Reading is a draft's text by blocks and lines. It is immutable.
type Reading struct {
	*blocks.Outline
	Of     []Block             // beside Outline.Blocks
	Used   map[int][]LinePlace // by history position: the lines that were made from it
	Copied map[int]int         // see Copied
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
	r := &Reading{Outline: o, Of: make([]Block, len(o.Blocks)), Used: map[int][]LinePlace{}, Copied: copied(s, dr.Plan.Line)}
	x, gone := s.Insight.KnownFacts(), left(dr.Plan)
	for b := range o.Blocks {
		of := &r.Of[b]
		of.Tokens = s.CountText(o.BlockText(b))
		of.Lines = make([]Line, len(o.Blocks[b].Lines))
		turn := model.Range{} // that the line belongs to
		for i, l := range o.Blocks[b].Lines {
			line := &of.Lines[i]
			line.Tokens = s.CountText(o.LineText(b, i))
			within := model.Range{}
			if kind := o.Blocks[b].Kind; kind == blocks.Turns || kind == blocks.Section {
				if named, ok := blocks.Named(o.Raw(b, i)); ok && l.Depth == 0 {
					turn = session.Numbered(s, named)
					line.Named = turn
				} else if kind == blocks.Section {
					turn = model.Range{}
				}
				within = turn
			}
			if x == nil || l.Fixed {
				continue
			}
			may := func(h int) bool { return gone(h) && (within == model.Range{} || h >= within.From && h < within.To) }
			line.Sources = sayers(s, l.Text, may)
			switch {
			case len(line.Sources) == 1:
			case within.To == within.From+1 && gone(within.From):
				if line.Sources = numbered(s, l.Text, within.From, r.Copied); line.Sources[0] != within.From {
					line.Named = model.Range{}
				}
			default:
				line.Sources = blocks.Sources(x, l.Text, may)
			}
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

// copied are the entries of a line that are copies which a compaction of the file kept, with
// the history positions of the messages that they repeat, where these are known: of several
// with the same words the latest, in their order.
func copied(s *session.Session, l *compaction.Line) map[int]int {
	type said struct {
		role   model.Role
		kind   model.Kind
		words  string
		tokens int
	}
	th, out, at := s.Thread(), map[int]int{}, map[said][]int{}
	of := func(stored int32) said {
		m := &th.Messages[stored]
		return said{m.Role, m.Kind, m.Preview, s.Tokens(stored)}
	}
	for h := range th.LiveFrom(l.At()) {
		x := of(th.History[h])
		at[x] = append(at[x], h)
	}
	for i := l.Len() - 1; i >= 0; i-- {
		stored := l.Item(i).Msg
		if l.History(i) >= 0 || stored < 0 {
			continue
		}
		if x := of(stored); len(at[x]) > 0 {
			k := len(at[x]) - 1
			out[i], at[x] = at[x][k], at[x][:k]
		}
	}
	return out
}

// left reports which messages are not as they were in the context that a plan leaves: a
// summary is made from these alone, whatever those that stay share with it.
func left(pl *compaction.Plan) func(h int) bool {
	stays := map[int]bool{}
	for _, r := range pl.Runs.All() {
		for i := r.From; i < r.To && (r.Fate == model.Kept || r.Fate == model.Pinned); i++ {
			stays[pl.Line.History(i)] = true
		}
	}
	at := pl.Line.At()
	return func(h int) bool { return h < at && !stays[h] }
}

// speakers are what a line begins with that has the first words of a message.
var speakers = []struct {
	label string
	role  model.Role
}{{"User: ", model.RoleUser}, {"用户：", model.RoleUser}, {"Agent: ", model.RoleAssistant}, {"助手：", model.RoleAssistant}}

// numbered are the messages of a line that ends in one number: those whose copies a compaction
// of the file kept where it has their words, since a note gives copies the number of the message
// after them; else the message of the number.
func numbered(s *session.Session, line string, number int, copied map[int]int) []int {
	may := map[int]bool{number: true}
	for _, h := range copied {
		may[h] = true
	}
	of := sayers(s, "User: "+line, func(h int) bool { return may[h] })
	if len(of) > 0 && !slices.Contains(of, number) {
		return of
	}
	return []int{number}
}

// sayers are the messages whose first words a line has.
func sayers(s *session.Session, line string, may func(h int) bool) (found []int) {
	for _, by := range speakers {
		said, ok := strings.CutPrefix(line, by.label)
		if !ok {
			continue
		}
		said = oneLine(strings.TrimSuffix(said, "…"))
		for h, at := range s.Thread().History {
			m := &s.Thread().Messages[at]
			first := oneLine(strings.TrimSuffix(m.Preview, "…"))
			if said == "" || m.Role != by.role || !may(h) || first == "" {
				continue
			}
			if n := min(len(said), len(first)); said[:n] == first[:n] && (n >= leastSaid || said == first) {
				found = append(found, h)
			}
		}
	}
	return found
}

// leastSaid is how many bytes of a line must be those of a message where one of both is cut.
const leastSaid = 20

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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
		for _, by := range speakers {
			text, ok := strings.CutPrefix(b.Lines[i].Text, by.label)
			if ok && (words == "" || by.role == model.RoleUser) {
				words, said = text, i
			}
		}
	}
	return m[1] + "  " + words, said
}
