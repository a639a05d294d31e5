package transcript

import (
	"slices"
	"strconv"
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

// A history that the file repeats under other ids is one line, by links, whether the repeated
// or the first one goes on: what the other says again counts once, and goes with it.
func TestClaudeCodeReplayedUnderNewIDs(t *testing.T) {
	turns := func(from, to int, end, after string) (out string) {
		for i := from; i < to; i++ {
			n := strconv.Itoa(i)
			id := func(kind string) string {
				return `"uuid":"` + kind + n + end + `","sessionId":"s","isSidechain":false,`
			}
			parent := func(kind string) string { return `{"parentUuid":"` + kind + n + end + `",` }
			out += `{"parentUuid":` + after + `,"type":"user",` + id("u") + `"message":{"role":"user","content":"question ` + n + `"}}` + "\n" +
				parent("u") + `"type":"assistant",` + id("a") + `"message":{"id":"m` + n + `","role":"assistant","content":[{"type":"tool_use","id":"c` + n + `","name":"Read","input":{}}]}}` + "\n" +
				parent("a") + `"type":"assistant",` + id("b") + `"message":{"id":"m` + n + `","role":"assistant","content":[{"type":"tool_use","id":"d` + n + `","name":"Read","input":{}}]}}` + "\n" +
				parent("a") + `"type":"user",` + id("r") + `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c` + n + `","content":"text"}]}}` + "\n" +
				parent("b") + `"type":"user",` + id("s") + `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"d` + n + `","content":"text"}]}}` + "\n"
			after = `"s` + n + end + `"`
		}
		return out
	}
	for name, source := range map[string]string{
		"the copy goes on":  turns(0, 4, "", "null") + turns(0, 7, "x", "null"),
		"the first goes on": turns(0, 4, "", "null") + turns(0, 4, "x", "null") + turns(4, 7, "", `"s3"`),
	} {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, source)
			th := d.Conversations[0].Main()
			if n := len(th.Live(len(th.History))); n != 7*4 || len(d.Conversations[0].Threads) != 1 {
				t.Fatalf("%d live, %d threads", n, len(d.Conversations[0].Threads))
			}
			if n := d.Notes[0]; len(d.Notes) != 1 || n.Code != "replayed" {
				t.Errorf("said %+v", d.Notes)
			}
			checkDocument(t, d)
			r, err := Rewrite(d, &edit.Change{Drop: th.Live(len(th.History))[4:24]})
			if err != nil {
				t.Fatal(err)
			}
			back := mustRead(t, string(written(t, r.Edits)))
			th = back.Conversations[0].Main()
			if n := len(th.Live(len(th.History))); n != 8 || len(back.Conversations[0].Threads) != 1 {
				t.Errorf("%d live, %d threads of\n%s", n, len(back.Conversations[0].Threads), written(t, r.Edits))
			}
		})
	}
}
