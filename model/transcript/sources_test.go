package transcript

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/mapped"
)

// sourceShape is a file that is no list of messages by itself, what it is read as, and the
// texts of its first conversation in their order, with who says them.
type sourceShape struct {
	name, text string
	format     model.Format
	says       string
}

// spanOf is an observation as Langfuse exports it.
func spanOf(id, kind, name, in, out string) string {
	return fmt.Sprintf(`{"id":%q,"traceId":"x","parentObservationId":null,"type":%q,"name":%q,"startTime":"2026-01-02T03:04:%s.1Z","model":"m","input":%s,"output":%s}`,
		id, kind, name, id, in, out)
}

func traceOf(spans ...string) string {
	return `{"trace":{"id":"x"},"observations":[` + strings.Join(spans, ",") + `]}`
}

// koogCall is a call as a text of a message.
func koogCall(name, id string) string {
	return quote(`[{"function":{"name":"` + name + `","arguments":"{}"},"id":"` + id + `","type":"function"}]`)
}

const vscodeSession = `{"version":3,"sessionId":"s","responderUsername":"GitHub Copilot","requests":[]}`

var sourceShapes = []sourceShape{
	{"a session as a log of changes", `{"kind":0,"v":` + vscodeSession + `}` + "\n" +
		`{"kind":1,"k":["customTitle"],"v":"A title"}` + "\n" +
		`{"kind":2,"k":["requests"],"v":[{"requestId":"r1","message":{"text":"question"},"modelId":"m","response":[{"value":"an answer"},{"value":" that goes"}]}]}` + "\n" +
		`{"kind":2,"k":["requests",0,"response"],"v":[{"value":" that stays"}],"i":1}` + "\n" +
		`{"kind":2,"k":["requests"],"v":[{"requestId":"r2","message":{"text":"second"},"response":[]}]}` + "\n\n" +
		`{"kind":1,"k":["requests",1,"response",0],"v":{"value":"set"}}` + "\n" +
		`{"kind":1,"k":["inputState","inputText"],"v":"draft"}` + "\n" +
		`{"kind":3,"k":["inputState","inputText"]}` + "\n", "vscode-copilot",
		"user: question|assistant: an answer that stays|user: second|assistant: set"},
	{"a log that is cut off", `{"kind":0,"v":` + vscodeSession + `}` + "\n" +
		`{"kind":2,"k":["requests"],"v":[{"requestId":"r1","message":{"text":"question"},"response":[{"kind":"markdownContent","content":{"value":"an answer"}}]}]}` + "\n" +
		`{"kind":2,"k":["requests"],"v":[{"requ`, "vscode-copilot", "user: question|assistant: an answer"},
	{"JSON in a string", quote(`{"agents":[{"name":"a","agent_type":"letta_v1_agent","messages":[{"type":"message","role":"user","content":[{"type":"text","text":"question"}],"id":"u"}]}]}`) + "\n",
		"letta", "user: question"},
	{"a value as Python prints it", `{'type': 'TeamState', 'agent_states': {'coder': {'type': 'S', 'agent_state': {'llm_context': {'messages': [` +
		`{'content': "it's a question", 'source': 'user', 'type': 'UserMessage'}, {'content': 'an \'answer\'\nin lines', 'thought': None, 'source': 'coder', 'type': 'AssistantMessage'}]}}}}, 'version': '1.0.0', 'ok': True, 'n': (1, 2.5)}`,
		"autogen", "user: it's a question|assistant: an 'answer'\nin lines"},
	{"Antigravity in an object", `{"source":"antigravity_language_server","cascadeId":"c","title":"t","markdown":"### User Input\n\nquestion\n\n### Planner Response\n\nanswer\n"}`,
		"antigravity", "user: question|assistant: answer"},
	{"Antigravity as Markdown", "# Chat Conversation\n\n### User Input\n\nquestion\n\n### Planner Response\n\nanswer\n", "antigravity", "user: question|assistant: answer"},
	{"Aider without its start", "\n> Aider v0.80.1  \n> Model: m with diff edit format  \n\n#### question  \n\nanswer\n\n> Tokens: 3.2k sent, 10 received.  \n",
		"aider", "user: Aider v0.80.1\nModel: m with diff edit format|user: question|assistant: answer|user: Tokens: 3.2k sent, 10 received."},
	{"Aider with code in it", "# aider chat started at 2026-01-02 03:04:05\n\n#### question  \n\nlook:\n\n```md\n#### a heading\n> a quote\n```\n\n> Tokens: 3.2k sent, 10 received.  \n\n#### second  \n\n```go\nno end\n\n> Tokens: 1k sent, 1 received.  \n\n#### third  \n",
		"aider", "user: question|assistant: look:\n\n```md\n#### a heading\n> a quote\n```|user: Tokens: 3.2k sent, 10 received.|user: second|assistant: ```go\nno end|user: Tokens: 1k sent, 1 received.|user: third"},
	{"Copilot's events with an output", `{"session_id":"s","type":"user.message","prompt":"question","timestamp":1700000000000}` + "\n" + `{"session_id":"s","type":"assistant.message","output":"answer","timestamp":1700000001000}`,
		"copilot-hooks", "user: question|assistant: answer"},
	{"Copilot's old history", `{"history":[{"role":"human","content":"question","time":1700000000000},{"role":"assistant","result":"answer"}],"workspacePath":"/w"}`,
		"copilot-hooks", "user: question|assistant: answer"},
	{"Cursor's table as JSON", `{"ok":true,"rows":[[1,"aiService.prompts","[]"],[2,"workbench.panel.aichat.view.aichat.chatdata",` +
		quote(`{"tabs":[{"tabId":"t","bubbles":[{"type":"user","id":"u","text":"question"},{"type":"ai","id":"a","rawText":"answer"}]}]}`) + `]]}`, "cursor", "user: question|assistant: answer"},
	{"a trace of Gemini", traceOf(spanOf("01", "GENERATION", "GenerateContent", `{"model":"m","contents":"question"}`,
		`{"sdk_http_response":{},"candidates":[{"content":{"role":"model","parts":[{"text":"answer"}]}}]}`)), "trace", "user: question|assistant: answer"},
	{"a trace with GenAI's attributes beside", strings.Replace(traceOf(spanOf("01", "GENERATION", "chat", `[{"role":"user","parts":[{"type":"text","content":"question"}]}]`,
		`[{"role":"assistant","parts":[{"type":"text","content":"answer"}]}]`)), `"model":"m"`, `"model":"m","metadata":{"attributes":{"gen_ai.input.messages":"[]"}}`, 1),
		"trace", "user: question|assistant: answer"},
	{"a trace of completions", traceOf(spanOf("01", "GENERATION", "OpenAI.complete", `{"args":["question"]}`, `"answer"`)), "trace", "user: question|assistant: answer"},
	{"a tool that its span names in a sentence", traceOf(
		spanOf("01", "GENERATION", "chat", `[{"role":"user","content":"question"}]`,
			`[{"role":"assistant","parts":[{"type":"tool_call","id":["run","call"],"name":"ls","arguments":{"path":"."}}]}]`),
		spanOf("02", "TOOL", "execute_tool ls", `{"path":"."}`, `"a.go"`),
		spanOf("03", "GENERATION", "chat", `[{"role":"assistant","parts":[{"type":"tool_call","id":["run","call"],"name":"ls","arguments":{"path":"."}}]},`+
			`{"role":"tool","parts":[{"type":"tool_call_response","id":["run","call"],"response":"a.go"}]}]`, `[{"role":"assistant","parts":[{"type":"text","content":"answer"}]}]`)),
		"trace", "user: question|call: ls|result: a.go|assistant: answer"},
	{"calls without ids, as Google's ADK has them", traceOf(
		spanOf("01", "GENERATION", "call_llm", `{"config":{"system_instruction":"be brief"},"contents":[{"role":"user","parts":[{"text":"question"}]}]}`,
			`{"content":{"role":"model","parts":[{"function_call":{"name":"ls","args":{}}}]},"finish_reason":"STOP"}`),
		spanOf("02", "TOOL", "execute_tool ls", `{}`, `"a.go"`),
		spanOf("03", "GENERATION", "call_llm", `{"contents":[{"role":"user","parts":[{"text":"question"}]},{"role":"model","parts":[{"function_call":{"name":"ls","args":{}}}]},`+
			`{"role":"user","parts":[{"function_response":{"name":"ls","response":{"files":"a.go"}}}]}]}`, `{"content":{"role":"model","parts":[{"text":"answer"}]}}`)),
		"trace", "system: be brief|user: question|call: ls|result: a.go|assistant: answer"},
	{"calls in a text, as Koog has them", traceOf(
		spanOf("01", "GENERATION", "llm.chat", `[{"role":"user","content":"question"}]`,
			`[{"role":"assistant","content":`+koogCall("ls", "t")+`},{"role":"assistant","content":`+koogCall("cat", "c")+`}]`),
		spanOf("02", "SPAN", "tool.ls", `{}`, `"a.go"`), spanOf("03", "SPAN", "tool.cat", `{}`, `"text"`),
		spanOf("04", "GENERATION", "llm.chat", `[{"role":"user","content":"question"},{"role":"tool","content":`+koogCall("ls", "t")+`},{"role":"tool","content":"a.go"},`+
			`{"role":"tool","content":`+koogCall("cat", "c")+`},{"role":"tool","content":"text"}]`,
			`[{"role":"assistant","content":"answer"}]`)), "trace", "user: question|call: ls|call: cat|result: a.go|result: text|assistant: answer"},
	{"spans by the name of their case", `{"one":[{"name":"m","context":{"trace_id":"x","span_id":"1"},"span_kind":"LLM","parent_id":null,"start_time":"2026-01-02T03:04:05+00:00",` +
		`"attributes":{"openinference.span.kind":"LLM","llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":"question","llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.content":"answer"}}]}`,
		"trace", "user: question|assistant: answer"},
	{"a message as Python shows it, with a call", traceOf(
		spanOf("01", "GENERATION", "invoke", `["role='user' content='question' name=None tool_call_id=None tool_calls=None"]`,
			`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"ls","arguments":"{}"}}]}}]}`),
		spanOf("02", "TOOL", "ls", `{}`, `"a.go"`),
		spanOf("03", "GENERATION", "invoke", `["role='user' content='question' name=None tool_call_id=None tool_calls=None","role='assistant' content=None name=None tool_call_id=None tool_calls=[{'id': 't', 'function': {'arguments': '{}', 'name': 'ls'}, 'type': 'function'}] audio=None","role='tool' content='a.go' name=None tool_call_id='t' tool_calls=None"]`,
			`"answer"`)), "trace", "user: question|call: ls|result: a.go|assistant: answer"},
	{"a run that failed", `{"id":"r","trace_id":"x","run_type":"llm","name":"m","start_time":"2026-01-02T03:04:05","inputs":{"prompts":["question"]},"outputs":null,"error":"rate limited"}` + "\n" +
		`{"id":"q","trace_id":"y","run_type":"llm","name":"m","start_time":"2026-01-02T03:04:06","inputs":{"prompts":["second"]},"outputs":{"generations":[[{"text":"answer"}]]}}`,
		"trace", "user: question|assistant: rate limited"},
	{"spans as rows of a table", `{"name":"m","span_kind":"LLM","parent_id":null,"start_time":"2026-01-02T03:04:05","context.trace_id":"x","context.span_id":"1",` +
		`"attributes.llm.input_messages":[{"message.role":"user","message.contents":[{"message_content.type":"text","message_content.text":"question"}]}],` +
		`"attributes.llm.output_messages":[{"message.role":"assistant","message.content":"answer","message.tool_calls":[{"tool_call.id":"t","tool_call.function.name":"ls","tool_call.function.arguments":"{}"}]}]}`,
		"trace", "user: question|assistant: answer|call: ls"},
	{"checked messages by the ids of their spans", `{"b":{"input":{"success":true,"data":[{"tools":[]},{"tools":[]},{"tools":[]}]},"output":{"success":true,"data":[{"role":"assistant","content":"answer"}]}},` +
		`"c":{"input":{"success":true,"data":[{"tools":[]}]},"output":{"success":true,"data":[{"role":"assistant","tool_calls":[{"id":"t","name":"ls","arguments":"{}","type":"function"}]}]}},` +
		`"d":{"input":{"success":false},"output":{"success":true,"data":[{"json":{"file":"a.go"}}]}}}`, "trace", `call: ls|result: {"json":{"file":"a.go"}}|assistant: answer`},
	{"AI Studio with code", `{"chunkedPrompt":{"chunks":[{"role":"user","parts":[{"text":"que"},{"text":"stion"}]},{"role":"model","parts":[{"text":"I count."}],"executableCode":{"language":"python","code":"1+1"},"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}}]}}`,
		"ai-studio", "user: que\nstion|assistant: I count.\n1+1\n2"},
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

// script is what the main line of a document's first conversation says, and who.
func script(t *testing.T, d *model.Document) string {
	t.Helper()
	var out []string
	th := d.Conversations[0].Main()
	for i := range th.Messages {
		m := &th.Messages[i]
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		flush := func() {
			if len(texts) > 0 {
				out = append(out, fmt.Sprintf("%s: %s", m.Role, strings.Join(texts, "\n")))
			}
			texts = nil
		}
		for _, p := range parts {
			switch p.Kind {
			case model.PartText:
				texts = append(texts, p.Text)
			case model.PartCall:
				flush()
				out = append(out, "call: "+p.Name)
			case model.PartResult:
				flush()
				out = append(out, "result: "+p.Text)
			}
		}
		flush()
	}
	return strings.Join(out, "|")
}

// What a file holds in a form of its own is read as the conversation in it, and a copy of
// the file is the file.
func TestSourcesThatAreTurnedIntoMessages(t *testing.T) {
	for _, s := range sourceShapes {
		t.Run(s.name, func(t *testing.T) {
			d := mustRead(t, s.text)
			if d.Format != s.format || d.Unconfirmed {
				t.Fatalf("read as %s: %s", d.Format, d.Why)
			}
			if got := script(t, d); got != s.says {
				t.Errorf("it says\n%s\nand not\n%s", got, s.says)
			}
			if hasNote(d, "orphan-result") {
				t.Errorf("notes %+v", d.Notes)
			}
			var copied bytes.Buffer
			if err := Copy(&copied, d); err != nil || copied.String() != s.text {
				t.Errorf("a copy is not the source: %v", err)
			}
			if ReadOnly(d) == "" {
				checkRewrites(t, d, 10)
			}
		})
	}
	d := mustRead(t, sourceShapes[0].text)
	if c := d.Conversations[0]; c.Title != "A title" || c.ID != "s" {
		t.Errorf("the log leads to the title %q of %q", c.Title, c.ID)
	}
	if d = mustRead(t, sourceShapes[1].text); !hasNote(d, "lost-changes") {
		t.Errorf("a line of the log is cut, and the notes are %+v", d.Notes)
	}
}

// databases are those of tools: how they are made, and what they are read as.
var toolDatabases = []struct {
	name   string
	make   []string
	format model.Format
	says   string
}{
	{"opencode with several sessions", []string{"CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT, directory TEXT)",
		"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT)", "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT)",
		"INSERT INTO session VALUES ('ses_0', NULL, 'Not begun', '/srv'), ('ses_1', NULL, 'One', '/srv'), ('ses_2', 'ses_1', 'Two', '/srv')",
		`INSERT INTO message VALUES ('m1', 'ses_1', '{"role":"user","time":{"created":1}}'), ('m2', 'ses_1', '{"role":"assistant","parentID":"m1"}'), ('m3', 'ses_2', '{"role":"user"}')`,
		`INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{"type":"text","text":"question"}'), ('p3', 'm2', 'ses_1', '{"type":"text","text":"answer"}'), ('p4', 'm3', 'ses_2', '{"type":"text","text":"of the other"}'),
			('p2', 'm2', 'ses_1', '{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"a.go"}}')`},
		"opencode", "user: question|call: bash|assistant: answer|result: a.go"},
	{"open-webui", []string{"CREATE TABLE chat (id TEXT, user_id TEXT, title TEXT, chat JSON)",
		`INSERT INTO chat VALUES ('c', 'u', 'A title', '{"history":{"currentId":"a","messages":{"q":{"id":"q","parentId":null,"role":"user","content":"question"},"a":{"id":"a","parentId":"q","role":"assistant","content":"answer"}}}}')`},
		"open-webui", "user: question|assistant: answer"},
	{"cursor bubbles in the order of their headers", []string{"CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)",
		`INSERT INTO cursorDiskKV VALUES ('bubbleId:c0000000-0000-0000-0000-000000000000:b', '{"bubbleId":"b","type":2,"text":"answer"}')`,
		`INSERT INTO cursorDiskKV VALUES ('bubbleId:c0000000-0000-0000-0000-000000000000:a', '{"bubbleId":"a","type":1,"text":"question"}')`,
		`INSERT INTO cursorDiskKV VALUES ('composerData:c0000000-0000-0000-0000-000000000000', '{"composerId":"c0000000-0000-0000-0000-000000000000","name":"A title","fullConversationHeadersOnly":[{"bubbleId":"a","type":1},{"bubbleId":"b","type":2}]}')`},
		"cursor", "user: question|assistant: answer"},
	{"cursor's own agent", []string{"CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)",
		`INSERT INTO blobs VALUES ('1', '{"role":"user","content":[{"type":"text","text":"question"}]}'), ('2', '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t","toolName":"ls","args":{}}]}'),
		 ('3', '{"role":"tool","content":[{"type":"tool-result","toolCallId":"t","toolName":"ls","result":"a.go"}]}'), ('4', x'0a0b')`},
		"cursor-agent", "user: question|call: ls|result: a.go"},
	{"vscode", []string{"CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
		`INSERT INTO ItemTable VALUES ('interactive.sessions', '[{"sessionId":"s","responderUsername":"GitHub Copilot","requests":[{"message":{"text":"question"},"response":[{"value":"answer"}]}]}]')`},
		"vscode-copilot", "user: question|assistant: answer"},
	{"phoenix", []string{"CREATE TABLE traces (id INTEGER, trace_id TEXT)", "CREATE TABLE spans (id INTEGER, trace_rowid INTEGER, span_id TEXT, parent_id TEXT, name TEXT, span_kind TEXT, start_time TEXT, attributes JSON)",
		"INSERT INTO traces VALUES (1, 'x')",
		`INSERT INTO spans VALUES (1, 1, 's', NULL, 'chat', 'LLM', '2026-01-02 03:04:05.000000', '{"openinference":{"span":{"kind":"LLM"}},"llm":{"input_messages":[{"message":{"role":"user","content":"question"}}],"output_messages":[{"message":{"role":"assistant","content":"answer"}}]}}')`},
		"trace", "user: question|assistant: answer"},
	{"a frame of spans", []string{`CREATE TABLE traces (name TEXT, span_kind TEXT, parent_id TEXT, start_time TEXT, "context.span_id" TEXT, "context.trace_id" TEXT, "attributes.input.value" TEXT, "attributes.output.value" TEXT, "attributes.llm.input_messages" TEXT, "attributes.llm.output_messages" TEXT)`,
		`INSERT INTO traces VALUES ('llm', 'LLM', 'None', '2024-08-07 23:32:27.604000+00:00', 's', 'x', 'None', 'None', '[{''message.role'': ''user'', ''message.content'': "it''s a question"}]', '[{''message.role'': ''assistant'', ''message.content'': ''answer''}]')`},
		"trace", "user: it's a question|assistant: answer"},
}

func TestDatabasesOfTools(t *testing.T) {
	for _, c := range toolDatabases {
		t.Run(c.name, func(t *testing.T) {
			path := databaseOf(t, c.make)
			d, err := Open(context.Background(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := script(t, d); d.Format != c.format || got != c.says {
				t.Errorf("read as %s: %s, not %s", d.Format, got, c.says)
			}
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var copied bytes.Buffer
			if err := Copy(&copied, d); err != nil || !bytes.Equal(copied.Bytes(), file) {
				t.Errorf("a copy is not the file: %v", err)
			}
		})
	}
}

// A database of opencode holds a session a line; one that nothing was said in is none, and
// one that another called says so.
func TestOpenCodeDatabaseOfSeveralSessions(t *testing.T) {
	d, err := Open(context.Background(), databaseOf(t, toolDatabases[0].make), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Conversations) != 2 || d.Conversations[1].Title != "Two" || d.Conversations[1].Agents[0].Parent != "ses_1" {
		t.Errorf("%d conversations: %+v", len(d.Conversations), d.Conversations)
	}
}

func databaseOf(t testing.TB, statements []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// longest is how long reading a small file may take at most; a hang takes longer.
const longestRead = 20 * time.Second

// Changed at random, a file of any of these formats opens or is refused, in time.
func TestMutatedSources(t *testing.T) {
	rnd := rand.New(rand.NewSource(22))
	seeds := seedsOfSources(t)
	for i := range 40 * len(seeds) {
		b := mutated(rnd, seeds[i%len(seeds)])
		ctx, stop := context.WithTimeout(context.Background(), longestRead)
		d, err := Read(ctx, "x", bytes.NewReader(b), int64(len(b)), Options{})
		if ctx.Err() != nil {
			t.Fatalf("not read in %v: %.300q", longestRead, b)
		}
		stop()
		if err == nil {
			checkDocument(t, d)
		}
	}
}

// seedsOfSources are a small file of every format that is data, and of everything that is
// unpacked.
func seedsOfSources(t testing.TB) (seeds [][]byte) {
	t.Helper()
	for _, s := range mappedShapes {
		seeds = append(seeds, []byte(s.text()))
	}
	for _, s := range sourceShapes {
		seeds = append(seeds, []byte(s.text))
	}
	for _, c := range toolDatabases {
		b, err := os.ReadFile(databaseOf(t, c.make))
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, b)
	}
	return seeds
}

// mutated is a text with a few bytes changed, cut, repeated or moved.
func mutated(rnd *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + rnd.Intn(4) {
		if len(b) < 4 {
			return b
		}
		i := rnd.Intn(len(b))
		j := i + rnd.Intn(min(len(b)-i, 60))
		switch rnd.Intn(5) {
		case 0:
			b[i] = byte(rnd.Intn(256))
		case 1:
			b = b[:i]
		case 2:
			b = append(b[:i:i], b[j:]...)
		case 3:
			b = append(b[:j:j], b[i:]...)
		case 4:
			b = bytes.Replace(b, b[i:j], []byte([]string{"null", "[]", "{}", `"x"`, "-1e99", "\n"}[rnd.Intn(6)]), 1)
		}
	}
	return b
}

// FuzzReadMapped reads anything by the rules of each format that is data.
func FuzzReadMapped(f *testing.F) {
	formats := mapped.Shipped()
	for _, s := range mappedShapes {
		for n, g := range formats {
			if g.Info().Format == s.format {
				f.Add(n, []byte(s.text()))
			}
		}
	}
	f.Fuzz(func(t *testing.T, n int, b []byte) {
		n = max(0, n) % len(formats)
		d, err := Read(context.Background(), "fuzz", bytes.NewReader(b), int64(len(b)), Options{Format: formats[n].Info().Format})
		if err == nil {
			checkDocument(t, d)
			if ReadOnly(d) == "" {
				checkDropNothing(t, d)
			}
		}
	})
}

// FuzzUnpack reads anything that is packed, or a database, a trace, a log or Markdown.
func FuzzUnpack(f *testing.F) {
	for _, b := range seedsOfSources(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, err := readBytes("fuzz", b); err == nil {
			checkDocument(t, d)
		}
	})
}
