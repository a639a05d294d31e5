package frameworks

import (
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// otelConversation is one conversation, of one span, event or log record.
type otelConversation struct {
	attributes            otelAttributes
	input, output, system jspan.Value // lists, or strings that hold one
}

// otelAttributes are attributes as an object, or as the list of keys and values
// that OTLP makes of them.
type otelAttributes struct{ v jspan.Value }

func (a otelAttributes) each(f func(key string, val jspan.Value)) {
	for key, val := range a.v.Each {
		f(string(key), val)
	}
	for _, e := range a.v.Items {
		for _, val := range e.Get("value").Each { // one of stringValue, intValue, …
			f(e.Get("key").TextN(200), val)
			break
		}
	}
}

func (a otelAttributes) get(name string) (found jspan.Value) {
	a.each(func(key string, val jspan.Value) {
		if key == name {
			found = val
		}
	})
	return found
}

// otelConversations finds the conversations of a value: a list of messages, a span or an
// event with its attributes, or a batch of spans and log records in OTLP.
func otelConversations(v jspan.Value) []otelConversation {
	if v.Kind == jspan.Array {
		if areOTelMessages(v) {
			return []otelConversation{{input: v}}
		}
		return nil
	}
	var list []otelConversation
	holder := func(v, attributes jspan.Value) {
		for _, a := range []jspan.Value{v, attributes} {
			if t := asOTelConversation(otelAttributes{a}); t.holds() {
				list = append(list, t)
			}
		}
	}
	span := func(v jspan.Value) (batches [2]jspan.Value) { // those of spans and of log records
		m := codec.MembersOf(v, "attributes", "events", "name", "resourceSpans", "resourceLogs")
		holder(v, m[0])
		if m[2].Exists() { // other things have events, and many
			for _, e := range m[1].Items {
				holder(e, e.Get("attributes"))
			}
		}
		return [2]jspan.Value{m[3], m[4]}
	}
	batches := span(v)
	for i, names := range [][2]string{{"scopeSpans", "spans"}, {"scopeLogs", "logRecords"}} {
		for _, resource := range batches[i].Items {
			for _, scope := range resource.Get(names[0]).Items {
				for _, e := range scope.Get(names[1]).Items {
					span(e)
				}
			}
		}
	}
	return list
}

func asOTelConversation(a otelAttributes) (t otelConversation) {
	a.each(func(key string, val jspan.Value) {
		switch key {
		case "gen_ai.input.messages":
			t.input = val
		case "gen_ai.output.messages":
			t.output = val
		case "gen_ai.system_instructions":
			t.system = val
		default:
			return
		}
		t.attributes = a
	})
	return t
}

// holds reports whether there are messages in it.
func (t otelConversation) holds() bool {
	return areOTelMessages(otelList(t.input)) || areOTelMessages(otelList(t.output))
}

// otelList is a list, also one in a string.
func otelList(v jspan.Value) jspan.Value {
	if v.Kind != jspan.String {
		return v
	}
	text := []byte(v.Text())
	inner, err := jspan.Parse(text, jspan.Space(text, 0))
	if err != nil {
		return jspan.Value{}
	}
	return inner
}

// areOTelMessages recognises a list by its first messages.
func areOTelMessages(v jspan.Value) bool { return codec.Mostly(v, 10, isOTelMessage) }

func isOTelMessage(v jspan.Value) bool {
	list, good := v.Get("parts"), true
	if v.Get("role").Kind != jspan.String || list.Kind != jspan.Array || list.Count() == 0 {
		return false
	}
	for i, e := range list.Items {
		switch e.Get("type").TextN(30) {
		case "text", "reasoning":
			good = e.Has("content")
		case "tool_call", "tool_call_response", "server_tool_call", "server_tool_call_response", "blob", "file", "uri":
		default:
			good = i > 0 && e.Has("type") // generic parts beside known ones
		}
		if !good {
			break
		}
	}
	return good
}

func isOTelConversation(v jspan.Value) bool { return len(otelConversations(v)) > 0 }
