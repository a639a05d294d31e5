package google

import (
	"cmp"
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Gemini reads contents of Gemini's API: requests, checkpoints with history,
// responses with candidates, logs of a request with its response, bare arrays,
// and collections of them. A content's function responses are messages of their
// own. Calls often have no id: a result answers the call of its name in the
// message before.
type Gemini struct{ codec.Unlinked }

func (Gemini) Info() codec.Info {
	return codec.Info{Format: model.FormatGemini, Title: "Gemini contents",
		How: "contents or history of {role, parts}, whose parts are recognised by their members (text, functionCall …)"}
}

// contentList is one conversation of contents.
type contentList struct {
	outer, contents, system, candidates, response jspan.Value
}

func asContentList(v jspan.Value) (t contentList, ok bool) {
	t.outer = v
	if v.Kind == jspan.Array {
		t.contents = v
		return t, areContents(v)
	}
	t.members(v, 0)
	return t, t.contents.Exists() || t.candidates.Exists()
}

func (t *contentList) members(v jspan.Value, depth int) {
	for key, val := range v.Each {
		switch string(key) {
		case "contents", "history":
			if !t.contents.Exists() && areContents(val) {
				t.contents = val
			}
		case "systemInstruction", "system_instruction":
			t.system = val
		case "candidates":
			if c := val.Index(0).Get("content"); !t.candidates.Exists() && c.Get("parts").Kind == jspan.Array {
				t.candidates, t.response = val, v
			}
		case "request", "response", "body":
			if val.Kind == jspan.Object && depth < 2 {
				t.members(val, depth+1)
			}
		}
	}
}

func areContents(v jspan.Value) bool { return codec.Mostly(v, 10, isContent) }

// isContent recognises {role, parts}. Parts with a type, and messages with
// other members that name them, are another format's.
func isContent(v jspan.Value) bool {
	parts := v.Get("parts")
	if parts.Kind != jspan.Array || v.Has("type") || v.Has("author") {
		return false
	}
	good := true
	for i, e := range parts.Items {
		good = e.Kind == jspan.Object && !e.Has("type")
		if !good || i >= 9 {
			break
		}
	}
	switch v.Get("role").TextN(10) {
	case "user", "model", "function", "system":
		return good
	case "":
		return good && parts.Count() > 0 && !v.Has("role")
	}
	return false
}

func isContentList(v jspan.Value) bool { _, ok := asContentList(v); return ok }

func (Gemini) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(86, isContentList, "contents of {role, parts}")
}

func (f Gemini) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadChats(ctx, isContentList, func(c *codec.Chat, v jspan.Value) {
		t, _ := asContentList(v)
		codec.ReadMeta(c, v)
		if head := systemHead(t.system); head != "" {
			c.Add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: codec.Preview(head),
				Pieces: []model.Piece{b.InnerPiece(t.system)}}, t.system)
		}
		b.EachMessage(t.contents, func(e jspan.Value, p model.Piece) { f.content(c, e, false, p) })
		if t.candidates.Exists() { // the first is the answer
			b.Doc.Items++
			e := t.candidates.Index(0)
			list, first := b.Array(t.candidates, model.Piece{}), len(c.Th.Messages)
			f.content(c, e.Get("content"), true, b.Elem(list, 0))
			c.Alternatives(first, list)
			for i := first; i < len(c.Th.Messages); i++ {
				m := &c.Th.Messages[i]
				m.Model, m.Usage = b.Intern(codec.Either(t.response, "modelVersion", "model_version").TextN(200)),
					geminiUsage(codec.Either(t.response, "usageMetadata", "usage_metadata"))
			}
			if m := codec.Either(t.response, "modelVersion", "model_version").TextN(200); m != "" {
				c.Conv.Model = m
			}
		}
	})
}

// systemHead is the beginning of a system instruction: a content, or a string.
func systemHead(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.TextN(codec.PreviewScan)
	}
	return geminiHead(v.Get("parts").Index(0))
}

// content adds the messages of one content, which is the element at p;
// a candidate is the model's even if it does not say so.
func (f Gemini) content(c *codec.Chat, v jspan.Value, candidate bool, p model.Piece) {
	m := model.Message{Time: codec.Millis(v.Get("timestamp"))}
	switch v.Get("role").TextN(10) {
	case "model":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	case "system":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	case "user", "function":
		m.Role, m.Kind = model.RoleUser, model.KindUser
	case "":
		m.Role, m.Kind = model.RoleUser, model.KindUser
		if candidate {
			m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		}
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		c.B.NoteRole(v, "role", v.Get("role").TextN(40))
	}
	addParts(c, m, v, v.Get("parts"), p)
}

// addParts adds the messages of a list of parts.
func addParts(c *codec.Chat, m model.Message, v, list jspan.Value, p model.Piece) {
	c.B.EachRun(list, p, m, partRuns(list, m.Kind), func(r codec.BlockRun, one model.Message) {
		head := ofRun(c.B, &one, list, r)
		c.AddHeaded(one, &head, v)
	})
}

// partRuns cuts a list of parts into messages: each function response is one.
func partRuns(list jspan.Value, kind model.Kind) []codec.BlockRun {
	return codec.CutRuns(list, kind, func(e jspan.Value) (model.Kind, bool, bool) {
		switch {
		case geminiResult(e).Exists():
			return model.KindResult, true, false
		case kind != model.KindAssistant && codec.IsSummaryText(geminiHead(e)):
			return model.KindSummary, true, false
		}
		return kind, false, false
	})
}

// ofRun completes the message of one run of parts, and says how it begins.
func ofRun(b *codec.Builder, m *model.Message, list jspan.Value, r codec.BlockRun) (head codec.Headline) {
	called := ""
	r.Each(list, func(e jspan.Value) {
		head.Add(geminiHead(e))
		if call := geminiCall(e); call.Exists() {
			m.Calls = append(m.Calls, model.Call{ID: call.Get("id").TextN(200), Name: b.Intern(call.Get("name").TextN(200))})
			called = cmp.Or(called, m.Calls[0].Name+" "+codec.SpelledHead(call.Get("args")))
		}
		if res := geminiResult(e); res.Exists() {
			m.Role, m.Answers, m.Name = model.RoleTool, res.Get("id").TextN(200), b.Intern(res.Get("name").TextN(200))
			m.Error, m.Model, m.Usage = res.Get("response").Has("error"), "", nil
			head.Text = codec.HeadOf(geminiOutput(res))
		}
	})
	head.Text = cmp.Or(head.Text, called)
	return head
}

// Parts implements [model.Codec]. A piece is a content, a candidate, one part
// of a content, or the system instruction.
func (Gemini) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		if inner := v.Get("content"); inner.Kind == jspan.Object {
			v = inner
		}
		if list := v.Get("parts"); list.Kind == jspan.Array {
			for _, e := range list.Items {
				geminiPart(p, m, e)
			}
			return
		}
		geminiPart(p, m, v)
	})
}

// Place puts the summary before the content that held the first thing it
// replaces, or behind it if kept parts are in front; what a response answered
// has it at the end of the request.
func (Gemini) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	if at, ok := edit.LastOfOtherList(d, th, m); ok {
		return at, true
	}
	return anthropic.Messages{}.Place(d, th, m, dropped)
}

// Summary spells a user's content, or a part of one between kept parts.
func (Gemini) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	text := edit.NewObject(d).Str("text", s.Text).Done()
	list := edit.List(text)
	o := edit.SpellLike(d, like)
	switch {
	case like.Get("content").Kind == jspan.Object: // a candidate
		return o.Raw("content", edit.NewObject(d).Raw("parts", list).Str("role", "user").Done()).Done(), nil
	case !like.Has("parts"):
		return o.Str("text", s.Text).Done(), nil
	case edit.FirstKey(like) == "parts":
		return o.Raw("parts", list).Str("role", "user").Done(), nil
	}
	return o.Str("role", "user").Raw("parts", list).Done(), nil
}

// ResultContent is the output in the function response, which has to stay an
// object.
func (Gemini) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m.Pieces[:1], func(v jspan.Value, _ model.Piece) []jspan.Value {
		if list := v.Get("parts"); list.Kind == jspan.Array {
			v = list.Index(0)
		}
		return geminiOutputs(geminiResult(v))
	})
}

// Parts of Gemini's API are recognised by the member they have, which some writers
// spell in snake case.

// geminiCall is what a part calls; Missing if it calls nothing.
func geminiCall(part jspan.Value) jspan.Value {
	return codec.Either(part, "functionCall", "function_call")
}

// geminiResult is the result that a part holds.
func geminiResult(part jspan.Value) jspan.Value {
	return codec.Either(part, "functionResponse", "function_response")
}

// geminiOutputs are the values in a function response that hold what came out,
// in the order in which the text of the result joins them.
func geminiOutputs(response jspan.Value) []jspan.Value {
	r := response.Get("response")
	if r.Kind != jspan.Object {
		if !r.Exists() {
			return nil
		}
		return []jspan.Value{r}
	}
	for _, key := range []string{"output", "result", "content", "error"} {
		if v := r.Get(key); v.Exists() && r.Count() == 1 {
			return []jspan.Value{v}
		}
	}
	var all []jspan.Value // a tool's own members: each is output
	for _, v := range r.Each {
		all = append(all, v)
	}
	return all
}

// geminiOutput is the text of a function response: the output itself where it
// is all there is, else the response as the source spells it.
func geminiOutput(response jspan.Value) string {
	if out := geminiOutputs(response); len(out) == 1 && out[0].Kind == jspan.String {
		return out[0].Text()
	}
	return response.Get("response").RawText()
}

// geminiHead is the beginning of what a part says.
func geminiHead(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.TextN(codec.PreviewScan)
	}
	if v.Get("thought").Bool() {
		return ""
	}
	return v.Get("text").TextN(codec.PreviewScan)
}

func geminiUsage(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object {
		return nil
	}
	n := func(camel, snake string) int { return codec.Tokens(codec.Either(v, camel, snake)) }
	u := &model.Usage{Input: n("promptTokenCount", "prompt_token_count"),
		CacheRead: n("cachedContentTokenCount", "cached_content_token_count"),
		Output:    n("candidatesTokenCount", "candidates_token_count"), Reasoning: n("thoughtsTokenCount", "thoughts_token_count")}
	if *u == (model.Usage{}) {
		return nil
	}
	u.Output += u.Reasoning // thoughts are counted beside the candidates
	return u
}

// geminiPart decodes one part; a string is a text.
func geminiPart(p *codec.Parts, m *model.Message, v jspan.Value) {
	if v.Kind == jspan.String {
		p.Text(m, v.Text())
		return
	}
	given := false
	for key, val := range v.Each {
		k := string(key)
		switch k {
		case "text":
			if v.Get("thought").Bool() {
				p.Reasoning(val.Text())
			} else {
				p.Text(m, val.Text())
			}
		case "functionCall", "function_call":
			p.Call(m, val.Get("name").Text(), val.Get("args"))
		case "functionResponse", "function_response":
			p.Text(m, geminiOutput(val))
			for _, e := range val.Get("parts").Items { // media that came with it
				p.Media("functionResponse", e)
			}
		case "inlineData", "inline_data", "fileData", "file_data":
			name := codec.Either(val, "mimeType", "mime_type").TextN(80)
			if name == "" {
				name = k
			}
			p.Media(name, val)
		case "executableCode", "executable_code":
			p.Text(m, val.Get("code").Text())
		case "codeExecutionResult", "code_execution_result":
			p.Text(m, val.Get("output").Text())
		case "thoughtSignature", "thought_signature":
			p.Opaque(k, val)
		case "thought", "videoMetadata", "video_metadata":
			continue
		default:
			continue
		}
		given = true
	}
	if !given {
		p.Opaque("part", v)
	}
}
