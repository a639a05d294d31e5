package redact

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Kind says what a finding is.
type Kind string

const (
	Secret  Kind = "secret"
	Email   Kind = "email"
	Home    Kind = "home"    // the name in a home folder
	Phone   Kind = "phone"   // only by choice, see [Redactor.Also]
	Address Kind = "address" // of a private network, only by choice
)

// ByChoice are the kinds that are too often harmless to be looked for unasked, see
// [Redactor.Also].
var ByChoice = []Kind{Phone, Address}

// Finding is a place in a text that should not be sent.
type Finding struct {
	From, To int // bytes of the text, half-open, at code point boundaries
	Kind     Kind
	Rule     string // what found it, for example "github-pat"
	Secret   string // the text that was found: never to be logged or stored
}

// Redactor scans texts and remembers which placeholder replaces what. It may
// be used by one goroutine at a time.
type Redactor struct {
	set   *ruleSet
	ids   map[string]bool
	inIDs literals          // those of them that a finding may be a piece of
	known map[string]string // secret → placeholder
	count map[string]int    // placeholders of a rule
	also  map[Kind]bool     // whether those kinds are looked for that a person can switch
	own   []ownRule         // of a person
	until context.Context   // when it ends, no more is looked for; nil: never
}

// New makes a redactor. ids are strings that are no secrets whatever they look
// like.
func New(ids ...string) (*Redactor, error) {
	set, err := load()
	if err != nil {
		return nil, err
	}
	r := &Redactor{set: set, ids: map[string]bool{}, known: map[string]string{}, count: map[string]int{},
		also: map[Kind]bool{Email: true, Home: true}}
	for _, id := range ids {
		if id != "" {
			r.ids[id] = true
			if len(id) <= longestID {
				r.inIDs.add(id)
			}
		}
	}
	return r, nil
}

// Also has kinds looked for that are not unasked: those [ByChoice].
func (r *Redactor) Also(kinds ...Kind) {
	for _, k := range kinds {
		r.also[k] = true
	}
}

// stopped is why it looks for no more; nil: it does.
func (r *Redactor) stopped() error {
	if r.until == nil {
		return nil
	}
	return r.until.Err()
}

// Scan lists what a text holds, in order; findings do not overlap. Of two that
// do, the one of the more specific kind stays: a secret before an address, and
// the rule that the list has first. The text is read as it is, and as it reads
// with its escapes, terminal codes and base64 taken off.
func (r *Redactor) Scan(text string) []Finding { return r.scan(text, viewsOf(text)) }

func (r *Redactor) scan(text string, views []view) []Finding {
	var kept []Finding
	for i := range views {
		for _, f := range r.scanView(&views[i]) {
			if f.From < f.To && !r.inID(text, &f) {
				kept = append(kept, f)
			}
		}
	}
	return disjoint(kept)
}

// scanView lists what one view holds, at its places in the source.
func (r *Redactor) scanView(v *view) []Finding {
	lower := lowerASCII(v.text)
	all := slices.Concat(r.owned(v.text), r.secrets(v.text, lower), r.personal(v.text, lower))
	if v.from == nil {
		packed(v.text, func(from, to int, inside string) {
			for _, f := range r.secrets(inside, lowerASCII(inside)) {
				if f.Rule != weakRule {
					f.From, f.To, f.Secret = from, to, v.text[from:to]
					all = append(all, f)
					break
				}
			}
		})
	}
	for i, f := range all {
		if v.from == nil {
			all[i] = outOfJSON(v.text, f)
			continue
		}
		if q := strings.IndexByte(f.Secret, '"'); q >= 0 {
			f.To, f.Secret = f.From+q, f.Secret[:q]
		}
		if f.From < f.To {
			f.From, f.To = v.source(f.From, f.To)
		}
		all[i] = f
	}
	return all
}

// weakRule is the one rule of gitleaks that knows no shape, only names.
const weakRule = "generic-api-key"

func (r *Redactor) secrets(text, lower string) []Finding {
	var all []Finding
	for i := range r.set.rules {
		all = append(all, r.find(&r.set.rules[i], text, lower)...)
	}
	return all
}

// longestID is the longest identifier that is looked for around a finding, in bytes.
const longestID = 256

// inID reports whether a finding is an identifier, or a piece of one that is
// there.
func (r *Redactor) inID(text string, f *Finding) bool {
	if r.ids[f.Secret] {
		return true
	}
	for at := max(0, f.To-longestID); at <= f.From; at++ {
		for id := range r.inIDs.at(text, at) {
			if at+len(id) >= f.To {
				return true
			}
		}
	}
	return false
}

func (r *Redactor) find(one *rule, text, lower string) []Finding {
	var out []Finding
	if r.stopped() != nil {
		return nil
	}
	for _, part := range one.around(lower) {
		for _, at := range one.expr.FindAllStringSubmatchIndex(text[part.from:part.to], -1) {
			for i := range at {
				if at[i] >= 0 {
					at[i] += part.from
				}
			}
			from, to := secretIn(one, at)
			for to == part.to && to < len(text) && base64Char[text[to]] { // it goes on behind what was searched
				to, at[1] = to+1, to+1
				part.to++
			}
			secret := text[from:to]
			if one.pairs {
				out = append(out, valuesIn(one, secret, from)...)
				continue
			}
			if secret == "" || one.entropy > 0 && entropy(secret) <= one.entropy ||
				one.check != nil && !one.check(secret) || identifier(secret) {
				continue
			}
			if r.allowed(one, secret, text[at[0]:at[1]], lineAround(text, at[0], at[1])) {
				continue
			}
			out = append(out, Finding{From: from, To: to, Kind: Secret, Rule: one.id, Secret: secret})
		}
	}
	return out
}

// valuesIn are the secrets in a list of name=value, which begins at a place of the
// text.
func valuesIn(one *rule, list string, at int) []Finding {
	var out []Finding
	for pair := range strings.SplitSeq(list, ";") {
		if _, value, ok := strings.Cut(pair, "="); ok && one.check(value) {
			to := at + len(pair)
			out = append(out, Finding{From: to - len(value), To: to, Kind: Secret, Rule: one.id, Secret: value})
		}
		at += len(pair) + 1
	}
	return out
}

// lowerASCII keeps the length of a text, which other cases do not.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// secretIn is the part of a match that is the secret: the named group, else the
// first that holds something, else all of it.
func secretIn(one *rule, at []int) (from, to int) {
	if one.group > 0 && at[2*one.group] >= 0 {
		return at[2*one.group], at[2*one.group+1]
	}
	for g := 2; g+1 < len(at); g += 2 {
		if at[g] >= 0 && at[g] < at[g+1] {
			return at[g], at[g+1]
		}
	}
	return at[0], at[1]
}

func (r *Redactor) allowed(one *rule, secret, match, line string) bool {
	for i := range r.set.global {
		if r.set.global[i].allows(secret, match, line) {
			return true
		}
	}
	for i := range one.allow {
		if one.allow[i].allows(secret, match, line) {
			return true
		}
	}
	return false
}

// longestLine bounds what an allowance for a line looks at: tool output can be
// one line of megabytes.
const longestLine = 2048

func lineAround(text string, from, to int) string {
	begin := max(strings.LastIndexByte(text[:from], '\n')+1, from-longestLine)
	end := len(text)
	if n := strings.IndexByte(text[to:], '\n'); n >= 0 {
		end = to + n
	}
	return text[begin:min(end, to+longestLine)]
}

// entropy is the Shannon entropy of a text in bits a byte, as gitleaks takes
// it: the frequency of a character is its count by the length in bytes.
func entropy(s string) (bits float64) {
	var ascii [utf8.RuneSelf]int
	var other map[rune]int
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			ascii[c]++
		case other == nil:
			other = map[rune]int{c: 1}
		default:
			other[c]++
		}
	}
	add := func(n int) {
		f := float64(n) / float64(len(s))
		bits -= f * math.Log2(f)
	}
	for _, n := range ascii {
		if n > 0 {
			add(n)
		}
	}
	for _, n := range other {
		add(n)
	}
	return bits
}

// disjoint sorts findings by place and drops those that overlap an earlier or a
// preferred one.
func disjoint(all []Finding) []Finding {
	rank := func(f *Finding) int {
		switch {
		case f.Kind != Secret:
			return 2
		case f.Rule == weakRule:
			return 1
		}
		return 0
	}
	sort.SliceStable(all, func(i, j int) bool {
		if a, b := rank(&all[i]), rank(&all[j]); a != b {
			return a < b
		}
		return all[i].To-all[i].From > all[j].To-all[j].From
	})
	var out []Finding
	for _, f := range all {
		i := sort.Search(len(out), func(i int) bool { return out[i].To > f.From })
		if i < len(out) && out[i].From < f.To {
			continue
		}
		out = append(out, Finding{})
		copy(out[i+1:], out[i:])
		out[i] = f
	}
	return out
}

// MadeUp reports whether a text is long and mixed enough for a password or a key.
func MadeUp(s string) bool { return len(s) >= minRandom && (random(s) || chosen(s)) }

// Shown reports whether a text shows that a part of it belongs to a secret: whoever
// writes that part without the text around it hides from the rules what it is.
func Shown(text string, from, to int) bool {
	set, err := load()
	if err != nil {
		return true
	}
	r := Redactor{set: set}
	for _, v := range viewsOf(text) {
		for _, f := range r.secrets(v.text, lowerASCII(v.text)) {
			if f.From, f.To = v.source(f.From, f.To); f.From < to && f.To > from {
				return true
			}
		}
	}
	return false
}
