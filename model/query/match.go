package query

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model"
)

// Subject is a message as a query asks about it. What is not known of it is the zero
// value, which meets no clause.
type Subject struct {
	Num     int            // in the history, from 1; 0: not in it
	Msg     *model.Message // nil: the summary of a record
	Tool    string         // of a result whose message does not name it: that of its call
	Tokens  int
	Live    bool // it has a fate
	Fate    model.Fate
	Pinned  bool
	Summary bool
	// Files reports whether a path that its calls name holds a text; nil: it names
	// none. It is asked only by the clause file.
	Files func(part string) bool
}

// Place is where a term is found: bytes From to To of the text of a part. The text of
// a call is its name and arguments without quotation marks and escapes.
type Place struct{ Part, From, To int }

// Hit is what was found in a message.
type Hit struct {
	Places []Place // in order; of very many the first
	Count  int     // of all places
}

// mostPlaces bounds the places of one message that are kept.
const mostPlaces = 2000

// Matcher is a query made ready. It is immutable.
type Matcher struct {
	query   Query
	texts   []text // of terms about texts
	clauses []Term
	needles []Needle
	in      []Term // clauses that say where words are looked for
	parts   bool   // parts have to be read
}

type text struct {
	not   bool
	lit   literal
	exact string // the literal as it is typed, where its case counts
	word  bool
	re    *regexp.Regexp
}

// Compile makes a query ready.
func Compile(q Query) *Matcher {
	m := &Matcher{query: q}
	for _, t := range q.Terms {
		m.add(q.compared(t))
	}
	return m
}

// By reports whether a clause match says how words are compared: "case", "word",
// "regexp".
func (q Query) By(how string) bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool {
		return t.Kind == Clause && t.Key == Match && !t.Not && slices.ContainsFunc(t.Values, func(v Value) bool { return v.Text == how })
	})
}

// compared is a term as it is compared: with match:regexp a word is an expression.
func (q Query) compared(t Term) Term {
	if (t.Kind == Word || t.Kind == Phrase) && q.By("regexp") {
		t.Kind, t.Fold = Regexp, !q.By("case")
	}
	return t
}

func (m *Matcher) add(t Term) {
	x := text{not: t.Not, word: m.query.By("word")}
	need := t.Text
	switch {
	case t.Kind == Clause && t.Key == Match:
		return
	case t.Kind == Clause && t.Key == In:
		m.in = append(m.in, t)
		m.parts = true
		return
	case t.Kind == Clause:
		m.clauses = append(m.clauses, t)
		if n, ok := readsParts(t); ok {
			m.parts = true
			m.need(n)
		}
		return
	case t.Kind == Regexp:
		x.re, _ = t.regexp()
		if need = required(t.Text); t.Fold && strings.IndexFunc(need, func(r rune) bool { return r >= 0x80 }) >= 0 {
			need = ""
		}
	default:
		x.lit = newLiteral(t.Text)
		if m.query.By("case") {
			x.exact = t.Text
		}
	}
	m.texts, m.parts = append(m.texts, x), true
	if !t.Not {
		m.need(needle(need))
	}
}

func (m *Matcher) need(n Needle) {
	if n != nil {
		m.needles = append(m.needles, n)
	}
}

// readsParts reports whether a clause asks about the parts of a message, and what
// its bytes then hold.
func readsParts(t Term) (Needle, bool) {
	if t.Key != Has {
		return nil, false
	}
	reads := false
	for _, v := range t.Values {
		reads = reads || v.Text != "call"
	}
	if !t.Not && len(t.Values) == 1 {
		word := map[string]string{"image": "image", "code": "```", "link": "http"}[t.Values[0].Text]
		return needle(word), reads
	}
	return nil, reads
}

// Query is what was made ready.
func (m *Matcher) Query() Query { return m.query }

// Reads reports whether the parts of a message have to be read.
func (m *Matcher) Reads() bool { return m.parts }

// Asks reports whether a clause asks about a key.
func (m *Matcher) Asks(k Key, values ...string) bool {
	return slices.ContainsFunc(m.clauses, func(t Term) bool {
		one := func(v Value) bool { return slices.Contains(values, v.Text) }
		return t.Key == k && (len(values) == 0 || slices.ContainsFunc(t.Values, one))
	})
}

// May reports whether a message meets all that can be said without its parts.
func (m *Matcher) May(s *Subject) bool {
	for i := range m.clauses {
		t := &m.clauses[i]
		if _, reads := readsParts(*t); !reads && t.holds(s, nil) == t.Not {
			return false
		}
	}
	return true
}

// Match looks whether a message meets the query. parts is nil where [Matcher.Reads]
// is false.
func (m *Matcher) Match(s *Subject, parts []model.Part, x *Scratch) (h Hit, ok bool) {
	for i := range m.clauses {
		if t := &m.clauses[i]; t.holds(s, parts) == t.Not {
			return h, false
		}
	}
	if len(m.texts) == 0 {
		return h, m.inSome(s, parts)
	}
	h, ok = m.places(s, parts, x)
	x.places = h.Places[:0] // the next message is looked through with the same room
	if !ok {
		return Hit{}, false
	}
	h.Places = slices.Clone(h.Places)
	return h, true
}

// places finds where the words of a query are, in the room that a scratch has.
func (m *Matcher) places(s *Subject, parts []model.Part, x *Scratch) (h Hit, ok bool) {
	h.Places = x.places[:0]
	x.found = append(x.found[:0], make([]bool, len(m.texts))...)
	for i := range parts {
		if !m.looksAt(s, &parts[i]) {
			continue
		}
		x.set(x.textOf(&parts[i]))
		had := h.Count
		if !m.take(&h, i, x) {
			return h, false
		}
		if had == 0 && h.Count > 0 {
			x.first = x.text
		}
	}
	for k, f := range x.found {
		if !f && !m.texts[k].not {
			return h, false
		}
	}
	return h, true
}

// textOf is the text of a part that is looked through.
func (x *Scratch) textOf(p *model.Part) string {
	switch p.Kind {
	case model.PartCall:
		return x.arguments(p.Name, p.Text)
	case model.PartMedia, model.PartOpaque:
		return ""
	}
	return p.Text
}

// TextOf is the text of a part in which places are counted.
func TextOf(p *model.Part) string { return new(Scratch).textOf(p) }

// inSome reports whether a message has a part of the kinds that the query wants.
func (m *Matcher) inSome(s *Subject, parts []model.Part) bool {
	return len(m.in) == 0 || slices.ContainsFunc(parts, func(p model.Part) bool { return m.looksAt(s, &p) })
}

// looksAt reports whether words are looked for in a part.
func (m *Matcher) looksAt(s *Subject, p *model.Part) bool {
	for _, t := range m.in {
		if slices.ContainsFunc(t.Values, func(v Value) bool { return v.Text == partName(s, p) }) == t.Not {
			return false
		}
	}
	return true
}

func partName(s *Subject, p *model.Part) string {
	switch {
	case p.Kind == model.PartReasoning:
		return "reasoning"
	case p.Kind == model.PartCall:
		return "call"
	case p.Kind == model.PartResult:
		return "result"
	case s.Summary:
		return "summary"
	case s.Msg != nil && s.Msg.Kind == model.KindResult:
		return "result"
	}
	return "text"
}

// take notes the places of all terms in the text at hand, in order, and which terms
// are there; places that touch or have only a space between them are one. It reports
// false where a term is there that must not be.
func (m *Matcher) take(h *Hit, part int, x *Scratch) bool {
	x.heads = x.heads[:0]
	for k := range m.texts {
		head := newHead(&m.texts[k], x)
		if head.from < 0 {
			continue
		}
		if head.text.not {
			return false
		}
		x.found[k] = true
		x.heads = append(x.heads, head)
	}
	last := Place{Part: part, To: -2} // nothing touches it
	for len(x.heads) > 0 {
		first := 0
		for k := range x.heads {
			if x.heads[k].from < x.heads[first].from {
				first = k
			}
		}
		f := &x.heads[first]
		if f.from <= last.To || f.from == last.To+1 && x.text[last.To] == ' ' {
			last.To = max(last.To, f.to)
			if h.Count <= mostPlaces {
				h.Places[h.Count-1].To = last.To
			}
		} else {
			last = Place{part, f.from, f.to}
			if h.Count++; h.Count <= mostPlaces {
				h.Places = append(h.Places, last)
			}
		}
		if f.next(x); f.from < 0 {
			x.heads = slices.Delete(x.heads, first, first+1)
		}
	}
	return true
}

// head is where a term is found next in the text at hand.
type head struct {
	text     *text
	from, to int // from < 0: no more
	rest     [][]int
}

// newHead is the first place of a term. Of an expression all are looked for at once: what
// it matches depends on what is before.
func newHead(t *text, x *Scratch) head {
	f := head{text: t}
	if t.re != nil {
		f.rest = t.re.FindAllStringIndex(x.text, -1)
	}
	f.next(x)
	return f
}

// next goes on to the next place.
func (f *head) next(x *Scratch) {
	t := f.text
	if t.re != nil {
		for len(f.rest) > 0 {
			at := f.rest[0]
			if f.rest = f.rest[1:]; at[1] > at[0] && t.fits(x.text, at[0], at[1]) {
				f.from, f.to = at[0], at[1]
				return
			}
		}
		f.from = -1
		return
	}
	for at := f.to; ; {
		f.from, f.to = x.next(&t.lit, at)
		if f.from < 0 || t.fits(x.text, f.from, f.to) {
			return
		}
		_, n := utf8.DecodeRuneInString(x.text[f.from:])
		at = f.from + n
	}
}

// fits reports whether what was found is spelled as it was typed, and is whole words,
// where that is asked.
func (t *text) fits(s string, from, to int) bool {
	if t.exact != "" && s[from:to] != t.exact {
		return false
	}
	return !t.word || apart(s, from) && apart(s, to)
}

// apart reports whether a word ends or begins at a byte of a text: the characters on
// both sides do not belong to one word. Scripts without spaces have no such ends;
// there every place is one.
func apart(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return !ofWord(before) || !ofWord(after)
}

func ofWord(r rune) bool {
	return r == '_' || unicode.IsDigit(r) || unicode.IsLetter(r) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Expression matches what the words of a query match, to mark it where a text is
// shown; nil: it has none.
func (q Query) Expression() *regexp.Regexp {
	var list []string
	for _, t := range q.Terms {
		t = q.compared(t)
		source := ""
		switch {
		case t.Not || t.Kind == Clause:
			continue
		case t.Kind == Regexp:
			re, err := t.regexp()
			if err != nil {
				continue
			}
			source = re.String()
		case q.By("case"):
			source = regexp.QuoteMeta(t.Text)
		default:
			source = "(?i:" + regexp.QuoteMeta(t.Text) + ")"
		}
		if q.By("word") {
			source = wordEnd(t, true) + source + wordEnd(t, false)
		}
		list = append(list, source)
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	re, err := regexp.Compile(strings.Join(list, "|"))
	if err != nil {
		return nil // each was compiled: together they are too large
	}
	return re
}

// wordEnd is the assertion of an expression that a word ends at one end of a term;
// expressions know only the ends of ASCII words.
func wordEnd(t Term, first bool) string {
	r, _ := utf8.DecodeLastRuneInString(t.Text)
	if first {
		r, _ = utf8.DecodeRuneInString(t.Text)
	}
	if t.Kind != Regexp && r < utf8.RuneSelf && ofWord(r) {
		return `\b`
	}
	return ""
}

// holds reports whether a clause is met, without regard to its minus.
func (t *Term) holds(s *Subject, parts []model.Part) bool {
	return slices.ContainsFunc(t.Values, func(v Value) bool { return t.Key.holds(v, s, parts) })
}

func (k Key) holds(v Value, s *Subject, parts []model.Part) bool {
	between := func(n int) bool { return v.Lo <= int64(n) && int64(n) <= v.Hi }
	switch k {
	case Role:
		return s.Msg != nil && s.Msg.Role.String() == v.Text
	case Tool:
		return s.usesTool(v.Text)
	case Tokens:
		return between(s.Tokens)
	case Message:
		return s.Num > 0 && between(s.Num)
	case Fate:
		return s.Live && s.Fate.Letter() == v.Text
	case Is:
		return s.is(v.Text)
	case Has:
		return s.has(v.Text, parts)
	case File:
		return s.Files != nil && s.Files(v.Text)
	}
	return false
}

func (s *Subject) is(what string) bool {
	switch what {
	case "error":
		return s.Msg != nil && s.Msg.Error
	case "pinned":
		return s.Pinned || s.Live && s.Fate == model.Pinned
	case "typed":
		return s.Msg != nil && s.Msg.ByPerson()
	case "live":
		return s.Live
	case "gone":
		return !s.Live
	}
	return s.Summary // "summary"
}

func (s *Subject) has(what string, parts []model.Part) bool {
	if what == "call" {
		return s.Msg != nil && len(s.Msg.Calls) > 0
	}
	return slices.ContainsFunc(parts, func(p model.Part) bool {
		switch what {
		case "image":
			return p.Kind == model.PartMedia && strings.Contains(strings.ToLower(p.Name), "image")
		case "media":
			return p.Kind == model.PartMedia
		case "reasoning":
			return p.Kind == model.PartReasoning
		case "code":
			return strings.Contains(p.Text, "```")
		}
		return strings.Contains(p.Text, "http://") || strings.Contains(p.Text, "https://") // "link"
	})
}

// usesTool reports whether a message calls a tool or is a result of it.
func (s *Subject) usesTool(pattern string) bool {
	if s.Msg == nil {
		return false
	}
	if s.Msg.Kind == model.KindResult && (like(s.Msg.Name, pattern) || like(s.Tool, pattern)) {
		return true
	}
	return slices.ContainsFunc(s.Msg.Calls, func(c model.Call) bool { return like(c.Name, pattern) })
}

// like compares a name with a pattern, in which * matches any characters.
func like(name, pattern string) bool {
	if name == "" {
		return false
	}
	name, pattern = foldText(name), foldText(pattern)
	pieces := strings.Split(pattern, "*")
	if len(pieces) == 1 {
		return name == pattern
	}
	rest, ok := strings.CutPrefix(name, pieces[0])
	if !ok {
		return false
	}
	for _, p := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(rest, p)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, pieces[len(pieces)-1])
}

func index(b []byte, s string) int { return bytes.Index(b, []byte(s)) }
