package historyitem

import "palimpsest/model/transcript/jspan"

// Form is a way to spell items.
type Form uint8

const (
	Wrapped Form = iota // one member that names the kind; the form contexts are kept in
	Flat                // a member "type", as Codex and the Responses API have it
)

// Message spells somebody's words. role is "user" or "assistant", or another
// one the reader of the list knows.
func (f Form) Message(role, text string) Item {
	if f == Flat {
		block := "input_text"
		if role == "assistant" {
			block = "output_text"
		}
		return Item{`{"type":"message","role":` + quote(role) + `,"content":[{"type":"` + block + `","text":` + quote(text) + `}]}`,
			Message}
	}
	return Item{`{"message": {"role": ` + quote(role) + `, "content": [{"text": ` + quote(text) + `}]}}`, Message}
}

// Call spells a function call. arguments is JSON as the model wrote it, and is
// kept as a string whatever it holds.
func (f Form) Call(callID, name, arguments string) Item {
	if f == Flat {
		return Item{`{"type":"function_call","name":` + quote(name) + `,"arguments":` + quote(arguments) +
			`,"call_id":` + quote(callID) + `}`, Call}
	}
	return Item{`{"function_call": {"call_id": ` + quote(callID) + `, "name": ` + quote(name) +
		`, "arguments": ` + quote(arguments) + `}}`, Call}
}

// Output spells what a call gave back.
func (f Form) Output(callID, output string) Item {
	if f == Flat {
		return Item{`{"type":"function_call_output","call_id":` + quote(callID) + `,"output":` + quote(output) + `}`, Output}
	}
	return Item{`{"function_call_output": {"call_id": ` + quote(callID) + `, "output": ` + quote(output) + `}}`, Output}
}

// quote spells a JSON string; what is not Unicode becomes U+FFFD.
func quote(s string) string { return string(jspan.AppendQuote(nil, s, false)) }
