package google

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

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
