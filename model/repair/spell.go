package repair

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// within is the place in the source of a value that was parsed out of a span.
func within(s model.Span, v jspan.Value) model.Span {
	return model.Span{Off: s.Off + int64(v.Off), Len: int64(v.Len())}
}

// blocksOf are the blocks of a message that has some.
func blocksOf(v jspan.Value) (list []jspan.Value) {
	content := v.Get("message", "content")
	if !content.Exists() {
		content = v.Get("content")
	}
	for _, b := range content.Items {
		list = append(list, b)
	}
	return list
}

// The notes that a mend may put in. They say that something is not there, and nothing else.
const (
	noResult    = "No result was recorded."
	noContent   = "(no content)"
	noBeginning = "(The beginning of this session is not in its file.)"
)

// speller is how results and texts are spelled in a format.
type speller struct {
	session bool                               // a tool goes on with its files: a last call may not wait
	answer  func(x *spelled) []byte            // the record of a result that was not recorded
	said    func(x *spelled, text string) []op // a result as a message with its text
}

// spelled is what is at hand to spell a record.
type spelled struct {
	d        *model.Document
	like     jspan.Value // the record of the call, or of the result
	at       model.Piece // its place
	call     model.Call
	uid      string // of a new record
	linkedTo string // what followed this record follows the new one; "": there are no links
}

var spellers = map[model.Format]speller{
	model.FormatClaudeCode: {true, claudeAnswer, blockSaid},
	model.FormatAnthropic:  {false, anthropicAnswer, blockSaid},
	model.FormatCline:      {true, anthropicAnswer, blockSaid},
	model.FormatOpenAI:     {false, chatAnswer, chatSaid},
	model.FormatCodex:      {true, codexAnswer, codexSaid},
	model.FormatResponses:  {false, responsesAnswer, responsesSaid},
	model.FormatCopilot:    {true, copilotAnswer, copilotSaid},
	model.FormatPi:         {true, piAnswer, piSaid},
	model.FormatLangChain:  {false, langchainAnswer, langchainSaid},
	formatQwen:             {true, qwenAnswer, nil},
}

// object spells an object in the document's style; a value that is no string is taken as it is.
func (x *spelled) object(members ...any) []byte {
	comma, colon := ",", ":"
	if x.d.Style.Spaced {
		comma, colon = ", ", ": "
	}
	b := []byte{'{'}
	for i := 0; i < len(members); i += 2 {
		raw, ok := members[i+1].([]byte)
		if !ok {
			raw = jspan.AppendQuote(nil, members[i+1].(string), x.d.Style.ASCII)
		}
		if raw == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, comma...)
		}
		b = append(jspan.AppendQuote(b, members[i].(string), true), colon...)
		b = append(b, raw...)
	}
	return append(b, '}')
}

// member is a member of the record beside, as it is spelled; nil: it has none.
func (x *spelled) member(keys ...string) []byte {
	v := x.like.Get(keys...)
	if !v.Exists() {
		return nil
	}
	return bytes.Clone(v.Raw())
}

func list(elem []byte) []byte { return append(append([]byte{'['}, elem...), ']') }

var yes, no, null = []byte("true"), []byte("false"), []byte("null")

// newID makes an id out of what it is for: a mend made again is the same one.
func newID(f model.Format, of string) string {
	b := sha256.Sum256([]byte("palimpsest repair " + of))
	switch f {
	case model.FormatPi:
		return fmt.Sprintf("%x", b[:4])
	case model.FormatAnthropic, model.FormatCline:
		return fmt.Sprintf("toolu_%x", b[:12])
	}
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

func (x *spelled) block() []byte {
	return x.object("type", "tool_result", "tool_use_id", x.call.ID, "content", noResult, "is_error", yes)
}

func claudeAnswer(x *spelled) []byte {
	members := []any{}
	if uuid := x.member("uuid"); uuid != nil {
		members = append(members, "parentUuid", uuid)
		x.linkedTo = x.like.Get("uuid").Text()
	}
	for _, k := range []string{"isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId"} {
		members = append(members, k, x.member(k))
	}
	members = append(members, "type", "user", "message", x.object("role", "user", "content", list(x.block())))
	if x.linkedTo != "" {
		members = append(members, "uuid", x.uid)
	}
	return x.object(append(members, "timestamp", x.member("timestamp"), "toolUseResult", "Error: "+noResult,
		"sourceToolAssistantUUID", x.member("uuid"))...)
}

func anthropicAnswer(x *spelled) []byte {
	return x.object("role", "user", "content", list(x.block()))
}

// blockSaid puts a text block in the place of a result's.
func blockSaid(x *spelled, text string) (ops []op) {
	for _, b := range blocksOf(x.like) {
		if b.Get("type").Is("tool_result") && b.Get("tool_use_id").Is(x.call.ID) {
			return []op{put(within(x.at.Span, b), x.object("type", "text", "text", text))}
		}
	}
	return nil
}

func chatAnswer(x *spelled) []byte {
	return x.object("role", "tool", "tool_call_id", x.call.ID, "content", noResult)
}

func chatSaid(x *spelled, text string) []op {
	if !x.like.Get("role").Is("tool") && !x.like.Get("role").Is("function") {
		return nil
	}
	return []op{put(x.at.Span, x.object("role", "user", "content", text))}
}

// item is a result as an item of the Responses API, for a call of a type.
func (x *spelled) item(kind string) []byte {
	switch kind {
	case "function_call", "custom_tool_call":
		return x.object("type", kind+"_output", "call_id", x.call.ID, "output", noResult)
	case "local_shell_call":
		return x.object("type", "function_call_output", "call_id", x.call.ID, "output", noResult)
	}
	return nil
}

func (x *spelled) userItem(text string) []byte {
	return x.object("type", "message", "role", "user", "content", list(x.object("type", "input_text", "text", text)))
}

func codexAnswer(x *spelled) []byte {
	item := x.item(x.like.Get("payload", "type").Text())
	if item == nil {
		return nil
	}
	return x.object("timestamp", x.member("timestamp"), "type", "response_item", "payload", item)
}

func codexSaid(x *spelled, text string) []op {
	p := x.like.Get("payload")
	if !x.like.Get("type").Is("response_item") {
		return nil
	}
	return []op{put(within(x.at.Span, p), x.userItem(text))}
}

func responsesAnswer(x *spelled) []byte { return x.item(x.like.Get("type").Text()) }

func responsesSaid(x *spelled, text string) []op {
	return []op{put(x.at.Span, x.userItem(text))}
}

func copilotAnswer(x *spelled) []byte {
	x.linkedTo = x.like.Get("id").Text()
	return x.object("type", "tool.execution_complete", "data", x.object("toolCallId", x.call.ID, "success", no,
		"error", x.object("message", noResult)), "id", x.uid, "timestamp", x.member("timestamp"), "parentId", x.member("id"))
}

func copilotSaid(x *spelled, text string) []op {
	kind, data := x.like.Get("type"), x.like.Get("data")
	if !kind.Is("tool.execution_complete") || data.Kind != jspan.Object {
		return nil
	}
	return []op{put(within(x.at.Span, kind), []byte(`"user.message"`)),
		put(within(x.at.Span, data), x.object("content", text, "attachments", []byte("[]")))}
}

func piAnswer(x *spelled) []byte {
	x.linkedTo = x.like.Get("id").Text()
	ms := x.member("message", "timestamp")
	if ms == nil {
		if at, err := time.Parse(time.RFC3339Nano, x.like.Get("timestamp").Text()); err == nil {
			ms = fmt.Append(nil, at.UnixMilli())
		}
	}
	return x.object("type", "message", "id", x.uid, "parentId", x.member("id"), "timestamp", x.member("timestamp"),
		"message", x.object("role", "toolResult", "toolCallId", x.call.ID, "toolName", x.call.Name,
			"content", list(x.object("type", "text", "text", noResult)), "isError", yes, "timestamp", ms))
}

func piSaid(x *spelled, text string) []op {
	m := x.like.Get("message")
	if m.Kind != jspan.Object {
		return nil
	}
	return []op{put(within(x.at.Span, m), x.object("role", "user",
		"content", list(x.object("type", "text", "text", text)), "timestamp", x.member("message", "timestamp")))}
}

// langchainAnswer follows the spelling of the call's message.
func langchainAnswer(x *spelled) []byte {
	switch {
	case x.like.Has("lc"):
		return x.object("lc", []byte("1"), "type", "constructor", "id", []byte(`["langchain","schema","messages","ToolMessage"]`),
			"kwargs", x.object("content", noResult, "tool_call_id", x.call.ID, "status", "error"))
	case x.like.Has("data"):
		return x.object("type", "tool", "data", x.object("content", noResult, "type", "tool", "tool_call_id", x.call.ID, "status", "error"))
	}
	return x.object("type", "tool", "content", noResult, "tool_call_id", x.call.ID, "status", "error")
}

func langchainSaid(x *spelled, text string) []op {
	var b []byte
	switch {
	case x.like.Has("lc"):
		b = x.object("lc", []byte("1"), "type", "constructor", "id", []byte(`["langchain","schema","messages","HumanMessage"]`),
			"kwargs", x.object("content", text))
	case x.like.Has("data"):
		b = x.object("type", "human", "data", x.object("content", text, "type", "human"))
	default:
		b = x.object("type", "human", "content", text)
	}
	return []op{put(x.at.Span, b)}
}

func qwenAnswer(x *spelled) []byte {
	x.linkedTo = x.like.Get("uuid").Text()
	response := x.object("functionResponse", x.object("id", x.call.ID, "name", x.call.Name, "response", x.object("error", noResult)))
	return x.object("uuid", x.uid, "parentUuid", x.member("uuid"), "sessionId", x.member("sessionId"), "timestamp", x.member("timestamp"),
		"type", "tool_result", "cwd", x.member("cwd"), "version", x.member("version"),
		"message", x.object("role", "user", "parts", list(response)),
		"toolCallResult", x.object("callId", x.call.ID, "status", "error", "error", x.object("message", noResult)))
}

func contains(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }
