package transcript

import (
	"context"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// geminiCLI reads the sessions that Gemini CLI and its descendants record: one
// object with messages, or, in newer versions, a log of records in which a
// later one of the same id replaces an earlier one, $rewindTo takes back and
// $set puts other messages in the place of all (geminicli_log.go).
//
// A message of the model holds its calls with their results. The calls belong
// to the message; each result is a message of its own whose piece lies inside,
// so that the two stay or go together. Infos and errors are for the eye, not
// for the model. A $rewindTo needs no mending: it names a message that it took
// back, which is in no live list and so never goes.
type geminiCLI struct{ unlinked }

func (geminiCLI) info() Info {
	return Info{model.FormatGeminiCLI, "Gemini CLI session", "sessionId with messages of type user and gemini, in one object or as a log with $set and $rewindTo"}
}

func isGeminiSession(v jspan.Value) bool {
	if !v.Has("sessionId") || v.Get("messages").Kind != jspan.Array {
		return false
	}
	return v.Has("projectHash") || isGeminiMessage(v.Get("messages").Index(0))
}

// isGeminiMessage recognises one recorded message.
func isGeminiMessage(v jspan.Value) bool {
	switch v.Get("type").TextN(10) {
	case "user", "gemini", "info", "error", "warning":
		return v.Get("id").Kind == jspan.String && v.Has("content") && !v.Has("role") && !v.Has("uuid")
	}
	return false
}

func (geminiCLI) recognise(s *sniff) (int, string) {
	if s.jsonl {
		head := func(v jspan.Value) bool { return v.Has("sessionId") && v.Has("projectHash") }
		if s.any(head) && s.share(func(v jspan.Value) bool { return head(v) || isGeminiMessage(v) || isGeminiPatch(v) }) >= 0.5 {
			return 93, "a log of messages of type user and gemini behind a line with sessionId and projectHash"
		}
	}
	if shape := s.talkShape(isGeminiSession, "sessionId and messages of type user and gemini"); shape != "" {
		return 93, shape
	}
	return 0, ""
}

func (f geminiCLI) read(ctx context.Context, b *builder) error {
	if !b.whole.Exists() {
		return readGeminiLog(ctx, b)
	}
	return b.readTalks(ctx, isGeminiSession, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		c.conv.ID = v.Get("sessionId").TextN(200)
		b.eachElement(v.Get("messages"), func(e jspan.Value, p model.Piece) {
			for k, m := range geminiMessages(b, e, p) {
				if m.Kind == model.KindOther {
					c.store(m)
					continue
				}
				at := e
				if k > 0 {
					at = e.Get("toolCalls")
				}
				c.add(m, at)
			}
		})
	})
}

// geminiMessages are the messages that a recorded one holds: itself, then the
// result of each call that has one. Calls without an id are numbered.
func geminiMessages(b *builder, v jspan.Value, p model.Piece) []model.Message {
	m := model.Message{ID: v.Get("id").TextN(200), Time: millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	head := geminiContentHead(v.Get("content"))
	m.Preview = preview(head)
	switch v.Get("type").TextN(12) {
	case "user":
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginTyped
		if isInjectedText(head) {
			m.Origin = model.OriginInjected
		}
		summaryItself(&m, head)
		return []model.Message{m}
	case "gemini":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		return []model.Message{m}
	}
	m.Model, m.Usage = b.intern(v.Get("model").TextN(200)), geminiTokens(v.Get("tokens"))
	out := []model.Message{m}
	v.Get("toolCalls").Items(func(i int, e jspan.Value) bool {
		call := model.Call{ID: e.Get("id").TextN(200), Name: b.intern(e.Get("name").TextN(200))}
		if call.ID == "" {
			call.ID = "#" + strconv.Itoa(i+1)
		}
		out[0].Calls = append(out[0].Calls, call)
		if i == 0 && out[0].Preview == "" {
			out[0].Preview = preview(call.Name + " " + spelledHead(e.Get("args")))
		}
		if res := e.Get("result"); res.Exists() && res.Kind != jspan.Null {
			text := geminiResultText(res)
			r := model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: call.ID, Name: call.Name, Time: millis(e.Get("timestamp")),
				Preview: preview(headOf(text)), Pieces: []model.Piece{b.inner(e)}}
			switch e.Get("status").TextN(12) {
			case "error", "cancelled":
				r.Error = true
			}
			out = append(out, r)
		}
		return true
	})
	return out
}

func geminiTokens(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object {
		return nil
	}
	u := model.Usage{Input: tokens(v.Get("input")), CacheRead: tokens(v.Get("cached")), Reasoning: tokens(v.Get("thoughts"))}
	u.Output = tokens(v.Get("output")) + u.Reasoning
	if u == (model.Usage{}) {
		return nil // written before the answer was there
	}
	return &u
}

// geminiContentHead is the beginning of a content: a string, a part, or a list.
func geminiContentHead(v jspan.Value) (head string) {
	if v.Kind != jspan.Array {
		return geminiHead(v)
	}
	v.Items(func(_ int, e jspan.Value) bool {
		head = geminiHead(e)
		return head == ""
	})
	return head
}

// eachResult gives the parts of a call's result: a list of them, or a single
// one.
func eachResult(res jspan.Value, f func(part jspan.Value)) {
	if res.Kind != jspan.Array {
		f(res)
		return
	}
	res.Items(func(_ int, e jspan.Value) bool {
		f(e)
		return true
	})
}

// geminiResultText is what the model got of a call: the output of its function
// responses, and text beside them.
func geminiResultText(res jspan.Value) string {
	var texts []string
	eachResult(res, func(e jspan.Value) {
		switch r := geminiResult(e); {
		case r.Exists():
			texts = append(texts, geminiOutput(r))
		case e.Kind == jspan.String:
			texts = append(texts, e.Text())
		case e.Has("text"):
			texts = append(texts, e.Get("text").Text())
		}
	})
	return strings.Join(texts, "\n")
}

// Parts implements [model.Codec]. A piece is a recorded message, or a call with
// its result.
func (geminiCLI) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	err := eachPiece(d, m, func(v jspan.Value) {
		if m.Kind == model.KindResult {
			p.text(m, geminiResultText(v.Get("result")))
			eachResult(v.Get("result"), func(e jspan.Value) {
				if e.Kind == jspan.Object && !geminiResult(e).Exists() && !e.Has("text") {
					p.geminiPart(m, e) // media beside the response
				}
			})
			return
		}
		v.Get("thoughts").Items(func(_ int, e jspan.Value) bool {
			text := e.Get("description").Text()
			if s := e.Get("subject").Text(); s != "" {
				text = s + ": " + text
			}
			p.reasoning(text)
			return true
		})
		if content := v.Get("content"); content.Kind == jspan.Array {
			content.Items(func(_ int, e jspan.Value) bool {
				p.geminiPart(m, e)
				return true
			})
		} else if content.Kind != jspan.Null && content.Exists() {
			p.geminiPart(m, content)
		}
		v.Get("toolCalls").Items(func(_ int, e jspan.Value) bool {
			p.call(m, e.Get("name").Text(), e.Get("args"))
			return true
		})
	})
	return p.done(), err
}
