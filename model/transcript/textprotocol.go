package transcript

import (
	"bytes"

	"palimpsest/model/transcript/jspan"
)

// Agents without tool calling write their actions into the text, and get what
// came of it as the next user message. Such a conversation is recognised by
// its assistant turns, which all carry an action, or by its user messages,
// which begin like the output of one.

var actionMarks = [][]byte{
	[]byte("```bash"), []byte("```sh"), []byte("```mswea_bash_command"), []byte("```tool_code"), []byte("```python"), []byte("```\\n"),
	[]byte("<function="), []byte("<execute_"), []byte("<tool_call>"), []byte("<invoke "), []byte("\\u003cfunction="),
}

var outputMarks = []string{"OBSERVATION:", "Observation:", "EXECUTION RESULT of [", "<returncode>", "<output>", "[The command completed"}

// speaksText reports whether the user messages after the first are
// observations.
func speaksText(messages jspan.Value) bool {
	assistants, acting, observed, users := 0, 0, 0, 0
	native := false
	var before byte
	alternates := true
	messages.Items(func(_ int, m jspan.Value) bool {
		var role, content jspan.Value
		m.Each(func(key []byte, val jspan.Value) bool {
			switch string(key) {
			case "role":
				role = val
			case "content":
				content = val
			case "tool_calls":
				native = native || val.Kind == jspan.Array && val.Count() > 0
			}
			return true
		})
		switch role.TextN(12) {
		case "assistant":
			assistants++
			alternates = alternates && before != 'a'
			before = 'a'
			if hasAction(content.Raw()) {
				acting++
			}
		case "user":
			users++
			alternates = alternates && before != 'u'
			before = 'u'
			if users > 1 && hasMark(contentHead(content), outputMarks) {
				observed++
			}
		case "tool", "function":
			native = true
		}
		return !native
	})
	if native || assistants < 2 || users < 2 {
		return false
	}
	if observed*2 >= users-1 {
		return true
	}
	// the last turn may just say that it is done
	return alternates && assistants >= 3 && acting >= assistants-1
}

func hasAction(raw []byte) bool {
	for _, m := range actionMarks {
		if bytes.Contains(raw, m) {
			return true
		}
	}
	return false
}
