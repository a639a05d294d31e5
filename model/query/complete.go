package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Count is a value that occurs, and in how many messages.
type Count struct {
	Value string
	N     int
}

// Facts are the values that occur in what is searched, by key.
type Facts map[Key][]Count

// Tally counts values by key.
type Tally map[Key]map[string]int

// Add counts a value once more.
func (t Tally) Add(k Key, value string) {
	if t[k] == nil {
		t[k] = map[string]int{}
	}
	t[k][value]++
}

// Is counts a state of a message, if it holds.
func (t Tally) Is(state string, holds bool) {
	if holds {
		t.Add(Is, state)
	}
}

// Facts are the values that were counted.
func (t Tally) Facts() Facts {
	out := Facts{}
	for k, of := range t {
		for v, n := range of {
			out[k] = append(out[k], Count{Value: v, N: n})
		}
	}
	return out
}

// Offer completes what is typed: Text takes the place of bytes From to To.
type Offer struct {
	Text     string
	From, To int
	Key      Key    // whose name or value it is
	Value    string // "" where a key is offered
	N        int    // messages that have the value; 0: not known
}

// Complete offers what may go on at a byte of a text: keys, and behind a key its
// values, the commonest first.
func Complete(text string, at int, known Facts) (list []Offer) {
	at = min(max(at, 0), len(text))
	from := strings.LastIndexFunc(text[:at], unicode.IsSpace) + 1
	if from > 0 { // the space may take several bytes
		from = len(text[:at]) - len(strings.TrimLeftFunc(text[from-1:at], func(r rune) bool { return unicode.IsSpace(r) || r == '\ufffd' }))
	}
	typed := text[from:at]
	if strings.Count(text[:from], `"`)%2 == 1 {
		return nil // within quotation marks
	}
	if rest, ok := strings.CutPrefix(typed, "-"); ok {
		typed, from = rest, from+1
	}
	name, value, isClause := strings.Cut(strings.Replace(typed, "：", ":", 1), ":")
	if !isClause {
		for _, k := range Keys {
			begins := func(name string) bool { return strings.HasPrefix(name, strings.ToLower(typed)) }
			if typed != "" && (begins(string(k.Key)) || slices.ContainsFunc(k.Also, begins)) {
				op := ":"
				if k.Number {
					op = ">"
				}
				list = append(list, Offer{Text: string(k.Key) + op, From: from, To: at, Key: k.Key})
			}
		}
		return list
	}
	k := keyOf(name)
	if k == nil || k.Number {
		return nil
	}
	begin := strings.LastIndex(value, ",") + 1
	prefix := foldText(value[begin:])
	for _, c := range k.counted(known[k.Key]) {
		if !strings.HasPrefix(foldText(c.Value), prefix) && !strings.HasPrefix(strings.ToLower(k.also(c.Value)), prefix) {
			continue
		}
		text := Value{Text: c.Value}.print(k.Key)
		list = append(list, Offer{Text: string(k.Key) + ":" + value[:begin] + text, From: from, To: at, Key: k.Key, Value: c.Value, N: c.N})
	}
	return list
}

// also is another name of a value, by which it may be typed.
func (k *KeyInfo) also(value string) string {
	for _, c := range k.Values {
		if c.Name == value && len(c.Also) > 0 {
			return c.Also[0]
		}
	}
	return ""
}

// counted are the values of a key, with how often each occurs: those that are fixed in
// their order, others by how common they are.
func (k *KeyInfo) counted(known []Count) (list []Count) {
	for _, c := range k.Values {
		n := 0
		for _, x := range known {
			if x.Value == c.Name {
				n = x.N
			}
		}
		if n > 0 || known == nil {
			list = append(list, Count{c.Name, n})
		}
	}
	if len(k.Values) == 0 {
		list = slices.Clone(known)
		slices.SortStableFunc(list, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Value, b.Value)) })
	}
	return list
}

// Narrowing lists terms that would make a query find less and still something: values
// that some of its hits have, the commonest first, at most so many. of are the values
// of the hits.
func (q Query) Narrowing(of Facts, hits, most int) (list []Offer) {
	asked := map[Key]bool{}
	for _, t := range q.Terms {
		asked[t.Key] = asked[t.Key] || t.Kind == Clause && !t.Not
	}
	for _, k := range []Key{Tool, Is, Role} {
		for _, c := range of[k] {
			if c.N < hits && !asked[k] {
				list = append(list, Offer{Text: string(k) + ":" + Value{Text: c.Value}.print(k), Key: k, Value: c.Value, N: c.N})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Offer) int { return cmp.Or(b.N-a.N, strings.Compare(a.Text, b.Text)) })
	return list[:min(len(list), most)]
}
