package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// spelled is what canonicalHash hashes, by decoding all of it. Stored overlays are found by
// this hash: it must stay what it was.
func spelled(raw []byte) ([]byte, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(withoutMarks(v))
}

func withoutMarks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "cache_control")
		for k, x := range v {
			v[k] = withoutMarks(x)
		}
		if list, ok := v["content"].([]any); ok && len(list) == 1 {
			if block, ok := list[0].(map[string]any); ok && block["type"] == "text" && len(block) == 2 {
				v["content"] = block["text"]
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutMarks(v[i])
		}
	}
	return v
}

func TestCanonicalHash(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pieces := []string{"a", "word ", "é", "測", "😀", "<", ">", "&", "/", "\u2028", "\u2029", "\x7f", "\xff", "\xe2\x82", "\xed\xa0\x80", `\n`, `\t`, `\"`, `\\`,
		`\/`, `\b`, `\f`, `\u0041`, `\u003c`, `\ud83d`, `\ude00`, `\ud83d\ude00`, `\uD83D`, `\u2029`, "�", "u0041"}
	text := func(n int) string {
		var b strings.Builder
		b.WriteByte('"')
		for range n {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		b.WriteByte('"')
		return b.String()
	}
	names := []string{`"content"`, `"type"`, `"text"`, `"cache_control"`, `"role"`, `"c\u006fntent"`, `"a<b"`, `"z"`}
	var value func(deep int) string
	value = func(deep int) string {
		switch n := r.IntN(12); {
		case deep > 0 && n < 3:
			var list []string
			for range r.IntN(5) {
				list = append(list, names[r.IntN(len(names))]+" : "+value(deep-1))
			}
			return "{ " + strings.Join(list, " ,\n") + "}"
		case deep > 0 && n < 5:
			return `{"content":[{"type":"text","` + []string{"text", "input"}[r.IntN(2)] + `":` + value(deep-1) + `}]}`
		case deep > 0 && n < 7:
			var list []string
			for range r.IntN(3) {
				list = append(list, value(deep-1))
			}
			return "[" + strings.Join(list, " , ") + "]"
		case n < 8:
			return []string{"1", "-0.50e+3", "1e999", "true", "null", "12345678901234567890"}[r.IntN(6)]
		}
		return text(r.IntN(6))
	}
	check := func(raw string) {
		t.Helper()
		b, wrong := spelled([]byte(raw))
		sum, err := canonicalHash([]byte(raw))
		if (wrong == nil) != (err == nil) {
			t.Fatalf("%s: %v, but it is %v", raw, err, wrong)
		}
		if err == nil && sum != sha256.Sum256(b) {
			t.Fatalf("%s is not spelled as %s", raw, b)
		}
	}
	for range 5_000 {
		check(`{"role":"user","content":` + value(4) + `}`)
	}
	for range 5 { // longer than what is spelled at once
		check(text(300_000))
		check(`"` + strings.Repeat(`\ud83d\ude00`, 20_000) + `"`)
		check(`"` + strings.Repeat(`\ud83d`, 20_000) + `x"`)
	}
	for _, bad := range []string{`{"a":NaN}`, `"` + "\x01" + `"`, `{"a":1`} {
		check(bad)
	}
}
