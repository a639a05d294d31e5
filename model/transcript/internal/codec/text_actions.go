package codec

import (
	"bytes"
	"slices"

	"palimpsest/model/transcript/jspan"
)

// Agents without tool calling write their actions into the text, and get what
// came of it as the next user message. Such a conversation is recognised by
// its assistant turns, which all carry one action, or by its user messages,
// which begin like the output of one. A chat about code has fences as well, but
// not exactly one of a shell in every answer.

var actionTags = [][]byte{
	[]byte("<function="), []byte("<execute_"), []byte("<tool_call>"), []byte("<invoke "), []byte("\\u003cfunction="),
}

var actionFences = [][]byte{
	[]byte("```bash"), []byte("```sh\\n"), []byte("```mswea_bash_command"), []byte("```tool_code"),
}

var outputMarks = []string{"OBSERVATION:", "Observation:", "EXECUTION RESULT of [", "<returncode>", "<output>", "[The command completed"}

// writesActionsAsText reports whether the user messages after the first are
// observations.
func writesActionsAsText(messages jspan.Value) bool {
	assistants, acting, observed, users := 0, 0, 0, 0
	native := false
	var before byte
	alternates := true
	for _, m := range messages.Items {
		role, content, calls := roleAndContent(m)
		native = native || calls
		switch role.TextN(12) {
		case "assistant":
			assistants++
			alternates = alternates && before != 'a'
			before = 'a'
			if hasAction(content.Raw()) {
				acting++
			}
		case "user":
			head := ContentHead(content)
			if IsSummaryText(head) {
				break
			}
			users++
			alternates = alternates && before != 'u'
			before = 'u'
			if users > 1 && HasMark(head, outputMarks) {
				observed++
			}
		case "tool", "function":
			native = true
		}
		if native {
			break
		}
	}
	if native || assistants < 2 || users < 2 {
		return false
	}
	if observed*2 >= users-1 {
		return true
	}
	// the last turn may just say that it is done
	return alternates && assistants >= 3 && acting >= assistants-1
}

// roleAndContent reads a message, and reports whether it holds native calls or
// their results.
func roleAndContent(m jspan.Value) (role, content jspan.Value, native bool) {
	for key, val := range m.Each {
		switch string(key) {
		case "role":
			role = val
		case "content":
			content = val
			for _, e := range val.Items {
				if t := e.Get("type").TextN(12); t == "tool_use" || t == "tool_result" || t == "tool_call" {
					return role, content, true
				}
			}
		case "tool_calls":
			native = native || val.Index(0).Exists()
		}
	}
	return role, content, native
}

func hasAction(raw []byte) bool {
	if slices.ContainsFunc(actionTags, func(m []byte) bool { return bytes.Contains(raw, m) }) {
		return true
	}
	fences := 0
	for _, m := range actionFences {
		fences += bytes.Count(raw, m)
	}
	return fences == 1
}
