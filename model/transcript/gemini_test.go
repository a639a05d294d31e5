package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

func TestGeminiCLIFiles(t *testing.T) {
	for _, s := range samples(t, "gemini") {
		if strings.Contains(s.File, "adk_session") {
			continue // another format
		}
		t.Run(s.File, func(t *testing.T) {
			t.Parallel()
			d := checkRealFile(t, s, model.FormatGeminiCLI)
			c := d.Conversations[0]
			if len(d.Notes) > 0 || c.ID == "" || c.Model == "" {
				t.Errorf("%q of %q, %s", c.ID, c.Model, noteCodes(d))
			}
		})
	}
}

func TestGeminiCLIShapes(t *testing.T) {
	checkOutlines(t, model.FormatGeminiCLI, []outlineCase{
		{"calls and results of one record; infos are not sent",
			`{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":[{"text":"hi"},{"inlineData":{"mimeType":"image/png","data":"AA"}}]},{"id":"2","type":"gemini","content":"so","thoughts":[{"subject":"Plan","description":"do"}],"toolCalls":[{"id":"a","name":"f","args":{"x":1},"result":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}}],"status":"success"},{"id":"b","name":"g","args":{},"result":[{"functionResponse":{"id":"b","name":"g","response":{"error":"no"}}},{"inlineData":{"mimeType":"image/png"}}],"status":"error"},{"id":"c","name":"h","args":{},"status":"executing"}],"tokens":{"input":10,"output":2,"cached":3,"thoughts":1},"model":"m"},{"id":"3","type":"info","content":"update"},{"id":"4","type":"gemini","content":"done"}]}`,
			"user typed | text hi | media \nassistant →a:f →b:g →c:h | reasoning Plan: do | text so | tool call a {\"x\":1} | tool call b {} | tool call c {}\ntool result f ←a | tool result a 1\ntool result g ←b failed | tool result b no | media \nother | text update\nassistant | text done\n"},
		{"a log: results come with a later version, a rewind takes back, $set replaces all",
			`{"sessionId":"s","projectHash":"h"}` + "\n" +
				`{"id":"1","type":"user","content":"one"}` + "\n" +
				`{"id":"2","type":"gemini","content":"","toolCalls":[{"id":"a","name":"f","args":{}}]}` + "\n" +
				`{"id":"2","type":"gemini","content":"","toolCalls":[{"id":"a","name":"f","args":{},"result":[{"functionResponse":{"response":{"output":"1"}}}]}]}` + "\n" +
				`{"id":"3","type":"user","content":"wrong"}` + "\n" + `{"$rewindTo":"3"}` + "\n" +
				`{"id":"4","type":"user","content":"two"}` + "\n",
			"user typed | text one\nassistant →a:f | tool call a {}\ntool result f ←a | tool result a 1\nuser typed | text two\n"},
	})
}

const geminiCompressed = `{"sessionId":"s","projectHash":"h"}` + "\n" +
	`{"id":"1","type":"user","content":"one"}` + "\n" + `{"id":"2","type":"gemini","content":"1"}` + "\n" +
	`{"id":"3","type":"user","content":"two"}` + "\n" +
	`{"$set":{"messages":[{"id":"s","type":"user","content":"<state_snapshot>S</state_snapshot>"},{"id":"k","type":"gemini","content":"Got it."},{"id":"3","type":"user","content":"two"}]}}` + "\n" +
	`{"id":"4","type":"gemini","content":"2"}` + "\n"

// A compression in a log: what was before it is history, not sent any more.
func TestGeminiCLICompression(t *testing.T) {
	d := mustRead(t, geminiCompressed)
	th := d.Conversations[0].Main()
	previews := func(list []int32) string {
		var out []string
		for _, i := range list {
			out = append(out, th.Messages[i].Preview)
		}
		return strings.Join(out, ", ")
	}
	if got := previews(th.History); got != "one, 1, two, 2" {
		t.Errorf("history: %s", got)
	}
	live := th.Live(len(th.History))
	if got := previews(live); got != "<state_snapshot>S</state_snapshot>, Got it., two, 2" {
		t.Errorf("live: %s", got)
	}
	if len(th.Found) != 1 || th.Found[0].At != 3 || th.Found[0].Summary != 3 {
		t.Errorf("found %+v", th.Found)
	}
	checkDocument(t, d)
	checkRewrites(t, d, 12)
	r := mustRewrite(t, d, live, 0, 2)
	got := string(written(t, r.Edits))
	want := `{"$set":{"messages":[{"id":"` + testUID + `","timestamp":"2026-03-01T12:00:00.000Z","type":"user","content":`
	if !strings.Contains(got, want) || strings.Contains(got, "Got it.") || !strings.Contains(got, `{"id":"2","type":"gemini","content":"1"}`) {
		t.Errorf("the rewritten log reads\n%s", got)
	}
}

// What is dropped goes with its replaced versions, or they would come back; the
// summary is where the first version was.
func TestGeminiCLIVersions(t *testing.T) {
	const head, old, tail = `{"sessionId":"s","projectHash":"h"}`, `{"id":"1","type":"gemini","content":"a"}`, `{"id":"2","type":"user","content":"c"}`
	d := mustRead(t, strings.Join([]string{head, old, tail, `{"id":"1","type":"gemini","content":"ab"}`, `{"$rewindTo":"gone"}`, tail, ""}, "\n"))
	if n := len(d.Conversations[0].Threads); n != 2 {
		t.Errorf("%d threads, want the main one and what the rewind took back", n)
	}
	d = mustRead(t, strings.Join([]string{head, old, tail, `{"id":"1","type":"gemini","content":"ab"}`, ""}, "\n"))
	live := d.Conversations[0].Main().Live(2)
	r, err := Rewrite(d, &edit.Change{Drop: live[:1], Summaries: []edit.Summary{{Text: "S", Before: live[0], UID: "u"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{head, `{"id":"u","timestamp":"0001-01-01T00:00:00.000Z","type":"user","content":"S"}`, tail, ""}, "\n")
	if got := string(written(t, r.Edits)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGeminiCLIClears(t *testing.T) {
	checkSpelling(t, []spellingCase{{"the output, and what is shown of it", 0, 0, []int32{1},
		`{"sessionId":"s","projectHash":"h","messages":[{"id":"2","type":"gemini","content":"so","toolCalls":[{"id":"a","name":"f","args":{},"result":[{"functionResponse":{"response":{"output":"long"}}}],"resultDisplay":"long"}]}]}`,
		`{"sessionId":"s","projectHash":"h","messages":[{"id":"2","type":"gemini","content":"so","toolCalls":[{"id":"a","name":"f","args":{},"result":[{"functionResponse":{"response":{"output":"cleared"}}}],"resultDisplay":"cleared"}]}]}`}})
}

// resultsOf gives the texts that answer the calls of talk[i], in the order of
// the calls, for formats that keep both in one record; nil where none does.
func resultsOf(talk []saying, i int) []*string {
	out := make([]*string, len(talk[i].calls))
	for k := i + 1; k < len(talk) && talk[k].role == "result"; k++ {
		for j, id := range talk[i].calls {
			if out[j] == nil && id == talk[k].answers {
				out[j] = &talk[k].text
				break
			}
		}
	}
	return out
}

func TestGeminiCLIProperties(t *testing.T) {
	session := func(talk []saying) (messages []any) {
		for i, m := range talk {
			id := fmt.Sprint("m", i)
			switch m.role {
			case "user":
				messages = append(messages, ordered{{"id", id}, {"timestamp", "2026-01-01T00:00:00Z"}, {"type", "user"}, {"content", m.text}})
			case "system":
				messages = append(messages, ordered{{"id", id}, {"type", "info"}, {"content", m.text}})
			case "assistant":
				var calls []any
				for k, res := range resultsOf(talk, i) {
					call := ordered{{"id", m.calls[k]}, {"name", "run"}, {"args", ordered{{"z", 1}, {"a", 2}}}}
					if res != nil {
						call = append(call, member{"result", []any{ordered{{"functionResponse", ordered{{"response", ordered{{"output", *res}}}}}}}})
					}
					calls = append(calls, call)
				}
				record := ordered{{"id", id}, {"type", "gemini"}, {"content", m.text}}
				if len(calls) > 0 {
					record = append(record, member{"toolCalls", calls})
				}
				messages = append(messages, record)
			}
		}
		return messages
	}
	t.Run("object", func(t *testing.T) {
		propTalks(t, model.FormatGeminiCLI, false, genTalk, func(_ spelling, talk []saying) any {
			return ordered{{"sessionId", "s"}, {"projectHash", "h"}, {"messages", session(talk)}}
		})
	})
	t.Run("log", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			s := drawSpelling(t)
			lines := []any{ordered{{"sessionId", "s"}, {"projectHash", "h"}}}
			for _, m := range session(genTalk(t)) {
				lines = append(lines, m)
				switch rapid.IntRange(0, 9).Draw(t, "then") {
				case 0: // the same once more
					lines = append(lines, m)
				case 1:
					lines = append(lines, ordered{{"id", "x"}, {"type", "user"}, {"content", "wrong"}}, ordered{{"$rewindTo", "x"}})
				case 2:
					lines = append(lines, ordered{{"$set", ordered{{"messages", []any{
						ordered{{"id", "c"}, {"type", "user"}, {"content", "<state_snapshot>S"}}, ordered{{"id", "k"}, {"type", "gemini"}, {"content", "ok"}}}}}}})
				case 3:
					lines = append(lines, ordered{{"$set", ordered{{"lastUpdated", "2026-01-01T00:00:00Z"}}}})
				}
			}
			d := mustRead(t, s.spell(true, lines...))
			if d.Format != model.FormatGeminiCLI {
				t.Fatalf("%s: %s", d.Format, d.Why)
			}
			checkDocument(t, d)
			checkDropNothing(t, d)
			th := d.Conversations[0].Main()
			live := th.Live(len(th.History))
			cuts := legalCuts(th, live, 0)
			checkRewrite(t, d, 0, live, 0, cuts[rapid.IntRange(0, len(cuts)-1).Draw(t, "to")])
		})
	})
}

// Gemini CLI 0.61 sets its whole list again, under new ids, whenever it masks an old output,
// and before that may record the list message by message once more. Each message is one
// all the same, and only a new summary is a compaction.
func TestGeminiCLISetsItsListAgain(t *testing.T) {
	user := func(id, text string) string {
		return fmt.Sprintf(`{"id":%q,"type":"user","content":[{"text":%q}]}`, id, text)
	}
	says := func(id, text string) string { return fmt.Sprintf(`{"id":%q,"type":"gemini","content":%q}`, id, text) }
	set := func(list ...string) string { return `{"$set":{"messages":[` + strings.Join(list, ",") + `]}}` }
	d := mustRead(t, strings.Join([]string{`{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z"}`,
		user("a", "context"), user("b", "a long output"), says("c", "one"),
		set(user("a2", "context"), user("b2", "masked"), says("c2", "one")), // masked
		user("d", "go on"), says("e", "two"),
		user("a3", "context"), user("b3", "masked"), says("c3", "one"), user("d3", "go on"), says("e3", "two"), // all of it once more
		set(user("a3", "context"), user("b3", "masked"), says("c3", "one"), user("d3", "go on"), says("e3", "two")),
		set(user("a4", "context"), user("s4", "<state_snapshot>sum"), says("k4", "Got it.")),
		user("f", "and now"),
		set(user("a5", "context"), user("s5", "<state_snapshot>sum"), says("k5", "Got it."), user("f5", "and now")),
	}, "\n")+"\n")
	checkDocument(t, d)
	th := d.Conversations[0].Main()
	texts := func(list []int32) (out []string) {
		for _, i := range list {
			out = append(out, messageText(t, d, &th.Messages[i]))
		}
		return out
	}
	if got, want := texts(th.History), []string{"context", "a long output", "one", "go on", "two", "and now"}; !slices.Equal(got, want) {
		t.Errorf("the history is %q", got)
	}
	if got, want := texts(th.Live(len(th.History))), []string{"context", "<state_snapshot>sum", "Got it.", "and now"}; !slices.Equal(got, want) {
		t.Errorf("live are %q", got)
	}
	if len(th.Found) != 1 || th.Found[0].At != 5 {
		t.Errorf("compactions: %+v", th.Found)
	}
}

func TestGeminiShapes(t *testing.T) {
	checkOutlines(t, model.FormatGemini, []outlineCase{
		{"a request: results are messages of their own, paired by name",
			`{"systemInstruction":{"parts":[{"text":"S"}]},"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"hm","thought":true},{"text":"so"},{"functionCall":{"name":"f","args":{"x":1}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"error":"no"}}},{"functionResponse":{"name":"f","response":{"a":1,"b":"x"}}},{"text":"go on"}]}]}`,
			"system | text S\nuser typed | text hi\nassistant →#1:f →#2:g | reasoning hm | text so | tool call #1 {\"x\":1} | opaque  | tool call #2 {}\n" +
				"tool result g ←#2 failed | tool result #2 no\ntool result f ←#1 | tool result #1 {\"a\":1,\"b\":\"x\"}\nuser typed | text go on\n"},
		{"a response; snake case",
			`{"candidates":[{"content":{"role":"model","parts":[{"function_call":{"id":"a","name":"f","args":{}}},{"executable_code":{"code":"1+1"}},{"code_execution_result":{"output":"2"}},{"file_data":{"mime_type":"video/mp4"}}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"or"}]}}],"usage_metadata":{"prompt_token_count":7,"candidates_token_count":2,"thoughts_token_count":3},"modelVersion":"m"}`,
			"assistant →a:f | tool call a {} | text 1+1 | text 2 | media \n"},
		{"a checkpoint", `{"history":[{"role":"user","parts":[{"text":"<system-reminder>x"}]},{"role":"model","parts":[{"text":"a"}]}]}`,
			"user injected | text <system-reminder>x\nassistant | text a\n"},
		{"a bare array, no role", `[{"parts":[{"text":"u"}]},{"role":"model","parts":[{"text":"a"}]}]`, "user typed | text u\nassistant | text a\n"},
	})
	d := mustRead(t, `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":7,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3},"modelVersion":"m"}`)
	if u := d.Conversations[0].Main().Messages[0].Usage; u == nil || *u != (model.Usage{Input: 7, CacheRead: 4, Output: 5, Reasoning: 3}) || d.Conversations[0].Model != "m" {
		t.Errorf("usage %+v of %q", u, d.Conversations[0].Model)
	}
}

func TestGeminiSpelling(t *testing.T) {
	checkSpelling(t, []spellingCase{
		{"a content", 0, 2, nil,
			`{"contents": [{"parts": [{"text": "a"}], "role": "user"}, {"parts": [{"text": "b"}], "role": "model"}, {"parts": [{"text": "c"}], "role": "user"}]}`,
			`{"contents": [{"parts": [{"text": "S é"}], "role": "user"}, {"parts": [{"text": "c"}], "role": "user"}]}`},
		{"behind kept parts", 2, 3, nil,
			`[{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}},{"text":"u"}]}]`,
			`[{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]},{"role":"user","parts":[{"text":"S é"}]}]`},
		{"outputs stay objects", 0, 0, []int32{1, 2},
			`[{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"g"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"long"}}},{"functionResponse":{"name":"g","response":{"a":"long","b":[1]}}}]}]`,
			`[{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"g"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"cleared"}}},{"functionResponse":{"name":"g","response":{"a":"cleared","b":"cleared"}}}]}]`},
	})
}

func TestGeminiProperties(t *testing.T) {
	propTalks(t, model.FormatGemini, true, genTalk, func(s spelling, talk []saying) any {
		var contents []any
		var results []any
		flush := func() {
			if len(results) > 0 {
				contents = append(contents, s.message("user", member{"parts", results}))
				results = nil
			}
		}
		for _, m := range talk {
			text := ordered{{"text", m.text}}
			switch m.role {
			case "result":
				results = append(results, ordered{{"functionResponse", ordered{{"id", m.answers}, {"name", "run"}, {"response", ordered{{"output", m.text}}}}}})
				continue
			case "user":
				if len(results) > 0 {
					results = append(results, text) // shares a content with them
					continue
				}
				contents = append(contents, s.message("user", member{"parts", []any{text}}))
			case "assistant":
				flush()
				parts := []any{text}
				for _, id := range m.calls {
					parts = append(parts, ordered{{"functionCall", ordered{{"id", id}, {"name", "run"}, {"args", ordered{}}}}})
				}
				contents = append(contents, s.message("model", member{"parts", parts}))
			}
		}
		flush()
		return ordered{{"contents", contents}, {"generationConfig", ordered{}}}
	})
}

func FuzzReadGemini(f *testing.F) {
	fuzzRead(f, model.FormatGemini, []string{
		`{"systemInstruction":{"parts":[{"text":"S"}]},"contents":[{"role":"user","parts":[{"text":"u"},{"inline_data":{"mime_type":"x"}}]},{"role":"model","parts":[{"thought":true,"text":"t"},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1,"b":"x"}}},{"text":"<system-reminder>"}]}]}`,
		`{"request":{"contents":[{"parts":[{"text":"u"}]}]},"response":{"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"code":"1"}},{"codeExecutionResult":{"output":"1"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}}`,
		`[{"role":"user","parts":[]},{"role":"function","parts":[{"function_response":{"response":[1]}}]}]`,
	})
}

func FuzzReadGeminiCLI(f *testing.F) {
	fuzzRead(f, model.FormatGeminiCLI, []string{
		geminiCompressed,
		`{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"u"},{"id":"2","type":"gemini","content":null,"thoughts":[{}],"toolCalls":[{"name":"f","result":{"functionResponse":{}}},{"result":"x"}],"tokens":{"input":1}},{"id":"3","type":"error","content":"e"}]}`,
		`{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"<state_snapshot>"}]}` + "\n" + `{"id":"1","type":"user","content":"u"}` + "\n" + `{"$rewindTo":"x"}` + "\n" + `{"id":"1","type":"gemini","content":"u"}`,
	})
}
