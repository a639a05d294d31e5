package live

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"testing"
)

// Overlays are stored by these hashes: a session goes on compacted after an update only if
// they stay.
func TestCanonicalHash(t *testing.T) {
	for raw, want := range map[string]string{
		`{"role":"user","content":"a <b> & \u00e9 \ud83d\ude00 \/ \u2028"}`:                                                                      "a34aa087de8a90c09acc712da25fdd8c2d8a6caf8cda3fbe9ba456717bc81d8c",
		`{"content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}],"role":"user"}`:                                           "9017285104d1b249960a30732b8e92f6e2fb3acf8d8e4b2a16c116ad0c1ed211",
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"n":1e999,"b":-0.50e+3,"a":12345678901234567890}}]}`: "5bb28d6d7871aebffe60c978c73f448c5cf319e84271dc3cca0ab2a0d546c53e",
	} {
		sum, err := canonicalHash([]byte(raw))
		if got := hex.EncodeToString(sum[:]); err != nil || got != want {
			t.Errorf("%s: %s, %v", raw, got, err)
		}
	}
	for _, bad := range []string{`{"a":NaN}`, "\"\x01\"", `{"a":1`, `{} {}`} {
		if _, err := canonicalHash([]byte(bad)); err == nil {
			t.Errorf("%q has a hash", bad)
		}
	}
}

// Clients spell one message in several ways, and what they say differs in any other.
func TestTheSameMessageSpelledOtherwise(t *testing.T) {
	hash := func(raw string) [32]byte {
		t.Helper()
		sum, err := canonicalHash([]byte(raw))
		if err != nil {
			t.Fatal(raw, err)
		}
		return sum
	}
	same := hash(`{"role":"user","content":"x & y"}`)
	for _, raw := range []string{
		`{ "content" : "x \u0026 y", "role" : "user" }`,
		`{"role":"user","content":[{"text":"x & y","type":"text"}]}`,
		`{"role":"user","content":[{"type":"text","text":"x & y","cache_control":{"type":"ephemeral"}}],"cache_control":null}`,
		`{"role":"system","role":"user","c\u006fntent":"x & y"}`,
	} {
		if hash(raw) != same {
			t.Errorf("%s is another message", raw)
		}
	}
	for _, raw := range []string{
		`{"role":"assistant","content":"x & y"}`,
		`{"role":"user","content":"x & y "}`,
		`{"role":"user","content":[{"type":"text","text":"x & y"},{"type":"text","text":""}]}`,
		`{"role":"user","content":[{"type":"input","text":"x & y"}]}`,
		`{"role":"user","content":[{"type":"text","text":"x & y","citations":[]}]}`,
	} {
		if hash(raw) == same {
			t.Errorf("%s is the same message", raw)
		}
	}
}

// spelled spells a message without marks of the cache; it shares no code with canonicalHash.
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
