package coders

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec].
func (OpenHands) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	first := true
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		switch {
		case v.Kind == jspan.String: // the text of a condensation
			p.Text(m, v.Text())
		case v.Get("kind").Kind == jspan.String:
			sdkEvent(p, m, v, first)
		case v.Get("action").Kind == jspan.String:
			ohAction(p, m, v, first)
		default:
			ohObservation(p, m, v)
		}
		first = false
	})
}

func ohObservation(p *codec.Parts, m *model.Message, v jspan.Value) {
	if v.Get("observation").TextN(8) == "recall" && m.Kind != model.KindResult {
		p.Text(m, strings.Join(ohRecalled(v), "\n\n"))
		return
	}
	seen := ohOutput(v)
	if seen.Kind == jspan.String {
		p.Text(m, seen.Text())
	} else {
		p.Text(m, seen.RawText())
	}
	for _, k := range []string{"image_urls", "screenshot", "set_of_marks"} {
		x := v.Get("extras", k)
		if x.Kind == jspan.String && x.Len() > 2 || x.Kind == jspan.Array && x.Count() > 0 {
			p.Media("image", x)
		}
	}
}

func sdkEvent(p *codec.Parts, m *model.Message, v jspan.Value, first bool) {
	switch v.Get("kind").TextN(60) {
	case "SystemPromptEvent":
		p.Text(m, v.Get("system_prompt", "text").Text())
		p.Text(m, v.Get("dynamic_context", "text").Text())
	case "MessageEvent":
		msg := v.Get("llm_message")
		p.OpenAIReasoning(codec.OpenAIFieldsOf(msg))
		p.Content(m, msg.Get("content"), true)
		p.Content(m, v.Get("extended_content"), true)
	case "ActionEvent":
		if first {
			p.OpenAIReasoning(codec.OpenAIFieldsOf(v))
			if x := v.Get("responses_reasoning_item"); x.Kind == jspan.Object {
				p.Opaque("reasoning item", x)
			}
			p.Content(m, v.Get("thought"), true)
		}
		if args := v.Get("tool_call", "arguments"); args.Exists() {
			p.Call(m, v.Get("tool_name").TextN(200), args)
		} else {
			p.Call(m, v.Get("tool_name").TextN(200), v.Get("action"))
		}
	default:
		out := ohSDKOutput(v)
		if out.Kind == jspan.String || !out.Exists() {
			p.Text(m, out.Text())
			return
		}
		p.Content(m, out, true)
		p.EnsureResult(m)
	}
}

// ohAction reads a V0 action. Each action of a response repeats the whole
// response: its text counts once.
func ohAction(p *codec.Parts, m *model.Message, v jspan.Value, first bool) {
	args := v.Get("args")
	if m.Kind != model.KindAssistant {
		if t := args.Get("content"); t.Kind == jspan.String {
			p.Text(m, t.Text())
		} else {
			p.Text(m, args.Get("command").Text())
		}
		for _, e := range args.Get("image_urls").Items {
			p.Media("image", e)
		}
		return
	}
	answer := v.Get("tool_call_metadata", "model_response", "choices").Index(0).Get("message")
	if first {
		p.OpenAIReasoning(codec.OpenAIFieldsOf(answer))
		switch content := answer.Get("content"); content.Kind {
		case jspan.String:
			p.Text(m, content.Text())
		case jspan.Array:
			for _, e := range content.Items {
				p.OpenAIPart(m, e, true)
			}
		default:
			if !answer.Exists() {
				p.Text(m, ohThought(v))
			}
		}
	}
	if p.Calls < len(m.Calls) {
		p.Call(m, m.Calls[p.Calls].Name, ohArguments(v))
	}
}
