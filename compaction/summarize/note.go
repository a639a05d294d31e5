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
	counts  bool // a line counts all where there is no room for one
	least   int  // code points below which none of its lines is cut: a shorter one says nothing
	clip    func(text string, limit int) string
}

var places = [noteParts]place{
	askPart:     {share: 31, elastic: true, newest: true, counts: true, least: 60, clip: clipAsk},
	orderPart:   {share: 13, newest: true, counts: true},
	todoPart:    {share: 13, counts: true},
	statePart:   {share: 21, elastic: true, least: 120, clip: clipEnds},
	donePart:    {share: 13, elastic: true, newest: true, least: 110, clip: clipEnds},
	findingPart: {newest: true},
	filePart:    {share: 12, counts: true},
	commitPart:  {share: 10, elastic: true, counts: true, least: 50, clip: clipEnds},
}

// handedOn is the order in which parts get what others leave of their share.
var handedOn = [...]part{orderPart, todoPart, statePart, askPart, commitPart, filePart, donePart, findingPart}

// A list of facts has so many percent of the room, the more the longer the note, and most
// where all parts are whole: what a reader goes on with stands above it. A model's words tell
// most of that, so after them there are more facts.
const (
	someFacts  = 15 // of a note of longNote tokens; one of a quarter has none
	longNote   = 4000
	shortNote  = 400 // tokens
	mostFacts  = 33
	laterFacts = 40
	openFacts  = 4000 // tokens, of a note without a budget
)

// makeNote writes a note in a form; strategy note lists facts as well. Step records keep their
// own form, and stand before the parts.
func makeNote(ctx context.Context, r *Request, lay layout, w *words, m measure) (string, *digest, error) {
	d, n, err := r.read(ctx, w, "")
	if err != nil {
		return "", nil, err
	}
	var src *Facts
	if r.Strategy == model.NoteText {
		if src, err = r.facts(ctx); err != nil {
			return "", nil, err
		}
	}
	if m.bounded() && len(d.steps) == 0 {
		m.limit = min(m.limit, r.mostUseful(m))
	}
	f := filler{n: n, lay: lay, src: src, count: r.Count, m: m, w: w}
	first := lay.begin(d)
	if len(d.steps) > 0 {
		room := m.limit - m.size(first+lay.end())
		if m.bounded() && (src != nil || len(d.turns) > 0) {
			room -= room / 4
		}
		first += fitSteps(d, lay, room, m.size)
	}
	text := f.fill(first)
	if !m.fits(text) || text == w.heading {
		text = least(lay, w, d)
	}
	return text, d, nil
}

// leastUseful is what even a note of very little may take, in bytes.
const leastUseful = 400

// mostUseful is about four fifths of the messages that a note replaces, beside former
// summaries: asks are quoted word for word, and a summary that is no smaller is refused.
func (r *Request) mostUseful(m measure) int {
	bytes, formers := 0, 0
	for i := range r.Entries {
		e := &r.Entries[i]
		for k := 0; k < len(e.Parts) && !e.Stays && e.Former == ""; k++ {
			bytes += len(e.Parts[k].Text)
		}
		formers += len(e.Former)
	}
	most := formers + max(leastUseful, bytes*4/5)
	if !m.chars {
		most /= charsAToken
	}
	return most
}

// filler fills a budget with a note.
type filler struct {
	n     *note
	lay   layout
	src   *Facts // nil: none are listed
	count func(string) int
	m     measure
	w     *words
	later bool // after a model's words
}

// fill writes a note behind a text that comes first, and the facts behind it.
func (f *filler) fill(first string) string {
	if f.src == nil {
		text, _ := f.within(first, f.m.limit)
		return text
	}
	limit, room := f.m.limit, max(0, f.m.limit-f.m.size(first))
	few := room * f.few(room) / 100
	if f.m.bounded() {
		limit -= few
	}
	text, whole := f.within(first, limit)
	switch {
	case f.later:
		few = room
	case whole:
		few = room * mostFacts / 100
	}
	facts := f.src.factList(text, few, f.m, f.w.lang, f.count)
	if f.m.bounded() && !whole && f.m.size(text+facts) < f.m.limit {
		if longer, _ := f.within(first, f.m.limit-f.m.size(facts)); f.m.size(longer+facts) <= f.m.limit {
			text = longer
		}
	}
	return text + facts
}

// few is the share of the facts, in percent, where not all that there is to say has room.
func (f *filler) few(room int) int {
	if f.later {
		return laterFacts
	}
	return min(someFacts, max(0, f.m.tokens(room)-longNote/4)*someFacts/(longNote*3/4))
}

// within writes the parts behind a first text within a limit. Tokens of lines do not add
// up to those of the whole: the finished text is measured, and written with less if it is
// too long. whole says that nothing was left out or cut.
func (f *filler) within(first string, limit int) (text string, whole bool) {
	for room := limit; room > 0; {
		parts, whole := f.write(room - f.m.size(first+f.lay.end()))
		text := first + parts + f.lay.end()
		over := f.m.size(text) - limit
		if over <= 0 {
			return text, whole
		}
		room -= over + 1 + room/50
	}
	return first + f.lay.end(), false
}

// write shares room among the parts: each gets its share or what it needs, and what is left
// goes to those that need more.
func (f *filler) write(room int) (text string, whole bool) {
	n := f.n
	var fits [noteParts]fitted
	left, places := room, places
	if f.m.tokens(room) < shortNote { // what was asked goes before how things are
		places[askPart].share, places[orderPart].share = 44, 25
		places[statePart].share, places[donePart].share = 10, 11
	}
	price := func(r *remark) int { return f.m.size(f.lay.line(r)) + 1 }
	for p := range fits {
		all, head := room, f.m.size(shortHead(f.w.parts[p]))+2
		if f.m.bounded() {
			all = room * places[p].share / 100
		}
		if fits[p] = fitRemarks(n[p], places[p], all-head, price); len(fits[p].lines) > 0 {
			left -= fits[p].size + head
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
	whole = true
	between, rest := f.lay.between()
	for p := range fits {
		if whole = whole && fits[p].whole; len(fits[p].lines) == 0 {
			continue
		}
		lines := make([]string, len(fits[p].lines))
		for i := range lines {
			lines[i] = f.lay.line(&fits[p].lines[i])
		}
		text += between + f.lay.part(part(p), lines)
		between = rest
	}
	return text, whole
}

// fitted is what of a part fits in a room.
type fitted struct {
	lines []remark
	size  int
	whole bool // nothing is left out or cut
}

// Remarks are cut at their weight times a level between these two, in code points.
const leastLevel, lightLevel, mostLevel = 30, 80, 1500

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
			if !r.counts && !slices.ContainsFunc(out.lines, func(m remark) bool { return m.more == 0 }) {
				return fitted{}
			}
			return out
		}
		aim -= out.size - size + 1
	}
	if !r.counts || size < counterCost {
		return fitted{}
	}
	all = counted(all, slices.Repeat([]bool{true}, len(all)))
	return fitted{lines: all, size: price(&all[0])}
}

// shortened leaves out and cuts remarks so that they take about a size.
func shortened(all []remark, costs []int, r place, size int) []remark {
	kept, gone, lengths, sum := slices.Clone(all), make([]bool, len(all)), make([]int, len(all)), 0
	for i, n := range costs {
		sum, lengths[i] = sum+n, chars(all[i].text)
	}
	// cut cuts those that stay at a length times their weight, and returns about what each takes then.
	cut := func(length int) []int {
		sizes := slices.Clone(costs)
		for i, n := range lengths {
			most := max(r.least, length*max(1, all[i].weight))
			if kept[i] = all[i]; gone[i] || n <= most {
				continue
			}
			kept[i].text = r.clip(all[i].text, most)
			sizes[i] = costs[i]*min(n, chars(kept[i].text)+8)/n + 1
		}
		return sizes
	}
	// total is about what all lines take: those that stay, and those that count the others.
	total := func(sizes []int) (n int) {
		for i := range all {
			if !gone[i] {
				n += sizes[i]
			} else if i == 0 || !gone[i-1] {
				n += counterCost
			}
		}
		return n
	}
	level, sizes := 0, costs
	for _, i := range leastImportant(all, r) {
		want := leastLevel
		if all[i].weight <= 1 { // small ones go before others say little
			want = lightLevel
		}
		if r.elastic && want != level {
			level, sizes = want, cut(want)
		}
		if r.elastic && total(sizes) <= size || !r.elastic && sum <= size {
			break
		}
		if sum -= costs[i]; !slices.Contains(gone, true) {
			sum += counterCost
		}
		gone[i] = true
	}
	if r.elastic {
		cut(leastLevel + sort.Search(mostLevel-leastLevel, func(n int) bool { return total(cut(leastLevel+n+1)) > size }))
	}
	return counted(kept, gone)
}

// counterCost is about what the line takes that counts what is left out.
const counterCost = 12

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

// factList is the list of facts that a text leaves room for, of at most a size.
func (f *Facts) factList(text string, most int, m measure, l Lang, count func(string) int) string {
	room := m.limit - m.size(text)
	switch {
	case m.bounded():
		room = min(room, most)
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

// sureStates are the remarks about the state that stand after a model's words: they are in the
// calls, or the last that was said. What was tried, thought or failed the model has judged.
var sureStates = [...]int{stateSaid, stateUncommitted, stateStashed, stateUnpushed, stateRunning, stateBranch}

// leaveOut leaves out what a model's words tell, or have judged better: the note after them
// says only what is certain and missing there.
func (n *note) leaveOut(text string, w *words) {
	bare, low := bareWords(text), strings.ToLower(text)
	n[donePart], n[findingPart] = nil, nil
	n[askPart] = n[askPart][max(0, len(n[askPart])-1):]
	n[statePart] = slices.DeleteFunc(n[statePart], func(m remark) bool { // also what it has begun since it announced it
		sure := slices.ContainsFunc(sureStates[:], func(kind int) bool { return strings.HasPrefix(m.text, w.state[kind]) })
		return !sure || goesOn.MatchString(m.text) || strings.HasSuffix(m.text, ":") || strings.HasSuffix(m.text, "：")
	})
	for p := range n {
		n[p] = slices.DeleteFunc(n[p], func(m remark) bool {
			switch part(p) {
			case todoPart:
				if b := box("open"); !strings.HasPrefix(m.text, b) && !strings.HasPrefix(m.text, box("doing")) {
					return true
				}
			case commitPart:
				hash, _, _ := strings.Cut(m.text, " ")
				return strings.Contains(text, hash)
			case filePart:
				return m.text == ""
			case orderPart: // word for word
				return strings.Contains(bare, bareWords(m.text))
			}
			words := contentWords(m.text)
			return strings.Contains(bare, bareWords(m.text)) || len(words) > 0 && 3*found(words, low) >= 2*len(words)
		})
	}
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
	w := wordsOf(r.Lang)
	_, n, err := r.read(context.Background(), w, text)
	if err != nil {
		return "", err
	}
	n.leaveOut(text, w)
	f := filler{n: n, lay: textLayout{w}, src: src, count: r.Count, m: m, w: w, later: true}
	return f.fill(text), nil
}
