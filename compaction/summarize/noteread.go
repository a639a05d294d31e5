package summarize

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/pattern"
)

func (r *noteReader) entry(e *Entry) {
	if e.Former != "" || e.Msg == nil {
		if !e.Stays && e.Former != "" {
			r.former(e.Former, e.Num)
		}
		return
	}
	if !e.Stays {
		r.d.count(e)
	}
	switch p := phaseOf(e.Msg); {
	case p != phaseNone && !e.Stays:
		r.d.addPhase(e, p)
		fallthrough
	case p != phaseNone, e.Msg.Kind == model.KindOther, e.Msg.Kind == model.KindBoundary, e.Msg.Kind == model.KindSystem:
		return
	}
	t := r.told(e)
	if t.plans {
		r.plans(e.Num)
	}
	if tellsCommit(t.said) {
		r.toldSaved = e.Num
	}
	if t.former == "" {
		r.message(t, e)
	} else if !e.Stays {
		r.d.messages--
		r.former(t.former, e.Num)
	}
}

// message takes a message that is no summary.
func (r *noteReader) message(t *told, e *Entry) {
	if !e.Copy && !e.Stays {
		r.d.tell(e, t)
	}
	switch {
	case e.Msg.Kind == model.KindUser && t.said != "":
		r.ask(t, e)
	case e.Msg.Kind == model.KindUser && e.Msg.Origin == model.OriginObservation && r.last != nil:
		r.observed(e)
	default:
		r.agent(t, e.Num)
	}
	if r.last = nil; e.Msg.Kind == model.KindAssistant {
		r.last = e
	}
	for i := range t.calls {
		r.call(&t.calls[i], e.Num)
	}
	for i := range t.results {
		r.result(&t.results[i], e.Num)
	}
}

// observed takes the call that an agent of a text protocol wrote in its words, with what
// came back.
func (r *noteReader) observed(e *Entry) {
	tool, key, edit, _, ok := action(ownText(r.last.Parts))
	if !ok {
		return
	}
	c := toldCall{tool: tool, key: key, edit: edit, command: key}
	if c.runs, c.test = runsOf(key); edit {
		c.command, c.files = "", patchedFiles(ownText(r.last.Parts))
	}
	if k := len(r.d.turns); k > 0 {
		r.d.turns[k-1].calls++
	}
	r.call(&c, r.last.Num)
	end := r.readResult(e.Msg, &model.Part{Text: ownText(e.Parts)})
	end.err, end.failed = failure(ownText(e.Parts), e.Msg.Error, true)
	r.result(&end, e.Num)
}

// agent takes what the agent says and thinks.
func (r *noteReader) agent(t *told, num int) {
	turn := &r.turn
	r.next = remark{} // it went on
	if turn.from == 0 {
		turn.from = num
	}
	turn.to = max(turn.to, num)
	if t.thought != "" {
		turn.thought = remark{text: t.thought, from: num, to: num}
	}
	for _, s := range t.reasons {
		turn.findings = append(turn.findings, remark{text: s, from: num, to: num})
	}
	if t.report != "" {
		r.mended(nil)
	}
	if t.said != "" && !t.failed {
		turn.acted, turn.ended = true, len(t.calls) == 0
		if turn.said.text != "" && t.report != "" {
			turn.reports = append(turn.reports, remark{text: t.report, from: num, to: num})
		}
		turn.said = remark{text: t.said, from: num, to: num}
	}
}

// endTurn tells the turn that is over in a sentence or more of the agent's, or, if it said
// nothing, by what it changed.
func (r *noteReader) endTurn(overruled, refuted bool) {
	t := &r.turn
	if !t.acted || t.from == 0 {
		return
	}
	r.tellUnsaid(donePart, t.reports)
	switch {
	case overruled && len(t.changed) == 0:
		return
	default:
		done := remark{text: outcome(t.said.text), from: t.from, to: t.to, weight: 2}
		switch {
		case done.text == "":
			done.text, done.weight = t.silent(r.w), 1
		case len(t.changed)+len(t.did) == 0:
			done.text = r.w.either("Said: ", "所说：") + done.text
		}
		if refuted {
			done.text += r.w.either(" (the person did not agree)", "（用户并不认同）")
		}
		r.tell(donePart, done)
	}
	if !overruled && !refuted {
		for _, f := range t.findings {
			r.tell(findingPart, f)
		}
	}
}

// outcome are the sentences of an agent's closing words that report a result. Plans, questions
// and offers, which end with the turn, and work that was open then are left out.
func outcome(said string) string {
	var b strings.Builder
	over, open, goesOn := false, false, false
	eachSentence(said, func(s string) {
		bare := strings.TrimLeft(s, " *#-✅🎉")
		if r, _ := utf8.DecodeRuneInString(bare); !goesOn && !unicode.IsLower(r) && r != '"' && !(open && speaksOn.MatchString(bare)) {
			open = halfway.MatchString(bare) // a sentence that begins otherwise shares the fate of that before it
			over = open || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || announces.MatchString(bare) ||
				chatter.MatchString(bare) || offers.MatchString(bare) || strings.HasSuffix(bare, ":") ||
				chars(bare) < courtesy && !reports.MatchString(bare)
		}
		goesOn = over && strings.HasSuffix(s, ";")
		if !over && chars(b.String()) < reportLimit {
			if last, _ := utf8.DecodeLastRuneInString(b.String()); b.Len() > 0 && last < unicode.MaxLatin1 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
	})
	return clip(strings.TrimRight(b.String(), ";； "), reportLimit)
}

// offers is how an agent asks a person for something, or offers more.
var offers = pattern.New(`(?i)^(?:(?:now |then )?please\b|want me to|shall i|should i|would you like|do you want|if you(?:['’]d|` +
	` would| want| have)|` +
	`let me know|(?:just )?(?:tell|ping) me|try (?:it|again|now|testing)|once you|you can now|go run|ready (?:to|for)|happy to|` +
	`whenever you|when you['’]re|say the word)|\blet me\b|如果你|需要我|是否需要|请告诉我`)

// tell adds a remark whose words the note does not hold yet.
func (r *noteReader) tell(p part, m remark) {
	if m.text != "" && !r.known[m.text] {
		r.known[m.text] = true
		r.n[p] = append(r.n[p], m)
	}
}

// tellUnsaid adds the remarks of this turn that its last words do not hold.
func (r *noteReader) tellUnsaid(p part, list []remark) {
	for _, m := range list {
		if !strings.Contains(r.turn.said.text, m.text) {
			r.tell(p, m)
		}
	}
}

// silent says what a turn without words did: what it changed, else what it ran, else what
// it read.
func (t *noteTurn) silent(w *words) string {
	for _, of := range []struct {
		list       []string
		verb, verw string
	}{{t.changed, "Changed ", "改动了 "}, {t.did, "Ran ", "运行了 "}, {t.read, "Read ", "读取了 "}} {
		if len(of.list) > 0 {
			text := shortenList(unequal(of.list), 160, w.either(", ", "、"))
			return w.either(of.verb, of.verw) + text
		}
	}
	return ""
}

// unequal drops repeated strings.
func unequal(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// finish writes the last turn as the state of things, then what the calls show.
func (r *noteReader) finish() {
	t := r.turn
	r.tellUnsaid(donePart, t.reports)
	r.tellUnsaid(findingPart, t.findings)
	if r.staying.text != "" {
		r.addAsk(r.staying, nil, "")
	}
	if asks := r.n[askPart]; len(asks) > 0 && asks[0].more == 0 && chars(asks[0].text) <= bareAsk && r.plan != "" {
		asks[0].text += fmt.Sprintf(r.w.either(" (read first: %s)", "（最先读取：%s）"), r.plan)
	}
	r.dropOverlain()
	slices.SortStableFunc(r.n[donePart], func(a, b remark) int { return a.from - b.from })
	r.state(&t)
	r.n[todoPart] = append(r.n[todoPart], r.openFirst()...)
	r.n[filePart] = append(r.n[filePart], r.folders()...)
	r.n[commitPart] = append(r.n[commitPart], r.commits...)
	slices.Reverse(r.n[commitPart])
	for p := range r.n {
		r.n[p] = joinCounts(r.n[p])
	}
	r.leaveAsides()
}

// joinCounts makes one line of neighbours that count what had no room before.
func joinCounts(list []remark) (out []remark) {
	for _, m := range list {
		if k := len(out) - 1; k >= 0 && m.more > 0 && out[k].more > 0 {
			out[k].more += m.more
			out[k].span(m.from, m.to)
			continue
		}
		out = append(out, m)
	}
	return out
}

// told reads a message.
func (r *noteReader) told(e *Entry) *told {
	key := messageKey{e.Msg, r.w.lang, r.guess}
	return r.memory.remember(key, func() *told { return r.readTold(e) })
}

func (r *noteReader) readTold(e *Entry) *told {
	m, t, text := e.Msg, &told{failed: e.Msg.Error}, ownText(e.Parts)
	t.plans = m.Kind == model.KindUser && planMode.MatchString(text)
	switch {
	case m.Kind == model.KindSummary, m.Kind != model.KindResult && IsSummary(head(text, 1024)):
		return &told{former: text}
	case m.Kind == model.KindUser:
		r.person(t, e, text)
	case m.Kind == model.KindAssistant:
		words, _, _ := strings.Cut(text, "<function=")
		words = withoutChatter(words)
		if t.said = clipEnds(sentencesOf(words, 4*saidLimit), saidLimit); idleWords.MatchString(t.said) {
			t.said = "" // a program's
		}
		thought := htmlNote.ReplaceAllString(joinParts(e.Parts, model.PartReasoning), "")
		t.thought = line(lastSentences(thought, reportLimit), 2*reportLimit)
		facts.Sentences(head(words, phaseBytes), func(s string) { t.sentence(s, true) })
		facts.Sentences(head(joinParts(e.Parts, model.PartReasoning), phaseBytes), func(s string) { t.sentence(s, false) })
	}
	for i := range e.Parts {
		switch p := &e.Parts[i]; p.Kind {
		case model.PartCall:
			t.calls = append(t.calls, readCall(p))
		case model.PartResult:
			t.results = append(t.results, r.readResult(m, p))
		}
	}
	if m.Kind == model.KindResult && len(t.results) == 0 {
		t.results = append(t.results, r.readResult(m, &model.Part{Text: text, CallID: m.Answers, Name: m.Name}))
	}
	return t
}

// idleWords are a program's in an agent's place.
var idleWords = pattern.New(`^(?:No response requested|API Error\b)`)
