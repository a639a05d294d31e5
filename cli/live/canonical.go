package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
)

// canonicalHash is the hash of what a message says, in JSON with its keys in order. Marks
// of the cache are left out, since they move from call to call, and a content that is one
// plain text is the text: clients use either, also for the same message. Overlays are
// stored by this hash, so it must stay as it is.
func canonicalHash(raw []byte) (sum [32]byte, err error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return sum, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return sum, errors.New("the message is more than one JSON value")
	}
	spelled, err := json.Marshal(canonical(v))
	return sha256.Sum256(spelled), err
}

func canonical(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "cache_control")
		if v["thoughtSignature"] == "skip_thought_signature_validator" {
			delete(v, "thoughtSignature") // Gemini CLI has it for one that it lacks, in the turn that runs only
		}
		for key, member := range v {
			v[key] = canonical(member)
		}
		if list, ok := v["content"].([]any); ok && len(list) == 1 {
			if block, ok := list[0].(map[string]any); ok && block["type"] == "text" && len(block) == 2 {
				v["content"] = block["text"]
			}
		}
	case []any:
		for i := range v {
			v[i] = canonical(v[i])
		}
	}
	return v
}
