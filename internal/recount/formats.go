package recount

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	_ "github.com/mattn/go-sqlite3" // counts in databases
)

// rules are what is counted in files of a format that are JSON.
var rules = map[string]Rule{
	"ai-studio": {Messages: "role=user|model"},
	"amp":       {Calls: "type=tool_use", Results: "type=tool_result"},
	"autogen": {Messages: "type=UserMessage|AssistantMessage|SystemMessage;type=TextMessage,source", Calls: "arguments,id,name",
		Results: "call_id,content"},
	"bedrock":       {Messages: "role=user|assistant", Calls: "toolUse", Results: "toolResult"},
	"cline":         {Messages: "role=user|assistant", Calls: "type=tool_use"},
	"continue":      {Messages: "role=system|user|assistant|thinking|tool,content", Calls: "type=function,function"},
	"copilot-hooks": {Messages: "timestamp,session_id;role,time"},
	"cursor-agent":  {Messages: "role=user|assistant", Calls: "type=tool_use", Results: "type=tool_result"},
	"gemini-stream": {Calls: "type=tool_use", Results: "type=tool_result"},
	"grok-export":   {Messages: "sender,message"},
	"grok-build":    {Results: "type=tool_result|backend_tool_call_result|tool"},
	"happy":         {Calls: "type=tool_use", Results: "type=tool_result"},
	"hermes":        {Messages: "message_id", Calls: "tool_name", Results: "output_preview"},
	"iflow":         {Calls: "type=tool_use", Results: "type=tool_result"},
	"bot-framework": {Messages: "conversation,recipient", Calls: "type=function_call", Results: "type=function_call_output"},
	"codex-legacy":  {Calls: "type=function_call|local_shell_call", Results: "type=function_call_output|local_shell_call_output"},
	"copilot-debug": {Messages: "type=user_message|agent_response|tool_call|tool_result,spanId"},
	"crewai":        {Calls: "type=tool_usage_finished", Results: "type=tool_usage_finished"},
	"droid": {Messages: "type=message;type=tool_call;type=tool_result,toolCallId;type=tool_result,toolId;type=completion",
		Calls: "type=tool_use;type=tool_call", Results: "type=tool_result"},
	"hermes-session":    {Calls: "function,id", Results: "role=tool"},
	"kimi":              {Calls: "type=tool.call", Results: "type=tool.result"},
	"perplexity":        {Messages: "query;query_str"},
	"qwen":              {Calls: "functionCall", Results: "functionResponse"},
	"kiro":              {Calls: "id,name,args"},
	"claude-stream":     {Beside: "type=stream_event,event", Calls: "type=tool_use,name,input", Results: "type=tool_result,tool_use_id"},
	"codex-exec":        {Calls: "type=command_execution|mcp_tool_call|file_change|collab_tool_call", Once: "id"},
	"letta":             {Messages: "role=system|user|assistant|tool,id", Calls: "function,id", Results: "role=tool"},
	"llamaindex":        {Messages: "additional_kwargs,role"},
	"managed-agents":    {Calls: "kind=tool_use", Results: "kind=tool_result"},
	"open-webui":        {Messages: "childrenIds,role"},
	"openai-assistants": {Messages: "object=thread.message"},
	"posit":             {Messages: "role=user|assistant|tool", Calls: "type=tool-call", Results: "type=tool-result"},
	"qwenpaw":           {Calls: "type=tool_use", Results: "type=tool_result"},
	"anthropic":         {Calls: "type=tool_use", Results: "type=tool_result"},
	"claude-code": {Beside: "type=progress,data;type=api-request-blob", Calls: "type=tool_use,name,input",
		Results: "type=tool_result,content;type=tool_result,tool_use_id"},
	"codex": {Calls: "type=function_call|custom_tool_call|tool_search_call|web_search_call|image_generation_call|local_shell_call",
		Results: "type=function_call_output|custom_tool_call_output|tool_search_output"},
	"adk":              {Calls: "functionCall", Results: "functionResponse"},
	"claude-ai-export": {Messages: "sender=human|assistant;type=tool_result", Calls: "type=tool_use", Results: "type=tool_result"},
	"copilot-cli":      {Calls: "toolCallId,name,arguments"},
	"deepseek-export":  {Messages: "fragments"},
	"gemini":           {Calls: "functionCall", Results: "functionResponse"},
	"gemini-cli":       {Calls: "args,name", Once: "id"}, // a list that is set holds them again
	"goose":            {Unfold: true, Calls: "type=toolRequest", Results: "type=toolResponse"},
	"haystack":         {Calls: "tool_call", Results: "tool_call_result"},
	"inspect":          {Results: "role=tool"},
	"librechat":        {Messages: "messageId,parentMessageId"},
	"lm-studio":        {Messages: "versions,currentlySelected"},
	"mistral-export":   {Messages: "chatId,role"},
	"openai-responses": {Calls: "type=function_call", Results: "type=function_call_output"},
	"opencode":         {Calls: "type=tool,callID", Results: "status=completed|error,input"},
	"pydantic-ai":      {Calls: "part_kind=tool-call", Results: "part_kind=tool-return|retry-prompt,tool_call_id"},
	"semantic-kernel":  {Messages: "Items,Role", Calls: "$type=FunctionCallContent", Results: "$type=FunctionResultContent"},
	"sharegpt":         {Messages: "from,value"},
	"smolagents":       {Calls: "type=function,function"},
	"zed":              {Messages: "segments,role"},
	"openai-chat":      {Messages: "role=system|user|assistant|tool|developer", Results: "role=tool"},
	"pi":               {Calls: "type=toolCall", Results: "role=toolResult"},
}

// queries are what is counted in databases.
var queries = map[string][3]string{
	"crush": {`SELECT sum(max(1, (SELECT count(*) FROM json_each(parts) p WHERE p.value ->> 'type' = 'tool_result'))) FROM messages`,
		"SELECT count(*) FROM messages, json_each(parts) p WHERE p.value ->> 'type' = 'tool_call'",
		"SELECT count(*) FROM messages, json_each(parts) p WHERE p.value ->> 'type' = 'tool_result'"},
	"open-webui": {"SELECT sum((SELECT count(*) FROM json_each(chat, '$.history.messages'))) FROM chat", "", ""},
	"cursor": {`SELECT (SELECT sum(json_array_length(t.value, '$.bubbles')) FROM ItemTable i, json_each(CAST(i.value AS TEXT), '$.tabs') t
			WHERE i.key LIKE '%aichat.chatdata') + (SELECT sum(json_array_length(t.value, '$.conversation')) FROM ItemTable i,
			json_each(CAST(i.value AS TEXT), '$.allComposers') t WHERE i.key = 'composer.composerData')`, "", ""},
}

var (
	pythonValue   = regexp.MustCompile(`^\s*\{\s*'`)
	pythonMessage = regexp.MustCompile(`'type': '(?:User|Assistant|System)Message'`)
	storyHeads    = regexp.MustCompile(`(?m)^_\*\*(?:User|Assistant|Agent|Human)\b[^\n]*\*\*_\s*$`)
)

// Uncounted marks what no rule of a format counts.
const Uncounted = -1

// Of counts what is in a file of a format. ok is false where there is no rule for it.
func Of(format, path string, text []byte) (n Counts, ok bool, err error) {
	n = Counts{Uncounted, Uncounted, Uncounted}
	if strings.HasPrefix(string(text[:min(len(text), 15)]), "SQLite format 3") {
		q, ok := queries[format]
		if !ok {
			return n, false, nil
		}
		return databaseCounts(path, q)
	}
	switch format {
	case "specstory":
		n.Messages = storyCounts(text)
		return n, true, nil
	case "atif":
		return stepCounts(text)
	case "roo-ui":
		return screenCounts(text)
	case "trace":
		return traceCounts(text), true, nil
	case "vscode-copilot":
		return sessionCounts(text)
	case "opencode", "pydantic-ai":
		if n, ok := eventCounts(text); ok {
			return n, true, nil
		}
	}
	r, ok := rules[format]
	if !ok {
		return n, false, nil
	}
	if quoted := ""; json.Unmarshal(text, &quoted) == nil {
		text = []byte(quoted)
	}
	if bytes.Contains(text, []byte(`"value":"{`)) { // a row of a table, whose value is spelled in a text
		var row struct{ Value string }
		if json.Unmarshal(text, &row) == nil && json.Valid([]byte(row.Value)) {
			text = []byte(row.Value)
		}
	}
	if pythonValue.Match(text) {
		n.Messages = len(pythonMessage.FindAll(text, -1))
		return n, true, nil
	}
	c := count(text, r)
	for _, one := range []struct {
		rule     string
		from, to *int
	}{{r.Messages, &c.Messages, &n.Messages}, {r.Calls, &c.Calls, &n.Calls}, {r.Results, &c.Results, &n.Results}} {
		if one.rule != "" {
			*one.to = *one.from
		}
	}
	return n, true, nil
}

func databaseCounts(path string, q [3]string) (n Counts, ok bool, err error) {
	dir, err := os.MkdirTemp("", "recount")
	if err != nil {
		return n, false, err
	}
	defer os.RemoveAll(dir)
	for _, tail := range []string{"", "-wal"} { // a copy: opening it would leave files beside it
		if b, err := os.ReadFile(path + tail); err == nil {
			if err := os.WriteFile(filepath.Join(dir, "x.db"+tail), b, 0o600); err != nil {
				return n, false, err
			}
		}
	}
	db, err := sql.Open("sqlite3", filepath.Join(dir, "x.db"))
	if err != nil {
		return n, false, err
	}
	defer db.Close()
	for i, to := range []*int{&n.Messages, &n.Calls, &n.Results} {
		if *to = Uncounted; q[i] == "" {
			continue
		}
		var found sql.NullInt64 // null where the tool keeps them in another table
		if err := db.QueryRow(q[i]).Scan(&found); err != nil {
			return n, false, err
		}
		if found.Valid {
			*to = int(found.Int64)
		}
	}
	return n, n != Counts{Uncounted, Uncounted, Uncounted}, nil
}

// screenCounts counts in a screen log what a person or the model says: the other entries
// are about requests and what the screen shows.
func screenCounts(text []byte) (n Counts, ok bool, err error) {
	var list []struct{ Type, Say, Ask string }
	if err := json.Unmarshal(text, &list); err != nil {
		return n, false, nil
	}
	n = Counts{Calls: Uncounted, Results: Uncounted}
	for _, e := range list {
		said := e.Say
		if e.Type == "ask" && e.Ask != "completion_result" {
			said = e.Ask
		}
		switch said {
		case "task", "text", "user_feedback", "user_feedback_diff", "reasoning", "completion_result", "tool", "command",
			"command_output", "error",
			"condense_context", "codebase_search_result", "subtask_result", "clineignore_error",
			"followup", "plan_mode_respond", "browser_action_result", "use_mcp_server", "mcp_server_response":
			n.Messages++
		}
	}
	return n, true, nil
}

// storyCounts counts the headings of speakers who say something: some say nothing.
func storyCounts(text []byte) (n int) {
	heads := storyHeads.FindAllIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		if said := strings.ReplaceAll(string(text[h[1]:end]), "\n---\n", "\n"); strings.TrimSpace(said) != "" {
			n++
		}
	}
	return n
}

// stepCounts counts the steps of trajectories, and what they observed. Of a step that
// observed more than it called, the action is in its text, and counts as a call.
func stepCounts(text []byte) (n Counts, ok bool, err error) {
	type trajectory struct {
		Steps []struct {
			Source      string
			ToolCalls   []any `json:"tool_calls"`
			Observation struct{ Results []any }
		}
		Subagents []json.RawMessage `json:"subagent_trajectories"`
	}
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		list = []json.RawMessage{text}
	}
	for len(list) > 0 {
		var t trajectory
		if err := json.Unmarshal(list[0], &t); err != nil {
			return Counts{Uncounted, Uncounted, Uncounted}, false, nil // one a line
		}
		for _, s := range t.Steps {
			if n.Messages++; s.Source == "agent" {
				n.Calls += max(len(s.ToolCalls), len(s.Observation.Results))
				n.Results += len(s.Observation.Results)
				n.Messages += len(s.Observation.Results)
			}
		}
		list = append(list[1:], t.Subagents...)
	}
	return n, true, nil
}

// sessionCounts counts in a session of VS Code: of a request with rounds their calls, else
// the tools that its response shows; and a message for each prompt.
func sessionCounts(text []byte) (n Counts, ok bool, err error) {
	var s struct {
		Requests []struct {
			Message any
			Result  struct {
				Metadata struct {
					ToolCallRounds []struct{ ToolCalls []any }
				}
			}
			Response []struct{ Kind string }
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return n, false, nil // a log of changes
	}
	n = Counts{Messages: Uncounted, Results: Uncounted}
	for _, q := range s.Requests {
		for _, r := range q.Result.Metadata.ToolCallRounds {
			n.Calls += len(r.ToolCalls)
		}
		for _, p := range q.Response {
			if len(q.Result.Metadata.ToolCallRounds) == 0 && p.Kind == "toolInvocationSerialized" {
				n.Calls++
			}
		}
	}
	return n, true, nil
}

// eventCounts counts the calls in a log of events, in which each is repeated as it grew,
// by their ids.
func eventCounts(text []byte) (Counts, bool) {
	if !bytes.Contains(text, []byte(`"message.part.updated`)) && !bytes.Contains(text, []byte(`"event_kind"`)) {
		return Counts{}, false
	}
	calls, results := map[string]bool{}, map[string]bool{}
	add := func(to map[string]bool, id any) {
		if s, _ := id.(string); s != "" {
			to[s] = true
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if v["type"] == "tool" {
				add(calls, v["callID"])
				if s, _ := v["state"].(map[string]any); s != nil && (s["status"] == "completed" || s["status"] == "error") {
					add(results, v["callID"])
				}
			}
			switch v["part_kind"] {
			case "tool-call":
				add(calls, v["tool_call_id"])
			case "tool-return", "retry-prompt":
				add(results, v["tool_call_id"])
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var v any
		if d.Decode(&v) != nil {
			break
		}
		walk(v)
	}
	return Counts{Uncounted, len(calls), len(results)}, true
}

// traceCounts counts the calls of a trace by their ids, wherever they are repeated; where
// none has an id, the spans of tools.
func traceCounts(text []byte) Counts {
	c := traceCalls{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	d := json.NewDecoder(strings.NewReader(string(text)))
	for {
		var v any
		if d.Decode(&v) != nil {
			break
		}
		c.walk(v)
	}
	n := Counts{Messages: Uncounted, Calls: len(c.ids), Results: Uncounted}
	if n.Calls == 0 {
		n.Calls = len(c.tools)
	}
	if n.Calls == 0 {
		n.Calls = len(c.nameless)
	}
	return n
}

// traceCalls are the ids of calls and of spans of tools, and what calls without one say.
type traceCalls struct{ ids, tools, nameless map[string]bool }

func (c traceCalls) walk(v any) {
	switch v := v.(type) {
	case string:
		var in any
		if t := strings.TrimSpace(v); len(t) > 1 && strings.ContainsRune("[{", rune(t[0])) && json.Unmarshal([]byte(t), &in) == nil {
			c.walk(in)
		}
	case []any:
		for _, e := range v {
			c.walk(e)
		}
	case map[string]any:
		c.object(v)
		for _, e := range v {
			c.walk(e)
		}
	}
}

func (c traceCalls) object(v map[string]any) {
	own := v["id"]
	if v["call_id"] != nil { // an item of a response has an id of its own beside
		own = v["call_id"]
	}
	_, function := v["function"].(map[string]any)
	if v["object"] == "trace.span" { // a call of OpenAI's Agents SDK
		if d, _ := v["span_data"].(map[string]any); d != nil && d["type"] == "function" {
			c.tools[spelled(v["id"])] = true
		}
		return
	}
	called := function || v["arguments"] != nil && v["name"] != nil || v["input"] != nil && v["type"] == "tool_use"
	if called {
		c.call(own, v)
	}
	if event, _ := v["event"].(string); strings.HasPrefix(event, "on_tool_") { // of LangGraph
		c.tools[spelled(v["run_id"])] = true
	}
	for key, id := range v {
		if key == "toolCallId" || key == "gen_ai.tool.call.id" || strings.HasSuffix(key, "tool_call.id") {
			c.add(id)
		}
	}
	if is, _ := v["value"].(map[string]any); v["key"] == "gen_ai.tool.call.id" && is != nil {
		c.add(is["stringValue"])
	}
	if v["type"] == "TOOL" || v["span_kind"] == "TOOL" {
		c.tools[spelled([]any{v["id"], v["context"]})] = true
	}
}

// call takes the id of a call, or what it says.
func (c traceCalls) call(id any, v map[string]any) {
	c.add(id)
	if s, text := id.(string); v["arguments"] != nil && (!text || s == "") {
		c.nameless[spelled([]any{v["name"], v["arguments"]})] = true
	}
}

// add takes an id: a text, or a list of texts.
func (c traceCalls) add(id any) {
	switch id := id.(type) {
	case string:
		if id != "" {
			c.ids[spelled(id)] = true
		}
	case []any:
		c.ids[spelled(id)] = true
	}
}

func spelled(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
