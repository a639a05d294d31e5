package transcript

import (
	"bytes"
	"context"
	"fmt"
	rand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// foundCompactions are documents in which their own tool recorded a compaction.
func foundCompactions(t *testing.T) map[string]string {
	t.Helper()
	old, err := os.ReadFile(filepath.Join("testdata", "codex_old_compaction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"pi": piTree, "Copilot": copilotSession, "ADK": adkSession,
		"opencode": ocSession, "Roo": rooCondensed, "Gemini CLI": geminiCompressed, "Codex": string(old)}
}

// Two firings, wherever they begin and end: the second one over the first, over
// the summary that the file came with, before or behind them, its summary in
// place of the former ones or beside them.
func TestNestedRewritesOfFoundCompactions(t *testing.T) {
	rounds := 300
	if testing.Short() { // one after the other
		rounds = 20
	}
	for name, text := range foundCompactions(t) {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, text)
			if len(d.Conversations[0].Main().Found) == 0 {
				t.Fatal("no compaction is found in it")
			}
			checkNested(t, d, rounds)
		})
	}
}

func TestNestedRewritesOfRealFiles(t *testing.T) {
	for _, s := range fewer(samples(t)) {
		if s.Format == "malformed" {
			continue
		}
		d, err := Open(context.Background(), s.Path, Options{})
		if err != nil || d.Size > 3<<20 {
			continue
		}
		for _, c := range d.Conversations {
			if len(c.Main().Found) > 0 {
				t.Run(s.File, func(t *testing.T) {
					if !checkOnlyRead(t, d) {
						checkNested(t, d, 6)
					}
				})
				break
			}
		}
	}
}

// stacked is an entry of a live list after firings: a stored message, or the
// summary of a firing.
type stacked struct {
	msg    int32
	firing int // from 1; 0: a message
}

// checkNested fires twice over arbitrary legal ranges of the first conversation
// and writes what is left at once, as a session does, then once more on what
// was read back.
func checkNested(t *testing.T, d *model.Document, rounds int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, uint64(d.Size)))
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	for range rounds {
		list := make([]stacked, len(live))
		for i, m := range live {
			list[i] = stacked{msg: m}
		}
		for firing := range 2 {
			list = fire(th, list, firing+1, rng)
		}
		back := checkStacked(t, d, live, list)
		th2 := back.Conversations[0].Main()
		live2 := th2.Live(len(th2.History))
		again := make([]stacked, len(live2))
		for i, m := range live2 {
			again[i] = stacked{msg: m}
		}
		checkStacked(t, back, live2, fire(th2, again, 1, rng))
	}
}

// fire replaces a range of the list that cuts no group by a summary; summaries
// that was at its beginning may stay beside the new one.
func fire(th *model.Thread, list []stacked, firing int, rng *rand.Rand) []stacked {
	var plain []int32 // the list without summaries of firings
	at := []int{}     // where each is
	for i, e := range list {
		if e.firing == 0 {
			plain, at = append(plain, e.msg), append(at, i)
		}
	}
	system := 0
	for system < len(plain) && th.Messages[plain[system]].Kind == model.KindSystem {
		system++
	}
	var cuts []int
	for _, k := range append([]int{system}, legalCuts(th, plain, system)...) {
		switch {
		case k < system:
		case k < len(at):
			cuts = append(cuts, at[k])
			if at[k] > 0 && list[at[k]-1].firing > 0 { // before the summaries as well
				cuts = append(cuts, at[k]-1)
			}
		default:
			cuts = append(cuts, len(list))
		}
	}
	a, b := cuts[rng.IntN(len(cuts))], cuts[rng.IntN(len(cuts))]
	if a > b {
		a, b = b, a
	}
	if a == b {
		return list
	}
	out := append(list[:a:a], stacked{firing: firing})
	return append(out, list[b:]...)
}

// checkStacked writes a list of what is left of live and demands to read back
// just that.
func checkStacked(t *testing.T, d *model.Document, live []int32, list []stacked) *model.Document {
	t.Helper()
	th := d.Conversations[0].Main()
	kept, next := map[int32]bool{}, 0
	for _, e := range list {
		if e.firing == 0 {
			kept[e.msg] = true
		}
	}
	c := &edit.Change{}
	var want []string
	for _, e := range list {
		if e.firing == 0 {
			for live[next] != e.msg {
				next++
			}
			next++
			want = append(want, digest(t, d, &th.Messages[e.msg]))
			continue
		}
		text := fmt.Sprintf("%s\n%d of %d: %q", testSummary, e.firing, len(list), "\x1f")
		c.Summaries = append(c.Summaries, edit.Summary{Text: text, Before: live[next], UID: fmt.Sprintf("5e0c9f6a-0000-4000-8000-%012d", rand.Uint32()),
			Time: time.Date(2026, 3, 1, 12, 0, e.firing, 0, time.UTC)})
		want = append(want, text)
		next++
	}
	for _, i := range live {
		if !kept[i] {
			c.Drop = append(c.Drop, i)
		}
	}
	r, err := Rewrite(d, c)
	if err != nil {
		t.Fatalf("%v of %v: %v", list, live, err)
	}
	got := written(t, r.Edits)
	back, err := Read(context.Background(), d.Path, bytes.NewReader(got), int64(len(got)), Rereading(d))
	if err != nil {
		t.Fatalf("%v of %v: %v\n%.3000s", list, live, err, got)
	}
	if back.Format != d.Format {
		t.Fatalf("%v of %v: read back as %s: %s\n%.3000s", list, live, back.Format, back.Why, got)
	}
	checkDocument(t, back)
	th2 := back.Conversations[0].Main()
	live2 := th2.Live(len(th2.History))
	if len(live2) != len(want) {
		t.Fatalf("%v of %v: %d messages are live, want %d\n%.3000s", list, live, len(live2), len(want), got)
	}
	for i, k := range live2 {
		m := &th2.Messages[k]
		if list[i].firing == 0 {
			if have := digest(t, back, m); have != want[i] {
				t.Fatalf("%v of %v: live message %d is\n%.400s\nwas\n%.400s\n%.3000s", list, live, i, have, want[i], got)
			}
		} else if have := messageText(t, back, m); m.Kind != model.KindSummary || !strings.Contains(have, want[i]) {
			t.Fatalf("%v of %v: live message %d is a %s: %q\n%.3000s", list, live, i, m.Kind, have, got)
		}
	}
	return back
}

// Where an answer goes, so do the choices beside it: none of them becomes the
// answer. A summary in its place leaves them what they were.
func TestChoicesGoWithTheAnswer(t *testing.T) {
	choices := `"choices":[{"index":0,"message":{"role":"assistant","content":"a"}},{"index":1,"message":{"role":"assistant","content":"b"}}]`
	for _, x := range []struct {
		text    string
		from    int
		live    string
		threads int
	}{
		{`{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"},{"role":"user","content":"v"}],"response":{` + choices + `}}`, 3, "typed, assistant, typed, summary", 1},
		{`{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"},{"role":"user","content":"v"}],"response":{` + choices + `}}`, 1, "typed, summary", 1},
		{`{"id":"x","object":"chat.completion",` + choices + `}`, 0, "summary", 2},
	} {
		d := mustRead(t, x.text)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		got := string(written(t, mustRewrite(t, d, live, x.from, len(live)).Edits))
		back := mustRead(t, got).Conversations[0]
		if l := liveShape(back.Main()); l != x.live || len(back.Threads) != x.threads {
			t.Errorf("from %d: live %s, %d threads\n%s", x.from, l, len(back.Threads), got)
		}
	}
}

func TestRewriteAllTakesOneThreadOfAConversation(t *testing.T) {
	d := mustRead(t, piTree)
	if _, err := RewriteAll(d, &edit.Change{}, &edit.Change{Thread: 1}); err == nil {
		t.Error("two threads of one tree are planned apart")
	}
}
