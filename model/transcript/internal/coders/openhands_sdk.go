package coders

import (
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

func (r *openHandsReader) sdkEvent(v jspan.Value, m model.Message) {
	switch kind := v.Get("kind").TextN(60); kind {
	case "SystemPromptEvent":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
		m.Preview = codec.Preview(v.Get("system_prompt", "text").TextN(codec.PreviewScan))
		r.addEvent(m, v)
	case "MessageEvent":
		r.sdkMessage(v, m)
	case "ActionEvent":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		name := r.B.Intern(v.Get("tool_name").TextN(200))
		m.Calls = []model.Call{{ID: v.Get("tool_call_id").TextN(200), Name: name}}
		if m.Preview = codec.Preview(codec.ContentHead(v.Get("thought"))); m.Preview == "" {
			m.Preview = codec.Preview(name + " " + codec.SpelledHead(v.Get("tool_call", "arguments")))
		}
		m.Model = r.B.Intern(r.totals.model)
		r.answer(m, v.Get("llm_response_id").TextN(200), v)
	case "ObservationEvent", "AgentErrorEvent", "UserRejectObservation":
		m.Role, m.Kind = model.RoleTool, model.KindResult
		m.Answers, m.Name = v.Get("tool_call_id").TextN(200), r.B.Intern(v.Get("tool_name").TextN(200))
		m.Error = kind != "ObservationEvent" || v.Get("observation", "is_error").Bool()
		out := ohSDKOutput(v)
		if m.Preview = codec.Preview(codec.ContentHead(out)); m.Preview == "" {
			m.Preview = codec.Preview(out.TextN(codec.PreviewScan))
		}
		r.addEvent(m, v)
	case "Condensation":
		r.condensation(v, v, m)
	case "ConversationStateUpdateEvent":
		r.stats(v)
	case "CondensationRequest", "CondensationSummaryEvent", "PauseEvent", "ConversationErrorEvent", "TokenEvent", "LLMCompletionLogEvent":
	default:
		r.unknown.Add(r.B, kind)
	}
}

func (r *openHandsReader) sdkMessage(v jspan.Value, m model.Message) {
	msg := v.Get("llm_message")
	head := codec.ContentHead(msg.Get("content"))
	m.Role, m.Kind = codec.RoleOf(msg.Get("role"))
	m.Preview = codec.Preview(head)
	switch m.Kind {
	case model.KindAssistant:
		m.Model = r.B.Intern(r.totals.model)
		r.answer(m, v.Get("llm_response_id").TextN(200), v)
		return
	case model.KindUser:
		m.Origin = model.OriginInjected
		if v.Get("source").TextN(12) == "user" && !model.Injected(head) {
			m.Origin = model.OriginTyped
		}
		codec.MarkSummary(&m, head)
	case model.KindOther:
		r.B.NoteAt(v, "unknown-role", "a message of a role that is not known; it is kept")
	}
	r.addEvent(m, v)
}

// ohSDKOutput is the value of a result that the model sees.
func ohSDKOutput(v jspan.Value) jspan.Value {
	if o := v.Get("observation", "content"); o.Exists() {
		return o
	}
	for _, k := range []string{"error", "rejection_reason"} {
		if o := v.Get(k); o.Exists() {
			return o
		}
	}
	return v.Get("observation", "output")
}

// matched leaves out what OpenHands takes out of a view before it sends it: results without a
// call, and answers with calls that have no result. The SDK takes an answer out where one of its
// calls has none; V0 where none has one. V0 sends as texts an action without a call's id, what
// came of it, and finish.
func (r *openHandsReader) matched() {
	answered, called := map[string]bool{}, map[string]bool{}
	for _, i := range r.Live {
		answered[r.Th.Messages[i].Answers] = true
	}
	stays := r.Live[:0:0]
	for _, i := range r.Live {
		m := &r.Th.Messages[i]
		text := func(id, name string) bool { return !r.sdk && (strings.HasPrefix(id, ohEventCall) || name == "finish") }
		open := func(c model.Call) bool { return !answered[c.ID] && !text(c.ID, c.Name) }
		closed := func(c model.Call) bool { return !open(c) }
		lost := slices.ContainsFunc(m.Calls, open) && (r.sdk || !slices.ContainsFunc(m.Calls, closed))
		if lost || m.Kind == model.KindResult && !called[m.Answers] && !text(m.Answers, "") {
			continue
		}
		for _, c := range m.Calls {
			called[c.ID] = true
		}
		stays = append(stays, i)
	}
	if len(stays) < len(r.Live) {
		r.SetLive(stays)
	}
}

// ohTotals are the running totals that the SDK reports after each call.
type ohTotals struct {
	model                             string
	input, output, read, write, think int
}

// stats takes the totals of the agent's model. What they grew by since the last
// time is the usage of the answer that comes next.
func (r *openHandsReader) stats(v jspan.Value) {
	if v.Get("key").TextN(12) != "stats" {
		return
	}
	u := v.Get("value", "usage_to_metrics", "agent", "accumulated_token_usage")
	if !u.Exists() {
		u = v.Get("value", "usage_to_metrics", "default", "accumulated_token_usage")
	}
	if !u.Exists() {
		return
	}
	now := ohTotals{model: u.Get("model").TextN(200), input: codec.Tokens(u.Get("prompt_tokens")),
		output: codec.Tokens(u.Get("completion_tokens")),
		read:   codec.Tokens(u.Get("cache_read_tokens")), write: codec.Tokens(u.Get("cache_write_tokens")),
		think: codec.Tokens(u.Get("reasoning_tokens"))}
	was := r.totals
	r.totals = now
	if now.input <= was.input {
		return
	}
	r.usage = &model.Usage{Input: now.input - was.input, Output: max(0, now.output-was.output), CacheRead: max(0, now.read-was.read),
		CacheWrite: max(0, now.write-was.write), Reasoning: max(0, now.think-was.think)}
}
