package codec

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts collects the parts of one message.
type Parts struct {
	list   []model.Part
	Calls  int      // calls seen so far: they are in the order of Message.Calls
	Result int      // where the result part is, counted from 1
	texts  []string // the texts of the result, which are one part
}

// Done returns the parts in order.
func (p *Parts) Done() []model.Part {
	if p.Result > 0 {
		p.list[p.Result-1].Text = strings.Join(p.texts, "\n")
	}
	return p.list
}

// Add appends a part.
func (p *Parts) Add(part model.Part) { p.list = append(p.list, part) }

// Text adds text that is not empty; all text of a result is one part, which is
// there even when it is empty.
func (p *Parts) Text(m *model.Message, s string) {
	if m.Kind == model.KindResult {
		if p.Result == 0 {
			p.Add(model.Part{Kind: model.PartResult, CallID: m.Answers, Name: m.Name, Error: m.Error})
			p.Result = len(p.list)
		}
		p.texts = append(p.texts, s)
	} else if s != "" {
		p.Add(model.Part{Kind: model.PartText, Text: s})
	}
}

// EnsureResult gives a result that holds no text an empty part.
func (p *Parts) EnsureResult(m *model.Message) {
	if m.Kind == model.KindResult && p.Result == 0 {
		p.Text(m, "")
	}
}

// Content adds a text, or the parts of a list. native says that its calls only repeat
// what is elsewhere.
func (p *Parts) Content(m *model.Message, content jspan.Value, native bool) {
	switch content.Kind {
	case jspan.Array:
		for _, e := range content.Items {
			p.OpenAIPart(m, e, native)
		}
	case jspan.String:
		p.Text(m, content.Text())
	case jspan.Object, jspan.Number, jspan.True, jspan.False:
		p.Text(m, content.RawText())
	}
}

// Reasoning adds reasoning that is not empty.
func (p *Parts) Reasoning(s string) {
	if s != "" {
		p.Add(model.Part{Kind: model.PartReasoning, Text: s})
	}
}

// Call adds the next call; args are its arguments, a string or any value.
func (p *Parts) Call(m *model.Message, name string, args jspan.Value) {
	part := model.Part{Kind: model.PartCall, Name: name, Text: string(args.Raw())}
	if args.Kind == jspan.String {
		part.Text = args.Text()
	}
	if p.Calls < len(m.Calls) {
		part.CallID = m.Calls[p.Calls].ID
	}
	p.Calls++
	p.Add(part)
}

// Opaque adds a value that is not decoded, of which the size counts.
func (p *Parts) Opaque(name string, v jspan.Value) {
	p.Add(model.Part{Kind: model.PartOpaque, Name: name, Bytes: v.Len()})
}

// Media adds an image, a sound or a file, of which the size counts.
func (p *Parts) Media(name string, v jspan.Value) {
	p.Add(MediaPart(name, v))
}

// OpenAI adds the parts of a message in OpenAI's form: reasoning, content, calls.
func (p *Parts) OpenAI(m *model.Message, v jspan.Value) {
	if v.Kind != jspan.Object { // a wrapper's system prompt
		p.Text(m, v.Text())
		return
	}
	f := OpenAIFieldsOf(v)
	p.OpenAIReasoning(f)
	p.Content(m, f.Content, f.calls.Count() > 0 || f.function.Kind == jspan.Object)
	for _, e := range f.calls.Items {
		fn := CallBody(e)
		p.Call(m, fn.Get("name").TextN(200), CallArguments(fn))
	}
	if f.function.Kind == jspan.Object {
		p.Call(m, f.function.Get("name").TextN(200), f.function.Get("arguments"))
	}
}

// OpenAIReasoning reads the first of the spellings that holds text; the others
// repeat it. Signatures and encrypted reasoning are opaque.
func (p *Parts) OpenAIReasoning(f OpenAIFields) {
	given := f.reasoning.Kind == jspan.String && f.reasoning.Len() > 2
	if given {
		p.Reasoning(f.reasoning.Text())
	}
	for _, list := range []jspan.Value{f.thinking, f.details} {
		before := given
		for _, e := range list.Items {
			for _, k := range []string{"thinking", "text", "summary"} {
				if t := e.Get(k); t.Kind == jspan.String && !before {
					p.Reasoning(t.Text())
					given = true
				}
			}
			for _, k := range []string{"signature", "data"} {
				if t := e.Get(k); t.Kind == jspan.String && t.Len() > 2 {
					p.Opaque(k, t)
				}
			}
		}
	}
}

// OpenAIPart reads one part of a content list. native says that the message
// has its calls in tool_calls, so that call parts only repeat them.
func (p *Parts) OpenAIPart(m *model.Message, e jspan.Value, native bool) {
	if e.Kind == jspan.String {
		p.Text(m, e.Text())
		return
	}
	switch t := e.Get("type").TextN(40); t {
	case "text", "refusal", "":
		if s := BlockText(e); s.Exists() {
			p.Text(m, s.Text())
		} else {
			p.Opaque("part", e)
		}
	case "reasoning", "thinking":
		s := BlockText(e)
		if !s.Exists() {
			s = e.Get("thinking")
		}
		p.Reasoning(s.Text())
	case "tool_call":
		if native {
			p.Opaque(t, e)
			return
		}
		body := typedCall(e)
		p.Call(m, body.Get("name").TextN(200), body.Get("arguments"))
	case "image_url", "input_audio", "file", "image", "video", "audio", "video_url":
		p.Media(t, e)
	default:
		p.Opaque(t, e)
	}
}
