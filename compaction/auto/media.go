package auto

import (
	"bytes"
	"encoding/json"
	"strings"

	"palimpsest/model/tokens"
)

// mediaTokens estimates the tokens of images, sounds and files in a message. Only
// one that was read from JSON and whose content is a list of parts has them.
func mediaTokens(raw json.RawMessage) int64 {
	if !bytes.Contains(raw, []byte("_url")) && !bytes.Contains(raw, []byte("input_")) && !bytes.Contains(raw, []byte(`"file"`)) {
		return 0
	}
	var m struct {
		Content []json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return 0
	}
	n := 0
	for _, part := range m.Content {
		var p struct{ Type string }
		if json.Unmarshal(part, &p) != nil || p.Type == "text" {
			continue
		}
		n += tokens.Media(len(part), mediaType(p.Type), 0)
	}
	return int64(n)
}

func mediaType(part string) string {
	switch {
	case strings.Contains(part, "audio"):
		return "audio/*"
	case strings.Contains(part, "file"):
		return "application/pdf"
	}
	return "image/*"
}
