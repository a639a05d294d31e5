package summarize

import (
	"context"
	"slices"
	"sort"
	"strings"

	"palimpsest/model"
)

// A note hands the work over to the agent that goes on, and tells the person who reads
// along how things are. It holds what people said and what the agent reported, word for
// word, and what the calls show, in parts of one line a remark. Each line ends in the
// numbers of the messages that it was made from:
//
//	[Conversation summary - earlier context]
//	Messages 2–79: turns 1–8, 36 calls, 1 failed.
//
//	## Goal and asks
//	- Please start by reading … (#2)
//	- … 3 more (#14–40)
//
//	## To-dos
//	- [ ] Write the changelog (#77)
//
// [readNote] reads such a text back into its parts: the next note carries them on.

// part is a part of a note, in the order in which they are written.
type part uint8

const (
	askPart     part = iota // what people asked, in their order
	orderPart               // what they ordered for good
	todoPart                // open ones first
	statePart               // how things are at the last moment
	donePart                // what was done, in its order
	findingPart             // decisions and findings with their reason
	filePart                // files that were changed, the latest first
	commitPart              // commits and pull requests, the latest first
	noteParts
)

// remark is one line of a note.
type remark struct {
	text     string
	from, to int // numbers of the messages that it was made from; 0: not known
	// weight says how long it may be beside others where not all fit, and that the
	// lighter ones go first. 0 is 1.
	weight int
	more   int // it stands for so many remarks that had no room
	count  int // it names so many things; 0 is 1
}

// note is all that there is to say.
type note [noteParts][]remark

// place says how a part gets its place in the budget.
type place struct {
	share   int  // percent of the budget that it is sure of
	elastic bool // its lines may be cut between sentences; others are whole or not there
	newest  bool // the oldest lines go first, else those at the end
}

var places = [noteParts]place{
	askPart:     {share: 24, elastic: true, newest: true},
	orderPart:   {share: 12, newest: true},
	todoPart:    {share: 10},
	statePart:   {share: 16, elastic: true},
	donePart:    {share: 10, elastic: true, newest: true},
	findingPart: {share: 6, newest: true},
	filePart:    {share: 12},
	commitPart:  {share: 10},
}

// handedOn is the order in which parts get what others leave of their share.
var handedOn = [...]part{orderPart, todoPart, commitPart, filePart, statePart, askPart, donePart, findingPart}

// A list of facts has so many percent of the budget, and more where all parts are whole:
// what a reader goes on with stands above it.
const (
	fewFacts    = 8
	mostFacts   = 33
	openFacts   = 4000 // tokens, of a note without a budget
	charsAToken = 4
)

// makeNote writes a note. Step records keep their own form, of which the facts are listed
// that it has no room for.
func makeNote(ctx context.Context, r Request, w *words, m measure) (string, *digest, error) {
	d, err := r.read(ctx, withoutLedgers(r.Entries), w)
	if err != nil {
		return "", nil, err
	}
	src, err := r.facts(ctx)
	if err != nil {
		return "", nil, err
	}
	if d.goneUpTo(len(d.blocks)).stepCount > 0 {
		most := m
		if m.bounded() {
			most.limit -= m.limit / 4
		}
		text, err := fit(ctx, d, textLayout{w}, most)
		return text + src.behind(text, mostFacts, m, w.lang, r.Count), d, err
	}
	n := readEntries(&r, w, d.memory)
	frame := w.heading
	for _, l := range joinCovers(append(d.covers(), formerLine{text: w.overview(d)}), w) {
		if l.text != "" {
			frame += "\n" + l.text
		}
	}
	text := n.fill(frame, src.behindOf(m, w, r.Count), m, w, d.memory)
	if !m.fits(text) {
		text = textLayout{w}.least(d.messages, len(d.formers))
	}
	return text, d, nil
}

// behindOf lists the facts that a text lacks, within a share of the limit.
func (f *Facts) behindOf(m measure, w *words, count func(string) int) func(text string, share int) string {
	return func(text string, share int) string { return f.behind(text, share, m, w.lang, count) }
}

// fill writes a note after a text that comes first, and the facts after it.
func (n *note) fill(first string, behind func(text string, share int) string, m measure, w *words, memory *Memory) string {
	limit := m.limit
	if m.bounded() {
		limit -= m.limit * fewFacts / 100
	}
	text, whole := n.within(first, limit, m, w, memory)
	share := fewFacts
	if whole {
		share = mostFacts
	}
	facts := behind(text, share)
	if m.bounded() && !whole && m.size(text+facts) < m.limit {
		if longer, _ := n.within(first, m.limit-m.size(facts), m, w, memory); m.size(longer+facts) <= m.limit {
			text = longer
		}
	}
	return text + facts
}

// within writes the parts behind a first text within a limit. Tokens of lines do not add
// up to those of the whole: the finished text is measured, and written with less if it is
// too long. whole says that nothing was left out or cut.
func (n *note) within(first string, limit int, m measure, w *words, memory *Memory) (text string, whole bool) {
	for room := limit; room > 0; {
		parts, whole := n.write(room-m.size(first), m, w, memory)
		over := m.size(first+parts) - limit
		if over <= 0 {
			return first + parts, whole
		}
		room -= over + 1 + room/50
	}
	return first, false
}

// write shares room among the parts: each gets its share or what it needs, and what is left
// goes to those that need more.
func (n *note) write(room int, m measure, w *words, memory *Memory) (text string, whole bool) {
	var fits [noteParts]fitted
	left := room
	price := func(r *remark) int { return memory.size(r.line(w), m) + 1 }
	for p := range fits {
		all := room // without a budget
		if m.bounded() {
			all = room * places[p].share / 100
		}
		fits[p] = fitRemarks(n[p], places[p], all-memory.size(w.parts[p], m)-2, price)
		left -= fits[p].size
		if len(fits[p].lines) > 0 {
			left -= memory.size(w.parts[p], m) + 2
		}
	}
	for _, p := range handedOn {
		if fits[p].whole || left <= 0 {
			continue
		}
		more := fitRemarks(n[p], places[p], fits[p].size+left, price)
		if grown := more.size - fits[p].size; grown > 0 && grown <= left {
			left -= grown
			fits[p] = more
		}
	}
	var b strings.Builder
	whole = true
	for p := range fits {
		if whole = whole && fits[p].whole; len(fits[p].lines) == 0 {
			continue
		}
		b.WriteString("\n\n" + w.parts[p])
		for i := range fits[p].lines {
			b.WriteString("\n" + fits[p].lines[i].line(w))
		}
	}
	return b.String(), whole
}

// fitted is what of a part fits in a room.
type fitted struct {
	lines []remark
	size  int
	whole bool // nothing is left out or cut
}

// leastRemark is the length, in code points, below which no remark is cut. Heavier ones are
// cut at their weight times a level between these two.
const (
	leastRemark           = 60
	leastLevel, mostLevel = 30, 1500
)

// fitRemarks keeps what fits. All lines are cut at one length, or twice that or more by
// their weight; where even short ones do not fit, the least important go, and a line
// counts them.
func fitRemarks(all []remark, r place, size int, price func(*remark) int) fitted {
	costs, sum := make([]int, len(all)), 0
	for i := range all {
		costs[i] = price(&all[i])
		sum += costs[i]
	}
	if sum <= size || len(all) == 0 {
		return fitted{all, sum, true}
	}
	for aim := size; aim > 0; {
		out := fitted{lines: shortened(all, costs, r, aim)}
		for i := range out.lines {
			out.size += price(&out.lines[i])
		}
		if out.size <= size {
			return out
		}
		aim -= out.size - size + 1
	}
	all = counted(all, slices.Repeat([]bool{true}, len(all)))
	return fitted{lines: all, size: price(&all[0])}
}

// shortened leaves out and cuts remarks so that they take about a size.
func shortened(all []remark, costs []int, r place, size int) []remark {
	kept, gone, sum := slices.Clone(all), make([]bool, len(all)), 0
	for _, n := range costs {
		sum += n
	}
	for _, i := range leastImportant(all, r) {
		if r.elastic && cutTo(kept, all, costs, gone, leastLevel) <= size || !r.elastic && sum <= size {
			break
		}
		if sum -= costs[i]; !slices.Contains(gone, true) {
			sum += counterCost
		}
		gone[i] = true
	}
	if r.elastic {
		level := sort.Search(mostLevel-leastLevel, func(n int) bool { return cutTo(kept, all, costs, gone, leastLevel+n+1) > size })
		cutTo(kept, all, costs, gone, leastLevel+level)
	}
	return counted(kept, gone)
}

// counterCost is about what the line takes that counts what is left out.
const counterCost = 12

// cutTo cuts the remarks that stay at a length times their weight, and says about what
// they take then.
func cutTo(kept, all []remark, costs []int, gone []bool, length int) (size int) {
	for i := range all {
		if gone[i] {
			if i == 0 || !gone[i-1] {
				size += counterCost
			}
			continue
		}
		kept[i] = all[i]
		n, most := chars(all[i].text), max(leastRemark, length*max(1, all[i].weight))
		if n <= most {
			size += costs[i]
			continue
		}
		kept[i].text = clipEnds(all[i].text, most)
		size += costs[i]*min(n, chars(kept[i].text)+8)/n + 1
	}
	return size
}

// leastImportant are the places of remarks, those first that are to go first: the
// lightest, then the oldest or the last ones. The first ask says what all is about.
func leastImportant(all []remark, r place) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
		if !r.newest {
			order[i] = len(all) - 1 - i
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return max(1, all[a].weight) - max(1, all[b].weight) })
	return order
}

// counted leaves out what is gone; a line in the place of each run of them counts it.
func counted(kept []remark, gone []bool) (out []remark) {
	for i, r := range kept {
		if !gone[i] {
			out = append(out, r)
			continue
		}
		if i == 0 || !gone[i-1] {
			out = append(out, remark{from: r.from, to: r.to})
		}
		of := &out[len(out)-1]
		of.more += max(1, r.more, r.count)
		of.span(r.from, r.to)
	}
	return out
}

// span widens the messages that a remark is made from.
func (r *remark) span(from, to int) {
	if r.from == 0 || from > 0 && from < r.from {
		r.from = from
	}
	r.to = max(r.to, to)
}

// behind is the list of facts that a text leaves room for, of at most so many percent of the
// budget.
func (f *Facts) behind(text string, share int, m measure, l Lang, count func(string) int) string {
	room := m.limit - m.size(text)
	switch {
	case m.bounded():
		room = min(room, m.limit*share/100)
	case count != nil:
		m.size, m.chars, room = count, false, openFacts
	default:
		room = openFacts * charsAToken
	}
	if list := f.after(text, room, m, l); list != "" {
		return ledgerGap + list
	}
	return ""
}

// noteBehind is how many tokens of note follow a model's words.
const noteBehind = 500

// WordsBudget is how much of a summary's budget a model's words may take: all of it, or,
// when a note follows, what that leaves, at least half. A summary with a note is always
// bounded, by [DefaultCeiling] tokens if by nothing else.
func WordsBudget(s model.Strategy, b model.Amount) model.Amount {
	if s != model.ModelNote {
		return b
	}
	b = limited(b)
	tail := noteBehind
	if b.Unit == model.Chars {
		tail *= charsAToken
	}
	b.N = max(1, b.N-min(tail, b.N/2))
	return b
}

func limited(b model.Amount) model.Amount {
	if b.N <= 0 {
		return model.Amount{N: DefaultCeiling, Unit: model.Tokens}
	}
	return b
}

// AppendNote puts a note of a request's entries behind words that were written about them,
// in what they leave of the budget. What the words hold is not told again, and what was
// done is theirs to tell. Where nothing fits or nothing is left to say, the words are all.
func AppendNote(text string, r Request) (string, error) {
	m, err := newMeasure(limited(r.Budget), r.Count)
	if err != nil {
		return "", err
	}
	src, err := r.facts(context.Background())
	if err != nil {
		return "", err
	}
	w, memory := wordsOf(r.Lang), r.Memory
	if memory == nil {
		memory = new(Memory)
	}
	n := readEntries(&r, w, memory)
	n[donePart], n[findingPart] = nil, nil
	for p := range n {
		n[p] = slices.DeleteFunc(n[p], func(m remark) bool { return strings.Contains(text, m.text) })
	}
	return n.fill(text, src.behindOf(m, w, r.Count), m, w, memory), nil
}
