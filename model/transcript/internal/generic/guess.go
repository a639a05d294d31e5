package generic

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// The names that a guess takes for a role, for a text and for calls, best first.
var (
	RoleNames = []string{"role", "from", "speaker", "sender", "author", "source", "who", "sender_name", "from_name",
		"is_user", "isUser", "type"}
	TextNames = []string{"content", "text", "value", "message", "body", "utterance", "msg", "mes", "parts"}
	CallNames = []string{"tool_calls", "toolCalls", "calls", "tool_call"} // and for calls

	UserNames = []string{"user", "human", "question", "query", "prompt", "instruction",
		"request", "user_message", "user_input", "query_str", "questionText", "question_text", "input"}
	ReplyNames = []string{"assistant", "answer", "response", "completion", "reply", "output", "bot", "bot_response", "ai",
		"model_response", "assistant_message", "answerText", "answer_text"}
	SystemNames = []string{"system", "system_prompt", "context"}

	// ChatNames are those of a column that says which conversation a row belongs to.
	ChatNames = []string{"session_id", "sessionId", "conversation_id", "conversationId", "chat_id", "chatId", "thread_id", "threadId",
		"dialogue_id", "dialog_id", "conv_id"}

	// The names of other things that a message may have, each with the part of a map that it is.
	OtherNames = map[string][]string{"name": {"name", "agent", "author_name"}, "id": {"id", "uuid", "message_id", "messageId"},
		"time":    {"timestamp", "created_at", "createdAt", "time", "ts", "date", "create_time"},
		"model":   {"model", "model_id", "modelId", "model_name"},
		"answers": {"tool_call_id", "toolCallId", "call_id"},
		"input":   {"usage.input_tokens", "usage.prompt_tokens", "input_tokens", "prompt_tokens"},
		"output":  {"usage.output_tokens", "usage.completion_tokens", "output_tokens", "completion_tokens"}}
)

// GuessDepth bounds how deep a guess looks for a list.
const GuessDepth = 4

type guesser struct {
	found *FieldMap
	least int // messages that a list must have to be better than the one found
}

// look searches a value and what is in it.
func (g *guesser) look(at string, v jspan.Value, depth int) {
	if v.Kind == jspan.Array {
		first, n := FirstElements(v)
		if n >= g.least && g.list(at, first) {
			g.least = n + 1
		} else if depth > 0 && n > 0 && first[0].Kind == jspan.Object {
			g.look(at+"[*]", first[0], depth-1)
		}
		return
	}
	if depth == 0 {
		return
	}
	for key, val := range v.Each {
		if name := string(key); PlainName(name) {
			g.look(at+"."+name, val, depth-1)
		}
	}
}

// PlainName reports whether a path can name a member.
func PlainName(name string) bool {
	for _, r := range name {
		switch r {
		case '.', '[', ']', '\\', ',', '=', ' ':
			return false
		}
	}
	return name != ""
}

// list takes a list whose objects mostly have a role and a text.
func (g *guesser) list(at string, elems []jspan.Value) bool {
	for _, role := range RoleNames {
		for _, text := range TextNames {
			good, silent := 0, 0 // one that only calls a tool may have a text of null
			words := map[string]bool{}
			for _, e := range elems {
				r, t := e.Get(role), e.Get(text)
				if speaks(r) && (t.Kind == jspan.String || t.Kind == jspan.Array) {
					good++
					words[wordOf(role, r)] = true
				} else if speaks(r) && t.Kind == jspan.Null {
					silent++
				}
			}
			// who speaks is one of few
			if good >= 2 && good >= silent && (good+silent)*5 >= len(elems)*4 && len(words) <= max(2, good/2) {
				g.found = &FieldMap{Messages: at, Role: role, Text: text, Calls: callsOf(elems), By: columnOf(at, elems),
					Me: begins(role, elems, words)}
				return true
			}
		}
	}
	return false
}

func speaks(r jspan.Value) bool {
	return r.Kind == jspan.String || r.Kind == jspan.True || r.Kind == jspan.False
}

// columnOf is the member by which the rows of a table belong to several conversations; ""
// where there is one, or where each has a list of its own.
func columnOf(at string, elems []jspan.Value) string {
	for _, name := range ChatNames {
		keys := map[string]bool{}
		for _, e := range elems {
			if v := e.Get(name); v.Kind == jspan.String || v.Kind == jspan.Number {
				keys[string(v.Raw())] = true
			}
		}
		if len(keys) > 1 && len(keys) < len(elems) && !strings.Contains(at, "[*]") {
			return name
		}
	}
	return ""
}

// begins is who begins, of two who speak and of whom no word says which is the user; "" else.
func begins(role string, elems []jspan.Value, words map[string]bool) string {
	if len(words) != 2 || role == "type" {
		return ""
	}
	for word := range words {
		if RoleOf(word) != model.RoleOther || strings.Contains(word, ",") {
			return ""
		}
	}
	for _, e := range elems {
		if r := e.Get(role); speaks(r) {
			return wordOf(role, r)
		}
	}
	return ""
}

// callsOf is the member in which messages have objects that look like calls; ""
// if there is none.
func callsOf(elems []jspan.Value) string {
	for _, name := range CallNames {
		for _, e := range elems {
			v := e.Get(name)
			if v.Kind == jspan.Array {
				v = v.Index(0)
			}
			if v.Kind == jspan.Object && callName(v) != "" {
				return name
			}
		}
	}
	return ""
}

// Guess finds what looks most like a list of messages: the longest array of
// objects with something like a role and a text.
func Guess(s *codec.Sniff) *FieldMap {
	g := guesser{least: 2}
	if s.JSONLines {
		g.list("$", s.Lines)
		if g.found == nil {
			for _, l := range s.Lines {
				g.look("$[*]", l, GuessDepth)
			}
		}
		return g.found
	}
	g.look("$", s.Whole, GuessDepth)
	if g.found == nil && s.Whole.Kind == jspan.Array {
		g.look("$[*]", s.Whole.Index(0), GuessDepth)
	}
	return g.found
}

// FirstElements gives the elements of a list that are looked at to find what it
// holds, and how many it has.
func FirstElements(v jspan.Value) (first []jspan.Value, n int) {
	for i, e := range v.Items {
		if i < codec.SniffLines {
			first = append(first, e)
		}
		n++
	}
	return first, n
}
