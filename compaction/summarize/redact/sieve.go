package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
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
//	text ──▶ keywords ──▶ windows around them ──▶ rules ──▶ findings
//	                                                          │ kept or let through: stay
//	                                                          ▼
//	"key=sk-9f…", later "sk-9f…"        "key=[redacted:…-1]", later "[redacted:…-1]"
type Sieve struct {
	r     *Redactor
	keep  map[string]bool
	let   map[string]bool // rules, placeholders and texts
	at    map[string]int  // secret → place in found
	found []Hit
	last  []int // of each, the latest it was counted in
}

// NewSieve makes a sieve; keep names findings that are let through.
func NewSieve(r *Redactor, keep map[string]bool) *Sieve {
	return &Sieve{r: r, keep: keep, let: map[string]bool{}, at: map[string]int{}}
}

// Allow lets more findings through: all of a rule, the one behind a placeholder,
// spelled whole or by its name alone ("email-1"), or a text.
func (s *Sieve) Allow(names ...string) {
	for _, n := range names {
		s.let[n] = true
	}
}

// passes reports whether a finding is let through.
func (s *Sieve) passes(f Finding, as string) bool {
	short := strings.TrimSuffix(strings.TrimPrefix(as, "[redacted:"), "]")
	return s.keep[f.Secret] || s.let[f.Secret] || s.let[f.Rule] || s.let[as] || s.let[short]
}

// Found lists what was found, let through or not, in the order in which it was.
func (s *Sieve) Found() []Hit { return s.found }

// Text is a text without what is to be hidden; num is its message or line.
func (s *Sieve) Text(text string, num int) string {
	if text == "" {
		return text
	}
	all := s.r.Scan(text)
	hidden := all[:0]
	for _, f := range all {
		i, known := s.at[f.Secret]
		if !known {
			i = len(s.found)
			s.at[f.Secret] = i
			as := s.r.Placeholder(&f)
			s.found = append(s.found, Hit{Finding: f, Num: num, Times: 1, As: as, Let: s.passes(f, as)})
			s.last = append(s.last, num)
		}
		if num > s.last[i] {
			s.last[i] = num
			s.found[i].Times++
		}
		if !s.found[i].Let {
			hidden = append(hidden, f)
		}
	}
	return s.r.Replace(text, hidden)
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(is) != nil { // no string fails
		return spelled, false
	}
	return strings.TrimSuffix(b.String(), "\n"), true
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
	_, err := io.WriteString(w.w, line)
	return err
}
