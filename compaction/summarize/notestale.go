package summarize

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

// A remark is overtaken by later words and acts: newer words on the same thing win.

var (
	// chooses finds the words of a decision. Other findings are about how things were then.
	chooses = pattern.New(`(?i)\b(?:decided|chose|choose|going with|(?:we|i)(?:'ll| will) (?:use|keep)|instead of|rather than|so that|` +
		`to (?:avoid|keep)|should (?:be|stay|use)|by design|on purpose|deliberate\w*)\b|决定|选择|改用|故意`)
	// handsOff is an order to change nothing at all: later asks overrule it.
	handsOff = pattern.New(`(?i)\b(?:don['’]?t|do not) (?:fix|change|edit|touch|implement|modify|write|do|build|make|start)(?: on)?` +
		`(?: any)?(?:thing| code| changes?| files?| of (?:it|this|that))?(?: yet|,|$| just| but| now)|` +
		`不要(?:改|动|修改)(?:任何|代码|文件)?(?:[，。]|$)`)
	// acts is a word with which an ask for work begins.
	acts = pattern.New(`(?i)^(?:fix|implement|add|create|build|make|change|go|do|proceed|write|commit|update|remove|refactor|apply|` +
		`start|try|move|rename|replace|use|execute|continue)$`)
	// undoes is how somebody says that a thing is gone, by its name.
	undoes = pattern.New("(?i)\\b(?:revert\\w*|undo|undid|roll(?:ed|ing)? back|remov\\w+|delet\\w+|dropp?\\w*|no longer \\w+|" +
		"replac\\w+)(?: (?:my|earlier|previous|changes?|edits?|the|all|its|usages?|uses?|" +
		"of|calls?|to|function|method|helper|old|unused|dead|now))* `([^` ]{4,80})`")
	// goesOn is how an agent ends that goes on at once: its next call shows more.
	goesOn = pattern.New(`(?i)\b(?:let me|i['’]ll|i will|i need to|now i)\b[^.!?]*[.:…]?$|(?:让我|接下来|现在我)[^。]*[。：]?$`)
)

// dropUndone drops the sentences of what was done and found about a thing that was undone later.
func (r *noteReader) dropUndone() {
	gone := map[string]int{} // the last message that says so
	for _, list := range [][]remark{r.n[donePart], r.n[askPart], {r.turn.said}} {
		for _, m := range list {
			for _, x := range undoes.FindAllStringSubmatch(m.text, -1) {
				gone[x[1]] = max(gone[x[1]], m.to)
			}
		}
	}
	for _, p := range [...]part{donePart, findingPart} {
		list := r.n[p]
		for i := range list {
			m := &list[i]
			over := func(s string) bool {
				for name, at := range gone {
					if m.to < at && strings.Contains(s, "`"+name+"`") {
						return true
					}
				}
				return false
			}
			m.text = without(m.text, over)
		}
		r.n[p] = slices.DeleteFunc(list, func(m remark) bool { return m.text == "" && m.more == 0 })
	}
}

// of says of what was told that it was taken back later, as far as the calls show; "": it was not.
func (u *undoing) of(m remark, w *words) string {
	over := m.to < u.unstaged && staged.MatchString(m.text)
	for _, e := range u.edits {
		if e.num < m.from || e.num > m.to {
			continue
		}
		if over = e.undone > m.to; !over {
			return ""
		}
	}
	if !over {
		return ""
	}
	return w.either("(Undone later) ", "（后已撤销）")
}

// mark says of what was done that it was undone later, and of what was only said of files that
// they were changed since.
func (u *undoing) mark(done []remark, files []*changedFile, w *words) {
	for i := range done {
		m := &done[i]
		said := strings.HasPrefix(m.text, w.either("Said: ", "所说："))
		if m.text = u.of(*m, w) + m.text; !said {
			continue
		}
		var names []string
		for _, f := range files {
			if name := path.Base(f.path); f.to > m.to && strings.Contains(m.text, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			m.text = fmt.Sprintf(w.either("(Changed since: %s) ", "（此后改过：%s）"), shortenList(unequal(names), 100, ", ")) + m.text
		}
	}
}

// staged is how somebody says what is staged.
var staged = pattern.New(`(?i)\bstaged\b|已暂存`)

// A talk, in which nothing was called or changed, strays: its asks that have nothing to do with the
// matter go before all others, and what the agent said to them.

// leaveAsides leaves out asks that stray where there are more than a few, and gives the others their
// weights.
func (r *noteReader) leaveAsides() {
	strays, asks := r.strays(), r.n[askPart]
	last := len(asks) - 1
	if last >= fewAsks {
		kept := slices.DeleteFunc(slices.Clone(asks), strays)
		if !r.turn.ended && strays(asks[last]) { // it waits for an answer
			kept = append(kept, asks[last])
		}
		r.n[askPart] = kept
	}
	weighAsks(r.n[askPart], strays)
	if r.talks() && last >= fewAsks {
		r.n[donePart] = slices.DeleteFunc(r.n[donePart], strays)
		r.n[statePart] = slices.DeleteFunc(r.n[statePart], func(m remark) bool {
			_, said, _ := strings.Cut(m.text, r.w.colon)
			return strays(remark{text: said})
		})
	}
}

// talks reports whether nothing was called or changed.
func (r *noteReader) talks() bool { return len(r.calls)+len(r.files)+len(r.commits) == 0 }

// strays returns a function that reports whether a remark strays: it says so, or is short, of a talk, names
// nothing, decides nothing, and shares no word with the first ask, an order, or what names something.
func (r *noteReader) strays() func(remark) bool {
	aside := func(m remark) bool { return digresses.MatchString(m.text) }
	if !r.talks() || len(r.n[askPart]) == 0 {
		return aside
	}
	matter := strings.ToLower(r.n[askPart][0].text)
	for _, p := range [...]part{askPart, orderPart} {
		for _, m := range r.n[p] {
			if p == orderPart || names.MatchString(m.text) && !aside(m) {
				matter += " " + strings.ToLower(m.text)
			}
		}
	}
	return func(m remark) bool {
		says := m.more > 0 || chars(m.text) > strayLimit || names.MatchString(m.text) || decides.MatchString(m.text)
		return aside(m) || !says && !proposes.MatchString(m.text) &&
			found(contentWords(smallWords.ReplaceAllString(m.text, " ")), matter) == 0
	}
}

// strayLimit is how long, in code points, what strays is at most.
const strayLimit = 120

var (
	// digresses is how a person begins to talk of something else.
	digresses = pattern.New(`(?i)^(?:(?:oh|ah|well|hey|also|quick|random|a|one|just)[, ]+)*(?:by the way|btw|random|unrelated|` +
		`off[- ]topic|side note|(?:side )?question unrelated|tangent|curious|on another note|changing the subject)\b|` +
		`^(?:顺便(?:问|说)|题外话|话说|随便问|闲聊|跑个题)`)
	// decides is how somebody changes a plan, proposes how somebody makes one.
	decides = pattern.New(`(?i)\b(?:instead|rather than|scratch|(?:let me|i) revise|pivot|chang\w+ (?:of plans?|my mind|course)|` +
		`on second thought|(?:i|we)(?:['’]ve| have)? (?:decided|settled)|go(?:ing)? (?:with|for)|` +
		`drop (?:that|the)|forget (?:that|about|the))\b|` +
		`改用|换成|改为|还是用|算了|决定|改主意`)
	proposes = pattern.New(`(?i)\b(?:let['’]?s|(?:i|we)(?:['’]d)? (?:would|should|could|propose|suggest)|how about|the plan)\b|应该|打算|计划|建议`)
	// names is a word with a capital letter or a digit that does not begin a sentence.
	names = pattern.New(`[^\s.!?:;—–-]["'(\x60]* ["'(\x60]*(?:[A-HJ-Z]|I\w)|\d|[\w.]+[/_]\w|\x60`)
	// smallWords say nothing about the matter.
	smallWords = pattern.New(`(?i)\b(?:what|that|this|th[eo]se|with|have|your|from|about|they|them|when|where|which|will|w?[cs]?h?ould|` +
		`think\w*|know\w*|like|quick\w*|just|been|some|more|most|than|then|here|there|really|much|many|does|doing|want|need|sure|` +
		`happy|good|great|okay|thanks|please|anything|something|everything|still|again|into|back|over|only|also|very|well)\b|` +
		`什么|我们|你们|怎么|这个|那个|一下|可以|觉得|知道|是否|还有|有没有|吗|呢`)
)

// dropOverlain drops findings of trouble that was dealt with since, as far as a commit, a
// later turn or a changed file shows it. Of earlier turns only decisions stand, once work went on.
func (r *noteReader) dropOverlain() {
	since, changed := max(r.turn.from-1, r.lastCommit()), r.lastChange()
	r.n[findingPart] = slices.DeleteFunc(r.n[findingPart], func(m remark) bool {
		return (trouble.MatchString(m.text) || halfway.MatchString(m.text)) && m.to < max(since+1, changed) ||
			!chooses.MatchString(m.text) && m.to < r.turn.from && (m.to < changed || r.turn.to-m.to > 2*longAgo) ||
			m.to < changed && ofLine.MatchString(m.text)
	})
	r.dropUndone()
	r.n[orderPart] = slices.DeleteFunc(r.n[orderPart], func(m remark) bool {
		return handsOff.MatchString(m.text) && m.to < min(r.turn.from, r.worked)
	})
	for i := range r.n[donePart] {
		if m := &r.n[donePart][i]; m.to < max(since+1, changed) {
			m.text = without(m.text, func(s string) bool { // what was open then, or missing
				return halfway.MatchString(s) || m.to < changed && lacks.MatchString(s)
			})
		}
	}
	r.n[donePart] = slices.DeleteFunc(r.n[donePart], func(m remark) bool { return m.text == "" && m.more == 0 })
	r.undone.mark(r.n[donePart], r.latestFiles(), r.w)
}

// without is what was said without some sentences, and those that say nothing without them.
func without(text string, over func(s string) bool) string {
	kept, gone := "", false
	eachSentence(text, func(s string) {
		if gone = over(s) || gone && speaksOn.MatchString(s); !gone {
			kept += s + " "
		}
	})
	if len(kept) >= len(text) {
		return text
	}
	return strings.TrimRight(kept, ":;； ")
}

// speaksOn is how a sentence begins that says nothing without that before it.
var speaksOn = pattern.New(`^(?:And |But |So )?(?:No |(?:[Tt]hat|[Tt]his|[Ii]t|[Tt]hey|[Tt]hese|[Tt]hose)(?:['’]s|\b))`)

var lacks = pattern.New(`(?i)^(?:but )?(?:it|this|that|there|we|you) (?:do(?:es)? not|don['’]t|doesn['’]t) ` +
	`(?:yet|currently|automatically|have|manage|exist|support|include|contain|cover|handle|define)\b`)

var (
	trouble = pattern.New(`(?i)\b(?:fail\w*|errors?|not|\w+n['’]t|empty|unused|missing|issues?|problems?|bugs?|critical|wrong|` +
		`root cause|culprit|(?:simplest|real|best|right|proper|only) (?:fix|solution|way)|the fix)\b|失败|错误|缺少|问题`)
	halfway = pattern.New(`(?i)\b(?:in the middle of|in progress|partially|not (?:\w+ ){0,4}yet|still (?:need|to do|open|remain|the old|` +
		`fail)\w*|` +
		`remaining|(?:current|remaining) (?:error|issue|problem)s?|(?:i was|i am|i'm) about to|needs? to be|` +
		`tests? (?:(?:are )?still )?fail\w*|` +
		`(?:is|are|keeps?) failing)\b|` +
		`\b(?:i am|i['’]m|we are|still) blocked\b|^blocked\b|\bunfixed\b|进行中|尚未|还没`)
	// ofLine is a finding about a line of a file as it was then.
	ofLine = pattern.New(`(?i)\w\.\w{1,4}:\d+\b|\(?\blines? \d+`)
)
