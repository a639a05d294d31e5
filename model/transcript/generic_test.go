package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/generic"
)

// readMapped reads a text by a field map.
func readMapped(text, fields string) (*model.Document, error) {
	m, err := generic.ParseMap(fields)
	if err != nil {
		return nil, err
	}
	return Read(context.Background(), "test", strings.NewReader(text), int64(len(text)), Options{Map: m})
}

func TestFieldMaps(t *testing.T) {
	for _, x := range []struct{ name, text, fields, want string }{
		{"a member", `{"log":[{"who":"Customer","body":"a"},{"who":"bot","body":"b"},{"who":"Planner","body":"c"}]}`,
			"messages=$.log,role=who,text=body", "typed, assistant, assistant"},
		{"the document", `[{"r":"system","t":"s"},{"r":"human","t":"a"},{"r":"tool","t":"b"}]`, "messages=$,role=r,text=t", "system, typed, observation"},
		{"many", `{"a":[{"x":{"turns":[{"s":"user","m":{"t":["no",{"v":"1"}]}},{"s":"ai","m":{"t":["no",{"v":"2"}]}}]}}]}`,
			"messages=a[*].x.turns, role=s, text=m.t[1].v", "typed, assistant"},
		{"lines", "{\"s\":\"user\",\"m\":\"a\"}\n{\"s\":\"ai\",\"m\":[{\"type\":\"text\",\"text\":\"b\"}]}\n", "messages=$,role=s,text=m", "typed, assistant"},
		{"a conversation a line", "{\"c\":[{\"s\":\"user\",\"m\":\"a\"}]}\n{\"c\":[{\"s\":\"user\",\"m\":\"b\"}]}\n", "messages=[*].c,role=s,text=m", "typed"},
		{"all fields", `{"log":[{"n":"Bo","i":7,"w":"2026-01-01T10:00:00Z","who":"user","body":"a"}]}`,
			"messages=log,role=who,text=body,name=n,id=i,time=w", "typed"},
	} {
		d, err := readMapped(x.text, x.fields)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if got := liveShape(d.Conversations[0].Main()); got != x.want {
			t.Errorf("%s: %s", x.name, got)
		}
		checkDocument(t, d)
		checkRewrites(t, d, 10)
	}
	d, err := readMapped(`{"log":[{"n":"Bo","i":7,"w":"2026-01-01T10:00:00Z","who":"user","body":"a"}]}`,
		"messages=log,role=who,text=body,name=n,id=i,time=w")
	if err != nil {
		t.Fatal(err)
	}
	if m := d.Conversations[0].Main().Messages[0]; m.Name != "Bo" || m.ID != "7" || m.Time != 1767261600000 {
		t.Errorf("%+v", m)
	}
}

// A summary has the role and the text where the map says, and nothing else.
func TestFieldMapSummary(t *testing.T) {
	d, err := readMapped(`[{"m": {"who": "kunde", "parts": ["x", {"t": "a"}]}}, {"m": {"who": "Customer", "parts": ["x", {"t": "b"}]}}]`,
		"messages=$,role=m.who,text=m.parts[1].t")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Rewrite(d, &edit.Change{Drop: []int32{0, 1}, Summaries: []edit.Summary{{Text: "S", Before: 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(written(t, r.Edits)), `[{"m": {"who": "Customer", "parts": [{},{"t": "S"}]}}]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBadMaps(t *testing.T) {
	for _, s := range []string{"", "role=a,text=b", "messages=$,role=a", "messages=$,role=a,text=b,colour=c", "messages=$,role=a,role=b,text=c",
		"messages=$,role=,text=b", "messages=$[,role=a,text=b", "messages=$[x],role=a,text=b", "messages=$..a,role=a,text=b",
		"messages=$,role=a[*],text=b", "messages=$,role=$,text=b", "messages=$x,role=a,text=b", "messages=$[0]x,role=a,text=b"} {
		m, err := generic.ParseMap(s)
		var p *model.Problem
		if !errors.As(err, &p) || p.Code != "bad-map" {
			t.Errorf("%q is taken as %+v: %v", s, m, err)
		}
	}
	for text, fields := range map[string]string{
		`{"log":[{"who":"user","body":"a"}]}`:                          "messages=$.other,role=who,text=body",
		`{"log":{"who":"user"}}`:                                       "messages=$.log,role=who,text=body",
		"{\"s\":\"user\",\"m\":\"a\"}\n{\"s\":\"user\",\"m\":\"a\"}\n": "messages=$.log,role=s,text=m",
	} {
		if _, err := readMapped(text, fields); err == nil {
			t.Errorf("%s reads by %s", text, fields)
		}
	}
}

// What no format claims is guessed, and that it was is reported; what is no list of
// messages stays unknown.
func TestGuesses(t *testing.T) {
	for text, want := range map[string]string{
		`{"meta":{},"data":{"log":[{"speaker":"user","utterance":"a"},{"speaker":"bot","utterance":"b"}],"n":[1,2]}}`:                                 "messages=$.data.log,role=speaker,text=utterance",
		`{"log":[{"who":"user","body":"a"},{"who":"bot","body":null,"tool_calls":[{"id":"1","name":"ls"}]},{"who":"tool","body":"x","call_id":"1"}]}`: "messages=$.log,role=who,text=body,calls=tool_calls",
		"{\"sender\":\"a\",\"text\":\"x\"}\n{\"sender\":\"b\",\"text\":\"y\"}\n":                                                                      "messages=$,role=sender,text=text,me=a",
		`[{"talk":[{"who":"a","body":"x"},{"who":"b","body":"y"}]},{"talk":[{"who":"a","body":"x"}]}]`:                                                "messages=$[*].talk,role=who,text=body,me=a",
	} {
		d := mustRead(t, text)
		if d.Format != model.FormatGeneric || !strings.HasSuffix(d.Why, want) || d.Notes[0].Code != "guessed" || !strings.HasSuffix(d.Notes[0].Reason, want) {
			t.Errorf("%s: %s: %s, notes %+v", text, d.Format, d.Why, d.Notes)
		}
		checkDocument(t, d)
		if _, err := Rewrite(d, &edit.Change{}); problemCode(err) != "unconfirmed" || !d.Unconfirmed {
			t.Errorf("%s: a guess is rewritten: %v", text, err)
		}
		sure, err := Read(context.Background(), "test", strings.NewReader(text), int64(len(text)), Options{Format: model.FormatGeneric})
		if err != nil || sure.Unconfirmed {
			t.Fatalf("%s: %v", text, err)
		}
		checkRewrites(t, sure, 6)
		if m, err := generic.ParseMap(want); err != nil || m.String() != want {
			t.Errorf("%s is spelled %s: %v", want, m, err)
		}
	}
	for _, text := range []string{`{"a":1}`, `[]`, `[1,2,3]`, `{"people":[{"author":"x","title":"t"},{"author":"y","title":"u"}]}`,
		`[{"type":"a","text":"1"},{"type":"b","text":"2"},{"type":"c","text":"3"},{"type":"d","text":"4"},{"type":"e","text":"5"}]`} {
		_, err := readBytes("x", []byte(text))
		var p *model.Problem
		if !errors.As(err, &p) || p.Code != "unknown-format" && p.Code != "no-messages" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzFieldMap(f *testing.F) {
	f.Add(`{"log":[{"who":"user","body":"a"}]}`, "messages=$.log,role=who,text=body")
	f.Add("{\"s\":\"user\"}\n{\"s\":\"x\"}", "messages=[*].c[0],role=s.a[2],text=m")
	f.Fuzz(func(t *testing.T, text, fields string) {
		m, err := generic.ParseMap(fields)
		if err != nil {
			return
		}
		if again, err := generic.ParseMap(m.String()); err != nil || fmt.Sprint(*again) != fmt.Sprint(*m) {
			t.Fatalf("%q is spelled %q", fields, m)
		}
		d, err := Read(context.Background(), "fuzz", strings.NewReader(text), int64(len(text)), Options{Map: m})
		if err != nil {
			return
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		live := d.Conversations[0].Main().Live(1)
		r, err := Rewrite(d, &edit.Change{Drop: live[:1], Summaries: []edit.Summary{{Text: "S", Before: live[0]}}})
		if err != nil {
			t.Fatal(err)
		}
		written(t, r.Edits)
	})
}

func FuzzReadGeneric(f *testing.F) {
	fuzzRead(f, model.FormatGeneric, []string{`{"d":{"l":[{"role":"a","text":"x"},{"role":"b","text":"y"}]}}`})
}
