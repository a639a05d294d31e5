package transcript

import (
	"reflect"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/generic"
)

func TestListsThatMayBeMessages(t *testing.T) {
	for text, want := range map[string][]List{
		`{"meta":{"tags":["a","b"]},"log":[{"who":"me","body":"hi","at":1},{"who":"it","body":"ho","extra":{"id":"7","deep":{"x":1}}}],"tools":[{"name":"sh"}]}`: {
			{"$.log", 2, []string{"who", "body", "at", "extra.id"}}, {"$.tools", 1, []string{"name"}}},
		`[{"turns":[{"r":"a","t":"b"},{"r":"b","t":"c"},{"r":"a","t":"d"}],"n":1},{"turns":[],"n":2}]`: {
			{"$[*].turns", 3, []string{"r", "t"}}, {"$", 2, []string{"turns", "n"}}},
		"{\"r\":\"a\",\"t\":\"b\"}\n{\"r\":\"b\",\"t\":\"c\",\"id\":1}\n": {{"$", 2, []string{"r", "t", "id"}}},
		`{"a":[1,2,3]}`: nil,
	} {
		look, err := Look(t.Context(), "test", strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(text, err)
		}
		got := look.Lists
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, %v", text, got, err)
		}
		for _, l := range got {
			if _, err := generic.ParsePath(l.Path); err != nil {
				t.Errorf("%s is no path: %v", l.Path, err)
			}
		}
	}
}

// A map made of what Look returns finds what is there.
func TestListsMakeMaps(t *testing.T) {
	text := `{"export":{"items":[{"author":{"kind":"user"},"body":{"text":"one"}},{"author":{"kind":"bot"},"body":{"text":"two"}}]}}`
	look, err := Look(t.Context(), "test", strings.NewReader(text), int64(len(text)))
	if err != nil || len(look.Lists) != 1 || len(look.Guesses) != 0 {
		t.Fatal(look, err)
	}
	lists := look.Lists
	m := &generic.FieldMap{Messages: lists[0].Path, Role: lists[0].Fields[0], Text: lists[0].Fields[1]}
	d, err := Read(t.Context(), "test", strings.NewReader(text), int64(len(text)), Options{Map: m})
	if err != nil {
		t.Fatal(err)
	}
	h := d.Conversations[0].Main()
	if len(h.History) != 2 || h.Messages[1].Preview != "two" || h.Messages[1].Role != model.RoleAssistant {
		t.Errorf("%+v", h.Messages)
	}
}

// The map that is proposed for data of many kinds, and what it reads.
func TestMapsOfManyShapes(t *testing.T) {
	talk := `[{"role":"user","content":"q1"},{"role":"assistant","content":"a1"},{"role":"user","content":"q2"}]`
	for name, c := range map[string]struct {
		text, fields, says string
		talks              int
	}{
		"lists in elements of a list": {`{"data":{"chats":[{"id":"1","messages":` + talk + `},{"id":"2","messages":` + talk + `}]}}`,
			"messages=$.data.chats[*].messages,role=role,text=content", "user: q1|assistant: a1|user: q2", 2},
		"speakers by their names": {`{"dialogues":[{"turns":[{"speaker":"Ann","utterance":"hi"},{"speaker":"Bob","utterance":"hello"},{"speaker":"Ann","utterance":"bye"}]}]}`,
			"messages=$.dialogues[*].turns,role=speaker,text=utterance,me=Ann", "user: hi|assistant: hello|user: bye", 1},
		"names of senders": {`{"messages":[{"sender_name":"Ann","timestamp_ms":1,"content":"one"},{"sender_name":"Bob","timestamp_ms":2,"content":"two"}]}`,
			"messages=$.messages,role=sender_name,text=content,me=Ann", "user: one|assistant: two", 1},
		"a mark for the user": {`{"chat_metadata":{}}` + "\n" + `{"name":"U","is_user":true,"mes":"one"}` + "\n" + `{"name":"C","is_user":false,"mes":"two"}` + "\n" + `{"name":"U","is_user":true,"mes":"three"}`,
			"messages=$,role=is_user,text=mes,name=name", "user: one|assistant: two|user: three", 1},
		"turns of objects": {`{"turns":[{"user":{"text":"q1"},"assistant":{"text":"a1"}},{"user":{"text":"q2"},"assistant":{"text":"a2"}}]}`,
			"messages=$.turns,user=user.text,answer=assistant.text", "user: q1|assistant: a1|user: q2|assistant: a2", 1},
		"texts in pieces": {`{"type":"personal_chat","messages":[{"id":1,"type":"message","date":"2026-01-02T03:04:05","from":"Ann","text":"one"},{"id":2,"type":"message","date":"2026-01-02T03:04:06","from":"Bob","text":[{"type":"plain","text":"two"},"x"]},{"id":3,"type":"message","date":"2026-01-02T03:04:07","from":"Ann","text":"three"}]}`,
			"messages=$.messages,role=from,text=text,id=id,time=date,me=Ann", "user: one|assistant: two\nx|user: three", 1},
		"a column for the session": {`{"session_id":"a","role":"user","content":"q1"}` + "\n" + `{"session_id":"b","role":"user","content":"q2"}` + "\n" + `{"session_id":"a","role":"assistant","content":"a1"}` + "\n" + `{"session_id":"b","role":"assistant","content":"a2"}`,
			"messages=$,role=role,text=content,by=session_id", "user: q1|assistant: a1", 2},
	} {
		look, err := Look(t.Context(), "x", strings.NewReader(c.text), int64(len(c.text)))
		if err != nil || look.Map == nil || look.Map.String() != c.fields {
			t.Errorf("%s: %v, %v", name, look.Map, err)
			continue
		}
		d, err := Read(t.Context(), "x", strings.NewReader(c.text), int64(len(c.text)), Options{Map: look.Map})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := script(t, d); got != c.says || len(d.Conversations) != c.talks {
			t.Errorf("%s: %d conversations: %q", name, len(d.Conversations), got)
		}
		if ReadOnly(d) == "" {
			checkRewrites(t, d, 10)
		} else if c.talks == 1 && !look.Map.Turns() {
			t.Errorf("%s: %s", name, ReadOnly(d))
		}
	}
}
