package recorded

import (
	"context"
	"slices"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// ledgerInstead is the size of the ledger beside a summary that can't be read.
const ledgerInstead = 2000

// Measure measures every compaction that the session's file holds but clearings of
// single results. It builds the index of facts if need be, which takes about a second
// for some ten megabytes, and then some milliseconds a page. Errors are those of
// reading the file and of ctx.
func Measure(ctx context.Context, s *session.Session) (*File, error) {
	f := &File{Extractor: facts.Extractor, Encoding: string(Encoding)}
	m := measurer{s: s, th: s.Thread(), position: positions(s.Thread()), tools: tools(s.Thread())}
	if !slices.ContainsFunc(s.Found(), theirs) {
		return f, nil
	}
	var err error
	if m.index, err = s.Insight.Facts(ctx, nil); err != nil {
		return nil, err
	}
	m.lister = m.index.Lister(count)
	err = m.eachFound(ctx, func(i int, found *model.Found, r *model.Record) error {
		p := Page{Found: i, ID: r.ID, UID: r.UID}
		p.describe(found)
		if err := m.cut(&p, found, r.Summary); err != nil {
			return err
		}
		f.Pages = append(f.Pages, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.fill(f)
	return f, nil
}

// theirs reports whether a compaction that a file holds is what its producer made of a
// context: neither a clearing of single results nor a compaction of ours.
func theirs(f model.Found) bool { return !f.Clearing && !f.Own() }

// eachFound calls f with the compactions of the producer, the oldest first.
func (m *measurer) eachFound(ctx context.Context, f func(i int, found *model.Found, r *model.Record) error) error {
	records := m.s.FoundRecords() // the newest first
	found := m.s.Found()
	for i := range found {
		if !theirs(found[i]) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(i, &found[i], &records[len(records)-1-i]); err != nil {
			return err
		}
	}
	return nil
}

// measurer measures the compactions of one thread.
type measurer struct {
	s        *session.Session
	th       *model.Thread
	index    *facts.Index
	lister   *facts.Lister
	position map[int32]int // of the history, by stored index
	tools    []string      // by history position: the tool whose result it is

	cuts []cut
}

// cut is what a compaction left, but for the summary.
type cut struct {
	removed, kept []model.Range
	others        []string // texts that stay and that the history does not hold: copies, files shown again
	summary       string
	chinese       bool
}

// change is the cut with texts in place of what went.
func (c *cut) change(at int, texts ...string) facts.Change {
	return facts.Change{At: at, Removed: c.removed, Kept: c.kept, Remaining: append(slices.Clone(c.others), texts...)}
}

// cut finds out what a compaction removed and what it left.
func (m *measurer) cut(p *Page, found *model.Found, summary string) error {
	var c cut
	var opaque bool
	kept := map[int]bool{}
	for i := 0; i < found.At && m.th.Messages[m.th.History[i]].Kind == model.KindSystem; i++ {
		kept[i] = true
	}
	for _, stored := range m.th.Live(found.At) {
		if h, ok := m.position[stored]; ok && h < found.At {
			kept[h] = true
			continue
		}
		parts, err := m.s.Read(stored)
		if err != nil {
			return err
		}
		for i := range parts {
			opaque = opaque || parts[i].Kind == model.PartOpaque
			if int(stored) != found.Summary && parts[i].Text != "" {
				c.others = append(c.others, parts[i].Text)
			}
		}
	}
	for h := range found.At {
		if kept[h] {
			c.kept = replay.Extend(c.kept, h)
			continue
		}
		c.removed = replay.Extend(c.removed, h)
		p.Removed += int64(m.s.Tokens(m.th.History[h]))
	}
	c.summary = summary
	switch {
	case len(c.removed) == 0:
		p.State = NothingAt
	case c.summary != "":
		p.State = Readable
		c.chinese = summarize.HistoryLang([]summarize.Entry{{Former: summary}}) == summarize.Chinese
	case opaque:
		p.State = Encrypted
	default:
		p.State = NoText
	}
	m.cuts = append(m.cuts, c)
	return nil
}

// fill writes the texts of all pages and judges them.
func (m *measurer) fill(f *File) {
	firings := make([]facts.Change, len(m.cuts))
	for i := range m.cuts {
		firings[i] = m.cuts[i].change(f.Pages[i].At)
	}
	for i := range f.Pages {
		p, c := &f.Pages[i], &m.cuts[i]
		p.To = len(m.th.History)
		if i+1 < len(f.Pages) {
			p.To = f.Pages[i+1].At
		}
		if p.State == NothingAt {
			continue
		}
		p.Columns = m.texts(p, c)
		p.Rows = m.rows(p, c, m.index.UsedAfter(firings, i))
		p.Count()
		if p.State == Readable {
			f.All.Add(&p.Tally)
		}
	}
}

// texts makes the columns of a page.
func (m *measurer) texts(p *Page, c *cut) (out [Columns]Text) {
	theirs := Text{Text: c.summary, Tokens: count(c.summary), Added: -1}
	list := func(budget int, beside ...string) string {
		change := c.change(p.At, beside...)
		return m.lister.Ledger(facts.LedgerRequest{At: change.At, Removed: change.Removed, Kept: change.Kept,
			Remaining: change.Remaining, Budget: budget, Chinese: c.chinese})
	}
	size := theirs.Tokens
	if p.State != Readable {
		size = ledgerInstead
	}
	ours := list(size)
	out = [Columns]Text{Theirs: theirs, Ledger: {Text: ours, Tokens: count(ours), Added: -1}}
	for col, n := range added {
		if n == 0 {
			continue
		}
		t := theirs
		if more := list(n, c.summary); more != "" {
			if t.Text != "" {
				t.Text += gap
			}
			t.Added = len(t.Text)
			t.Text += more
			t.Tokens = count(t.Text)
		}
		out[col] = t
	}
	return out
}

// gap is between their summary and the ledger behind it.
const gap = "\n\n"

func count(text string) int { return tokens.Count(Encoding, text) }

// rows judges what was used after a cut.
func (m *measurer) rows(p *Page, c *cut, used []facts.Use) []Row {
	var holds [Columns]func(facts.ID) bool
	for col := range holds {
		holds[col] = m.index.Holds(c.change(p.At, p.Columns[col].Text))
	}
	out := make([]Row, len(used))
	spent := m.spending(p.At)
	for i, u := range used {
		r := Row{Use: u}
		for col := range holds {
			r.Holds[col] = holds[col](u.ID)
		}
		switch {
		case r.Holds[Theirs]:
			r.Part = Held
		case u.Shown >= 0:
			r.Part, r.Back = BroughtBack, spent.until(u.Shown)
		default:
			r.Part = FromElsewhere
		}
		out[i] = r
	}
	return out
}

func (m *measurer) size(h int) int64 { return int64(m.s.Tokens(m.th.History[h])) }

// spending sums up what passed since a cut; positions are asked for in any order.
type spending struct {
	m     *measurer
	from  int
	calls []int   // of tools in the messages from the cut up to a position
	sum   []int64 // tokens
}

func (m *measurer) spending(from int) *spending { return &spending{m: m, from: from} }

// until is what it took from the cut to a message that showed a fact.
func (s *spending) until(at int) *Back {
	for k := len(s.sum); s.from+k <= at; k++ {
		msg := &s.m.th.Messages[s.m.th.History[s.from+k]]
		calls, sum := len(msg.Calls), s.m.size(s.from+k)
		if k > 0 {
			calls, sum = calls+s.calls[k-1], sum+s.sum[k-1]
		}
		s.calls, s.sum = append(s.calls, calls), append(s.sum, sum)
	}
	msg := &s.m.th.Messages[s.m.th.History[at]]
	b := &Back{At: at, Tool: s.m.tools[at], Tokens: max(1, s.m.size(at)), Calls: s.calls[at-s.from], Spent: s.sum[at-s.from]}
	b.Person = facts.AuthorOf(msg) == facts.User
	return b
}

// tools are, by history position, the tools whose results messages are; "": none, or nothing says.
func tools(t *model.Thread) (names []string) {
	callers := session.Callers(t)
	for _, i := range t.History {
		names = append(names, t.NameOf(i, callers[i]))
	}
	return names
}

// positions are the places of messages in the history.
func positions(t *model.Thread) map[int32]int {
	out := make(map[int32]int, len(t.History))
	for h, stored := range t.History {
		out[stored] = h
	}
	return out
}
