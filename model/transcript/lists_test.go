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
