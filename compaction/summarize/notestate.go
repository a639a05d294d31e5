package summarize

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/model/pattern"
)

// lastCalls are the last calls since the agent said something, with how they ended, and the edits
// before them since the last ask, the last one first.
func (r *noteReader) lastCalls(t *noteTurn) (list []remark) {
	told, since := map[string]bool{}, max(t.said.from, t.from)
	for i := len(r.calls) - 1; i >= 0 && len(list) < mostCalls; i-- {
		c := r.calls[i]
		if c.num < since && !r.calledSince(since) || c.num < t.from || c.num >= since && (!c.answered || c.todos != nil || c.task != nil) {
			break
		}
		text := c.inBrief(r.w)
		if c.num < since && c.shown == "" || told[text] {
			continue
		}
		told[text] = true
		list = append(list, remark{text: text, from: c.num, to: c.num, weight: max(sureWeight/(len(list)+1), 2)})
	}
	return list
}

// inBrief is a call with how it ended, or the line that it wrote.
func (c *waitingCall) inBrief(w *words) string {
	about := line(c.tool+" "+c.key, 80)
	if len(c.files) > 0 || strings.Contains(c.key, "/") && !strings.ContainsAny(c.key, " \"") {
		var names []string
		for _, f := range c.files {
			names = append(names, endOf(f))
		}
		about = c.tool + " " + cmp.Or(shortenList(names, 80, ", "), endOf(c.key))
	}
	if c.shown != "" && c.end == w.ok {
		return about + ": " + c.shown
	}
	return strings.TrimSpace(about) + " → " + line(c.end, 120)
}

// endOf is a file with the two folders that it is in.
func endOf(file string) string {
	names := strings.Split(file, "/")
	return path.Join(names[max(0, len(names)-3):]...)
}

// mostCalls is how many calls are told at most.
const mostCalls = 5

// reads are the files that were read where nothing was changed.
func reads(w *work) (m remark) {
	if len(w.files)+len(w.commits) > 0 {
		return m
	}
	var names []string
	for _, c := range w.calls {
		if c.answered && c.command == "" && path.Ext(c.key) != "" && !strings.ContainsAny(c.key, " *?") {
			names = append(names, path.Base(c.key))
			m.span(c.num, c.num)
		}
	}
	m.text = shortenList(unequal(names), 400, ", ")
	return m
}

// unanswered are the last calls without a result.
func (r *noteReader) unanswered() (out []remark) {
	for i := len(r.calls) - 1; i >= 0 && len(out) < 2; i-- {
		c := r.calls[i]
		if c.num < r.turn.to-2 {
			break
		}
		if !c.answered && c.todos == nil && c.task == nil {
			out = append(out, remark{text: strings.TrimSpace(c.tool + " " + c.key), from: c.num, to: c.num})
		}
	}
	return out
}

// sureWeight is the weight of a short and certain remark about how things are, failedWeight of one about a failure.
const sureWeight, failedWeight = 9, 15

// state says how things are at the last moment.
func (r *noteReader) state(t *noteTurn) {
	add := func(kind int, m remark) {
		if m.text != "" {
			m.text, m.weight = r.w.state[kind]+m.text, cmp.Or(m.weight, sureWeight)
			r.n[statePart] = append(r.n[statePart], m)
		}
	}
	said, next := r.splitNext(t.said)
	said.weight = 16
	add(stateSaid, said)
	if thought := t.thought; thought.from > t.said.from && !(r.calledSince(thought.from) && announces.MatchString(thought.text)) {
		thought.weight = 6
		add(stateThought, thought)
	}
	if before := r.before; r.askChars <= shortAsk && chars(before.text) > shortAsk && chars(said.text) <= shortAsk/2 {
		before.weight = 8
		brief := outcome(before.text)
		if undone := r.undone.of(before, r.w); undone != "" {
			before.text = undone + before.text
		} else if r.lastChange() > before.to {
			before.text = r.w.either("(Files were changed since) ", "（此后改过文件）") + before.text
		}
		add(stateBefore, before)
		r.n[donePart] = slices.DeleteFunc(r.n[donePart], func(m remark) bool { return brief != "" && strings.HasSuffix(m.text, brief) })
	}
	for _, found := range r.found {
		if r.turn.to-found.to <= longAgo && r.lastChange() <= found.to {
			found.text, found.weight = clipEnds(found.text, saidLimit/len(r.found)), max(2, 8/len(r.found))
			add(stateFound, found)
		}
	}
	for i, m := range r.lastCalls(t) {
		add(stateCall+min(i, 1), m)
	}
	add(stateRead, reads(&r.work))
	add(statePlanning, r.planning)
	add(stateConflicts, r.openConflicts())
	add(stateUncommitted+min(r.stashed, 1), r.uncommitted())
	add(stateUnpushed, r.unpushed())
	for _, f := range r.failures() {
		f.weight = failedWeight
		add(stateFailed, f)
	}
	add(stateTest, r.lastTest(t))
	for _, b := range r.running {
		if r.turn.to-b.to <= longAgo {
			add(stateRunning, b.remark)
		}
	}
	for _, m := range r.unanswered() {
		add(stateOpen, m)
	}
	add(stateBranch, branchOf(&r.work))
	if next != "" {
		r.next = remark{text: next, from: t.said.from, to: t.said.to, weight: 2}
	}
	add(stateNext, r.next)
}

// splitNext parts what comes next from the agent's last words; "": they don't say, or it has begun.
func (r *noteReader) splitNext(said remark) (rest remark, next string) {
	if r.calledSince(said.from) {
		return said, ""
	}
	next = nextStep(said.text)
	before, after, ok := strings.Cut(said.text, next)
	if !ok || next == "" || strings.TrimSpace(before+after) == "" {
		return said, ""
	}
	said.text = strings.TrimSpace(before + strings.TrimLeft(after, ".:;。：； "))
	return said, next
}

// calledSince reports whether the agent called something in a message or after it.
func (r *noteReader) calledSince(num int) bool {
	return len(r.calls) > 0 && r.calls[len(r.calls)-1].num >= num
}

// nextStep is the sentence of the agent's last message that says what comes next.
func nextStep(said string) string {
	found := ""
	facts.Sentences(said, func(s string) {
		if announces.MatchString(s) {
			found = s
		}
	})
	if _, after, _ := strings.Cut(said, found); beginsNow.MatchString(found) && chars(after) > shortAsk/2 {
		return "" // it did so in the same message
	}
	return found
}

// beginsNow is how an agent announces what it does at once.
var beginsNow = pattern.New(`(?i)^(?:now |let me|i'll )|^现在`)

var announces = pattern.New(`(?i)^(?:next\b|the next step|now (?:let me|let's|i'll|i will|i need)|let me (?:now )?|` +
	`i'll (?:now|next|then)|remaining\b|what(?:'s| is) left|still (?:to do|open|needed))|^(?:下一步|接下来|现在我|还需要|剩下)`)
