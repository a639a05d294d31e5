package codec

import (
	"bytes"

	"palimpsest/model/transcript/jspan"
)

// MostUnread is the share of the text of a source from which on it is said that it is not read.
const MostUnread = 0.10

// FewWords are too few bytes to say something about a source.
const FewWords = 400

// Aside are members that say something about a message, and are none of what it says.
var Aside = map[string]bool{"id": true, "uuid": true, "parentUuid": true, "role": true, "type": true, "timestamp": true,
	"model": true, "name": true,
	"sessionId": true, "session_id": true, "cwd": true, "version": true, "gitBranch": true, "signature": true,
	"status": true, "parent": true,
	"parent_id": true, "author": true, "metadata": true, "requestId": true, "request_id": true, "created_at": true, "update_time": true,
	"create_time": true, "usage": true, "extra": true, "tool_call_id": true, "agent": true, "children": true, "stop_reason": true,
	"encrypted_content": true, "toolUseResult": true, "modelInfo": true, "providerMetadata": true, "providerOptions": true}

// IsWords reports whether a string says something: an id, a path and what is encoded have no
// space in their beginning, and a mark is short.
func IsWords(v jspan.Value) bool {
	const looked = 300
	raw := v.Raw()
	raw = raw[:min(len(raw), looked)]
	return bytes.IndexByte(raw, ' ') > 0 || bytes.Contains(raw, []byte(`\n`)) || bytes.Contains(raw, []byte(`\u`)) ||
		bytes.IndexFunc(raw, func(r rune) bool { return r >= 0x80 }) >= 0
}
