package blocks

import (
	"encoding/json"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// ErrFixed says that a part of a summary's frame can't be changed alone.
var ErrFixed error = &model.Problem{Code: "summary-frame", What: "This line belongs to the frame of the summary.",
	Next: "Edit the raw text instead."}

// ErrNotJSON says that a line of a summary in JSON must stay a JSON value.
var ErrNotJSON error = &model.Problem{Code: "summary-json", What: "The line must stay a JSON value.",
	Next: "Mind the quotes and brackets, or edit the raw text."}

// Remove returns the text without a line and those under it. Where nothing is
// left below a head, the head goes too.
func (o *Outline) Remove(block, line int) (string, error) {
	b := &o.Blocks[block]
	from, to := b.Under(line)
	if b.Lines[line].Fixed || b.Kind == Frame {
		return "", ErrFixed
	}
	left := 0
	for i, l := range b.Lines {
		if !l.Fixed && (i < from || i >= to) {
			left++
		}
	}
	if left == 0 {
		return o.RemoveBlock(block)
	}
	first := b.Lines[from]
	out := slices.Clone(o.lines[:first.at])
	if first.col > 0 && b.head && first.at == b.from { // beside its head
		out = append(out, strings.TrimRight(o.lines[first.at][:first.col], " "))
	}
	return o.mend(append(out, o.lines[b.Lines[to-1].at+1:]...)), nil
}

// RemoveBlock returns the text without a block.
func (o *Outline) RemoveBlock(block int) (string, error) {
	b := &o.Blocks[block]
	if b.Kind == Frame {
		return "", ErrFixed
	}
	from, to := b.from, b.to
	if o.json && b.zone == 1 { // brackets stay
		if len(b.Lines) == 0 {
			return "", ErrFixed
		}
		from++
		for to > from && !b.movable(to-1) {
			to--
		}
	} else if to == len(o.lines) { // the last one takes what is before it along
		for from > 0 && o.lines[from-1] == "" {
			from--
		}
	}
	out := slices.Concat(o.lines[:from], o.lines[to:])
	return o.mend(withoutBareTitle(out)), nil
}

// movable reports whether a line of the text is one of the block's own.
func (b *Block) movable(at int) bool {
	return slices.ContainsFunc(b.Lines, func(l Line) bool { return l.at == at && !l.Fixed })
}

// withoutBareTitle takes the title off a ledger that lists nothing any more.
func withoutBareTitle(lines []string) []string {
	n := len(lines)
	for n > 0 && lines[n-1] == "" {
		n--
	}
	if n > 0 && facts.IsLedgerTitle(lines[n-1]) {
		for n--; n > 0 && lines[n-1] == ""; {
			n--
		}
		return lines[:n]
	}
	return lines
}

// Replace returns the text with a line written anew; what is under it stays. Line
// ends in the words become spaces.
func (o *Outline) Replace(block, line int, words string) (string, error) {
	l := o.Blocks[block].Lines[line]
	words = strings.TrimSpace(strings.Join(strings.FieldsFunc(words, func(r rune) bool { return r == '\n' || r == '\r' }), " "))
	switch {
	case l.Fixed || o.Blocks[block].Kind == Frame:
		return "", ErrFixed
	case words == "":
		return o.Remove(block, line)
	case o.json && o.Blocks[block].zone == 1 && !json.Valid([]byte(words)):
		return "", ErrNotJSON
	}
	out := slices.Clone(o.lines)
	out[l.at] = out[l.at][:l.col] + words
	return o.mend(out), nil
}

// CanMove reports whether a block can change its place with the next one that way.
func (o *Outline) CanMove(block, by int) bool {
	to := block + by
	if to < 0 || to >= len(o.Blocks) || by != 1 && by != -1 {
		return false
	}
	a, b := &o.Blocks[block], &o.Blocks[to]
	return a.Kind != Frame && b.Kind != Frame && a.zone == b.zone && !(o.json && a.zone == 1)
}

// Move returns the text with a block one place further down (1) or up (−1). The
// empty lines between blocks stay where they are.
func (o *Outline) Move(block, by int) (string, error) {
	if !o.CanMove(block, by) {
		return "", ErrFixed
	}
	first := &o.Blocks[min(block, block+by)]
	second := &o.Blocks[max(block, block+by)]
	a, gap := o.body(first)
	b, end := o.body(second)
	out := slices.Concat(o.lines[:first.from], b, gap, a, end, o.lines[second.to:])
	return o.mend(out), nil
}

// body is a block without the empty lines behind it, and those.
func (o *Outline) body(b *Block) (lines, gap []string) {
	n := b.to
	for n > b.from && o.lines[n-1] == "" {
		n--
	}
	return o.lines[b.from:n], o.lines[n:b.to]
}

// Take returns the text with a block of another summary: in the place of the block
// with the same head, else behind the last one of its kind of place, in front of the
// ledger or within it.
func (o *Outline) Take(from *Outline, block int) (string, error) {
	b := &from.Blocks[block]
	body, _ := from.body(b)
	if b.Kind == Frame || from.json != o.json && b.Kind != Facts {
		return "", ErrFixed
	}
	for i := range o.Blocks {
		x := &o.Blocks[i]
		if x.Kind == b.Kind && x.Fact == b.Fact && x.Title == b.Title {
			_, gap := o.body(x)
			return o.mend(slices.Concat(o.lines[:x.from], body, gap, o.lines[x.to:])), nil
		}
	}
	if b.Kind != Facts {
		at := len(o.lines)
		for i := range o.Blocks {
			if o.Blocks[i].Title != "" && o.Blocks[i].Kind == Frame {
				at = o.Blocks[i].from
				break
			}
		}
		head := slices.Clone(o.lines[:at])
		for len(head) > 0 && head[len(head)-1] == "" {
			head = head[:len(head)-1]
		}
		tail := o.lines[at:]
		if len(tail) > 0 {
			tail = append([]string{""}, tail...)
		}
		return o.mend(slices.Concat(head, []string{""}, body, tail)), nil
	}
	text, err := o.ledger(b.Fact, isChinese(o.text))
	if err != nil {
		return "", err
	}
	p := Parse(text)
	return p.Take(from, block)
}

// ledger returns the text with an empty group of a kind in its ledger.
func (o *Outline) ledger(k facts.Kind, chinese bool) (string, error) {
	title, head := facts.LedgerWords(k, chinese)
	at, found := len(o.lines), false
	for i := range o.Blocks {
		b := &o.Blocks[i]
		switch {
		case b.Kind == Frame && b.Title != "":
			found, at = true, b.to
		case found && b.Kind == Facts && place(b.Fact) < place(k):
			at = b.to
		}
	}
	lines := slices.Clone(o.lines[:at])
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if !found {
		lines = append(lines, "", title)
	}
	return strings.Join(slices.Concat(lines, []string{head}, o.lines[at:]), "\n"), nil
}

// place is the position of the group of a kind in a ledger.
func place(k facts.Kind) int { return slices.Index(facts.LedgerOrder[:], k) }

// PutBack returns the text with facts listed in its ledger, each in the group of
// its kind and in that group's own way of writing; a ledger is begun where there
// is none.
func (o *Outline) PutBack(list ...facts.Fact) (string, error) {
	chinese := isChinese(o.text)
	text := o.text
	for at, first := range list {
		kind := first.Kind
		if told, ok := Parse(text).tell(first); ok {
			text = told
			continue
		}
		ofKind := func(f facts.Fact) bool { return f.Kind == kind }
		if slices.ContainsFunc(list[:at], ofKind) {
			continue // it is listed with the first one of its kind
		}
		block := func(p *Outline) int {
			return slices.IndexFunc(p.Blocks, func(b Block) bool { return b.Kind == Facts && b.Fact == kind })
		}
		p := Parse(text)
		if block(p) < 0 {
			var err error
			if text, err = p.ledger(kind, chinese); err != nil {
				return "", err
			}
			p = Parse(text)
		}
		b := &p.Blocks[block(p)]
		body, gap := p.body(b)
		body = slices.Clone(body)
		comma := kind == facts.Number && len(b.Lines) > 0
		for _, f := range list[at:] {
			switch {
			case !ofKind(f):
			case !kind.Atom():
				body = append(body, "- "+f.Text)
			case comma:
				body[0] += ", " + f.Text
			default:
				body[0] += " " + f.Text
				comma = kind == facts.Number
			}
		}
		text = strings.Join(slices.Concat(p.lines[:b.from], body, gap, p.lines[b.to:]), "\n")
	}
	return text, nil
}

// tell puts a fact that is a sentence under the heading of a note that is for such; false:
// there is none.
func (o *Outline) tell(f facts.Fact) (string, bool) {
	for i := range o.Blocks {
		b := &o.Blocks[i]
		if b.Kind == Section && summarize.Tells(o.lines[b.from], f.Kind) {
			body, gap := o.body(b)
			return strings.Join(slices.Concat(o.lines[:b.from], body, []string{"- " + f.Text}, gap, o.lines[b.to:]), "\n"), true
		}
	}
	return "", false
}

// TakeOut returns the text without one fact of its ledger; the same text where the
// ledger lacks it.
func (o *Outline) TakeOut(f facts.Fact) (string, error) {
	for b := range o.Blocks {
		x := &o.Blocks[b]
		if (x.Kind != Facts || x.Fact != f.Kind) && (x.Kind != Section || !summarize.Tells(o.lines[x.from], f.Kind)) {
			continue
		}
		for i, l := range x.Lines {
			words := o.lines[l.at][l.col:]
			switch left, found := without(words, f); {
			case !found:
			case left == "":
				return o.Remove(b, i)
			default:
				return o.Replace(b, i, left)
			}
		}
	}
	return o.text, nil
}

// without takes a fact out of a line that lists it, from its end.
func without(words string, f facts.Fact) (left string, found bool) {
	if !f.Kind.Atom() {
		return "", strings.TrimSpace(words) == f.Text
	}
	for _, gap := range []string{", ", " "} {
		list := strings.Split(words, gap)
		for i := len(list) - 1; i >= 0; i-- {
			if list[i] == f.Text {
				return strings.Join(slices.Delete(list, i, i+1), gap), true
			}
		}
	}
	return words, false
}

// isChinese reports whether a text's own words are Chinese.
func isChinese(text string) bool {
	return strings.HasPrefix(text, "[对话") || strings.Contains(text, "\n[事实清单")
}

// mend joins lines to a text; in a summary in JSON, commas are between elements
// alone.
func (o *Outline) mend(lines []string) string {
	if !o.json {
		return strings.Join(lines, "\n")
	}
	out := slices.Clone(lines)
	for i := 0; i+1 < len(out) && !facts.IsLedgerTitle(out[i]); i++ {
		l, next := out[i], strings.TrimSpace(out[i+1])
		element := strings.HasSuffix(strings.TrimSuffix(l, ","), "}") || strings.HasSuffix(strings.TrimSuffix(l, ","), `"`)
		switch {
		case !element || strings.HasPrefix(l, `{"messages"`):
		case strings.HasPrefix(next, "]"):
			out[i] = strings.TrimSuffix(l, ",")
		case next != "" && !strings.HasSuffix(l, ",") && (strings.HasPrefix(next, "{") || strings.HasPrefix(next, `"`)):
			out[i] = l + ","
		}
	}
	return strings.Join(out, "\n")
}
