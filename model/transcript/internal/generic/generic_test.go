package generic

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// A map is written as it is read; one that says nothing, or something unknown, is refused
// with the reason.
func TestParseMap(t *testing.T) {
	for _, text := range []string{"messages=$.log,role=who,text=body", "messages=$[*].turns,user=q,answer=a", "messages=$,role=r,text=t,name=n"} {
		m, err := ParseMap(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseMap(m.String())
		if err != nil || *again != *m {
			t.Errorf("%s: %+v becomes %+v, %v", text, m, again, err)
		}
		if m.Turns() != strings.Contains(text, "user=") {
			t.Errorf("%s holds both sides of a turn: %v", text, m.Turns())
		}
	}
	for _, text := range []string{"", "messages", "colour=red", "messages=$.a[,role=r,text=t"} {
		if m, err := ParseMap(text); err == nil {
			t.Errorf("%q is taken for %+v", text, m)
		}
	}
}

// A path leads to the values that it names, in their order.
func TestPaths(t *testing.T) {
	v, err := jspan.Parse([]byte(`{"a":[{"b":1},{"b":[2,3]},{"c":{"b":4}}]}`), 0)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"$.a[0].b": {"1"}, "a[*].b": {"1", "[2,3]"}, "a[1].b[*]": {"2", "3"}, "a[2].c.b": {"4"}, "a[9]": nil, "nobody": nil,
	} {
		p, err := ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		p.each(v, func(x jspan.Value) {
			if x.Exists() {
				got = append(got, string(x.Raw()))
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s leads to %q, want %q", text, got, want)
		}
	}
}

// Words of many programs name who speaks.
func TestRoleOf(t *testing.T) {
	for word, want := range map[string]model.Role{"user": model.RoleUser, "Human": model.RoleUser, "AI": model.RoleAssistant,
		"assistant_message": model.RoleAssistant, "tool_result": model.RoleTool, "system": model.RoleSystem} {
		if got := RoleOf(word); got != want {
			t.Errorf("%s is %v, want %v", word, got, want)
		}
	}
}
