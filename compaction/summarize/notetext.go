package summarize

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/model/pattern"
)

// line writes a remark: "- Fix the parser (#12–14)".
func (r *remark) line(w *words) string {
	text := r.text
	if r.more > 0 {
		text = fmt.Sprintf(w.either("… %d more", "… 另有 %d 条"), r.more)
	}
	if r.from > 0 {
		text += " (#" + span(r.from, max(r.from, r.to)) + ")"
	}
	return "- " + text
}

var (
	remarkLine = pattern.New(`^- (.+?)(?: \(#(\d{1,8})(?:–(\d{1,8}))?\))?$`)
	madeFrom   = pattern.New(`(?m)^(- .+?) \(#\d{1,8}(?:–\d{1,8})?\)$`)
	moreRemark = pattern.New(`^… (?:另有 )?(\d{1,8}) (?:more|条)$`)
)

// readRemark reads what [remark.line] wrote.
func readRemark(l string) (remark, bool) {
	m := remarkLine.FindStringSubmatch(l)
	if m == nil {
		return remark{}, false
	}
	r := remark{text: m[1]}
	if m[2] != "" {
		ends := numbers(m[2:4])
		r.from, r.to = ends[0], ends[1]
	}
	if more := moreRemark.FindStringSubmatch(r.text); more != nil {
		r.more, _ = strconv.Atoi(more[1])
		r.text = ""
	}
	return r, true
}

// partOf is the part that a line heads.
func partOf(l string) (part, bool) {
	for _, w := range []*words{english, chinese} {
		if p := slices.IndexFunc(w.parts[:], func(head string) bool { return l == head || l == shortHead(head) }); p >= 0 {
			return part(p), true
		}
	}
	return 0, false
}

// Tells reports whether a line heads the part of a note in which sentences of a kind stand:
// what was ordered, decided, or failed.
func Tells(head string, k facts.Kind) bool {
	p, ok := partOf(strings.TrimSpace(head))
	in, told := map[facts.Kind]part{facts.Instruction: orderPart, facts.Decision: findingPart, facts.Error: statePart}[k]
	return ok && told && p == in
}

// readNote reads a text back into the parts of a note, in any of its forms. before is what
// stands above the first part, a frame or a model's words, with the lines that somebody added. A list of facts at the end is no
// part of it.
func readNote(text string) (n *note, before string) {
	if at := facts.LedgerStart(text); at >= 0 {
		text = text[:at]
	}
	if n = readPage(text); n != nil {
		return n, ""
	}
	in, at, added := noteParts, 0, ""
	for l := range strings.Lines(text) {
		bare := strings.TrimRight(l, " \r\n")
		p, headed := partOf(bare)
		r, ok := readRemark(bare)
		if !ok && !headed {
			in, r, ok = readRow(bare, in)
			headed = ok && n == nil
		} else if headed {
			in = p
		}
		if headed && n == nil {
			n, before = new(note), text[:at]
		}
		switch {
		case ok && n != nil:
			n[in] = append(n[in], r)
		case n != nil && !headed && bare != "" && !strings.HasPrefix(bare, "|"):
			added += l
		}
		at += len(l)
	}
	if n == nil {
		return nil, text
	}
	return n, before + added
}

var remarkRow = pattern.New(`^\| (#\d{1,8}(?:–\d{1,8})?)? ?\| ([^|]+) \| (.+) \|$`)

// readRow reads a row of a table; else the part stays as it is.
func readRow(l string, in part) (part, remark, bool) {
	m := remarkRow.FindStringSubmatch(l)
	if m == nil {
		return in, remark{}, false
	}
	p, ok := partOf("## " + m[2])
	if !ok {
		return in, remark{}, false
	}
	line := "- " + strings.ReplaceAll(m[3], `\|`, "|")
	if m[1] != "" {
		line += " (" + m[1] + ")"
	}
	r, ok := readRemark(line)
	return p, r, ok
}

// readPage reads a JSON object; nil: it is none.
func readPage(text string) *note {
	var page jsonPage
	body, _ := StripHeading(text)
	if !strings.HasPrefix(body, "{") || json.Unmarshal([]byte(body), &page) != nil {
		return nil
	}
	n := new(note)
	for p, list := range page.parts() {
		for _, l := range list {
			if r, ok := readRemark("- " + l); ok {
				n[p] = append(n[p], r)
			}
		}
	}
	for _, t := range page.Turns { // of an earlier version
		n[askPart] = appendSaid(n[askPart], t.User)
		n[donePart] = appendSaid(n[donePart], t.Outcome)
	}
	for _, l := range page.Earlier {
		n[donePart] = appendSaid(n[donePart], l)
	}
	for _, s := range page.Steps {
		f := stepFacts{err: s.Error, failed: s.Error != ""}
		f.field[fieldStatus], f.field[fieldResult] = s.Status, s.Result
		n[donePart] = appendSaid(n[donePart], english.pointBrief(f.point(s.Step)))
	}
	return n
}

func appendSaid(list []remark, text string) []remark {
	if text = line(text, askLimit); text == "" {
		return list
	}
	return append(list, remark{text: text})
}

// leastCut is about the shortest beginning of a sentence that says something.
const leastCut = 60

// clipEnds cuts a line to at most limit code points between its sentences and says so. What
// ends a long message is often what it comes to: a third of the limit is for its last
// sentences.
func clipEnds(s string, limit int) string {
	if chars(s) <= limit {
		return s
	}
	const gap = 3
	if limit < 2*leastCut {
		return saysMore(s, clip(s, limit-gap+1))
	}
	first := clip(s, limit*2/3-gap)
	if chars(first) < limit/3 { // few sentences end in it
		first = ellipsize(s, limit*2/3-gap)
	}
	if first = saysMore(s, first); first == s {
		return s
	}
	rest := limit - chars(first) - 1
	from := 0 // where the last sentences begin that fit
	for i, r := range s {
		if i > 0 && endsSentence(s, i, r) {
			if end := s[i:]; len(end) > 4*rest || chars(end) > rest+1 {
				continue
			}
			from = i + len(string(r))
			break
		}
	}
	last := strings.TrimSpace(s[min(max(from, 0), len(s)):])
	if from < len(strings.TrimSuffix(first, ellipsis)) || last == "" || from == 0 {
		return first
	}
	return first + " " + last
}

// saysMore says of a beginning that more follows.
func saysMore(s, beginning string) string {
	switch {
	case len(beginning) >= len(strings.TrimRight(s, ";； ")), strings.HasSuffix(beginning, ellipsis):
		return beginning
	case strings.HasPrefix(s, beginning):
		return beginning + " " + ellipsis
	}
	return ellipsis + " " + beginning + " " + ellipsis // a courtesy at its beginning was left out
}

// clipAsk cuts an ask to at most limit code points. Of a long one, beside its beginning and its end,
// those sentences stay that say what is to be done and what not.
func clipAsk(s string, limit int) string {
	const gap = 4
	ends := clipEnds(s, limit)
	short := clipEnds(s, limit/2)
	first, last, ok := strings.Cut(short, ellipsis)
	if limit < 4*leastCut || 4*chars(s) < 5*limit || !ok {
		return ends
	}
	room, between := limit-chars(short)-gap, ""
	eachSentence(s, func(one string) {
		n, said := chars(one)+1, strings.Contains(short, head(one, leastCut/2))
		if !said && n <= min(room, longSentence) && instructs.MatchString(one) {
			between += one + " "
			room -= n
		}
	})
	if between == "" {
		return ends
	}
	return first + ellipsis + " " + between + ellipsis + last
}

// instructs is how a person begins to say what is to be done, and what not.
var instructs = pattern.New(`(?i)^(?:[-*•\d.) ]*)(?:must|never|always|only|do not|don['’]t|make sure|ensure|commit|push|report|run|write|` +
	`return|use|implement|fix|add|stop|exit|start|keep|read|check|update|mark|before|after|if)\b|\b(?:must|never|only)\b|必须|不要|禁止|务必|只`)

// longSentence is the length, in code points, of a sentence that says more than one thing to do.
const longSentence = 200
