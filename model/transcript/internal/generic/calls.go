package generic

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// The names of the fields of a call that a field map leads to; answerNames name its id
// in a tool's message.
var (
	callIDNames   = []string{"id", "call_id", "tool_call_id", "tool_use_id", "toolCallId", "callId"}
	callNameNames = []string{"name", "tool", "tool_name", "toolName", "function"}
	callArgsNames = []string{"arguments", "args", "input", "parameters"}
	answerNames   = callIDNames[1:] // id is the result's own
)

// eachCall goes through the calls of a message: a list of objects, or one.
func (f Format) eachCall(v jspan.Value, do func(e jspan.Value)) {
	if len(f.at.calls) == 0 {
		return
	}
	switch list := f.at.calls.in(v); list.Kind {
	case jspan.Object:
		do(list)
	case jspan.Array:
		for _, e := range list.Items {
			if e.Kind == jspan.Object {
				do(e)
			}
		}
	}
}

// calls lists the calls of a message.
func (f Format) calls(b *codec.Builder, v jspan.Value) (list []model.Call) {
	f.eachCall(v, func(e jspan.Value) {
		list = append(list, model.Call{ID: edit.IDText(firstMember(e, callIDNames)), Name: b.Intern(callName(e))})
	})
	return list
}

// callHead is the beginning of the first call, for a message that says nothing.
func (f Format) callHead(v jspan.Value) (head string) {
	f.eachCall(v, func(e jspan.Value) {
		if head == "" {
			head = codec.Preview(callName(e) + " " + codec.SpelledHead(mappedArguments(e)))
		}
	})
	return head
}

// answers is the id of the call that a tool's message answers: by the map, or,
// where that names calls but not this, by the usual names.
func (f Format) answers(v jspan.Value) string {
	switch {
	case len(f.at.answers) > 0:
		return edit.IDText(f.at.answers.in(v))
	case len(f.at.calls) > 0:
		return edit.IDText(firstMember(v, answerNames))
	}
	return ""
}

func callName(e jspan.Value) string {
	for _, k := range callNameNames {
		if v := codec.CallBody(e).Get(k); v.Kind == jspan.String {
			return v.TextN(200)
		}
	}
	return ""
}

func mappedArguments(e jspan.Value) jspan.Value { return firstMember(codec.CallBody(e), callArgsNames) }

// firstMember is the first of some members that there is.
func firstMember(v jspan.Value, names []string) (found jspan.Value) {
	for _, k := range names {
		if found = v.Get(k); found.Exists() && found.Kind != jspan.Null {
			return found
		}
	}
	return found
}
