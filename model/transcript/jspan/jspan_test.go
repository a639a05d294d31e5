package jspan

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var corpus = []string{
	`{}`, `[]`, `null`, `true`, `-0.5e+10`, `"a"`, `[1,[2,{"a":[]}],"x\"y\\"]`,
	`{"a":{"b":[1,2,{"c":"d"}]},"e":"\ud83d\ude00 \ud83d é 漢字 \u6f22","f":null}`,
	` { "k" : "v" , "k" : 2 } `, `"\u0000\b\f\n\r\t\/"`, "\"\xff\xc3 tail\"",
	`[`, `{"a"`, `{"a":`, `{"a":1,`, `tru`, `-`, `01`, `1.`, `"\x"`, `"\u12"`, `{]`, `[1 2]`, `{1:2}`, ``, `nul`, `+1`, `{"a":NaN,"b":[-Infinity,Infinity]}`, `Na`, `-In`, `NaNs`, `-NaN`,
}

func FuzzParse(f *testing.F) {
	for _, s := range corpus {
		f.Add(s)
	}
	f.Add(`"` + strings.Repeat("\xa8", 60) + `A"`) // one replacement for a run that is longer than a head
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse([]byte(s), 0)
		trailing := err == nil && space([]byte(s), v.End) == len(s)
		if utf8.ValidString(s) && !hasControl(s) && strings.Count(s, "[")+strings.Count(s, "{") <= MaxDepth {
			if json.Valid([]byte(s)) != trailing && !(trailing && hasNoNumber(s)) {
				t.Fatalf("encoding/json says valid=%v, we say %v (%v)", json.Valid([]byte(s)), trailing, err)
			}
		}
		if err != nil {
			return
		}
		walk(t, v)
		indexed, err := new(Parser).Parse([]byte(s), 0)
		if err != nil || indexed.index == nil {
			t.Fatalf("no index of %q: %v", s, err)
		}
		same(t, v, indexed)
	})
}

// same holds a value with an index to the same one without, by every way to
// look into it.
func same(t *testing.T, bare, indexed Value) {
	t.Helper()
	if bare.Off != indexed.Off || bare.End != indexed.End || bare.Kind != indexed.Kind || bare.Count() != indexed.Count() {
		t.Fatalf("%s at %d–%d with %d parts; by its index %s at %d–%d with %d", bare.Kind, bare.Off, bare.End, bare.Count(),
			indexed.Kind, indexed.Off, indexed.End, indexed.Count())
	}
	if indexed.Text() != string(indexed.AppendText([]byte("x"))[1:]) && bare.Kind == String || bare.Text() != string(indexed.Bytes()) {
		t.Fatalf("%q reads %q, appended %q", bare.Raw(), bare.Text(), indexed.AppendText(nil))
	}
	bare.Items(func(i int, v Value) bool { same(t, v, indexed.Index(i)); return true })
	bare.Each(func(key []byte, _ Value) bool {
		same(t, bare.Get(string(key)), indexed.Get(string(key)))
		return true
	})
	var keys, found []string
	bare.Each(func(key []byte, v Value) bool { keys = append(keys, string(key), string(v.Raw())); return true })
	indexed.Each(func(key []byte, v Value) bool { found = append(found, string(key), string(v.Raw())); return true })
	if !slices.Equal(keys, found) {
		t.Fatalf("members %q, by the index %q", keys, found)
	}
}

// A value with more parts than an index may hold is looked into without one.
func TestParserBoundsItsIndex(t *testing.T) {
	var p Parser
	many := []byte("[" + strings.Repeat("0,", maxNodes) + `{"a":7}]`)
	v, err := p.Parse(many, 0)
	if err != nil || v.index != nil || len(p.nodes) > maxNodes {
		t.Fatalf("index of %d nodes, %v", len(p.nodes), err)
	}
	if got := v.Index(maxNodes).Get("a").Int(); got != 7 {
		t.Errorf("the last element holds %d", got)
	}
	next, err := p.Parse([]byte(`{"a":8}`), 0)
	if err != nil || next.index == nil {
		t.Errorf("the value behind it: %v", err)
	}
	after, err := p.Parse([]byte(`[{"a":9}]`), 0)
	if err != nil || next.Get("a").Int() != 8 || after.Index(0).Get("a").Int() != 9 {
		t.Errorf("two values of one index hold %d and %d, %v", next.Get("a").Int(), after.Index(0).Get("a").Int(), err)
	}
}

// hasNoNumber reports whether a text may hold what Python writes for what is no
// number, which encoding/json refuses.
func hasNoNumber(s string) bool { return strings.Contains(s, "NaN") || strings.Contains(s, "Infinity") }

// What Python's encoder writes for scores that could not be worked out is kept
// as it is spelled, and counts as nothing.
func TestWhatIsNoNumber(t *testing.T) {
	b := []byte(`{"a":NaN,"b":[-Infinity, Infinity],"c":"NaN","d":7}`)
	v, err := Parse(b, 0)
	if err != nil || v.End != len(b) {
		t.Fatalf("read to %d: %v", v.End, err)
	}
	if a := v.Get("a"); a.Kind != Number || string(a.Raw()) != "NaN" || a.Int() != 0 || a.Float() != 0 {
		t.Errorf("NaN is %s %q, %d, %v", a.Kind, a.Raw(), a.Int(), a.Float())
	}
	if x := v.Get("b").Index(0); string(x.Raw()) != "-Infinity" || x.Int() != 0 || x.Float() != 0 || v.Get("b").Count() != 2 {
		t.Errorf("-Infinity is %q, %d, %v", x.Raw(), x.Int(), x.Float())
	}
	if v.Get("c").Float() != 0 || v.Get("d").Int() != 7 {
		t.Errorf("behind it: %v, %d", v.Get("c").Float(), v.Get("d").Int())
	}
	for _, s := range []string{"NaNs", "-NaN", "nan", "infinity", "+Infinity"} {
		if v, err := Parse([]byte(s), 0); err == nil && v.End == len(s) {
			t.Errorf("%q is taken for JSON", s)
		}
	}
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 })
}

// walk visits everything and compares texts with encoding/json.
func walk(t *testing.T, v Value) {
	v.Each(func(_ []byte, val Value) bool { walk(t, val); return true })
	v.Items(func(_ int, val Value) bool { walk(t, val); return true })
	if v.Kind == String {
		var want string
		if json.Unmarshal(v.Raw(), &want) == nil && utf8.Valid(v.Raw()) && v.Text() != want {
			t.Fatalf("%q decodes to %q, encoding/json gives %q", v.Raw(), v.Text(), want)
		}
		for n := range 4 {
			if head := v.TextN(n); !strings.HasPrefix(v.Text(), head) || !utf8.ValidString(head) ||
				utf8.Valid(v.Raw()) && utf8.RuneCountInString(head) < min(n, utf8.RuneCountInString(v.Text())) {
				t.Fatalf("TextN(%d) of %q is %q", n, v.Raw(), head)
			}
		}
	}
}

func TestCutAndDepth(t *testing.T) {
	for _, s := range []string{`{"a":[1,2`, `"abc`, `"ab\`, `"ab\u00`, `[`, `tru`, `-`, `{"a"`, `{"a":`, ``} {
		if _, err := Parse([]byte(s), 0); !errors.Is(err, ErrCut) {
			t.Errorf("%q: %v, want ErrCut", s, err)
		}
	}
	deep := strings.Repeat("[", 1_000_000)
	if _, err := Parse([]byte(deep), 0); !errors.Is(err, ErrDepth) {
		t.Errorf("a million brackets: %v", err)
	}
}

func TestGet(t *testing.T) {
	v, err := Parse([]byte(corpus[7]), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Get("a", "b").Index(2).Get("c").Text(); got != "d" {
		t.Errorf("nested get: %q", got)
	}
	if v.Get("a", "nope", "c").Exists() || !v.Has("f") {
		t.Error("absent members exist, or null does not")
	}
	if got := v.Get("e").Text(); got != "😀 \uFFFD é 漢字 漢" {
		t.Errorf("text: %q", got)
	}
}

func TestAppendQuoteReadsBack(t *testing.T) {
	for _, s := range []string{"", "a\"b\\c\n\r\t\x01", "<>&", "漢字 😀 é"} {
		for _, ascii := range []bool{false, true} {
			q := AppendQuote(nil, s, ascii)
			var back string
			if err := json.Unmarshal(q, &back); err != nil || back != s {
				t.Errorf("%q (ascii %v) → %s → %q %v", s, ascii, q, back, err)
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` +
		strings.Repeat(`package lex\n\nimport (\n\t\"strings\"\n)\n`, 100) + `"}]},"uuid":"0123"}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		v, err := Parse(line, 0)
		if err != nil || v.Get("uuid").Len() != 6 {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseEscapes is a long text with an escape a line and no quote.
func BenchmarkParseEscapes(b *testing.B) {
	line := []byte(`"` + strings.Repeat(`a line of some forty characters, then\n`, 25_000) + `"`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := Parse(line, 0); err != nil {
			b.Fatal(err)
		}
	}
}
