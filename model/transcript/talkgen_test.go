package transcript

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// saying is one message of a conversation in no format.
type saying struct {
	role    string // system, user, assistant, result
	text    string
	calls   []string // ids
	answers string
}

// genTalk draws a conversation: calls in parallel, answered out of order, some
// never; ids that are used again.
func genTalk(t *rapid.T) []saying {
	var out []saying
	if rapid.Bool().Draw(t, "system") {
		out = append(out, saying{role: "system", text: "You are an agent."})
	}
	out = append(out, saying{role: "user", text: genText.Draw(t, "task")})
	for range rapid.IntRange(1, 8).Draw(t, "turns") {
		if rapid.IntRange(0, 3).Draw(t, "user") == 0 {
			out = append(out, saying{role: "user", text: genText.Draw(t, "says")})
		}
		calls, answers := genTurn(t)
		text := genText.Draw(t, "text")
		if len(calls) > 0 && rapid.Bool().Draw(t, "silent") {
			text = ""
		}
		out = append(out, saying{role: "assistant", text: text, calls: calls})
		for _, id := range answers {
			out = append(out, saying{role: "result", text: genText.Draw(t, "result"), answers: id})
		}
	}
	return out
}

// propTalks writes random conversations in a format with encode, which gives
// the JSON value that holds one, and demands that reading, copying and
// rewriting them keeps every promise. collect says that several may be in
// one source.
func propTalks(t *testing.T, format model.Format, collect bool, gen func(*rapid.T) []saying, encode func(s spelling, talk []saying) any) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpelling(t)
		talks := []any{encode(s, gen(t))}
		lines := false
		if collect {
			for range rapid.IntRange(0, 2).Draw(t, "more") {
				talks = append(talks, encode(s, gen(t)))
			}
			lines = len(talks) > 1 && rapid.Bool().Draw(t, "lines")
		}
		var text string
		switch {
		case lines:
			text = s.spell(true, talks...)
		case len(talks) > 1:
			text = s.spell(false, talks)
		default:
			text = s.spell(false, talks[0])
		}
		d, err := Read(context.Background(), "generated", strings.NewReader(text), int64(len(text)), Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d.Format != format || len(d.Conversations) != len(talks) {
			t.Fatalf("%s with %d conversations: %s\n%s", d.Format, len(d.Conversations), d.Why, text)
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		conv := rapid.IntRange(0, len(d.Conversations)-1).Draw(t, "conversation")
		th := d.Conversations[conv].Main()
		live := th.Live(len(th.History))
		from := 0
		for from < len(live) && th.Messages[live[from]].Kind == model.KindSystem {
			from++
		}
		cuts := append([]int{from}, legalCuts(th, live, from)...)
		a := rapid.IntRange(0, len(cuts)-2).Draw(t, "from")
		b := rapid.IntRange(a+1, len(cuts)-1).Draw(t, "to")
		checkRewrite(t, d, conv, live, cuts[a], cuts[b])
	})
}

// folders of real files, and the format that each is read as.
var folders = map[string]model.Format{
	"openai_responses": model.FormatResponses,
	"swe_agent":        model.FormatSWEAgent,
	"mini_swe_agent":   model.FormatMiniSWEAgent,
	"tau_bench":        model.FormatTauBench,
	"sharegpt":         model.FormatShareGPT,
	"gemini":           model.FormatGeminiCLI,
	"cline":            model.FormatCline,
	"chatgpt_export":   "chatgpt-export",
	"claude_ai_export": "claude-ai-export",
}

// checkRealFile opens a real file and holds it against its row of the manifest
// and against every promise. An entry of differs replaces the row.
func checkRealFile(t *testing.T, s sample, format model.Format) *model.Document {
	t.Helper()
	d := openSample(t, s.Path)
	if d.Format != format {
		t.Fatalf("opened as %s: %s", d.Format, d.Why)
	}
	items, calls := s.Messages, s.Calls
	if x, ok := differs[s.File]; ok {
		items, calls = x.items, x.calls
	}
	n := count(d)
	if n.Items != items || n.Calls != calls {
		t.Errorf("%v; the manifest says %d items and %d calls", n, items, calls)
	}
	if n.Paired != n.Results {
		t.Errorf("%d of %d results found their call", n.Paired, n.Results)
	}
	checkDocument(t, d)
	rounds := 10
	if d.Size > 500<<10 {
		rounds = 4
	}
	checkRewrites(t, d, rounds)
	t.Logf("%s | %v | %d notes", d.Why, n, len(d.Notes))
	return d
}

// checkOutlines reads texts and compares the outlines of their conversations.
func checkOutlines(t *testing.T, format model.Format, cases []outlineCase) {
	t.Helper()
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			d := mustRead(t, x.in)
			if d.Format != format {
				t.Fatalf("%s: %s", d.Format, d.Why)
			}
			var got strings.Builder
			for i := range d.Conversations {
				if i > 0 {
					got.WriteString("---\n")
				}
				got.WriteString(outline(t, d, i))
			}
			if got.String() != x.want {
				t.Errorf("got\n%swant\n%s", got.String(), x.want)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 6)
		})
	}
}

type outlineCase struct{ name, in, want string }

// checkSpelling replaces the first two live messages behind the fixed part by a
// summary and clears results, and compares bytes.
type spellingCase struct {
	name     string
	from, to int     // of the live list, replaced by "S é"; none if equal
	clear    []int32 // stored results that are cleared to "cleared"
	in, want string
}

func checkSpelling(t *testing.T, cases []spellingCase) {
	t.Helper()
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			d := mustRead(t, x.in)
			th := d.Conversations[0].Main()
			c := &edit.Change{Clear: x.clear, Note: func(int32) string { return "cleared" }}
			if live := th.Live(len(th.History)); x.to > x.from {
				c.Drop = live[x.from:x.to]
				c.Summaries = []edit.Summary{{Text: "S é", Before: live[x.from], UID: testUID, Time: time.UnixMilli(1783376868000)}}
			}
			r, err := Rewrite(d, c)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(written(t, r.Edits)); got != x.want {
				t.Errorf("got\n%s\nwant\n%s", got, x.want)
			}
		})
	}
}

// noteCodes counts a document's notes by code.
func noteCodes(d *model.Document) string {
	n := map[string]int{}
	for _, x := range d.Notes {
		n[x.Code]++
	}
	return fmt.Sprint(n)
}
