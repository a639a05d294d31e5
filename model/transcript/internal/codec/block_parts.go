package codec

import (
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// BlockParts decodes the content of a message in Anthropic's block form: a
// string or an array of blocks. Nothing is too odd for it: unknown blocks come
// back as opaque parts.
func BlockParts(content jspan.Value, out []model.Part) []model.Part {
	switch content.Kind {
	case jspan.String:
		return append(out, model.Part{Kind: model.PartText, Text: content.Text()})
	case jspan.Array:
		for _, b := range content.Items {
			out = BlockPart(b, out)
		}
	case jspan.Object:
		return BlockPart(content, out)
	}
	return out
}

// SignedThinking reports whether a block is thinking with the provider's signature.
func SignedThinking(b jspan.Value) bool {
	switch b.Get("type").TextN(20) {
	case "thinking":
		return b.Get("signature").Len() > 2 || b.Get("thinkingSignature").Len() > 2
	case "redacted_thinking":
		return true
	}
	return false
}

// ThinkingLeftOut stands where a block of thinking was all that a record held.
const ThinkingLeftOut = "[thinking left out]"

// leaveThinking takes signed thinking out of a message that stays.
func leaveThinking(d *model.Document, m *model.Message, e *edit.Edits) error {
	for _, p := range m.Pieces {
		if p.Duplicate || e.Dropped(p) {
			continue
		}
		v, err := edit.ParsePiece(d, p)
		if err != nil {
			return err
		}
		if SignedThinking(v) { // a block that is a piece by itself
			e.Replace(p.Span, edit.NewObject(d).Str("type", "text").Str("text", ThinkingLeftOut).Done())
			continue
		}
		content := v.Get("content")
		if in := v.Get("message"); in.Kind == jspan.Object {
			content = in.Get("content")
		}
		var left [][]byte
		for _, b := range content.Items {
			if !SignedThinking(b) {
				left = append(left, b.Raw())
			}
		}
		switch {
		case len(left) == content.Count():
		case len(left) > 0:
			e.Replace(edit.Within(p.Span, content), edit.List(left...))
		default:
			e.Replace(edit.Within(p.Span, content), edit.TextBlocks(d, "text", ThinkingLeftOut))
		}
	}
	return nil
}

// BlockPart appends the parts of one block.
func BlockPart(b jspan.Value, out []model.Part) []model.Part {
	if b.Kind == jspan.String { // seen in hand-made files
		return append(out, model.Part{Kind: model.PartText, Text: b.Text()})
	}
	switch kind := b.Get("type").Text(); kind {
	case "text":
		return append(out, model.Part{Kind: model.PartText, Text: b.Get("text").Text()})
	case "thinking":
		out = append(out, model.Part{Kind: model.PartReasoning, Text: b.Get("thinking").Text()})
		if s := b.Get("signature"); s.Kind == jspan.String && s.Len() > 2 {
			out = append(out, model.Part{Kind: model.PartOpaque, Name: "signature", Bytes: s.Len() - 2})
		}
		return out
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return append(out, model.Part{Kind: model.PartCall, CallID: b.Get("id").Text(), Name: b.Get("name").Text(),
			Text: b.Get("input").RawText()})
	case "tool_result", "mcp_tool_result":
		return ResultParts(b, out)
	case "image", "document", "audio":
		return append(out, mediaPart(b))
	case "compaction":
		if encrypted(b) {
			out = append(out, model.Part{Kind: model.PartOpaque, Name: "encrypted_content", Bytes: b.Get("encrypted_content").Len() - 2})
		}
		return BlockParts(b.Get("content"), out)
	case "file":
		if text := b.Get("content"); text.Kind == jspan.String {
			return append(out, model.Part{Kind: model.PartText, Text: text.Text()})
		}
		return append(out, model.Part{Kind: model.PartOpaque, Name: kind, Bytes: b.Len()})
	default:
		if IsServedResult(kind) {
			return servedParts(b, out)
		}
		if text := b.Get("result"); kind == "" && text.Kind == jspan.String { // one of several answers of a tool
			return append(out, model.Part{Kind: model.PartText, Text: text.Text()})
		}
		if kind == "" {
			kind = b.Kind.String()
		}
		return append(out, model.Part{Kind: model.PartOpaque, Name: kind, Bytes: b.Len()})
	}
}

// ResultParts decodes a tool_result block: its texts as one result part, media
// beside it.
func ResultParts(b jspan.Value, out []model.Part) []model.Part {
	p := model.Part{Kind: model.PartResult, CallID: b.Get("tool_use_id").Text(), Error: b.Get("is_error").Bool()}
	content := b.Get("content")
	if content.Kind == jspan.String {
		p.Text = content.Text()
		return append(out, p)
	}
	var rest []model.Part
	var texts []string
	for _, in := range BlockParts(content, nil) {
		switch {
		case in.Kind != model.PartText:
			rest = append(rest, in)
		case len(texts) > 0 || in.Text != "":
			texts = append(texts, in.Text)
		}
	}
	p.Text = strings.Join(texts, "\n")
	return append(append(out, p), rest...)
}

// IsServedResult reports whether a block of that type is the result of a tool that the
// provider ran.
func IsServedResult(kind string) bool {
	return strings.HasSuffix(kind, "_tool_result") && kind != "tool_result"
}

// servedParts decodes such a result: the texts in it as one result part, and how much in it
// is sealed.
func servedParts(b jspan.Value, out []model.Part) []model.Part {
	texts, sealed := servedTexts(b.Get("content"), nil, 0)
	out = append(out, model.Part{Kind: model.PartResult, CallID: b.Get("tool_use_id").Text(), Error: servedFailed(b),
		Text: strings.Join(texts, "\n")})
	if sealed > 0 {
		out = append(out, model.Part{Kind: model.PartOpaque, Name: "encrypted_content", Bytes: sealed})
	}
	return out
}

// servedFailed reports whether such a result is a failure.
func servedFailed(b jspan.Value) bool {
	in := b.Get("content")
	return strings.HasSuffix(in.Get("type").TextN(80), "_error") || in.Get("return_code").Int() != 0
}

// servedTexts collects what a value says: the strings of its members but those that are names
// for programs, and the size of those that are encrypted.
func servedTexts(v jspan.Value, texts []string, sealed int) ([]string, int) {
	switch v.Kind {
	case jspan.String:
		if s := v.Text(); s != "" {
			texts = append(texts, s)
		}
	case jspan.Array:
		for _, e := range v.Items {
			texts, sealed = servedTexts(e, texts, sealed)
		}
	case jspan.Object:
		for key, in := range v.Each {
			switch k := string(key); {
			case strings.HasPrefix(k, "encrypted"):
				sealed += in.Len() - 2
			case !slices.Contains(servedNames, k):
				texts, sealed = servedTexts(in, texts, sealed)
			}
		}
	}
	return texts, sealed
}

// servedNames are members of such results that say nothing to a reader.
var servedNames = []string{"type", "file_id", "media_type", "page_age", "retrieved_at", "file_type", "citations", "tool_use_id"}

func mediaPart(b jspan.Value) model.Part {
	src := b.Get("source")
	p := MediaPart(src.Get("media_type").Text(), b)
	if data := src.Get("data"); data.Kind == jspan.String {
		p.Bytes = data.Len() - 2
	}
	if p.Name == "" {
		p.Name = b.Get("type").Text()
	}
	return p
}
