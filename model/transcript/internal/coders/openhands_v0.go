package coders

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ohNotSent are the actions and observations that no request holds: states of
// the program, and what asks for something that an observation then answers.
var ohNotSent = map[string]bool{"null": true, "change_agent_state": true, "agent_state_changed": true, "recall": true,
	"condensation_request": true, "pause": true, "resume": true, "stop": true}

// ohEventCall begins the id of a call that has none: the number of its event follows.
const ohEventCall = "event "

// ohUncounted are V0 events that no condensation counts: the states of the program.
var ohUncounted = map[string]bool{"null": true, "change_agent_state": true, "agent_state_changed": true, "condensation_request": true}

func (r *openHandsReader) action(v jspan.Value, name string, m model.Message) {
	args := v.Get("args")
	switch {
	case name == "condensation":
		r.condensation(v, args, m)
		return
	case ohNotSent[name]:
		if m.ID != "" && !ohUncounted[name] {
			r.view = append(r.view, m.ID)
		}
		return
	case name == "system":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
		m.Preview = codec.Preview(args.Get("content").TextN(codec.PreviewScan))
		r.addEvent(m, v)
		return
	}
	if v.Get("source").TextN(12) == "user" {
		r.userAction(v, name, args, m)
		return
	}
	m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	meta := v.Get("tool_call_metadata")
	answer := meta.Get("model_response")
	m.Model = r.B.Intern(answer.Get("model").TextN(200))
	m.Usage = codec.OpenAIUsage(answer.Get("usage"))
	head := answer.Get("choices").Index(0).Get("message", "content").TextN(codec.PreviewScan)
	switch id := meta.Get("tool_call_id").TextN(200); {
	case id != "":
		m.Calls = []model.Call{{ID: id, Name: r.B.Intern(meta.Get("function_name").TextN(200))}}
		r.callOf[m.ID] = id
	case name != "message" && name != "finish" && name != "reject":
		// the agent wrote its action into the text; the action names what it asks for
		call := ohEventCall + m.ID
		m.Calls = []model.Call{{ID: call, Name: r.B.Intern(name)}}
		r.callOf[m.ID] = call
	}
	if head == "" {
		head = ohThought(v)
	}
	if m.Preview = codec.Preview(head); m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = codec.Preview(m.Calls[0].Name + " " + codec.SpelledHead(ohArguments(v)))
	}
	r.answer(m, answer.Get("id").TextN(200), v)
}

// userAction reads what a person wrote, or made the program do.
func (r *openHandsReader) userAction(v jspan.Value, name string, args jspan.Value, m model.Message) {
	m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
	head := args.Get("content").TextN(codec.PreviewScan)
	if name == "message" {
		codec.SetUser(&m, head)
	} else if head == "" {
		head = args.Get("command").TextN(codec.PreviewScan)
	}
	m.Preview = codec.Preview(head)
	r.addEvent(m, v)
}

// ohThought is what the agent said beside an action that has no response.
func ohThought(v jspan.Value) string {
	args := v.Get("args")
	for _, k := range []string{"content", "final_thought", "thought"} {
		if t := args.Get(k); t.Kind == jspan.String && t.Len() > 2 && (k != "content" || v.Get("action").TextN(12) == "message") {
			return t.Text()
		}
	}
	return ""
}

// ohArguments are the arguments of an action's call: as the model spelled them,
// else as the action took them.
func ohArguments(v jspan.Value) jspan.Value {
	meta := v.Get("tool_call_metadata")
	id := meta.Get("tool_call_id").TextN(200)
	found := v.Get("args")
	for _, c := range meta.Get("model_response", "choices").Index(0).Get("message", "tool_calls").Items {
		if c.Get("id").TextN(200) == id {
			found = c.Get("function", "arguments")
			break
		}
	}
	return found
}

func (r *openHandsReader) observation(v jspan.Value, name string, m model.Message) {
	cause := edit.IDText(v.Get("cause"))
	if ohNotSent[name] && name != "recall" {
		return
	}
	m.Error = name == "error" || v.Get("success").Kind == jspan.False
	m.Answers = v.Get("tool_call_metadata", "tool_call_id").TextN(200)
	if m.Answers == "" && cause != "" {
		m.Answers = r.callOf[cause]
	}
	head := ohOutput(v).TextN(codec.PreviewScan)
	if m.Answers != "" {
		m.Role, m.Kind = model.RoleTool, model.KindResult
	} else {
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginObservation
		if name == "recall" {
			m.Origin = model.OriginInjected
			head = strings.Join(ohRecalled(v), " ")
		}
	}
	m.Preview = codec.Preview(head)
	r.addEvent(m, v)
}

// ohOutput is the value of an observation that the model sees.
func ohOutput(v jspan.Value) jspan.Value {
	if formatted := v.Get("extras", "formatted_output_and_error"); formatted.Kind == jspan.String && formatted.Len() > 2 {
		return formatted
	}
	return v.Get("content")
}

// ohRecalled are the texts that a recall brings into the context.
func ohRecalled(v jspan.Value) []string {
	var out []string
	add := func(v jspan.Value) {
		if v.Kind == jspan.String && v.Len() > 2 {
			out = append(out, v.Text())
		}
	}
	x := v.Get("extras")
	for _, k := range []string{"repo_name", "repo_directory", "repo_instructions", "additional_agent_instructions",
		"conversation_instructions", "date"} {
		add(x.Get(k))
	}
	for _, e := range x.Get("microagent_knowledge").Items {
		add(e.Get("content"))
	}
	if len(out) == 0 {
		add(v.Get("content"))
	}
	return out
}
