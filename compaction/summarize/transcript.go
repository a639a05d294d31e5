package summarize

import (
	"sort"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
)

// Limits of the transcript that a model is asked to summarise, in code points.
const (
	transcriptLimit = 12000 // the whole
	chatLimit       = 500   // one chat message
	resultLimit     = 200   // one tool result
	argumentLimit   = 200   // the arguments of one call, which the first authors did not show
	leastShown      = 40    // no text is cut shorter to make the transcript fit; messages are left out instead
)

// transcript writes the entries as a conversation for a model to read, in at most
// limit code points. Each message is cut at its own limit; when the
// whole is still too long, all are cut at one lower limit, so that the newest
// are heard like the oldest. What does not fit even then is counted. Former
// summaries and system messages are no part of it: [Prompt] gives them sections
// of their own.
//
// A line of a message that could pass for a label or the end of the transcript
// is indented, so that what a history says stays what a history says.
func transcript(entries []Entry, l Lang, limit int) string {
	w := promptWordsOf(l)
	var all []shownMessage
	for i := range entries {
		if t, ok := asShown(&entries[i], w); ok {
			all = append(all, t)
		}
	}
	size := func(most int) int {
		n := 0
		for i := range all {
			n += all[i].size(most)
		}
		return n
	}
	if size(limit) <= limit {
		return write(all, limit)
	}
	if size(leastShown) <= limit {
		// The largest common limit at which everything fits.
		most := sort.Search(limit, func(n int) bool { return size(n+1) > limit })
		return write(all, max(most, leastShown))
	}
	return leaveOut(all, w, limit)
}

// shownMessage is one message as a transcript shows it.
type shownMessage struct {
	pieces []shownPiece
	result bool
}

// shownPiece is a label with its text and what follows it.
type shownPiece struct {
	label, text, end string
	runes            int // of the text
	limit            int // its own; 0: none but the common one
}

func piece(label, text, end string, limit int) shownPiece {
	return shownPiece{label, text, end, utf8.RuneCountInString(text), limit}
}

// cutAt is where the text is cut under a common limit.
func (p *shownPiece) cutAt(most int) int {
	if p.limit > 0 {
		return min(p.limit, most)
	}
	return most
}

func (t *shownMessage) size(most int) int {
	n := 0
	for i := range t.pieces {
		p := &t.pieces[i]
		n += utf8.RuneCountInString(p.label) + min(p.runes, p.cutAt(most)) + len(p.end)
		if p.runes > p.cutAt(most) {
			n += len("...")
		}
	}
	return n
}

func (t *shownMessage) write(b *strings.Builder, most int) {
	for i := range t.pieces {
		p := &t.pieces[i]
		b.WriteString(p.label)
		b.WriteString(Truncate(p.text, p.cutAt(most)))
		b.WriteString(p.end)
	}
}

func write(all []shownMessage, most int) string {
	var b strings.Builder
	for i := range all {
		all[i].write(&b, most)
	}
	return b.String()
}

// asShown puts one message under its labels. It is false for what has no place in
// the transcript.
func asShown(e *Entry, w *promptWords) (shownMessage, bool) {
	t, shown := labelled(e, w)
	if e.Uncut {
		for i := range t.pieces {
			t.pieces[i].limit = 0
		}
	}
	return t, shown
}

func labelled(e *Entry, w *promptWords) (shownMessage, bool) {
	m := e.Msg
	if m == nil || e.Former != "" {
		return shownMessage{}, false
	}
	switch m.Kind {
	case model.KindSystem, model.KindSummary, model.KindOther, model.KindBoundary:
		return shownMessage{}, false
	case model.KindResult:
		return shownMessage{[]shownPiece{piece(w.result, shield(resultText(e.Parts)), "\n\n", resultLimit)}, true}, true
	}
	text := shield(joinText(e.Parts))
	names, calls := callNames(e.Parts)
	switch {
	case m.Kind == model.KindUser:
		return shownMessage{[]shownPiece{piece(w.user, text, "\n\n", chatLimit)}, false}, true
	case !calls:
		return shownMessage{[]shownPiece{piece(w.agent, text, "\n\n", chatLimit)}, false}, true
	case text == "":
		return shownMessage{[]shownPiece{piece(w.call, names, "\n\n", 0)}, false}, true
	}
	return shownMessage{[]shownPiece{piece(w.agent, text, "\n", 0), piece(w.call, names, "\n\n", 0)}, false}, true
}

// callNames lists the calls of a message with their arguments, and whether
// there are any.
func callNames(parts []model.Part) (string, bool) {
	var names []string
	for i := range parts {
		if p := &parts[i]; p.Kind == model.PartCall {
			name := line(p.Name, nameLimit)
			if args := line(p.Text, argumentLimit); args != "" && args != "{}" && args != "null" {
				name += " " + args
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, ", "), len(names) > 0
}

func joinText(parts []model.Part) string { return joinParts(parts, model.PartText) }

func resultText(parts []model.Part) string {
	if s := joinParts(parts, model.PartResult); s != "" {
		return s
	}
	return joinText(parts)
}

func joinParts(parts []model.Part, k model.PartKind) string {
	var s []string
	for i := range parts {
		if parts[i].Kind == k && parts[i].Text != "" {
			s = append(s, parts[i].Text)
		}
	}
	return strings.Join(s, "\n")
}

// frameLine is the line that opens and closes what is quoted in a prompt.
const frameLine = "---"

// shield indents lines that would read as part of the prompt's own frame, and
// makes the text valid UTF-8.
func shield(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if !strings.Contains(s, "[") && !strings.Contains(s, frameLine) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if frames(strings.TrimRight(l, " \t\r")) {
			lines[i] = "  " + l
		}
	}
	return strings.Join(lines, "\n")
}

func frames(l string) bool {
	if l == frameLine {
		return true
	}
	for _, w := range []*promptWords{promptEnglish, promptChinese} {
		for _, mark := range []string{w.user, w.agent, w.call, w.result, w.existing, w.notes, w.partName} {
			if strings.HasPrefix(l, strings.TrimRight(mark, " ")) {
				return true
			}
		}
	}
	return false
}

// leaveOut makes a transcript fit whose messages do not fit however short: first
// the results go, then what is oldest but for the very first messages.
func leaveOut(all []shownMessage, w *promptWords, limit int) string {
	kept := make([]shownMessage, 0, len(all))
	for i := range all {
		if !all[i].result {
			kept = append(kept, all[i])
		}
	}
	results := len(all) - len(kept)
	room := limit - 2*utf8.RuneCountInString(w.omitted(len(all)))
	from, used := 0, 0
	for from < len(kept) && used+kept[from].size(leastShown) <= room/4 {
		used += kept[from].size(leastShown)
		from++
	}
	to := len(kept)
	for to > from && used+kept[to-1].size(leastShown) <= room {
		used += kept[to-1].size(leastShown)
		to--
	}
	var b strings.Builder
	if results > 0 {
		b.WriteString(w.omittedResults(results))
	}
	for i := range kept[:from] {
		kept[i].write(&b, leastShown)
	}
	if to > from {
		b.WriteString(w.omitted(to - from))
	}
	for i := range kept[to:] {
		kept[to+i].write(&b, leastShown)
	}
	out := b.String()
	if utf8.RuneCountInString(out) <= limit {
		return out
	}
	if limit <= len("...") {
		return ""
	}
	return Truncate(out, limit-len("..."))
}
