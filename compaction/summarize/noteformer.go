package summarize

import (
	"slices"
	"strconv"
	"strings"

	"palimpsest/model/pattern"
)

// former carries a former summary on by its parts.
func (r *noteReader) former(text string, num int) {
	if !r.d.former(text) {
		return
	}
	if tellsCommit(text) {
		r.toldSaved = num
	}
	text, _ = StripHeading(text)
	n, before := readNote(text)
	r.prose(before, num)
	if n == nil {
		return
	}
	for p := range n {
		for _, m := range n[p] {
			r.carry(part(p), m)
		}
	}
}

// carry takes a remark of a former note.
func (r *noteReader) carry(p part, m remark) {
	switch p {
	case statePart: // how things were then
		for _, kind := range [...]int{stateBefore, stateSaid} {
			if said, ok := strings.CutPrefix(m.text, r.w.state[kind]); ok {
				r.tell(donePart, remark{text: clip(said, reportLimit), from: m.from, to: m.to, weight: 2})
			}
		}
		if next, ok := strings.CutPrefix(m.text, r.w.state[stateNext]); ok {
			r.next = remark{text: next, from: m.from, to: m.to}
		}
	case todoPart:
		r.carryTask(m)
	case filePart:
		r.carryFiles(m)
	case commitPart:
		r.commits = append([]remark{m}, r.commits...)
		r.pushed = max(r.pushed, m.to) // or not, as was told then
	default:
		if m.text == "" || !r.known[m.text] && (p != askPart || r.isNew(m.text)) {
			r.known[m.text] = true
			r.n[p] = append(r.n[p], m)
		}
	}
}

var taskLine = pattern.New(`^\[([ x>?-])\] (.+?)(?: → [^→]+?)?(?:(?: \(task |（任务 )(\w+)[)）])?$`)

func (r *noteReader) carryTask(m remark) {
	x := taskLine.FindStringSubmatch(m.text)
	if x == nil {
		return
	}
	status := map[string]string{" ": "pending", "?": "pending", "x": "completed", ">": "in_progress", "-": "cancelled"}[x[1]]
	r.tasks = append(r.tasks, &task{id: x[3], text: x[2], status: status, from: m.from, to: m.to})
}

func (r *noteReader) carryFiles(m remark) {
	dir, names, grouped := strings.Cut(strings.TrimSuffix(m.text, "}"), "/{")
	if grouped {
		dir += "/"
	} else {
		dir, names = "", m.text
	}
	for _, name := range strings.Split(names, ", ") {
		times := 1
		if at := strings.LastIndex(name, " ×"); at > 0 {
			if n, err := strconv.Atoi(name[at+len(" ×"):]); err == nil {
				name, times = name[:at], n
			}
		}
		r.files[dir+name] = &changedFile{path: dir + name, times: times, from: m.from, to: m.to}
	}
}

// proseReader reads a summary that a model wrote, by the headings under which it puts things.
type proseReader struct {
	*noteReader
	num         int
	in          part
	plain       bool // no heading so far, the lines are all that is known
	told        bool // it is an extract, by turns
	aside       bool // what stands under a heading was open then
	base        int  // indent of what stands under a heading
	goals, last int  // the first ask that is told in a model's words, and the one after them
}

func (r *noteReader) prose(text string, num int) {
	p := proseReader{noteReader: r, num: num, in: donePart, plain: true, base: -1, goals: -1, last: -1}
	from, fenced := len(r.n[donePart]), false
	for l := range strings.Lines(ends(text, formerBytes/2)) {
		if codeFence.MatchString(l) {
			fenced = !fenced
		} else if !fenced {
			p.line(readLine(l, r.w))
		}
	}
	for i := from; p.plain && i < len(r.n[donePart]); i++ {
		r.n[donePart][i].weight = 3
	}
	p.preferTyped()
}

func (p *proseReader) line(x rawLine) {
	if x.label {
		p.label(x)
		return
	}
	if c, ok := readCover(x.said); ok {
		p.d.covered = append(p.d.covered, c)
		return
	}
	if p.aside = p.aside || failedCall.MatchString(x.said); !x.carried || p.aside || chatter.MatchString(x.said) {
		return
	}
	if p.base < 0 {
		p.base = x.indent
	}
	list := p.n[p.in]
	switch k := len(list) - 1; {
	case x.turn || x.named:
		p.told = true
	case p.told:
		p.spoken(x.said, p.num)
	case x.indent >= p.base+2 && k >= 0 && len(list[k].text) < 2*reportLimit && p.in != todoPart && p.in != askPart:
		list[k].text += joint(list[k].text) + x.said // it belongs to what it is under
	case p.plain:
		p.tell(donePart, remark{text: x.said, from: p.num, to: p.num})
	default:
		p.said(p.in, x, p.num)
	}
}

func (p *proseReader) label(x rawLine) {
	in, ok := headed(x.text)
	p.aside = ok && x.indent > 0 && (in == todoPart || in == statePart)
	if p.base = -1; ok && x.indent == 0 {
		if p.in, p.plain = in, false; in == askPart {
			p.goals, p.last = p.last, len(p.n[askPart])
		}
	}
}

// preferTyped leaves out the asks in a model's words where what people typed follows, but for
// the first if it says more.
func (p *proseReader) preferTyped() {
	asks := p.n[askPart]
	if p.goals < 0 || len(asks) <= p.last || p.last <= p.goals {
		return
	}
	typed := ""
	for _, m := range asks[p.last:] {
		typed += " " + strings.ToLower(m.text)
	}
	if words := contentWords(asks[p.goals].text); 3*found(words, typed) < 2*len(words) {
		p.goals++
	}
	p.n[askPart] = slices.Delete(asks, p.goals, p.last)
}

// spoken takes what an extract says that somebody said; its calls are in the files.
func (r *noteReader) spoken(l string, num int) {
	for _, w := range []*words{english, chinese} {
		if said, ok := strings.CutPrefix(l, w.user); ok {
			r.addAsk(remark{text: said, from: num, to: num}, standing(said), "")
		}
		if said, ok := strings.CutPrefix(l, w.agent); ok {
			r.tell(donePart, remark{text: said, from: num, to: num, weight: 2})
		}
	}
}

// headings are the words in a model's headings that say what is below them.
var headings = []struct {
	re *pattern.Regexp
	in part
}{
	{pattern.New(`(?i)user messages|user requests?|^user$|^\[user\]|primary request|\bgoals?\b|objective|用户消息|目标|请求`), askPart},
	{pattern.New(`(?i)constraint|instruction|\brules?\b|preference|约束|指令`), orderPart},
	{pattern.New(`(?i)pending|to-?dos?\b|remaining|outstanding|open (?:tasks|items|issues)|未完成|待办`), todoPart},
	{pattern.New(`(?i)current (?:work|state|status|task)|next steps?|in progress|当前|下一步|进行中`), statePart},
	{pattern.New(`(?i)decision|discover|finding|concept|errors?|problem|learned|insight|notes?\b|决策|决定|发现|错误|概念`), findingPart},
	{pattern.New(`(?i)files?\b|code sections|directories|文件`), filePart},
	{pattern.New(`(?i)\bdone\b|assistant\]|complete|accomplish|progress|已完成|完成`), donePart},
}

func headed(label string) (part, bool) {
	for _, h := range headings {
		if h.re.MatchString(label) {
			return h.in, true
		}
	}
	return 0, false
}

// said takes a line of a model's summary.
func (r *noteReader) said(in part, x rawLine, num int) {
	m := remark{text: strings.Trim(htmlNote.ReplaceAllString(x.said, ""), ` "“”`), from: num, to: num}
	switch in {
	case todoPart:
		t := task{text: boxes.ReplaceAllString(m.text, ""), status: "pending", from: num, to: num, told: true}
		if strings.HasPrefix(m.text, "[x]") {
			t.status = "completed"
		}
		if !nothing.MatchString(t.text) && !slices.ContainsFunc(r.tasks, t.same) {
			r.tasks = append(r.tasks, &t)
		}
	case statePart:
		r.next = m
	case askPart:
		if !programs.MatchString(m.text) {
			r.addAsk(m, standing(m.text), "")
		}
	case orderPart:
		if len(standing(m.text)) > 0 {
			r.tell(orderPart, m)
		} else {
			r.tell(findingPart, m)
		}
	case findingPart, filePart:
		says := chars(m.text) < len(m.text) || strings.Count(m.text, " ") >= leastOrder
		unsure := strings.HasSuffix(m.text, ":") || muses.MatchString(m.text) || begins.MatchString(m.text)
		if chars(m.text) >= leastFinding && says && !unsure {
			r.tell(findingPart, m)
		}
	default:
		r.tell(donePart, m)
	}
}

// programs are the words by which a summary names messages that no person wrote.
var programs = pattern.New(`(?i)continuation prompt|system[- ]reminders?|hook output|not actual user messages|` +
	`continue the conversation from where|without asking the user any further`)

// begins are the words for work that has only begun.
var begins = pattern.New(`(?i)^(?:(?:i )?(?:started|searched|looked|began|read)\b|based on the summary)`)

// leastFinding is the length of a line of a former summary that says something alone.
const leastFinding = 20

var (
	boxes   = pattern.New(`^\[[ xX~>]\] `)
	nothing = pattern.New(`(?i)^(?:none\b|no (?:pending|open|outstanding|explicit)|nothing|n/a|无$|没有)`)
)

// same reports whether two tasks begin with the same words.
func (t *task) same(o *task) bool {
	a, b := []rune(bareWords(t.text)), []rune(bareWords(o.text))
	n := min(len(a), len(b), 40)
	return n > courtesy && string(a[:n]) == string(b[:n])
}
