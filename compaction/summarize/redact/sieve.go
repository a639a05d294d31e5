package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"palimpsest/model"
)

// Hit is something that was found, with all its occurrences.
type Hit struct {
	Finding        // where it occurred first
	Num     int    // what the caller counts: the message or line of its first occurrence
	Times   int    // in how many of them it occurs, if they come in ascending order
	As      string // the placeholder that replaces it
	Let     bool   // it was let through
}

// Sieve hides what a [Redactor] finds in a run of texts, but for what a person
// lets through, and lists all of it. It may be used by one goroutine at a time.
//
//	text ──▶ views ──▶ keywords ──▶ windows around them ──▶ rules ──▶ findings
//	                                                                    │ kept or let through: stay
//	                                                                    ▼
//	"key=sk-9f…", later "sk-9f…"                  "key=[redacted:…-1]", later "[redacted:…-1]"
//
// A secret is known by what is around it, and hidden wherever it occurs from
// there on. So all of a sending goes through twice: once to look, then after
// [Sieve.Again] to hide.
type Sieve struct {
	r     *Redactor
	keep  map[string]bool
	let   map[string]bool // rules, placeholders and texts
	at    map[string]int  // secret → place in found
	found []Hit
	last  []int // of each, the latest it was counted in; -1: not since Again

	everywhere literals // secrets that are hidden also where no rule finds them
	seed       maphash.Seed
	seen       map[uint64][]Finding // by the hash of a text: what the rules find in it
}

// NewSieve makes a sieve; keep names findings that are let through.
func NewSieve(r *Redactor, keep map[string]bool) *Sieve {
	return &Sieve{r: r, keep: keep, let: map[string]bool{}, at: map[string]int{}, seed: maphash.MakeSeed(), seen: map[uint64][]Finding{}}
}

// Allow lets more findings through: all of a rule, the one behind a placeholder,
// spelled whole or by its name alone ("email-1"), or a text.
func (s *Sieve) Allow(names ...string) {
	for _, n := range names {
		s.let[n] = true
	}
}

// Also has kinds looked for that are not found unasked, see [Redactor.Also].
func (s *Sieve) Also(kinds ...Kind) { s.r.Also(kinds...) }

// Until has a sieve stop when a context ends, in the middle of a text, too. It gives
// no text from then on, since not all of it was looked through.
func (s *Sieve) Until(ctx context.Context) { s.r.until = ctx }

// longText is the length from which on a text takes so long that an end is not waited
// for: about a second.
const longText = 1 << 20

// scan is what the rules find in a text, and its views; nothing when it was stopped.
func (s *Sieve) scan(text string) (views []view, found []Finding) {
	if len(text) < longText || s.r.until == nil {
		views = viewsOf(text)
		return views, s.r.scan(text, views)
	}
	done := make(chan func())
	go func() {
		v := viewsOf(text)
		f := s.r.scan(text, v)
		select {
		case done <- func() { views, found = v, f }:
		case <-s.r.until.Done():
		}
	}()
	select {
	case take := <-done:
		take()
	case <-s.r.until.Done():
	}
	return views, found
}

// passes reports whether a finding is let through.
func (s *Sieve) passes(f Finding, as string) bool {
	short := strings.TrimSuffix(strings.TrimPrefix(as, "[redacted:"), "]")
	return s.keep[f.Secret] || s.let[f.Secret] || s.let[f.Rule] || s.let[as] || s.let[short]
}

// Again begins the second time that texts go through: what was found stays known,
// and is counted anew.
func (s *Sieve) Again() {
	for i := range s.last {
		s.last[i] = -1
		s.found[i].Num, s.found[i].Times = 0, 0
	}
}

// Found lists what was found, let through or not, in the order in which it was.
func (s *Sieve) Found() []Hit {
	return slices.DeleteFunc(slices.Clone(s.found), func(h Hit) bool { return h.Times == 0 })
}

// Text is a text without what is to be hidden; num is its message or line. It is empty
// when the context of [Sieve.Until] has ended: it was not looked through.
func (s *Sieve) Text(text string, num int) string {
	if text == "" || s.r.stopped() != nil {
		return ""
	}
	var views []view
	key := maphash.String(s.seed, text)
	all, known := s.seen[key]
	if known {
		views = viewsOf(text)
	} else {
		if views, all = s.scan(text); s.r.stopped() != nil {
			return ""
		}
		for i := range all {
			all[i].Secret = strings.Clone(all[i].Secret) // not all of the text
			s.learn(all[i])
		}
		s.seen[key] = all
	}
	all = s.withLiterals(text, views, all)
	hidden := make([]Finding, 0, len(all))
	for _, f := range all {
		if h := s.count(f, num); !h.Let {
			hidden = append(hidden, f)
		}
	}
	return s.r.Replace(text, hidden)
}

// learn keeps a finding, and hides it everywhere from now on if nothing but a
// secret is spelled so.
func (s *Sieve) learn(f Finding) {
	if _, known := s.at[f.Secret]; known {
		return
	}
	s.at[f.Secret] = len(s.found)
	as := s.r.Placeholder(&f)
	s.found = append(s.found, Hit{Finding: f, As: as, Let: s.passes(f, as)})
	s.last = append(s.last, -1)
	if f.Kind != Secret {
		return
	}
	if random(f.Secret) {
		s.everywhere.add(f.Secret)
	}
	lineEnd := func(r rune) bool { return r == '\n' || r == '\r' || r == '\\' }
	for _, ends := range []func(rune) bool{lineEnd, func(r rune) bool { return classOf(r) == classOther }} {
		for piece := range strings.FieldsFuncSeq(f.Secret, ends) {
			if len(piece) >= leastPiece && len(piece) < len(f.Secret) && random(piece) {
				s.everywhere.add(piece)
				s.pieceOf(piece, as, f)
			}
		}
	}
}

// leastPiece is the shortest piece of a key, a line of it or what is between its signs, that is hidden
// by itself, in bytes.
const leastPiece = 12

// pieceOf has a piece of a key hidden as the key is.
func (s *Sieve) pieceOf(piece, as string, f Finding) {
	if _, known := s.at[piece]; known {
		return
	}
	s.at[piece] = len(s.found)
	f.Secret = piece
	s.r.known[piece] = as
	s.found = append(s.found, Hit{Finding: f, As: as, Let: s.passes(f, as)})
	s.last = append(s.last, -1)
}

// count notes that something occurs in a text.
func (s *Sieve) count(f Finding, num int) *Hit {
	i := s.at[f.Secret]
	h := &s.found[i]
	if h.Times == 0 {
		h.Num, h.From, h.To = num, f.From, f.To
	}
	if num > s.last[i] {
		s.last[i] = num
		h.Times++
	}
	return h
}

// withLiterals adds the known secrets that occur in a text.
func (s *Sieve) withLiterals(text string, views []view, found []Finding) []Finding {
	var more []Finding
	for v := range views {
		s.everywhere.each(views[v].text, func(at int, secret string) {
			f := s.found[s.at[secret]].Finding
			f.From, f.To = views[v].source(at, at+len(secret))
			if !s.r.inID(text, &f) {
				more = append(more, f)
			}
		})
		if v == 0 {
			packed(text, func(from, to int, inside string) {
				s.everywhere.each(inside, func(_ int, secret string) {
					f := s.found[s.at[secret]].Finding
					f.From, f.To = from, to
					more = append(more, f)
				})
			})
		}
	}
	if len(more) == 0 {
		return found
	}
	return disjoint(append(slices.Clone(found), more...))
}

// JSON is [Sieve.Text] for a text that is JSON, or a line of it. Strings that are
// spelled with escapes are looked at as they read, and so is JSON inside of them;
// what is not changed keeps its spelling.
func (s *Sieve) JSON(text string, num int) string {
	var out, between strings.Builder
	at := 0
	for at < len(text) {
		from := strings.IndexByte(text[at:], '"')
		if from < 0 {
			break
		}
		from += at
		to, escapes := stringEnd(text, from)
		if to < 0 {
			break
		}
		if !escapes {
			between.WriteString(text[at:to])
			at = to
			continue
		}
		between.WriteString(text[at:from])
		clean, read := s.literal(text[from:to], num)
		if at = to; read && len(clean) > longLiteral {
			out.WriteString(s.Text(between.String(), num))
			between.Reset()
			out.WriteString(clean)
		} else {
			between.WriteString(clean)
		}
	}
	between.WriteString(text[at:])
	out.WriteString(s.Text(between.String(), num))
	return out.String()
}

// longLiteral is what no secret that is known by the name before it has, in
// bytes: a longer string is looked at by itself, once.
const longLiteral = 512

// stringEnd is where the string ends that begins with the quote at from; -1: it
// does not.
func stringEnd(text string, from int) (to int, escapes bool) {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1, escapes
		case '\\':
			escapes = true
			i++
		}
	}
	return -1, escapes
}

// literal hides what is found in the decoded text of a JSON string; false:
// it is none, and is to be searched as it is.
func (s *Sieve) literal(spelled string, num int) (string, bool) {
	var was, is string
	if json.Unmarshal([]byte(spelled), &was) != nil {
		return spelled, false
	}
	if inner := strings.TrimSpace(was); inner != "" && (inner[0] == '{' || inner[0] == '[') && json.Valid([]byte(was)) {
		is = s.JSON(was, num)
	} else {
		is = s.Text(was, num)
	}
	if is == was {
		return spelled, true
	}
	b, err := model.PlainJSON(is)
	if err != nil { // no string fails
		return spelled, false
	}
	return string(b), true
}

// Writer hides what is found in JSON that is written to it, and passes it on. A
// string of JSON holds no line break, so that a document of any shape may be
// looked at line by line. [Writer.Close] passes on what has no line end.
type Writer struct {
	s    *Sieve
	w    io.Writer
	rest []byte
	line int
}

// Through makes a writer whose lines go through the sieve, numbered from 1.
func (s *Sieve) Through(w io.Writer) *Writer { return &Writer{s: s, w: w} }

// Write takes what a document consists of, in pieces of any size.
func (w *Writer) Write(b []byte) (int, error) {
	n := len(b)
	for {
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			w.rest = append(w.rest, b...)
			return n, nil
		}
		w.rest = append(w.rest, b[:end+1]...)
		if err := w.pass(); err != nil {
			return 0, err
		}
		b = b[end+1:]
	}
}

// Close ends the document; it does not close what is written to.
func (w *Writer) Close() error { return w.pass() }

func (w *Writer) pass() error {
	if len(w.rest) == 0 {
		return nil
	}
	w.line++
	line := w.s.JSON(string(w.rest), w.line)
	w.rest = w.rest[:0]
	if err := w.s.r.stopped(); err != nil {
		return err
	}
	_, err := io.WriteString(w.w, line)
	return err
}
