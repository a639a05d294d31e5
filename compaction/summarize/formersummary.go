package summarize

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model/pattern"
)

// former is an earlier summary, in lines.
type former struct {
	lines    []formerLine
	left     int // lines that it had to leave out itself
	lastTurn int // highest turn number it names
}

type formerLine struct {
	text  string
	depth int // 1: belongs to the line before
}

const (
	formerBytes = 256 << 10 // read of one former summary
	formerLine0 = 4000      // code points of one line
	maxTurn     = 1 << 24
)

var (
	// bullet is the marks of a list, its numbers too: what is carried on is another list,
	// in which they would have gaps.
	bullet   = pattern.New(`^(?:(?:[-*•]|\d{1,2}[.)])\s+)+`)
	loneTag  = pattern.New(`^</?[A-Za-z_]{1,40}>$`)
	turnName = pattern.New(`(?:^|\b)[Tt]urns? (\d{1,8})(?:[–-](\d{1,8}))? \(messages? \d|` +
		`[Tt]urns (\d{1,8})[–-](\d{1,8}),|[Tt]urn (\d{1,8}),|第 (\d{1,8})(?:–(\d{1,8}))? 轮`)
	leftOutEN = pattern.New(`^\((\d{1,8}) earlier lines? left out\)$`)
	leftOutZH = pattern.New(`^（另有 (\d{1,8}) 行更早的内容未列出）$`)
	rule      = pattern.New(`^\|[\s:|-]*\|$`)
	// label is a line that only announces those below it: "4. Errors and fixes:".
	label = pattern.New(`^(?:#{1,6}\s+|\d{1,2}[.)]\s+|\*\*)*\pL[\pL '&/,()（）-]{0,60}(?:[:：]\**|\*\*[:：]?)$|^#{1,6}\s+[\pL '&/,-]{1,40}$`)
	// framing is what a program says around the summary that a model wrote.
	framing = pattern.New(`^(?:This session is being continued from a previous conversation|` +
		`(?:Please )?[Cc]ontinue the conversation from where (?:we|it) left|If you need specific details from before compaction)`)
)

// newFormer reads an earlier summary, one made here (text, JSON, table) or by
// anything else, which is taken line by line.
func newFormer(text string, w *words, m *Memory) former {
	if len(text) > formerBytes {
		text = head(text, formerBytes/2) + "\n" + tail(text, formerBytes/2)
	}
	body, _ := StripHeading(text)
	var f former
	if lines, left, ok := jsonLines(body, w); ok {
		f.left = left
		for _, l := range lines {
			f.add(l.text, l.depth)
		}
		return f
	}
	raw := rawReader{f: &f, w: w, memory: m}
	for _, l := range strings.FieldsFunc(body, func(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' }) {
		raw.add(l)
	}
	return f
}

// rawReader reads the lines of a text summary.
type rawReader struct {
	f         *former
	w         *words
	memory    *Memory
	inEarlier bool // in its own section of former summaries, where indents mean structure
	inTurn    bool // below the head line of a turn
	fenced    bool // within a block of code, whose lines say nothing alone
}

// add adds a line: it takes marks of lists off and leaves out what only frames.
func (r *rawReader) add(raw string) {
	if codeFence.MatchString(raw) {
		if n := len(r.f.lines) - 1; !r.fenced && n >= 0 {
			r.f.lines[n].text = unanswered(r.f.lines[n].text)
		}
		r.fenced = !r.fenced
		return
	}
	if r.fenced {
		return
	}
	l := r.memory.line(raw, r.w)
	switch l.text {
	case english.earlier, chinese.earlier:
		r.inEarlier = true
		return
	case english.failed, chinese.failed, english.last, chinese.last:
		return
	}
	if l.label {
		return
	}
	r.inEarlier = r.inEarlier && l.marked
	depth := 0
	switch {
	case l.indent >= 2:
		depth = 1
	case r.inEarlier:
	case l.turn:
		r.inTurn = true
	case l.named:
		r.inTurn = false
	case r.inTurn:
		depth = 1
	}
	r.f.addWorth(l.said, depth, l.worth)
}

// rawLine is what a line of a former summary is by itself.
type rawLine struct {
	text   string // clean, without marks of lists
	said   string // that without emphasis
	indent int
	marked bool // it is of a list
	label  bool // it only announces those below it
	turn   bool // it is the head line of a turn
	named  bool // it names a turn
	worth  lineWorth
}

func readLine(raw string, w *words) rawLine {
	l := line(raw, formerLine0)
	out := rawLine{indent: len(raw) - len(strings.TrimLeft(raw, " \t")), marked: bullet.MatchString(l)}
	if out.marked {
		l = bullet.ReplaceAllString(l, "")
	}
	if strings.HasPrefix(l, "|") {
		l = tableCells(l, w)
	}
	out.text, out.label = l, label.MatchString(l)
	out.said = emphasis.ReplaceAllString(l, "$1$2")
	out.turn, out.named = turnHead.MatchString(out.said), turnName.MatchString(head(out.said, 60))
	out.worth = worthOf(out.said)
	return out
}

// turnHead is the head line of a turn that has lines of its own.
var turnHead = pattern.New(`^(?:Turn \d+ \(messages? [\d–-]+\)|第 \d+ 轮（消息 [\d–-]+）)$`)

func (f *former) add(l string, depth int) { f.addWorth(l, depth, worthOf(l)) }

func (f *former) addWorth(l string, depth int, w lineWorth) {
	f.left += w.left
	f.lastTurn = max(f.lastTurn, w.lastTurn)
	if w.carried {
		f.lines = append(f.lines, formerLine{l, depth})
	}
}

// lineWorth is what a line of a former summary is worth to the next.
type lineWorth struct {
	left     int  // lines that it says were left out
	carried  bool // it says something itself
	lastTurn int  // the highest turn number that it names then
}

func worthOf(l string) (w lineWorth) {
	for _, re := range []*pattern.Regexp{leftOutEN, leftOutZH} {
		if m := re.FindStringSubmatch(l); m != nil {
			w.left, _ = strconv.Atoi(m[1])
			return w
		}
	}
	switch {
	case l == "" || loneTag.MatchString(l) || framing.MatchString(l),
		l == english.heading, l == chinese.heading:
		return w
	}
	if w.carried = strings.ContainsFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }); !w.carried {
		return w
	}
	for _, m := range turnName.FindAllStringSubmatch(head(l, 200), 4) {
		for _, g := range m[1:] {
			if n, err := strconv.Atoi(g); err == nil && n < maxTurn {
				w.lastTurn = max(w.lastTurn, n)
			}
		}
	}
	return w
}

func (f *former) same(o *former) bool { return slices.Equal(f.lines, o.lines) }

// Numbered returns the highest message and turn that the text of a summary names,
// as the summaries made here do; 0: none. What follows the summary in its
// history is numbered on from there.
func Numbered(text string) (message, turn int) {
	f := newFormer(text, english, new(Memory))
	for _, l := range f.lines {
		if m := messageName.FindStringSubmatch(l.text); m != nil {
			message = max(message, min(numbers(m[1:3])[1], maxTurn))
		}
	}
	return message, f.lastTurn
}

// messageName is how a line of a summary made here begins that names the messages
// it is about.
var messageName = pattern.New(`^(?:[Tt]urns? [\d–-]+ \(|第 [\d–-]+ 轮（)?(?:[Mm]essages? |消息 )(\d{1,8})(?:[–-](\d{1,8}))?`)

// tableCells returns a table row without its bars; header rows of our own and
// rules give "".
func tableCells(l string, w *words) string {
	if rule.MatchString(l) {
		return ""
	}
	cells := strings.Split(strings.Trim(strings.ReplaceAll(l, `\|`, "\x00"), "|"), "|")
	var out []string
	for _, c := range cells {
		if c = strings.TrimSpace(c); c != "" {
			out = append(out, c)
		}
	}
	joined := strings.Join(out, " · ")
	for _, own := range []*words{english, chinese} {
		if joined == strings.Join(own.turnColumns, " · ") || joined == strings.Join(own.stepColumns, " · ") {
			return ""
		}
	}
	if len(cells) == len(english.turnColumns) && len(out) > 1 {
		if _, err := strconv.Atoi(out[0]); err == nil {
			joined = w.turnRow(out[0], out[1]) + w.colon + strings.Join(out[2:], " · ")
		}
	}
	return strings.ReplaceAll(joined, "\x00", "|")
}

// jsonLines reads a former summary that is our own JSON.
func jsonLines(body string, w *words) (lines []formerLine, left int, ok bool) {
	if !strings.HasPrefix(body, "{") {
		return nil, 0, false
	}
	var p jsonPage
	if json.Unmarshal([]byte(body), &p) != nil || p.empty() {
		return nil, 0, false
	}
	add := func(s string, depth int) { lines = append(lines, formerLine{line(s, formerLine0), depth}) }
	if p.Messages != "" {
		add(w.covered(p.Messages), 0)
	}
	for _, e := range p.Earlier {
		depth := len(e) - len(strings.TrimLeft(e, " "))
		lines = append(lines, formerLine{line(e, formerLine0), min(depth, 1)})
	}
	if o := p.Omitted; o != nil {
		add(o.line(w), 0)
	}
	for i := range p.Turns {
		t := &p.Turns[i]
		add(w.turnRow(strconv.Itoa(t.Turn), t.Messages), 0)
		put(add, w.user, t.User)
		for _, c := range t.Calls {
			add(c, 1)
		}
		for _, e := range t.Errors {
			add(w.errs+e, 1)
		}
		put(add, w.agent, t.Outcome)
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		add(fmt.Sprintf(w.stepLabel, s.Step), 0)
		for k, v := range s.values() {
			put(add, w.stepColumns[k+1]+w.colon, v)
		}
	}
	return lines, p.EarlierLeftOut, true
}

func put(add func(string, int), label, value string) {
	if value != "" {
		add(label+value, 1)
	}
}

// earlier is the section of former summaries.
type earlier struct {
	lines []formerLine
	left  int // lines not carried on
}

// carry chooses what of the former summaries is repeated within the allowance: all
// of it if it fits, then all lines shortened, then the most informative lines. size
// measures the section as the layout writes it.
func carry(d *digest, allowance int, size func(earlier) int) earlier {
	var all earlier
	for i := range d.formers {
		all.lines = append(all.lines, d.formers[i].lines...)
		all.left += d.formers[i].left
	}
	if len(all.lines) == 0 && all.left == 0 || size(all) <= allowance {
		return all
	}
	all.lines = joinCovers(unique(all.lines), d.w)
	for _, limit := range []int{formerLine0, 400, 240, 160} {
		if e := all.shortened(limit); size(e) <= allowance {
			return e
		}
	}
	return all.shortened(160).choose(allowance, size, d.memory.specificity)
}

func (e earlier) shortened(limit int) earlier {
	lines := make([]formerLine, len(e.lines))
	for i, l := range e.lines {
		lines[i] = formerLine{clip(l.text, limit), l.depth}
	}
	return earlier{lines, e.left}
}

// choose keeps the most specific and newest lines, in their order: as many of
// the best as fit, found by bisection, then what else fits in addition.
func (e earlier) choose(allowance int, size func(earlier) int, specificity func(string) float64) earlier {
	order := make([]int, len(e.lines))
	score := make([]float64, len(e.lines))
	for i, l := range e.lines {
		order[i] = i
		score[i] = specificity(l.text) + float64(i)/float64(len(e.lines))*2
	}
	sort.SliceStable(order, func(a, b int) bool { return score[order[a]] > score[order[b]] })
	kept := make([]bool, len(e.lines))
	take := func() earlier {
		out := earlier{left: e.left}
		for i, l := range e.lines {
			if kept[i] {
				if i+1 < len(kept) && !kept[i+1] {
					l.text = unanswered(l.text)
				}
				out.lines = append(out.lines, l)
			} else {
				out.left++
			}
		}
		return out
	}
	mark := func(k int) {
		clear(kept)
		for _, i := range order[:k] {
			kept[i] = true
		}
	}
	n := sort.Search(len(order), func(k int) bool {
		mark(k + 1)
		return size(take()) > allowance
	})
	mark(n)
	best := take()
	for _, i := range order[min(n, len(order)):min(n+32, len(order))] {
		kept[i] = true
		if t := take(); size(t) <= allowance {
			best = t
		} else {
			kept[i] = false
		}
	}
	return best
}

// unanswered is a line whose next one is left out: one that ends in a colon says so.
func unanswered(l string) string {
	if strings.HasSuffix(l, ":") || strings.HasSuffix(l, "：") {
		return l + " …"
	}
	return l
}

// unique drops repeated lines.
func unique(lines []formerLine) []formerLine {
	seen := make(map[string]bool, len(lines))
	var out []formerLine
	for _, l := range lines {
		if !seen[l.text] {
			seen[l.text] = true
			out = append(out, l)
		}
	}
	return out
}

var specific = []struct {
	re     *pattern.Regexp
	weight float64
}{
	{pattern.New(`^Messages? \d|^Turns \d|^消息 \d|^第 \d+–|omitted\]|已省略`), 20}, // what says which messages are covered: before all else
	{pattern.New(`^(?:User: |用户：)`), 5},
	{pattern.New(`(?i)\b(?:must|never|always|don't|do not|prefer)\b|必须|不要|务必`), 5},
	{pattern.New(`(?:^|[\s"'(\x60])(?:[.~]{0,2}/[\w.-]+|[\w.-]{3,}/[\w.-]{3,}|[\w.-]+/[\w.-]+/)|\b[\w-]+\.[a-z]{1,4}\b`), 2},
	{pattern.New(`https?://`), 1},
	{pattern.New(`\d`), 1},
	{pattern.New(`(?i)error|fail|fatal|panic|exception|错误|失败|异常`), 1.5},
	{pattern.New(`^(?:Agent: |助手：)|(?i)\b(?:decided|because|instead)\b|决定|因为`), 1},
	{pattern.New("`[^`]+`|\"[^\"]+\"|“[^”]+”|「[^」]+」"), 0.5},
	{pattern.New(`^(?:Turn \d+ \(messages? [\d–-]+\)|第 \d+ 轮（消息 [\d–-]+）)$`), -1},
}

// specificity is how much a line names: places, numbers, errors, instructions.
func specificity(l string) float64 {
	s := 0.0
	l = head(l, 800)
	for _, k := range specific {
		if k.re.MatchString(l) {
			s += k.weight
		}
	}
	if utf8.RuneCountInString(l) < 12 {
		s--
	}
	return s
}
