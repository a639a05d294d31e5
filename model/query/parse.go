package query

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a term of a query is.
type Kind uint8

// The kinds of terms.
const (
	Word Kind = iota
	Phrase
	Regexp
	Clause
)

// Term is one term of a query.
type Term struct {
	Kind   Kind
	Not    bool
	Text   string  // of a word or phrase; the expression of a regexp
	Fold   bool    // a regexp that ignores case
	Key    Key     // of a clause
	Values []Value // of a clause: one of them has to hold
	// From and To are the bytes of the text that it was parsed from.
	From, To int
}

// Value is one value of a clause: a text, or the numbers from Lo to Hi.
type Value struct {
	Text   string
	Lo, Hi int64
}

// Query is what was parsed: a message has to meet all terms.
type Query struct{ Terms []Term }

// Empty reports whether a query asks for nothing.
func (q Query) Empty() bool {
	return !slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Kind != Clause || t.Key != Match })
}

// The codes of errors, by which the window finds its words.
const (
	BadKey    = "key"    // no key is called Found; Meant is near
	BadValue  = "value"  // Key has no value Found; Meant is near, or ""
	NoValue   = "empty"  // nothing behind Key
	BadNumber = "number" // Found is no number, for Key
	BadRegexp = "regexp" // Found says why
	OpenQuote = "quote"  // a quotation mark without its end
	NoOrder   = "order"  // Key is compared, and has no numbers
)

// Error is why a text is no query, and where: bytes From to To of it.
type Error struct {
	Code         string
	Key          Key
	Found, Meant string
	From, To     int
}

// Error is one English sentence.
func (e *Error) Error() string {
	text, meant := "", ""
	if e.Meant != "" {
		meant = fmt.Sprintf(" Did you mean %s?", e.Meant)
	}
	switch e.Code {
	case BadKey:
		text = fmt.Sprintf("There is no operator %s.%s Words with a colon go into quotation marks.", e.Found, meant)
	case BadValue:
		text = fmt.Sprintf("%s has no value %s.%s It is one of %s.", e.Key, e.Found, meant, strings.Join(e.Key.Info().names(), ", "))
	case NoValue:
		text = fmt.Sprintf("There is nothing behind %s.", e.Key)
	case BadNumber:
		text = fmt.Sprintf("%s takes a number like 2000 or 2k, or a range like 1k..5k, not %s.", e.Key, e.Found)
	case BadRegexp:
		text = fmt.Sprintf("The expression can't be read: %s.", e.Found)
	case OpenQuote:
		text = "A quotation mark has no end."
	case NoOrder:
		text = fmt.Sprintf("%s has no order; write %s:VALUE.", e.Key, e.Key)
	}
	return text
}

// names are the values of a key.
func (k *KeyInfo) names() (list []string) {
	for _, c := range k.Values {
		list = append(list, c.Name)
	}
	return list
}

// mostRegexp bounds an expression: what a person types is shorter.
const mostRegexp = 1000

// parser is a place in a text.
type parser struct {
	text string
	at   int
}

// Parse reads a query. The error is an [*Error]; the query then holds the terms
// before it, so that a window can go on showing what they find.
func Parse(text string) (Query, error) {
	p := &parser{text: text}
	var q Query
	for {
		p.at += len(p.rest()) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
		if p.rest() == "" {
			return q.sound()
		}
		t, err := p.term()
		if err != nil {
			return q, err
		}
		q.Terms = append(q.Terms, t)
	}
}

// sound is the query up to a word that is to be an expression and is none.
func (q Query) sound() (Query, error) {
	for i, t := range q.Terms {
		if t = q.compared(t); t.Kind == Regexp {
			if _, err := t.regexp(); err != nil {
				return Query{q.Terms[:i]}, &Error{Code: BadRegexp, Found: regexpFault(err), From: t.From, To: t.To}
			}
		}
	}
	return q, nil
}

func (p *parser) rest() string { return p.text[p.at:] }

// word takes what comes before the next space.
func (p *parser) word() string {
	w := p.rest()
	if i := strings.IndexFunc(w, unicode.IsSpace); i >= 0 {
		w = w[:i]
	}
	p.at += len(w)
	return w
}

func (p *parser) term() (t Term, err error) {
	t.From = p.at
	defer func() { t.To = p.at }()
	if r := p.rest(); r[0] == '-' && len(r) > 1 && !startsWithSpace(r[1:]) {
		t.Not, p.at = true, p.at+1
	}
	switch rest := p.rest(); {
	case isQuote(rest) > 0:
		t.Kind = Phrase
		t.Text, err = p.quoted()
		if err == nil && strings.TrimSpace(t.Text) == "" {
			err = &Error{Code: OpenQuote, From: t.From, To: p.at}
		}
		return t, err
	case rest[0] == '/':
		if source, fold, n := expression(rest); n > 0 {
			p.at += n
			t.Kind, t.Text, t.Fold = Regexp, source, fold
			_, err = t.regexp()
			if err != nil {
				err = &Error{Code: BadRegexp, Found: regexpFault(err), From: t.From, To: p.at}
			}
			return t, err
		}
	}
	return t, p.clauseOrWord(&t)
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// isQuote is the length of the quotation mark that a text begins with; 0: none.
func isQuote(s string) int {
	for _, q := range []string{`"`, "“", "”", "「"} {
		if strings.HasPrefix(s, q) {
			return len(q)
		}
	}
	return 0
}

// quoted takes a text in quotation marks.
func (p *parser) quoted() (string, error) {
	from := p.at
	straight := p.text[p.at] == '"'
	p.at += isQuote(p.rest())
	var b strings.Builder
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case straight && c == '\\' && p.at+1 < len(p.text) && strings.IndexByte(`"\`, p.text[p.at+1]) >= 0:
			b.WriteByte(p.text[p.at+1])
			p.at += 2
		case straight && c == '"':
			p.at++
			return b.String(), nil
		case !straight && (strings.HasPrefix(p.rest(), "”") || strings.HasPrefix(p.rest(), "」")):
			p.at += len("”")
			return b.String(), nil
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	return "", &Error{Code: OpenQuote, From: from, To: p.at}
}

// expression is the regular expression that a text begins with: from one stroke to
// the next that ends a word. n is 0 where there is none, as in a path.
func expression(s string) (source string, fold bool, n int) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '/':
			end := i + 1
			if fold = strings.HasPrefix(s[end:], "i"); fold {
				end++
			}
			if i > 1 && (end == len(s) || startsWithSpace(s[end:])) {
				return s[1:i], fold, end
			}
		}
	}
	return "", false, 0
}

// regexp compiles the expression of a term.
func (t *Term) regexp() (*regexp.Regexp, error) {
	if len(t.Text) > mostRegexp {
		return nil, fmt.Errorf("it is longer than %d characters", mostRegexp)
	}
	source := strings.ReplaceAll(t.Text, `\/`, "/")
	if t.Fold {
		return regexp.Compile("(?im:" + source + ")")
	}
	return regexp.Compile("(?m:" + source + ")")
}

func regexpFault(err error) string {
	text := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	if what, at, _ := strings.Cut(text, ": "); strings.Contains(at, "(?m:") {
		return what // it is about all of the expression, with what is put around it
	}
	return text
}

// operators in the order in which they are tried. The wide ones come from Chinese
// keyboards.
var operators = []string{">=", "<=", ">", "<", ":", "=", "：", "＞", "＜"}

// clauseOrWord takes a clause, or the word that is there if it is none.
func (p *parser) clauseOrWord(t *Term) error {
	rest := p.rest()
	n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if n <= 0 {
		t.Text = p.word()
		return nil
	}
	name, op := rest[:n], ""
	for _, o := range operators {
		if strings.HasPrefix(rest[n:], o) {
			op = o
			break
		}
	}
	k := keyOf(name)
	switch {
	case op == "" || op == "=" && k == nil:
		t.Text = p.word()
		return nil
	case k == nil:
		from := p.at
		t.Text = p.word()
		if meant := Near(name, keyNames()); meant != "" && op != "<" && op != ">" && !strings.HasPrefix(rest[n+len(op):], "/") {
			return &Error{Code: BadKey, Found: name, Meant: meant, From: from, To: from + n}
		}
		return nil
	}
	t.Kind, t.Key = Clause, k.Key
	p.at += n + len(op)
	return p.values(t, k, op)
}

func keyNames() (list []string) {
	for i := range Keys {
		list = append(list, string(Keys[i].Key))
	}
	return list
}

// values takes the values of a clause.
func (p *parser) values(t *Term, k *KeyInfo, op string) error {
	switch op {
	case "：", "=":
		op = ":"
	case "＞":
		op = ">"
	case "＜":
		op = "<"
	}
	if op != ":" && !k.Number {
		return &Error{Code: NoOrder, Key: k.Key, From: t.From, To: p.at}
	}
	for {
		from := p.at
		text, err := p.value()
		if err != nil {
			return err
		}
		if text == "" {
			return &Error{Code: NoValue, Key: k.Key, From: t.From, To: max(p.at, t.From+1)}
		}
		v := Value{Text: text}
		switch {
		case k.Number:
			ok := false
			if v, ok = numbers(op, text); !ok {
				return &Error{Code: BadNumber, Key: k.Key, Found: text, From: from, To: p.at}
			}
		case len(k.Values) > 0:
			if v.Text = k.choose(text); v.Text == "" {
				return &Error{Code: BadValue, Key: k.Key, Found: text, Meant: Near(text, k.names()), From: from, To: p.at}
			}
		}
		t.Values = append(t.Values, v)
		if !strings.HasPrefix(p.rest(), ",") && !strings.HasPrefix(p.rest(), "，") {
			break
		}
		_, n := utf8.DecodeRuneInString(p.rest())
		p.at += n
	}
	if r := p.rest(); r != "" && !startsWithSpace(r) { // behind a quotation mark
		from := p.at
		return &Error{Code: BadValue, Key: k.Key, Found: p.word(), From: from, To: p.at}
	}
	return nil
}

// value takes one value: up to the next comma or space, or in quotation marks.
func (p *parser) value() (string, error) {
	if isQuote(p.rest()) > 0 {
		return p.quoted()
	}
	v := p.rest()
	if i := strings.IndexFunc(v, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '，' }); i >= 0 {
		v = v[:i]
	}
	p.at += len(v)
	return v, nil
}

// numbers reads the number or range behind an operator.
func numbers(op, text string) (v Value, ok bool) {
	v.Hi = math.MaxInt64
	if a, b, isRange := strings.Cut(text, ".."); isRange && op == ":" {
		lo, okA := amount(a)
		hi, okB := amount(b)
		if a == "" {
			lo, okA = 0, b != ""
		}
		if b == "" {
			hi, okB = math.MaxInt64, a != ""
		}
		return Value{Lo: lo, Hi: hi}, okA && okB && lo <= hi
	}
	n, ok := amount(text)
	switch op {
	case ":":
		v.Lo, v.Hi = n, n
	case ">":
		v.Lo = n + 1
	case ">=":
		v.Lo = n
	case "<":
		v.Hi = n - 1
		ok = ok && n > 0
	case "<=":
		v.Hi = n
	}
	return v, ok
}

// mostAmount is the largest number: more than any history has of anything.
const mostAmount = 1e15

// amount reads "2000", "2k", "1.5k", "3m".
func amount(s string) (int64, bool) {
	s = strings.ToLower(s)
	unit := 1.0
	if n, ok := strings.CutSuffix(s, "k"); ok {
		s, unit = n, 1e3
	} else if n, ok := strings.CutSuffix(s, "m"); ok {
		s, unit = n, 1e6
	} else if n, ok := strings.CutSuffix(s, "万"); ok {
		s, unit = n, 1e4
	}
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	v = math.Round(v * unit)
	return int64(v), err == nil && v <= mostAmount
}
