package transcript

import (
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec].
func (openHands) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	first := true
	for _, piece := range m.Pieces {
		if piece.Duplicate {
			continue
		}
		v, err := parseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		switch {
		case v.Kind == jspan.String: // the text of a condensation
			p.text(m, v.Text())
		case v.Get("kind").Kind == jspan.String:
			p.sdkEvent(m, v, first)
		case v.Get("action").Kind == jspan.String:
			p.ohAction(m, v, first)
		default:
			p.ohObservation(m, v)
		}
		first = false
	}
	return p.done(), nil
}

// ohAction reads a V0 action. Each action of a response repeats the whole
// response: its text counts once.
func (p *parts) ohAction(m *model.Message, v jspan.Value, first bool) {
	args := v.Get("args")
	if m.Kind != model.KindAssistant {
		if t := args.Get("content"); t.Kind == jspan.String {
			p.text(m, t.Text())
		} else {
			p.text(m, args.Get("command").Text())
		}
		args.Get("image_urls").Items(func(_ int, e jspan.Value) bool {
			p.media("image", e)
			return true
		})
		return
	}
	answer := v.Get("tool_call_metadata", "model_response", "choices").Index(0).Get("message")
	if first {
		p.openAIReasoning(openAIMembers(answer))
		switch content := answer.Get("content"); content.Kind {
		case jspan.String:
			p.text(m, content.Text())
		case jspan.Array:
			content.Items(func(_ int, e jspan.Value) bool {
				p.openAIPart(m, e, true)
				return true
			})
		default:
			if !answer.Exists() {
				p.text(m, ohThought(v))
			}
		}
	}
	if p.calls < len(m.Calls) {
		p.call(m, m.Calls[p.calls].Name, ohArguments(v))
	}
}

func (p *parts) ohObservation(m *model.Message, v jspan.Value) {
	if v.Get("observation").TextN(8) == "recall" && m.Kind != model.KindResult {
		p.text(m, strings.Join(ohRecalled(v), "\n\n"))
		return
	}
	seen, _ := ohOutput(v)
	if seen.Kind == jspan.String {
		p.text(m, seen.Text())
	} else {
		p.text(m, rawText(seen))
	}
	for _, k := range []string{"image_urls", "screenshot", "set_of_marks"} {
		x := v.Get("extras", k)
		if x.Kind == jspan.String && x.Len() > 2 || x.Kind == jspan.Array && x.Count() > 0 {
			p.media("image", x)
		}
	}
}

func (p *parts) sdkEvent(m *model.Message, v jspan.Value, first bool) {
	switch v.Get("kind").TextN(60) {
	case "SystemPromptEvent":
		p.text(m, v.Get("system_prompt", "text").Text())
		p.text(m, v.Get("dynamic_context", "text").Text())
	case "MessageEvent":
		msg := v.Get("llm_message")
		p.openAIReasoning(openAIMembers(msg))
		p.ohBlocks(m, msg.Get("content"))
		p.ohBlocks(m, v.Get("extended_content"))
	case "ActionEvent":
		if first {
			p.openAIReasoning(openAIMembers(v))
			if x := v.Get("responses_reasoning_item"); x.Kind == jspan.Object {
				p.opaque("reasoning item", x)
			}
			p.ohBlocks(m, v.Get("thought"))
		}
		if args := v.Get("tool_call", "arguments"); args.Exists() {
			p.call(m, v.Get("tool_name").TextN(200), args)
		} else {
			p.call(m, v.Get("tool_name").TextN(200), v.Get("action"))
		}
	default:
		out := ohSDKOutput(v)
		if out.Kind == jspan.String || !out.Exists() {
			p.text(m, out.Text())
			return
		}
		p.ohBlocks(m, out)
		if p.result == 0 {
			p.text(m, "")
		}
	}
}

func (p *parts) ohBlocks(m *model.Message, content jspan.Value) {
	if content.Kind == jspan.String {
		p.text(m, content.Text())
	}
	content.Items(func(_ int, e jspan.Value) bool {
		p.openAIPart(m, e, true)
		return true
	})
}

// wholeNumber reads an id that is a number.
func wholeNumber(id string) (int64, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil
}
