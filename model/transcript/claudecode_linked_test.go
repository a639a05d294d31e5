package transcript

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/model/transcript/internal/edit"
)

// beside is a session of two messages and two that were abandoned, each alone.
const beside = `{"parentUuid":null,"type":"user","uuid":"x","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"a first try"}}
{"parentUuid":null,"type":"user","uuid":"a","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"first"}}
{"parentUuid":"a","type":"user","uuid":"y","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"a second try"}}
{"parentUuid":"a","type":"assistant","uuid":"b","sessionId":"s","isSidechain":false,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}
`

// When all but the last message goes and nothing comes in its place, what was
// beside the line stays beside it.
func TestDropLeavesWhatIsBesideTheLine(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		hung   string // the record of x afterwards; "": as it was
	}{
		"roots":           {beside, `{"parentUuid":"b","type":"user","uuid":"x"`},
		"spaced":          {strings.ReplaceAll(strings.ReplaceAll(beside, `,"`, `, "`), `":`, `": `), `{"parentUuid": "b", "type": "user", "uuid": "x"`},
		"without parents": {strings.ReplaceAll(beside, `"parentUuid":null,`, ""), `{"parentUuid":"b","type":"user","uuid":"x"`},
		"without ids":     {strings.Replace(beside, `"uuid":"x",`, "", 1), `{"parentUuid":"b","type":"user","sessionId"`},
		"of what goes":    {strings.Replace(beside, `{"parentUuid":null,"type":"user","uuid":"x"`, `{"parentUuid":"a","type":"user","uuid":"x"`, 1), `{"parentUuid":"b","type":"user","uuid":"x"`},
		"of a sub-agent":  {strings.ReplaceAll(beside, `"isSidechain":false`, `"isSidechain":true`), `{"parentUuid":"b","type":"user","uuid":"x"`},
		"linked otherwise": {strings.Replace(beside, `"parentUuid":null,"type":"user","uuid":"x"`, `"parentUuid":"w","type":"user","uuid":"x"`, 1) +
			`{"parentUuid":null,"type":"system","subtype":"note","uuid":"w","sessionId":"s","isSidechain":false}` + "\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, c.source)
			th := d.Conversations[0].Main()
			if got := lines(th, th.Live(len(th.History))); !slices.Equal(got, []string{"user first", "assistant one"}) {
				t.Fatalf("live before: %q", got)
			}
			r, err := Rewrite(d, &edit.Change{Drop: th.Live(len(th.History))[:1]})
			if err != nil {
				t.Fatal(err)
			}
			out := string(written(t, r.Edits))
			back := mustRead(t, out)
			var got []string
			for _, th := range back.Conversations[0].Threads {
				got = append(got, strings.Join(lines(th, th.Live(len(th.History))), ", "))
			}
			if want := []string{"assistant one", "user a first try", "user a second try"}; !slices.Equal(got, want) {
				t.Errorf("%q, want %q, of\n%s", got, want, out)
			}
			if want, _, _ := strings.Cut(c.source, "\n"); c.hung != "" {
				if !strings.HasPrefix(out, c.hung) {
					t.Errorf("want %s, have\n%s", c.hung, out)
				}
			} else if !strings.HasPrefix(out, want) {
				t.Errorf("want %s, have\n%s", want, out)
			}
			checkUntouched(t, d, &edit.Change{}, r, []byte(out), name)
			for i, a := range r.Relinked {
				for _, b := range r.Relinked[:i] {
					if a.Off == b.Off {
						t.Errorf("told twice: %+v, %+v", b, a)
					}
				}
			}
		})
	}
}

// A message that names no parent follows what is before it. Once that is
// dropped it follows nothing, and not the branch that is there now.
func TestDropBeforeAMessageWithoutParent(t *testing.T) {
	d := mustRead(t, strings.Replace(orphaned, `"parentUuid":"lost",`, "", 1))
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	if got := lines(th, live); !slices.Equal(got, []string{"user first", "assistant one", "user second", "assistant two", "user third"}) {
		t.Fatalf("live before: %q", got)
	}
	r, err := Rewrite(d, &edit.Change{Drop: live[:3]})
	if err != nil {
		t.Fatal(err)
	}
	out := string(written(t, r.Edits))
	th = mustRead(t, out).Conversations[0].Main()
	if got := lines(th, th.Live(len(th.History))); !slices.Equal(got, []string{"assistant two", "user third"}) {
		t.Errorf("live: %q of\n%s", got, out)
	}
	if !strings.Contains(out, `{"parentUuid":null,"type":"assistant","uuid":"d"`) {
		t.Errorf("the message does not say that it is the first:\n%s", out)
	}
}

// A record is a copy of whichever of its namesakes it equals: it is counted once
// whether or not the first of them is there.
func TestCopyOfASecondNamesake(t *testing.T) {
	const first = `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"first"}}` + "\n"
	second := strings.Replace(first, `"first"`, `"second"`, 1)
	answer := `{"type":"assistant","uuid":"b","parentUuid":null,"sessionId":"s","message":{"id":"m","role":"assistant","content":"one"}}` + "\n"
	d := mustRead(t, first+second+answer+second+first+second)
	th := d.Conversations[0].Main()
	if got := lines(th, th.Live(len(th.History))); !slices.Equal(got, []string{"user first", "user second", "assistant one"}) {
		t.Fatalf("live: %q", got)
	}
	r, err := Rewrite(d, &edit.Change{Drop: []int32{0}})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); got != second+answer+second+second {
		t.Errorf("without the first namesake and its copy:\n%s", got)
	}
	if r, err = Rewrite(d, &edit.Change{Drop: []int32{1}}); err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); got != first+answer+first {
		t.Errorf("without the second namesake and its copies:\n%s", got)
	}
}

// A branch goes on over the namesake of a record that goes: nothing else takes
// its place.
func TestDropOfTheFirstNamesakeOnABranch(t *testing.T) {
	const said = `{"parentUuid":"p","type":"user","uuid":"u","sessionId":"s","isSidechain":true,"message":{"role":"user","content":"u"}}` + "\n"
	as := func(uuid, parent, text string) string {
		return strings.NewReplacer(`"p"`, parent, `"uuid":"u"`, `"uuid":"`+uuid+`"`, `"content":"u"`, `"content":"`+text+`"`).Replace(said)
	}
	d := mustRead(t, strings.ReplaceAll(as("m", "null", "main"), "true", "false")+
		as("a", "null", "first")+as("b", `"a"`, "second")+as("b", `"a"`, "second, edited")+as("c", `"b"`, "third"))
	th := d.Conversations[0].Threads[1]
	if got := lines(th, th.Live(len(th.History))); !slices.Equal(got, []string{"user first", "user second", "user second, edited", "user third"}) {
		t.Fatalf("live before: %q", got)
	}
	r, err := Rewrite(d, &edit.Change{Thread: 1, Drop: []int32{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	out := string(written(t, r.Edits))
	back := mustRead(t, out)
	th = back.Conversations[0].Threads[1]
	if got := lines(th, th.Live(len(th.History))); !slices.Equal(got, []string{"user second, edited", "user third"}) {
		t.Errorf("live: %q of\n%s", got, out)
	}
}
