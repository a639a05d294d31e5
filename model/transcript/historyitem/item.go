package historyitem

import (
	"fmt"
	"strings"

	"palimpsest/model/transcript/jspan"
)

// Kind is what an item is to a history.
type Kind uint8

const (
	Other     Kind = iota // of a kind this package does not know; kept as it is
	Message               // somebody's words
	Call                  // an agent calls a function
	Output                // what a call gave back
	Reasoning             // what an agent thought before it spoke or called
)

var kindNames = [...]string{"other", "message", "function call", "function call output", "reasoning"}

func (k Kind) String() string { return kindNames[k] }

// Item is one item as it is spelled. Items are immutable; the zero Item is the
// empty text and belongs in no list.
type Item struct {
	raw  string
	kind Kind
}

// Parse reads one item. Any JSON value is one: what is neither a message, a
// call, an output or reasoning is of kind [Other].
func Parse(text string) (Item, error) {
	v, err := parse(text)
	if err != nil {
		return Item{}, fmt.Errorf("a history item is not JSON: %w", err)
	}
	return newItem(v), nil
}

// parse reads a text that holds one JSON value and nothing else.
func parse(text string) (jspan.Value, error) {
	buf := []byte(text)
	v, err := jspan.Parse(buf, 0)
	if err != nil {
		return jspan.Value{}, err
	}
	if end := jspan.Space(buf, v.End); end != len(buf) {
		return jspan.Value{}, &jspan.SyntaxError{Off: end, What: "more text behind the value"}
	}
	return v, nil
}

func newItem(v jspan.Value) Item {
	kind, _ := Unwrap(v)
	return Item{string(v.Raw()), kind}
}

// Unwrap returns what an item is and the object that holds its members,
// which for a flat item is the item itself. Of kind [Other] it gives the item.
func Unwrap(v jspan.Value) (Kind, jspan.Value) {
	if t := v.Get("type"); t.Exists() {
		return flatKind(v, t.TextN(24)), v
	}
	if v.Has("role") {
		return flatKind(v, "message"), v // the Responses API lets the type of a message be left out
	}
	for _, w := range [...]struct {
		key  string
		kind Kind
	}{{"message", Message}, {"function_call", Call}, {"function_call_output", Output}} {
		if body := v.Get(w.key); body.Kind == jspan.Object {
			return w.kind, body
		}
	}
	return Other, v
}

func flatKind(v jspan.Value, t string) Kind {
	switch {
	case t == "message" && v.Get("role").Kind == jspan.String && v.Has("content"):
		return Message
	case t == "function_call":
		return Call
	case t == "function_call_output":
		return Output
	case t == "reasoning":
		return Reasoning
	}
	return Other
}

// Raw is the item's spelling.
func (it Item) Raw() string { return it.raw }

// Kind is what the item is.
func (it Item) Kind() Kind { return it.kind }

// body is the object with the item's members.
func (it Item) body() jspan.Value {
	v, err := jspan.Parse([]byte(it.raw), 0)
	if err != nil {
		return jspan.Value{} // the zero Item; others were parsed before
	}
	_, body := Unwrap(v)
	return body
}

// Role is who speaks in a message; "" for other kinds.
func (it Item) Role() string {
	if it.kind != Message {
		return ""
	}
	return it.body().Get("role").Text()
}

// Text is what a message says, its text blocks joined by line ends, what a call gave
// back, or what was thought, as far as it is not encrypted; "" for other kinds. It is for looking at: bytes that are not
// Unicode read as U+FFFD.
func (it Item) Text() string {
	switch it.kind {
	case Message:
		return text(it.body().Get("content"))
	case Output:
		return text(it.body().Get("output"))
	case Reasoning:
		return strings.TrimSpace(text(it.body().Get("summary")) + "\n" + text(it.body().Get("content")))
	}
	return ""
}

func text(v jspan.Value) string {
	switch v.Kind {
	case jspan.String:
		return v.Text()
	case jspan.Array:
		var texts []string
		for _, e := range v.Items {
			if e.Kind == jspan.Object {
				e = e.Get("text")
			}
			if e.Kind == jspan.String {
				texts = append(texts, e.Text())
			}
		}
		return strings.Join(texts, "\n")
	case jspan.Object: // older outputs wrap their text
		return text(v.Get("content"))
	}
	return ""
}

// CallID is the id of a call, or of the call that an output answers.
func (it Item) CallID() string {
	if it.kind != Call && it.kind != Output {
		return ""
	}
	return it.body().Get("call_id").Text()
}

// Call gives the name and the arguments of a call; two empty texts for other
// kinds.
func (it Item) Call() (name, arguments string) {
	if it.kind != Call {
		return "", ""
	}
	b := it.body()
	args := b.Get("arguments")
	if args.Kind == jspan.String {
		return b.Get("name").Text(), args.Text()
	}
	return b.Get("name").Text(), string(args.Raw())
}
