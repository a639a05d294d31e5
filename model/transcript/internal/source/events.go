package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"palimpsest/model"
)

// Some programs keep no history, but what happened while one was made: a line for each
// event, with a part of a message as it grew. Of those of opencode and Pydantic AI this
// makes what the program itself would export; those of LangGraph are spans of a trace.

// logs are the logs of events, by what is in the beginning of one of each list.
var logs = []struct {
	marks [][]string
	fold  func([]any) any
}{
	{[][]string{{`"message.part.updated`, `"messageID"`}, {`"message.updated`, `"messageID"`},
		{`"part"`, `"messageID"`, `"sessionID"`, `"type"`}}, openCodeLog},
	{[][]string{{`"event_kind"`, `"part_kind"`}}, pydanticLog},
}

// events makes a history of a log of events.
func events(s *state) (*Text, error) {
	head := bytes.TrimLeft(s.head, "\xef\xbb\xbf \t\r\n")
	if len(head) == 0 || head[0] != '{' || bytes.HasPrefix(head, []byte(`{"info"`)) {
		return nil, nil
	}
	for _, l := range logs {
		if !slices.ContainsFunc(l.marks, func(m []string) bool { return containsAll(head, m...) }) {
			continue
		}
		text, err := s.whole()
		if err != nil {
			return nil, err
		}
		made := l.fold(values(text))
		if made == nil {
			continue
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(made); err != nil {
			return nil, err
		}
		return &Text{Bytes: b.Bytes(), Packed: &model.Packed{Kind: "log of events",
			Why: "A log of events is read as the history that it describes, and not written."}}, nil
	}
	return nil, nil
}

// openCodeSession is a session of opencode while its events are read.
type openCodeSession struct {
	info     object
	messages []object
	at       map[string]object // by id
}

// message is that of an id, which is an answer if nothing says who speaks.
func (s *openCodeSession) message(id string) object {
	m := s.at[id]
	if m == nil {
		m = object{"info": object{"id": id, "role": "assistant"}, "parts": []any{}}
		s.at[id] = m
		s.messages = append(s.messages, m)
	}
	return m
}

// part puts a part where the same one was before, or at the end.
func (s *openCodeSession) part(p object) {
	m := s.message(word(p["messageID"]))
	parts, _ := m["parts"].([]any)
	at := slices.IndexFunc(parts, func(e any) bool { return p["id"] != nil && get(e, "id") == p["id"] })
	if at < 0 {
		m["parts"] = append(parts, p)
	} else {
		parts[at] = p
	}
}

// openCodeLog reads the events of a bus, whose data holds what became of a session, a
// message or a part, and those of opencode run, which are a part each.
func openCodeLog(list []any) any {
	by := map[string]*openCodeSession{}
	var order []*openCodeSession
	for _, v := range list {
		o, _ := v.(object)
		data, _ := either(o["data"], o["properties"], o).(object)
		info, _ := data["info"].(object)
		part, _ := data["part"].(object)
		kind := word(o["type"])
		ofSession := strings.HasPrefix(kind, "session.")
		id := cmp.Or(word(data["sessionID"]), word(info["sessionID"]), word(part["sessionID"]))
		if id == "" && ofSession {
			id = word(info["id"])
		}
		if id == "" {
			continue
		}
		s := by[id]
		if s == nil {
			s = &openCodeSession{info: object{"id": id}, at: map[string]object{}}
			by[id] = s
			order = append(order, s)
		}
		switch {
		case ofSession && info != nil:
			s.info = info
		case info["role"] != nil && info["id"] != nil:
			s.message(word(info["id"]))["info"] = info
		case kind == "message.removed":
			gone := s.message(word(data["messageID"]))
			gone["parts"] = []any{}
		case part["messageID"] != nil:
			s.part(part)
		}
	}
	var out []any
	for _, s := range order {
		said := slices.DeleteFunc(s.messages, func(m object) bool { return len(m["parts"].([]any)) == 0 })
		if len(said) > 0 {
			out = append(out, object{"info": s.info, "messages": said})
		}
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return out
}

// pydanticLog reads the events of Pydantic AI: the messages themselves, where the program
// kept them beside its events, else what each part was at its end, and what came of calls.
func pydanticLog(list []any) any {
	var whole, made []any
	var open object
	add := func(kind string, part any) {
		if open == nil || open["kind"] != kind {
			open = object{"kind": kind, "parts": []any{}}
			made = append(made, open)
		}
		open["parts"] = append(open["parts"].([]any), part)
	}
	for _, v := range list {
		switch {
		case get(v, "kind") != nil && get(v, "parts") != nil:
			whole = append(whole, v)
		case get(v, "event_kind") == "part_end" && get(v, "part") != nil:
			add("response", get(v, "part"))
		case get(v, "event_kind") == "function_tool_result":
			if r := either(get(v, "part"), get(v, "result")); r != nil {
				add("request", r)
			}
		}
	}
	if len(whole) > 0 {
		made = whole
	}
	if len(made) == 0 {
		return nil
	}
	return made
}

// runEvents makes spans of the events of LangChain and LangGraph: of each call of a model,
// and of each of a tool, of what was given at its start and came out at its end.
func runEvents(list []any) []span {
	var order []string
	by := map[string]*span{}
	for n, v := range list {
		kind, run := first(v, "event"), first(v, "run_id")
		what, at, _ := cutLast(kind, "_")
		if run == "" || what != "on_chat_model" && what != "on_tool" {
			continue
		}
		s := by[run]
		if s == nil {
			s = &span{id: run, name: first(v, "name"), start: time.Unix(int64(n), 0), kind: toolSpan, trace: "trace"}
			if what == "on_chat_model" {
				s.kind = modelSpan
			}
			by[run] = s
			order = append(order, run)
		}
		s.model = cmp.Or(s.model, first(v, "metadata/ls_model_name"))
		in, out := get(v, "data", "input"), get(v, "data", "output")
		switch {
		case at != "start" && at != "end":
		case s.kind == modelSpan:
			if len(s.in) == 0 {
				s.in = turns(in, "user")
			}
			s.out = turns(out, "assistant")
			s.usage = tokens(object{"usage": object{"input": get(out, "usage_metadata", "input_tokens"),
				"output": get(out, "usage_metadata", "output_tokens")}}, nil)
		default:
			if in != nil {
				s.args = spelled(in)
			}
			if out != nil {
				s.call = cmp.Or(s.call, first(out, "tool_call_id", "kwargs/tool_call_id"))
				s.out = []turn{{Role: "tool", Text: plain(either(get(out, "content"), get(out, "kwargs", "content"), out))}}
			}
		}
	}
	var out []span
	for _, run := range order {
		out = append(out, *by[run])
	}
	return out
}

// cutLast cuts a text around the last place of a separator.
func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
