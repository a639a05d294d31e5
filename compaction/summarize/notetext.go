package summarize

import (
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
		if p := slices.Index(w.parts[:], l); p >= 0 {
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

// readNote reads a text back into the parts of a note. before is what stands above the
// first part: a frame, or a model's words. A list of facts at the end is no part of it.
func readNote(text string) (n *note, before string) {
	if at := facts.LedgerStart(text); at >= 0 {
		text = text[:at]
	}
	in, at := noteParts, 0
	for l := range strings.Lines(text) {
		bare := strings.TrimRight(l, " \r\n")
		if p, ok := partOf(bare); ok {
			if in = p; n == nil {
				n, before = new(note), text[:at]
			}
		} else if r, ok := readRemark(bare); ok && n != nil {
			n[in] = append(n[in], r)
		}
		at += len(l)
	}
	if n == nil {
		return nil, text
	}
	return n, before
}

// clipEnds cuts a line to at most limit code points between its sentences and says so. What
// ends a long message is often what it comes to: a third of the limit is for its last
// sentences.
func clipEnds(s string, limit int) string {
	if chars(s) <= limit {
		return s
	}
	const gap = 3
	if limit < 2*leastRemark {
		return saysMore(s, clip(s, limit-gap+1))
	}
	first := clip(s, limit*2/3-gap)
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
	case len(beginning) >= len(strings.TrimRight(s, ";； ")), strings.HasSuffix(beginning, ellipsis), strings.HasSuffix(beginning, "..."):
		return beginning
	case strings.HasPrefix(s, beginning):
		return beginning + " " + ellipsis
	}
	return ellipsis + " " + beginning + " " + ellipsis // a courtesy at its beginning was left out
}
