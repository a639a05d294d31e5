package frameworks

import (
	"bytes"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// lcFields are the members of a message that mean something.
type lcFields struct {
	content, id, name, role, answers, status, calls, invalid, chunks, usage, extra, response jspan.Value
}

func lcMembers(body jspan.Value) (f lcFields) {
	for key, val := range body.Each {
		switch string(key) {
		case "content":
			f.content = val
		case "id":
			f.id = val
		case "name":
			f.name = val
		case "role":
			f.role = val
		case "tool_call_id":
			f.answers = val
		case "status":
			f.status = val
		case "tool_calls":
			f.calls = val
		case "invalid_tool_calls":
			f.invalid = val
		case "tool_call_chunks":
			f.chunks = val
		case "usage_metadata":
			f.usage = val
		case "additional_kwargs":
			f.extra = val
		case "response_metadata":
			f.response = val
		}
	}
	if f.calls.Count() == 0 && f.chunks.Count() > 0 && f.invalid.Count() == 0 {
		f.calls = f.chunks // a streamed message that was not put together
	}
	return f
}

// lcEachCall gives the calls of a message: those that could be parsed, those
// that could not, else the provider's own copy.
func lcEachCall(x lcFields, f func(id, name, args jspan.Value)) {
	given := false
	for _, list := range []jspan.Value{x.calls, x.invalid} {
		for _, e := range list.Items {
			given = true
			f(e.Get("id"), e.Get("name"), e.Get("args"))
		}
	}
	if given {
		return
	}
	for _, e := range x.extra.Get("tool_calls").Items {
		fn := codec.CallBody(e)
		f(e.Get("id"), fn.Get("name"), fn.Get("arguments"))
	}
}

func lcCalls(b *codec.Builder, x lcFields) (calls []model.Call) {
	lcEachCall(x, func(id, name, _ jspan.Value) {
		calls = append(calls, model.Call{ID: id.TextN(200), Name: b.Intern(name.TextN(200))})
	})
	return calls
}

// lcUsage reads the standard usage, in which input counts what was cached, or
// the provider's.
func lcUsage(x lcFields) *model.Usage {
	if n := codec.Tokens(x.usage.Get("input_tokens")); n > 0 {
		in := x.usage.Get("input_token_details")
		return &model.Usage{Input: n, Output: codec.Tokens(x.usage.Get("output_tokens")), CacheRead: codec.Tokens(in.Get("cache_read")),
			CacheWrite: codec.Tokens(in.Get("cache_creation")), Reasoning: codec.Tokens(x.usage.Get("output_token_details", "reasoning"))}
	}
	raw := x.response.Get("usage")
	if n := codec.Tokens(raw.Get("input_tokens")); n > 0 && raw.Has("input_tokens_details") {
		return &model.Usage{Input: n, Output: codec.Tokens(raw.Get("output_tokens")),
			CacheRead: codec.Tokens(raw.Get("input_tokens_details", "cached_tokens")),
			Reasoning: codec.Tokens(raw.Get("output_tokens_details", "reasoning_tokens"))}
	}
	if u := anthropic.UsageOf(raw); u != nil {
		return u
	}
	return codec.OpenAIUsage(x.response.Get("token_usage"))
}

// Parts implements [model.Codec].
func (LangChain) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := edit.ParseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	_, body, _ := lcMessage(v)
	x := lcMembers(body)
	var p codec.Parts
	if r := x.extra.Get("reasoning_content"); r.Kind == jspan.String {
		p.Reasoning(r.Text())
	}
	for _, e := range x.extra.Get("reasoning", "summary").Items {
		p.Reasoning(e.Get("text").Text())
	}
	if e := x.extra.Get("reasoning", "encrypted_content"); e.Kind == jspan.String {
		p.Opaque("encrypted_content", e)
	}
	if x.content.Kind == jspan.Array {
		for _, e := range x.content.Items {
			lcBlock(&p, m, e)
		}
	} else {
		p.Text(m, x.content.Text())
	}
	p.EnsureResult(m)
	if m.Kind == model.KindAssistant {
		lcEachCall(x, func(_, name, args jspan.Value) { p.Call(m, name.TextN(200), args) })
	}
	return p.Done(), nil
}

// lcBlock reads a block of a content list. Calls in it repeat tool_calls.
func lcBlock(p *codec.Parts, m *model.Message, e jspan.Value) {
	switch e.Get("type").TextN(40) {
	case "tool_use", "tool_call", "function_call", "tool_call_chunk", "input_json_delta":
		if len(m.Calls) == 0 {
			p.Opaque("tool call", e)
		}
	case "reasoning":
		p.Reasoning(codec.FirstOf(e.Get("reasoning").Text(), codec.BlockText(e).Text()))
		for _, s := range e.Get("summary").Items {
			p.Reasoning(s.Get("text").Text())
		}
	case "thinking":
		p.Reasoning(e.Get("thinking").Text())
		if s := e.Get("signature"); s.Kind == jspan.String && s.Len() > 2 {
			p.Opaque("signature", s)
		}
	case "output_text":
		p.Text(m, e.Get("text").Text())
	default:
		p.OpenAIPart(m, e, true)
	}
}

// lcSummarySource marks the message as LangChain's own summarisation does.
const lcSummarySource = `{"lc_source":"summarization"}`

// Summary spells a human message in the form of its neighbour.
func (LangChain) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	form, body, _ := lcMessage(like)
	inner := edit.SpellLike(d, body).Str("content", s.Text).Raw("additional_kwargs", []byte(lcSummarySource)).
		Raw("response_metadata", []byte("{}"))
	switch form {
	case lcConstructor:
		class, err := lcHumanClass(d, like.Get("id"))
		if err != nil {
			return nil, err
		}
		return edit.SpellLike(d, like).Raw("lc", like.Get("lc").Raw()).Str("type", "constructor").Raw("id", class).
			Raw("kwargs", inner.Str("id", s.UID).Done()).Done(), nil
	case lcData:
		return edit.SpellLike(d, like).Str("type", "human").Raw("data", inner.Str("type", "human").Str("id", s.UID).Done()).Done(), nil
	}
	return inner.Str("type", "human").Str("id", s.UID).Done(), nil
}

// lcHumanClass is the neighbour's class path with the class of a human message.
func lcHumanClass(d *model.Document, path jspan.Value) ([]byte, error) {
	last := path.Index(path.Count() - 1)
	if last.Kind != jspan.String {
		return nil, fmt.Errorf("the neighbour names no class")
	}
	raw := path.Raw()
	at := last.Off - path.Off
	return bytes.Join([][]byte{raw[:at], edit.Quote(d, "HumanMessage"), raw[at+last.Len():]}, nil), nil
}

// ResultContent is the content of the tool message.
func (LangChain) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m, func(v jspan.Value) jspan.Value {
		_, body, _ := lcMessage(v)
		return body.Get("content")
	})
}
