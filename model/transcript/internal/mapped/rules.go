package mapped

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Rules are a format.
type Rules struct {
	Format model.Format `json:"format"`
	Title  string       `json:"title"`
	How    string       `json:"how"` // how it is recognised, for a person
	// Proven says that the live view is what its tool would send; docs/formats.md says how it is known.
	Proven bool `json:"proven"`

	// Signs are lists of tests of the source, or of a line: all of one list must hold.
	Signs [][]test `json:"signs"`
	Score int      `json:"score"` // 0: 90
	Lines bool     `json:"lines"` // only JSON Lines can be it

	Talks  places        `json:"talks"` // the conversations; none: the source is one
	Talk   talk          `json:"talk"`
	By     places        `json:"by"`   // of an element: which conversation it belongs to
	List   places        `json:"list"` // the elements of a conversation; none: its lines or elements
	Tree   *tree         `json:"tree"`
	Each   func() []rule `json:"-"` // of an element; see [parse]
	Roles  map[string]string
	Until  string   `json:"until"`  // the name of an agent ends before it
	Newest places   `json:"newest"` // a time, by which the list begins with the newest
	Served bool     `json:"served"` // the provider runs the tools of calls without a result
	Lone   bool     `json:"lone"`   // each line, or element, is a conversation
	Logged []string `json:"logged"` // members that say how a history came about, and are no part of it

	// Summary is an element of the list that holds a summary, with "$text", "$uid",
	// "$time" and "$millis" in it. Without one the format is only read.
	Summary forms    `json:"summary"`
	Places  []string `json:"places"` // where its files lie, for a person
}

// forms are the spellings of a summary: the first whose tests hold for the element beside it.
type (
	forms []form
	form  struct {
		If []test          `json:"if"`
		In bool            `json:"in"` // among the parts of an element that stay
		Is json.RawMessage `json:"is"`
	}
)

// UnmarshalJSON reads a list of spellings, or the only one.
func (f *forms) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		b = slices.Concat([]byte(`[{"is":`), b, []byte("}]"))
	}
	return strict(b, (*[]form)(f))
}

// talk is where a conversation has what is said about all of it.
type talk struct {
	ID, Title, Model, Dir, Agent, System places

	Live   places // the ids of the messages that the model sees; none: not said
	Outer  places // the model, where the source says it of all conversations
	Agents places // the conversations of sub-agents in it
	Used   []used // what the provider reported for answers, beside them

	// Texts is an object with the long texts of the conversation: where one belongs there is
	// Mark with its name.
	Texts places
	Mark  string

	Unapplied []test // it holds a compaction, and the list is not what this left
}

// used is where reports are, of which each names its answer, or is the next one's of those
// without an id.
type used struct {
	If    []test
	At    places
	ID    places
	Usage usage
}

// tree says that elements name their parents: the line to the leaf is the
// conversation, others are branches.
type tree struct {
	ID, Parent, Leaf places
	Children         string `json:"children"` // a member with the elements below; then they have no parent's name
}

// rule makes a message of an element, or applies rules to what is in it.
type rule struct {
	If   []test `json:"if"`
	At   places `json:"at"`
	Each []rule `json:"each"`

	// Look is, of the element, an object whose member of the name in Key is meant: a
	// result that is kept under its call's id.
	Look places `json:"look"`
	Key  places `json:"key"`

	Skip bool `json:"skip"` // no model sees it

	Role  role   `json:"role"`
	First role   `json:"first"` // who speaks, where a conversation begins with it
	Join  bool   `json:"join"`  // with the message before, where that has the same role
	Glue  bool   `json:"glue"`  // its texts follow each other without a space
	Steps bool   `json:"steps"` // it holds steps of an agent, each a message, and then the results that are in its calls
	Parts []part `json:"parts"`

	ID, Parent, Time, Model, Name, Agent places

	marks

	// Compact says that it is a summary: but for what Keeps names, it takes the place of all
	// before. With Each, the list in it does.
	Compact []test `json:"compact"`
	Keeps   []keep `json:"keeps"`  // the first that fits counts
	Change  string `json:"change"` // of a record that says nothing: clear, undo, blank or step
	Count   places `json:"count"`  // of what a person said, that undo takes back

	Before, After places // tokens in the context before and after the compaction
	Usage         *usage `json:"usage"`
}

// marks are tests that say of a message what it is, besides who speaks.
type marks struct {
	Injected []test `json:"injected"` // a program put it in
	Observed []test `json:"observed"` // what came of an action
	Summary  []test `json:"summary"`  // a summary that was left in the place of others
	Hidden   []test `json:"hidden"`   // the model sees it up to the next compaction only
}

// keep is what a compaction leaves word for word: behind its summary all from a place on, or
// before it so many of the newest messages that a person typed, and of the oldest.
type keep struct {
	If                  []test
	From, Typed, Oldest places
	Start, End          places // numbers of the first and the last message that go: the others stay where they are
}

// usage is where a message has what the provider reported. Without a role it is about the
// answer before.
type usage struct {
	Input, Output, CacheRead, CacheWrite, Reasoning places
	Beside                                          bool   // cached input is not in input
	Total                                           places // all of it, which tells whether cached input is in input
}

// role is a word for who speaks, or for what is called, or the place that has it. A message
// whose role is other is kept, and sent to no model.
type role struct {
	word string
	at   places
}

func (r *role) UnmarshalText(b []byte) error {
	if word, ok := strings.CutPrefix(string(b), "="); ok {
		r.word = word
		return nil
	}
	return r.at.UnmarshalText(b)
}

func (r role) of(v jspan.Value) string {
	if r.word != "" {
		return r.word
	}
	return r.at.text(v)
}

func (r role) none() bool { return r.word == "" && len(r.at) == 0 }

// part is what a value in a message is. Of says what each of several may be: the first
// that fits counts.
type part struct {
	At places `json:"at"`
	If []test `json:"if"`
	Of []part `json:"of"`

	As    string `json:"as"` // text, reasoning, call, result, media, sealed, step, skip
	Text  places `json:"text"`
	ID    places `json:"id"`
	Name  role   `json:"name"`
	Args  places `json:"args"`
	Fail  []test `json:"fail"`  // of a result: the call failed
	Strip string `json:"strip"` // what the name begins with and is no part of it
	Raw   bool   `json:"raw"`   // of a result: what is no string is shown as it is spelled
	Made  bool   `json:"made"`  // of a call: made up for a result; it is none where one that was made waits

	// Unasked says of a result that where no call waits for it, it is a text that a program put in.
	Unasked bool `json:"unasked"`

	// Then is what else is in the same value: the result beside its call.
	Then []part `json:"then"`
}

// test is one of: "place" (there is something), "!place" (there is nothing), "place=a|b",
// "place!=a|b", "place^prefix", "place:kind" with a kind of JSON.
type test struct {
	at     places
	op     byte
	not    bool
	values []string
}

func (t *test) UnmarshalText(b []byte) error {
	s, not := strings.CutPrefix(string(b), "!")
	t.not = not
	if i := strings.IndexAny(s, "=^:"); i >= 0 {
		t.op, t.values = s[i], strings.Split(s[i+1:], "|")
		if s = s[:i]; strings.HasSuffix(s, "!") {
			s, t.not = s[:len(s)-1], true
		}
	}
	return t.at.UnmarshalText([]byte(s))
}

func (t test) holds(v jspan.Value) bool {
	found := false
	for _, p := range t.at {
		p.each(v, parsed, func(v, _ jspan.Value, _ int) bool {
			found = found || t.fits(v)
			return !found
		})
	}
	return found != t.not
}

func (t test) fits(v jspan.Value) bool {
	switch t.op {
	case 0:
		return v.Kind != jspan.Null
	case ':':
		for _, k := range t.values {
			if v.Kind.String() == k {
				return true
			}
		}
		return false
	}
	text := v.TextN(200)
	if v.Kind != jspan.String {
		text = string(v.Raw()[:min(v.Len(), 40)])
	}
	for _, want := range t.values {
		if text == want || t.op == '^' && strings.HasPrefix(text, want) {
			return true
		}
	}
	return false
}

func hold(list []test, v jspan.Value) bool {
	for _, t := range list {
		if !t.holds(v) {
			return false
		}
	}
	return true
}

// any is [hold] for tests of which there may be none, which then do not hold.
func holdAny(list []test, v jspan.Value) bool { return len(list) > 0 && hold(list, v) }

// parse reads a file of rules, but those for an element only when they are asked for: all
// files are read to recognise a source, and these are most of each. What a file has besides
// is an error; of the rules for an element it is found by the test that reads a sample
// of every format.
func parse(b []byte) (*Rules, error) {
	whole, err := jspan.Parse(b, 0)
	if err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	each := whole.Get("each")
	if each.Kind != jspan.Array || each.Count() == 0 {
		return nil, fmt.Errorf("there are no rules for an element")
	}
	var head struct {
		*Rules
		Each []struct{} `json:"each"`
	}
	head.Rules = &Rules{Score: 90}
	if err := strict(slices.Concat(b[:each.Off], []byte("[]"), b[each.End:]), &head); err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	if head.Format == "" {
		return nil, fmt.Errorf("the rules name no format")
	}
	head.Rules.Each = sync.OnceValue(func() (list []rule) {
		if err := strict(each.Raw(), &list); err != nil {
			panic(fmt.Errorf("the rules of %s for an element: %w", head.Format, err)) // they are in the program
		}
		return list
	})
	return head.Rules, nil
}

// strict decodes what has no members but those of v.
func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}
