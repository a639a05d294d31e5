package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
)

func TestLangChainFiles(t *testing.T) {
	for _, s := range samples(t, "langchain") {
		t.Run(s.File, func(t *testing.T) {
			d := checkSample(t, s, model.FormatLangChain, 12)
			th := d.Conversations[0].Main()
			if s.Made {
				return
			}
			if u := th.Messages[1].Usage; u == nil || u.Input == 0 || u.Reasoning != 64 || th.Messages[1].Model != "gpt-5-2025-08-07" {
				t.Errorf("%+v %+v", th.Messages[1], u)
			}
			parts, err := d.Parts(&th.Messages[1])
			if err != nil || parts[0].Kind != model.PartReasoning || parts[len(parts)-1].Kind != model.PartCall {
				t.Errorf("%+v %v", parts, err)
			}
		})
	}
}

// The other spellings follow messages_to_dict and model_dump of langchain_core.
const (
	lcDicts = `[{"type": "system", "data": {"content": "s", "type": "system"}}, {"type": "human", "data": {"content": "h", "type": "human"}}, {"type": "ai", "data": {"content": [{"type": "text", "text": "t"}, {"type": "tool_use", "id": "c", "name": "f", "input": {}}], "tool_calls": [{"name": "f", "args": {"a": 1}, "id": "c", "type": "tool_call"}], "invalid_tool_calls": [{"name": "g", "args": "{", "id": "d", "error": "x"}], "additional_kwargs": {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{\"a\":1}"}}]}}}, {"type": "tool", "data": {"content": "r", "tool_call_id": "c", "status": "error", "artifact": {"big": 1}}}, {"type": "tool", "data": {"content": [{"type": "text", "text": "q"}], "tool_call_id": "d"}}, {"type": "chat", "data": {"content": "as a role", "role": "user"}}, {"type": "remove", "data": {"content": "", "id": "gone"}}]`
	lcState = `{"values":{"messages":[{"content":"h","additional_kwargs":{},"type":"human","id":"1"},{"content":"","type":"AIMessageChunk","tool_call_chunks":[{"name":"f","args":"{}","id":"c"}],"usage_metadata":{"input_tokens":5,"output_tokens":2}},{"content":"r","type":"tool","name":"f","tool_call_id":"c"},{"content":"end","type":"ai"}]},"next":[]}`
	lcLines = `{"messages":[{"type":"human","content":"a"},{"type":"ai","content":"b"}]}
{"messages":[{"type":"human","content":"c"},{"type":"ai","content":"d"}]}
`
	lcRun = `{"inputs":{"messages":[[{"type":"human","content":"a"}]]},"outputs":{"messages":[{"type":"human","content":"a"},{"type":"ai","content":"b"}]}}`
)

func TestLangChainSpellings(t *testing.T) {
	d := checkFixture(t, lcDicts, model.FormatLangChain, 30)
	th := d.Conversations[0].Main()
	if got := liveShape(th); got != "system, typed, assistant f g, result c, result d, typed" || len(th.Messages) != 7 {
		t.Errorf("%s of %d", got, len(th.Messages))
	}
	parts, err := d.Parts(&th.Messages[2])
	if err != nil || len(parts) != 3 || parts[1].Text != `{"a": 1}` || parts[2].Text != "{" {
		t.Errorf("%+v %v", parts, err)
	}
	d = checkFixture(t, lcState, model.FormatLangChain, 20)
	if got := liveShape(d.Conversations[0].Main()); got != "typed, assistant f, result c, assistant" {
		t.Error(got)
	}
	if d = checkFixture(t, lcLines, model.FormatLangChain, 10); len(d.Conversations) != 2 {
		t.Errorf("%d conversations", len(d.Conversations))
	}
	if d = checkFixture(t, lcRun, model.FormatLangChain, 10); len(d.Conversations[0].Main().Messages) != 2 {
		t.Error("the outputs of a run are its history")
	}
	checkFixture(t, strings.Join([]string{`{"type":"human","data":{"content":"a"}}`, `{"type":"ai","data":{"content":"b"}}`, `{"type":"human","data":{"content":"c"}}`}, "\n"),
		model.FormatLangChain, 10)
}

// A summary that LangChain's own middleware left is one that was found.
func TestLangChainSummary(t *testing.T) {
	d := mustRead(t, `[{"type":"human","content":"Here is a summary","additional_kwargs":{"lc_source":"summarization"}},{"type":"ai","content":"b"}]`)
	if th := d.Conversations[0].Main(); len(th.Found) != 1 || th.Messages[0].Kind != model.KindSummary {
		t.Errorf("%+v", th)
	}
}

func FuzzReadLangChain(f *testing.F) {
	fuzzRead(f, model.FormatLangChain, []string{lcDicts, lcState, lcLines, lcRun,
		`{"messages":[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"x"}},{"lc":1,"type":"constructor","id":[1],"kwargs":{}}]}`})
}
