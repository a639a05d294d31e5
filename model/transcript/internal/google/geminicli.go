package google

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// GeminiCLI reads the sessions that Gemini CLI and its descendants record: one
// object with messages, or, in newer versions, a log of records in which a
// later one of the same id replaces an earlier one, $rewindTo takes back and
// $set puts other messages in the place of all (geminicli_log.go).
//
// A message of the model holds its calls with their results. The calls belong
// to the message; each result is a message of its own whose piece lies inside,
// so that the two stay or go together. Infos and errors are for the eye, not
// for the model. A $rewindTo needs no mending: it names a message that it took
// back, which is in no live list and so never goes.
type GeminiCLI struct{ codec.Unlinked }

func (GeminiCLI) Info() codec.Info {
	return codec.Info{Format: model.FormatGeminiCLI, Title: "Gemini CLI session",
		How: "sessionId with messages of type user and gemini, in one object or as a log with $set and $rewindTo"}
}

func isGeminiSession(v jspan.Value) bool {
	if !v.Has("sessionId") || v.Get("messages").Kind != jspan.Array {
		return false
	}
	if v.Has("projectHash") || isGeminiMessage(v.Get("messages").Index(0)) {
		return true
	}
	for i := range 4 { // one without ids
		if m := v.Get("messages").Index(i); m.Get("type").TextN(10) == "gemini" && m.Has("content") {
			return true
		}
	}
	return false
}

// isGeminiMessage recognises one recorded message.
func isGeminiMessage(v jspan.Value) bool {
	switch v.Get("type").TextN(10) {
	case "user", "gemini", "info", "error", "warning":
		return v.Get("id").Kind == jspan.String && v.Has("content") && !v.Has("role") && !v.Has("uuid")
	}
	return false
}

func (GeminiCLI) Recognise(s *codec.Sniff) (int, string) {
	if s.JSONLines {
		head := func(v jspan.Value) bool { return v.Has("sessionId") && v.Has("projectHash") }
		if s.Any(head) && s.Share(func(v jspan.Value) bool { return head(v) || isGeminiMessage(v) || isGeminiPatch(v) }) >= 0.5 {
			return 93, "a log of messages of type user and gemini behind a line with sessionId and projectHash"
		}
	}
	return s.ScoreLayout(93, isGeminiSession, "sessionId and messages of type user and gemini")
}

func (f GeminiCLI) Read(ctx context.Context, b *codec.Builder) error {
	if !b.Whole.Exists() {
		return readGeminiLog(ctx, b)
	}
	return b.ReadChats(ctx, isGeminiSession, func(c *codec.Chat, v jspan.Value) {
		c.Conv.ID = v.Get("sessionId").TextN(200)
		answered := geminiAnswers{}
		b.EachMessage(v.Get("messages"), func(e jspan.Value, p model.Piece) {
			for k, m := range geminiMessages(b, e, p) {
				if m.Kind == model.KindOther {
					c.Store(m)
					continue
				}
				if answered.copies(c.Th, &m) {
					continue
				}
				at := e
				if k > 0 {
					at = e.Get("toolCalls")
				}
				c.Add(m, at)
			}
		})
	})
}

// geminiAnswers are the results of a thread by the ids of their calls. Newer versions record a
// result twice, with its call and as a message of the user.
type geminiAnswers map[string]int32

// copies gives what is recorded of a result for the second time to the first of them.
func (a geminiAnswers) copies(th *model.Thread, m *model.Message) bool {
	if m.Kind != model.KindResult {
		return false
	}
	at, known := a[m.Answers]
	// Those with their calls have no id, and results without one are numbered anew in each answer.
	if !known || m.ID == "" || strings.HasPrefix(m.Answers, "#") {
		a[m.Answers] = int32(len(th.Messages))
		return false
	}
	for _, p := range m.Pieces {
		p.Duplicate = true
		th.Messages[at].Pieces = append(th.Messages[at].Pieces, p)
	}
	return true
}

// geminiMessages are the messages that a recorded one holds: itself, then the
// result of each call that has one. Calls without an id are numbered.
func geminiMessages(b *codec.Builder, v jspan.Value, p model.Piece) []model.Message {
	m := model.Message{ID: v.Get("id").TextN(200), Time: codec.Millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	head := geminiContentHead(v.Get("content"))
	m.Preview = codec.Preview(head)
	switch v.Get("type").TextN(12) {
	case "user":
		if list := v.Get("content"); geminiResult(list.Index(0)).Exists() {
			return geminiResponses(b, list, m)
		}
		if codec.SetUser(&m, head); isCommand(head) { // it is left out when a session is loaded
			m.Role, m.Kind, m.Origin = model.RoleOther, model.KindOther, model.OriginUnknown
		}
		return []model.Message{m}
	case "gemini":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		return []model.Message{m}
	}
	m.Model, m.Usage = b.Intern(v.Get("model").TextN(200)), geminiTokens(v.Get("tokens"))
	out := []model.Message{m}
	for i, e := range geminiCalls(v) {
		id := codec.FirstOf(e.Get("id").TextN(200), v.Get("toolCalls").Index(i).Get("id").TextN(200), "#"+strconv.Itoa(i+1))
		call := model.Call{ID: id, Name: b.Intern(e.Get("name").TextN(200))}
		out[0].Calls = append(out[0].Calls, call)
		if i == 0 && out[0].Preview == "" {
			out[0].Preview = codec.Preview(call.Name + " " + codec.SpelledHead(e.Get("args")))
		}
	}
	for i, e := range v.Get("toolCalls").Items {
		call := model.Call{ID: codec.FirstOf(e.Get("id").TextN(200), "#"+strconv.Itoa(i+1)), Name: b.Intern(e.Get("name").TextN(200))}
		if res := e.Get("result"); res.Exists() && res.Kind != jspan.Null {
			text := geminiResultText(res)
			r := model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: call.ID, Name: call.Name,
				Time:    codec.Millis(e.Get("timestamp")),
				Preview: codec.Preview(codec.HeadOf(text)), Pieces: []model.Piece{b.InnerPiece(e)}}
			switch e.Get("status").TextN(12) {
			case "error", "cancelled":
				r.Error = true
			}
			out = append(out, r)
		}
	}
	return out
}

// isCommand reports whether a person said something to the program, and not to the model.
func isCommand(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?")
}

// geminiCalls are the calls that an answer makes: those in its content, which newer versions
// keep there as well, else those beside it.
func geminiCalls(v jspan.Value) (list []jspan.Value) {
	for _, e := range v.Get("content").Items {
		if call := geminiCall(e); call.Exists() {
			list = append(list, call)
		}
	}
	if list != nil {
		return list
	}
	for _, e := range v.Get("toolCalls").Items {
		list = append(list, e)
	}
	return list
}

// geminiResponses are the results that are recorded as a message of the user.
func geminiResponses(b *codec.Builder, list jspan.Value, m model.Message) (out []model.Message) {
	m.Role = model.RoleUser
	b.EachRun(list, m.Pieces[0], m, partRuns(list, model.KindUser), func(r codec.BlockRun, one model.Message) {
		one.Preview = codec.Preview(ofRun(b, &one, list, r).Text)
		if one.Kind == model.KindResult {
			one.Answers = cmp.Or(one.Answers, "#"+strconv.Itoa(len(out)+1))
		} else { // what a tool gave beside its result
			one.Origin = model.OriginInjected
		}
		out = append(out, one)
	})
	return out
}

func geminiTokens(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object {
		return nil
	}
	u := model.Usage{Input: codec.Tokens(v.Get("input")), CacheRead: codec.Tokens(v.Get("cached")),
		Reasoning: codec.Tokens(v.Get("thoughts"))}
	u.Output = codec.Tokens(v.Get("output")) + u.Reasoning
	if u == (model.Usage{}) {
		return nil // written before the answer was there
	}
	return &u
}

// geminiContentHead is the beginning of a content: a string, a part, or a list.
func geminiContentHead(v jspan.Value) (head string) {
	eachResult(v, func(e jspan.Value) { head = cmp.Or(head, geminiHead(e)) })
	return head
}

// eachResult gives the parts of a call's result: a list of them, or a single
// one.
func eachResult(res jspan.Value, f func(part jspan.Value)) {
	if res.Kind != jspan.Array {
		f(res)
		return
	}
	for _, e := range res.Items {
		f(e)
	}
}

// geminiResultOf holds the parts of a result: of a call, of a record, or a part of one.
func geminiResultOf(v jspan.Value) jspan.Value {
	if res := codec.Either(v, "result", "content"); res.Exists() {
		return res
	}
	return v
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
func (GeminiCLI) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		if m.Kind == model.KindResult {
			p.Text(m, geminiResultText(geminiResultOf(v)))
			eachResult(geminiResultOf(v), func(e jspan.Value) {
				if e.Kind == jspan.Object && !geminiResult(e).Exists() && !e.Has("text") {
					geminiPart(p, m, e) // media beside the response
				}
			})
			return
		}
		content, thinks, calls := v.Get("content"), false, false // in the content, which newer versions keep whole
		for _, e := range content.Items {
			thinks, calls = thinks || e.Get("thought").Bool(), calls || geminiCall(e).Exists()
		}
		for _, e := range v.Get("thoughts").Items {
			if thinks {
				break
			}
			text := e.Get("description").Text()
			if s := e.Get("subject").Text(); s != "" {
				text = s + ": " + text
			}
			p.Reasoning(text)
		}
		if !v.Has("type") {
			content = v // one part of a record with several
		}
		if content.Exists() && content.Kind != jspan.Null {
			eachResult(content, func(e jspan.Value) { geminiPart(p, m, e) })
		}
		for _, e := range v.Get("toolCalls").Items {
			if !calls {
				p.Call(m, e.Get("name").Text(), e.Get("args"))
			}
		}
	})
}

// Place puts the summary where the first message stood that it replaces: in the last list
// of messages that was set, else at the earliest of its records, because a log keeps a
// message's place when a later record replaces it.
func (GeminiCLI) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	at := edit.EditablePiece(d, th, m)
	for _, p := range m.Pieces {
		set, was := p.Array >= 0, at.Array >= 0
		if edit.Editable(d, p) && (set && (!was || p.Off > at.Off) || !set && !was && p.Off < at.Off) {
			at = p
		}
	}
	return at, false
}

// Summary spells a recorded message of the user.
func (GeminiCLI) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	content := edit.Quote(d, s.Text)
	if like.Get("content").Kind == jspan.Array {
		content = edit.List(edit.NewObject(d).Str("text", s.Text).Done())
	}
	return edit.SpellLike(d, like).Str("id", s.UID).Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).
		Str("type", "user").Raw("content", content).Done(), nil
}

// ResultContent is the output in the function responses, and what is kept for
// the eye beside them.
func (GeminiCLI) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m.Pieces[:1], func(v jspan.Value, _ model.Piece) (out []jspan.Value) {
		eachResult(geminiResultOf(v), func(e jspan.Value) {
			switch r := geminiResult(e); {
			case r.Exists():
				out = append(out, geminiOutputs(r)...)
			case e.Kind == jspan.String:
				out = append(out, e)
			default:
				out = append(out, e.Get("text"))
			}
		})
		if shown := v.Get("resultDisplay"); shown.Kind == jspan.String && shown.Len() > 2 {
			out = append(out, shown)
		}
		return out
	})
}
