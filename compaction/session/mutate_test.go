package session

import (
	"bytes"
	"fmt"
	rand "math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model/transcript/jspan"
)

// pieces is a transcript cut into what a mutation moves about: the lines of JSON
// Lines, or the elements of the largest array of objects in a JSON value.
type pieces struct {
	head, tail []byte
	sep        []byte
	records    [][]byte
}

func cutPieces(src []byte) pieces {
	bom := 0
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		bom = 3
	}
	v, err := jspan.Parse(src, bom)
	if err != nil || jspan.Space(src, v.End) < len(src) || v.Kind != jspan.Object && v.Kind != jspan.Array {
		nl := []byte("\n")
		return pieces{head: src[:bom], tail: nl, sep: nl, records: bytes.Split(bytes.TrimSuffix(src[bom:], nl), nl)}
	}
	var best jspan.Value
	var walk func(v jspan.Value)
	walk = func(v jspan.Value) {
		switch v.Kind {
		case jspan.Array:
			if v.Index(0).Kind == jspan.Object && v.Count() > best.Count() {
				best = v
			}
			v.Items(func(_ int, e jspan.Value) bool { walk(e); return true })
		case jspan.Object:
			v.Each(func(_ []byte, e jspan.Value) bool { walk(e); return true })
		}
	}
	walk(v)
	if !best.Exists() {
		return pieces{sep: []byte("\n"), records: [][]byte{src}}
	}
	p := pieces{head: src[:best.Off+1], tail: src[best.End-1:], sep: []byte(",\n")}
	best.Items(func(_ int, e jspan.Value) bool { p.records = append(p.records, e.Raw()); return true })
	return p
}

func (p pieces) join() []byte {
	return slices.Concat(p.head, bytes.Join(p.records, p.sep), p.tail)
}

// mutation makes another file of a file, as a newer version of its producer, an
// editor, a bad merge or a hostile hand would.
type mutation struct {
	name  string
	marks bool // what shows the format is still there
	do    func(src []byte, rng *rand.Rand) []byte
}

// onRecords is a mutation that moves records about.
func onRecords(f func(list [][]byte, rng *rand.Rand) [][]byte) func([]byte, *rand.Rand) []byte {
	return func(src []byte, rng *rand.Rand) []byte {
		p := cutPieces(src)
		p.records = f(slices.Clone(p.records), rng)
		return p.join()
	}
}

// onEach is a mutation of about every so-many-th record.
func onEach(every int, f func(rec []byte, rng *rand.Rand) []byte) func([]byte, *rand.Rand) []byte {
	return onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		one := rng.IntN(len(list))
		for i, rec := range list {
			if i == one || rng.IntN(every) == 0 {
				list[i] = f(rec, rng)
			}
		}
		return list
	})
}

// unknownRecords are what versions to come might write.
var unknownRecords = []string{
	`{"type":"future_event","payload":{"kind":["x",{"y":null}]},"timestamp":"2031-01-01T00:00:00Z"}`,
	`{"role":"narrator","content":[{"type":"hologram","data":{"a":1}}],"type":"hologram"}`,
	`{"from":"narrator","value":"meanwhile"}`,
	`{}`,
	`{"type":null,"role":7,"message":[],"content":{"text":{}},"id":{}}`,
}

func insertUnknown(list [][]byte, rng *rand.Rand) [][]byte {
	for range 1 + len(list)/8 {
		list = slices.Insert(list, 1+rng.IntN(len(list)), []byte(unknownRecords[rng.IntN(len(unknownRecords))]))
	}
	return list
}

// addKeys adds to an object members that no reader knows, before and behind its own.
func addKeys(rec []byte, _ *rand.Rand) []byte {
	v, err := jspan.Parse(rec, 0)
	if err != nil || v.Kind != jspan.Object || v.Count() == 0 {
		return rec
	}
	inner := rec[v.Off+1 : v.End-1]
	return slices.Concat([]byte(`{"x_new":{"a":[1,{"b":null}]},`), inner, []byte(`,"zz_new":"漢字 \ud83d\ude00"}`))
}

// reorder spells an object with its members, and those of the objects in it, in
// reverse order.
func reorder(v jspan.Value) []byte {
	switch v.Kind {
	case jspan.Object:
		var members [][]byte
		v.Each(func(key []byte, e jspan.Value) bool {
			members = append(members, slices.Concat([]byte{'"'}, key, []byte(`": `), reorder(e)))
			return true
		})
		slices.Reverse(members)
		return slices.Concat([]byte("{"), bytes.Join(members, []byte(", ")), []byte("}"))
	case jspan.Array:
		var elements [][]byte
		v.Items(func(_ int, e jspan.Value) bool { elements = append(elements, reorder(e)); return true })
		return slices.Concat([]byte("["), bytes.Join(elements, []byte(", ")), []byte("]"))
	}
	return v.Raw()
}

// member is a place of a value in a record.
type member struct {
	key        string
	start      int // of the key's quote
	val        jspan.Value
	first, end bool // of its object
}

func members(rec []byte) []member {
	v, err := jspan.Parse(rec, 0)
	if err != nil {
		return nil
	}
	var list []member
	var walk func(v jspan.Value, depth int)
	walk = func(v jspan.Value, depth int) {
		if depth > 40 {
			return
		}
		v.Items(func(_ int, e jspan.Value) bool { walk(e, depth+1); return true })
		n, k := v.Count(), 0
		v.Each(func(key []byte, e jspan.Value) bool {
			start := bytes.LastIndex(v.Buf[:e.Off], append(append([]byte{'"'}, key...), '"'))
			list = append(list, member{key: string(key), start: start, val: e, first: k == 0, end: k == n-1})
			k++
			walk(e, depth+1)
			return true
		})
	}
	walk(v, 0)
	return list
}

// oddValues are what a field may hold that should not.
var oddValues = []string{
	`null`, `""`, `[]`, `{}`, `0`, `-1`, `1e400`, `123456789012345678901234567890`, `true`, `false`, `"x"`, `" "`, `[null]`, `[{}]`, `[[]]`, `["a",1,null]`,
	`"\ud83d"`, `"\udc00\ud800"`, "\"\xff\xc3\"", `"\u0000"`, `"</script>\u2028"`, `{"type":"text"}`, `[{"type":"text"}]`, `[{"type":"text","text":null}]`,
	`[{"type":"tool_result"}]`, `[{"type":"tool_use"}]`, `"9999-99-99T99:99:99Z"`, `"2026-01-01"`, `"{\"a\":"`, `"漢字"`,
}

// oddly replaces the value of a member of one of these names by an odd one.
func oddly(names *regexp.Regexp) func(rec []byte, rng *rand.Rand) []byte {
	return func(rec []byte, rng *rand.Rand) []byte {
		list := slices.DeleteFunc(members(rec), func(m member) bool { return !names.MatchString(m.key) })
		if len(list) == 0 {
			return rec
		}
		m := list[rng.IntN(len(list))]
		return slices.Concat(rec[:m.val.Off], []byte(oddValues[rng.IntN(len(oddValues))]), rec[m.val.End:])
	}
}

// without takes a member of one of these names out.
func without(names *regexp.Regexp) func(rec []byte, rng *rand.Rand) []byte {
	return func(rec []byte, rng *rand.Rand) []byte {
		list := slices.DeleteFunc(members(rec), func(m member) bool { return !names.MatchString(m.key) || m.start < 0 })
		if len(list) == 0 {
			return rec
		}
		m := list[rng.IntN(len(list))]
		from, to := m.start, m.val.End
		switch {
		case !m.end:
			to += bytes.IndexByte(rec[to:], ',') + 1
		case !m.first:
			from = bytes.LastIndexByte(rec[:from], ',')
		}
		return slices.Concat(rec[:from], rec[to:])
	}
}

var (
	anyName     = regexp.MustCompile(``)
	idNames     = regexp.MustCompile(`(?i)id$|uuid|^answers$|parent|children|leaf`)
	textNames   = regexp.MustCompile(`(?i)content|text|parts|output|arguments|args|input|value|message$|messages|observation|action|response|result|thought|summary|body`)
	kindNames   = regexp.MustCompile(`(?i)^(type|role|kind|from|author|status|source|name|tool.*|function.*|payload|mapping)$`)
	usageNames  = regexp.MustCompile(`(?i)usage|token|time|date|_at$|^ts$|model|step|index|version|cost`)
	emptyValues = []string{`null`, `""`, `[]`, `{}`}
)

// emptied empties the text of a record.
func emptied(rec []byte, rng *rand.Rand) []byte {
	list := slices.DeleteFunc(members(rec), func(m member) bool { return !textNames.MatchString(m.key) })
	if len(list) == 0 {
		return rec
	}
	m := list[rng.IntN(len(list))]
	return slices.Concat(rec[:m.val.Off], []byte(emptyValues[rng.IntN(len(emptyValues))]), rec[m.val.End:])
}

// twiceKey writes a member twice, with another value.
func twiceKey(rec []byte, rng *rand.Rand) []byte {
	list := slices.DeleteFunc(members(rec), func(m member) bool { return m.start < 0 })
	if len(list) == 0 {
		return rec
	}
	m := list[rng.IntN(len(list))]
	odd := oddValues[rng.IntN(len(oddValues))]
	return slices.Concat(rec[:m.val.End], fmt.Appendf(nil, `,"%s":%s`, m.key, odd), rec[m.val.End:])
}

// long makes a text of a record very long.
func long(rec []byte, rng *rand.Rand) []byte {
	list := slices.DeleteFunc(members(rec), func(m member) bool { return !textNames.MatchString(m.key) || m.val.Kind != jspan.String })
	if len(list) == 0 {
		return rec
	}
	m := list[rng.IntN(len(list))]
	return slices.Concat(rec[:m.val.Off+1], []byte(strings.Repeat(`漢\n\ud83d\ude00 word\t`, 40000)), rec[m.val.Off+1:])
}

// nested replaces a value by one of many levels.
func nested(levels int) func(rec []byte, rng *rand.Rand) []byte {
	return func(rec []byte, rng *rand.Rand) []byte {
		list := members(rec)
		if len(list) == 0 {
			return rec
		}
		m := list[rng.IntN(len(list))]
		deep := strings.Repeat(`{"content":[`, levels) + strings.Repeat(`]}`, levels)
		return slices.Concat(rec[:m.val.Off], []byte(deep), rec[m.val.End:])
	}
}

// spaced puts white space where JSON allows it; a line stays a line.
func spaced(rec []byte, _ *rand.Rand) []byte {
	v, err := jspan.Parse(rec, 0)
	if err != nil {
		return rec
	}
	return slices.Concat([]byte(" \t"), respaced(v), []byte(" \t"))
}

func respaced(v jspan.Value) []byte {
	var list [][]byte
	switch v.Kind {
	case jspan.Object:
		v.Each(func(key []byte, e jspan.Value) bool {
			list = append(list, slices.Concat([]byte{'"'}, key, []byte("\" :\t "), respaced(e)))
			return true
		})
		return slices.Concat([]byte("{ "), bytes.Join(list, []byte(" ,  ")), []byte("\t}"))
	case jspan.Array:
		v.Items(func(_ int, e jspan.Value) bool { list = append(list, respaced(e)); return true })
		return slices.Concat([]byte("[ "), bytes.Join(list, []byte(" ,  ")), []byte("\t]"))
	}
	return v.Raw()
}

var mutations = []mutation{
	{"records missing", false, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		return slices.DeleteFunc(list, func([]byte) bool { return len(list) > 1 && rng.IntN(8) == 0 })
	})},
	{"most records missing", false, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		return slices.DeleteFunc(list, func([]byte) bool { return rng.IntN(3) > 0 })
	})},
	{"first half missing", false, onRecords(func(list [][]byte, _ *rand.Rand) [][]byte { return list[len(list)/2:] })},
	{"last half missing", false, onRecords(func(list [][]byte, _ *rand.Rand) [][]byte { return list[:(len(list)+1)/2] })},
	{"cut", false, func(src []byte, rng *rand.Rand) []byte { return src[:rng.IntN(len(src))] }},
	{"cut near the end", false, func(src []byte, rng *rand.Rand) []byte { return src[:len(src)-rng.IntN(min(len(src), 40))] }},
	{"neighbours swapped", true, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		for i := 2; i < len(list); i++ {
			if rng.IntN(4) == 0 {
				list[i-1], list[i] = list[i], list[i-1]
			}
		}
		return list
	})},
	{"windows shuffled", false, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		for at := 1; at < len(list); at += 5 {
			w := list[at:min(at+5, len(list))]
			rng.Shuffle(len(w), func(i, k int) { w[i], w[k] = w[k], w[i] })
		}
		return list
	})},
	{"reversed", false, onRecords(func(list [][]byte, _ *rand.Rand) [][]byte { slices.Reverse(list); return list })},
	{"some records twice", false, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		for range 1 + len(list)/8 {
			list = slices.Insert(list, rng.IntN(len(list)), list[rng.IntN(len(list))])
		}
		return list
	})},
	{"all records twice", true, onRecords(func(list [][]byte, _ *rand.Rand) [][]byte { return slices.Concat(list, list) })},
	{"the file twice", false, func(src []byte, _ *rand.Rand) []byte { return slices.Concat(src, []byte("\n"), src) }},
	{"unknown records", false, onRecords(insertUnknown)},
	{"unknown members", true, onEach(2, addKeys)},
	{"members in reverse", true, onEach(1, func(rec []byte, _ *rand.Rand) []byte {
		v, err := jspan.Parse(rec, 0)
		if err != nil {
			return rec
		}
		return reorder(v)
	})},
	{"white space", true, onEach(1, spaced)},
	{"empty lines", true, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		for i := range list {
			list[i] = append([]byte(strings.Repeat("\n", rng.IntN(3))), list[i]...)
		}
		return list
	})},
	{"CRLF", true, func(src []byte, _ *rand.Rand) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}},
	{"byte order mark", true, func(src []byte, _ *rand.Rand) []byte {
		return append([]byte("\xef\xbb\xbf"), bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))...)
	}},
	{"no final newline", true, func(src []byte, _ *rand.Rand) []byte { return bytes.TrimRight(src, "\r\n") }},
	{"log noise", false, onRecords(func(list [][]byte, rng *rand.Rand) [][]byte {
		return slices.Insert(list, rng.IntN(len(list)), []byte("WARN something happened"), []byte(`"a string"`), []byte(`[1]`), []byte("null"))
	})},
	{"odd ids", false, onEach(6, oddly(idNames))},
	{"ids missing", false, onEach(6, without(idNames))},
	{"odd texts", false, onEach(6, oddly(textNames))},
	{"texts missing", false, onEach(6, without(textNames))},
	{"texts empty", false, onEach(3, emptied)},
	{"odd kinds", false, onEach(6, oddly(kindNames))},
	{"kinds missing", false, onEach(6, without(kindNames))},
	{"odd figures", false, onEach(3, oddly(usageNames))},
	{"figures missing", false, onEach(3, without(usageNames))},
	{"odd values", false, onEach(6, oddly(anyName))},
	{"values missing", false, onEach(6, without(anyName))},
	{"members twice", false, onEach(6, twiceKey)},
	{"long text", false, onEach(1<<30, long)},
	{"100 levels", false, onEach(1<<30, nested(50))},
	{"20,000 levels", false, onEach(1<<30, nested(10000))},
	{"odd in all", false, func(src []byte, rng *rand.Rand) []byte { return oddly(anyName)(src, rng) }},
}
