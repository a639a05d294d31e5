package transcript

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec].
func (openAI) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	for _, piece := range m.Pieces {
		if piece.Duplicate {
			continue
		}
		v, err := parseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		if msg := v.Get("message"); msg.Kind == jspan.Object {
			v = msg // a choice of a response
		}
		p.openAI(m, v)
	}
	return p.done(), nil
}

// parts collects the parts of one message.
type parts struct {
	list   []model.Part
	calls  int      // calls seen so far: they stand in the order of Message.Calls
	result int      // where the result part stands, counted from 1
	texts  []string // the texts of the result, which are one part
}

func (p *parts) done() []model.Part {
	if p.result > 0 {
		p.list[p.result-1].Text = strings.Join(p.texts, "\n")
	}
	return p.list
}

func (p *parts) add(part model.Part) { p.list = append(p.list, part) }

// text adds text that is not empty; all text of a result is one part, which is
// there even when it is empty.
func (p *parts) text(m *model.Message, s string) {
	if m.Kind == model.KindResult {
		if p.result == 0 {
			p.add(model.Part{Kind: model.PartResult, CallID: m.Answers, Name: m.Name, Error: m.Error})
			p.result = len(p.list)
		}
		p.texts = append(p.texts, s)
	} else if s != "" {
		p.add(model.Part{Kind: model.PartText, Text: s})
	}
}

func (p *parts) reasoning(s string) {
	if s != "" {
		p.add(model.Part{Kind: model.PartReasoning, Text: s})
	}
}

// call adds the next call; args are its arguments, a string or any value.
func (p *parts) call(m *model.Message, name string, args jspan.Value) {
	part := model.Part{Kind: model.PartCall, Name: name, Text: string(args.Raw())}
	if args.Kind == jspan.String {
		part.Text = args.Text()
	}
	if p.calls < len(m.Calls) {
		part.CallID = m.Calls[p.calls].ID
	}
	p.calls++
	p.add(part)
}

func (p *parts) opaque(name string, v jspan.Value) {
	p.add(model.Part{Kind: model.PartOpaque, Name: name, Bytes: v.Len()})
}

func (p *parts) media(name string, v jspan.Value) {
	p.add(model.Part{Kind: model.PartMedia, Name: name, Bytes: v.Len()})
}

func (p *parts) openAI(m *model.Message, v jspan.Value) {
	if v.Kind != jspan.Object { // a wrapper's system prompt
		p.text(m, v.Text())
		return
	}
	f := openAIMembers(v)
	p.openAIReasoning(f)
	native := f.calls.Count() > 0 || f.function.Kind == jspan.Object
	switch f.content.Kind {
	case jspan.Array:
		f.content.Items(func(_ int, e jspan.Value) bool {
			p.openAIPart(m, e, native)
			return true
		})
	case jspan.String:
		p.text(m, f.content.Text())
	case jspan.Object, jspan.Number, jspan.True, jspan.False:
		p.text(m, string(f.content.Raw()))
	}
	f.calls.Items(func(_ int, e jspan.Value) bool {
		fn := callBody(e)
		args := fn.Get("arguments")
		if !args.Exists() {
			args = fn.Get("input")
		}
		p.call(m, fn.Get("name").TextN(200), args)
		return true
	})
	if f.function.Kind == jspan.Object {
		p.call(m, f.function.Get("name").TextN(200), f.function.Get("arguments"))
	}
}

// openAIReasoning reads the first of the spellings that holds text; the others
// repeat it. Signatures and encrypted reasoning are opaque.
func (p *parts) openAIReasoning(f openAIFields) {
	told := f.reasoning.Kind == jspan.String && f.reasoning.Len() > 2
	if told {
		p.reasoning(f.reasoning.Text())
	}
	for _, list := range []jspan.Value{f.thinking, f.details} {
		before := told
		list.Items(func(_ int, e jspan.Value) bool {
			for _, k := range []string{"thinking", "text", "summary"} {
				if t := e.Get(k); t.Kind == jspan.String && !before {
					p.reasoning(t.Text())
					told = true
				}
			}
			for _, k := range []string{"signature", "data"} {
				if t := e.Get(k); t.Kind == jspan.String && t.Len() > 2 {
					p.opaque(k, t)
				}
			}
			return true
		})
	}
}

// openAIPart reads one part of a content list. native says that the message
// has its calls in tool_calls, so that call parts only repeat them.
func (p *parts) openAIPart(m *model.Message, e jspan.Value, native bool) {
	if e.Kind == jspan.String {
		p.text(m, e.Text())
		return
	}
	switch t := e.Get("type").TextN(40); t {
	case "text", "refusal", "":
		if s := blockText(e); s.Exists() {
			p.text(m, s.Text())
		} else {
			p.opaque("part", e)
		}
	case "reasoning", "thinking":
		s := blockText(e)
		if !s.Exists() {
			s = e.Get("thinking")
		}
		p.reasoning(s.Text())
	case "tool_call":
		if native {
			p.opaque(t, e)
			return
		}
		body := typedCall(e)
		p.call(m, body.Get("name").TextN(200), body.Get("arguments"))
	case "image_url", "input_audio", "file", "image", "video", "audio", "video_url":
		p.media(t, e)
	default:
		p.opaque(t, e)
	}
}
