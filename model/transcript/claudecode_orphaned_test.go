package transcript

import (
	"strings"
	"testing"
	"time"

	"palimpsest/model/transcript/internal/edit"
)

// orphaned is a session whose second answer follows a record that is not in the
// file, with an abandoned branch before it: as Claude Code writes when a session
// is resumed from one that was cleaned up.
const orphaned = `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":"first"}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","isSidechain":false,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}
{"type":"user","uuid":"x","parentUuid":"a","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"abandoned"}}
{"type":"user","uuid":"c","parentUuid":"b","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"second"}}
{"type":"assistant","uuid":"d","parentUuid":"lost","sessionId":"s","isSidechain":false,"message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"two"}]}}
{"type":"user","uuid":"e","parentUuid":"d","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"third"}}
`

// What the order of the file led to is dropped: what followed it follows the
// summary, not what happens to be before it now.
func TestCompactionOverAMissingParent(t *testing.T) {
	for name, source := range map[string]string{
		"all named":         orphaned,
		"first record bare": strings.Replace(orphaned, `"uuid":"b",`, "", 1),
		"second odd":        strings.Replace(orphaned, `"uuid":"c"`, `"uuid":{}`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, source)
			th := d.Conversations[0].Main()
			live := th.Live(len(th.History))
			texts := func(list []int32) (out []string) {
				for _, i := range list {
					out = append(out, messageText(t, d, &th.Messages[i]))
				}
				return out
			}
			n := len(live)
			if got := texts(live[n-2:]); strings.Join(got, " ") != "two third" {
				t.Fatalf("live end %q", got)
			}
			for from := range n - 2 {
				r, err := Rewrite(d, &edit.Change{Drop: live[from : n-2],
					Summaries: []edit.Summary{{Text: testSummary, Before: live[from], UID: testUID, Time: time.Unix(0, 0)}}})
				if err != nil {
					t.Fatal(err)
				}
				back := mustRead(t, string(written(t, r.Edits)))
				bt := back.Conversations[0].Main()
				got := bt.Live(len(bt.History))
				if len(got) != from+3 {
					t.Fatalf("%d messages are live after %d:%d of %d went, want %d", len(got), from, n-2, n, from+3)
				}
				if first := messageText(t, back, &bt.Messages[got[from]]); first != testSummary {
					t.Errorf("the summary's place holds %q", first)
				}
				for k := range 2 {
					if want, is := texts(live[n-2+k : n-1+k])[0], messageText(t, back, &bt.Messages[got[from+1+k]]); is != want {
						t.Errorf("kept message %d is %q, was %q", k, is, want)
					}
				}
			}
		})
	}
}
