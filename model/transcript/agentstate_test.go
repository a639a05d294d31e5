package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

const stateFresh = `{
  "agentId": "scout",
  "messages": [
    {"role": "system", "content": "P"},
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": "1"},
    {"role": "user", "content": "two"},
    {"role": "assistant", "content": "2"}
  ],
  "runtimeMessages": [
    {"role": "system", "content": "P"},
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": "1"},
    {"role": "user", "content": "two"},
    {"role": "assistant", "content": "2"}
  ],
  "compressions": [],
  "tokenUsage": {"usedTokens": 900, "maxTokens": 1000},
  "updatedAt": "2026-01-01T00:00:00.000Z"
}
`

func liveTexts(t tb, d *model.Document) []string {
	th := d.Conversations[0].Main()
	var out []string
	for _, i := range th.Live(len(th.History)) {
		out = append(out, messageText(t, d, &th.Messages[i]))
	}
	return out
}

func TestAgentState(t *testing.T) {
	d := mustRead(t, stateFresh)
	c := d.Conversations[0]
	th := c.Main()
	if d.Format != model.FormatAgentState || c.Agents[0].ID != "scout" || c.Window != 1000 || d.Items != 5 {
		t.Fatalf("%s, agents %+v, window %d, %d items", d.Format, c.Agents, c.Window, d.Items)
	}
	if len(th.Messages) != 5 || len(th.Resets) != 0 || len(th.Found) != 0 {
		t.Fatalf("%d messages, resets %+v, found %+v", len(th.Messages), th.Resets, th.Found)
	}
	checkDocument(t, d)

	// the first compression
	live := th.Live(5)
	back := checkRewrite(t, d, 0, live, 1, 3)
	th = back.Conversations[0].Main()
	if len(th.History) != 5 || len(th.Found) != 1 || th.Found[0].At != 5 || th.Found[0].Summary != 5 || th.Found[0].Time == 0 {
		t.Errorf("history of %d, found %+v", len(th.History), th.Found)
	}
	src := string(sourceBytes(t, back))
	if full := stateFresh[:strings.Index(stateFresh, `  "runtimeMessages"`)]; !strings.HasPrefix(src, full) {
		t.Errorf("the full history changed:\n%s", src)
	}
	var state struct {
		RuntimeMessages []struct{ Role, Content string }
		Compressions    []struct {
			Timestamp, Summary            string
			CompressedRange, HistoryRange struct{ Start, End int }
			OriginalCount, NewCount       int
		}
		TokenUsage any
		UpdatedAt  string
	}
	if err := json.Unmarshal([]byte(src), &state); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v %+v %v", state.RuntimeMessages[1:], state.Compressions, state.TokenUsage)
	want := fmt.Sprintf("[{Role:system Content:%s} {Role:user Content:two} {Role:assistant Content:2}] "+
		"[{Timestamp:2026-03-01T12:00:00.000Z Summary:%s CompressedRange:{Start:1 End:3} HistoryRange:{Start:1 End:3} OriginalCount:5 NewCount:4}] <nil>",
		testSummary, strings.SplitN(testSummary, "\n", 2)[1])
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// one that takes nothing but the first summary covers what that covered
	alone := checkRewrite(t, back, 0, th.Live(len(th.History)), 1, 2)
	if got := strings.Count(string(sourceBytes(t, alone)), `"historyRange": {"start": 1, "end": 3}`); got != 2 {
		t.Errorf("%d of 2 compressions cover messages 1 to 3 in\n%s", got, sourceBytes(t, alone))
	}

	// the second takes the first summary and one message more
	live = th.Live(len(th.History))
	again := checkRewrite(t, back, 0, live, 1, 3)
	th = again.Conversations[0].Main()
	if len(th.Found) != 2 || th.Found[0].At != 5 || th.Found[1].At != 5 || th.Found[0].Summary != 6 || th.Found[1].Summary != 5 {
		t.Errorf("found %+v", th.Found)
	}
}

// Without a compressed list the first compression makes one; the full history
// stays as it is.
func TestAgentStateBegins(t *testing.T) {
	full := stateFresh[:strings.Index(stateFresh, `,`+"\n"+`  "runtimeMessages"`)]
	rest := `"tokenUsage": null, "updatedAt": "x"}`
	for _, in := range []string{
		full + `, "runtimeMessages": [], "compressions": [], ` + rest,
		full + `, "compressions": [], ` + rest,
		full + `, "runtimeMessages": null, "compressions": [], ` + rest,
		full + `, "runtimeMessages": [], "compressions": null, ` + rest,
		full + `, "runtimeMessages": [], ` + rest,
	} {
		d := mustRead(t, in)
		th := d.Conversations[0].Main()
		checkDocument(t, d)
		checkDropNothing(t, d)
		r, err := Rewrite(d, &edit.Change{Drop: th.Live(5)[1:3], Clear: []int32{4}, Note: func(int32) string { return "note" },
			Summaries: []edit.Summary{{Text: testSummary, Before: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		out := string(written(t, r.Edits))
		if !strings.HasPrefix(out, full) {
			t.Errorf("the full history changed:\n%s", out)
		}
		back := mustRead(t, out)
		checkDocument(t, back)
		if got := strings.Join(liveTexts(t, back), "|"); got != "P|"+testSummary+"|two|note" {
			t.Errorf("%s\ngives live %q in\n%s", in, got, out)
		}
		if n := len(back.Conversations[0].Main().Found); n != 1 {
			t.Errorf("%d compressions found in\n%s", n, out)
		}
	}
}

func isToolMessage(v any) bool {
	for _, m := range v.(ordered) {
		if m.key == "role" {
			return m.val == "tool"
		}
	}
	return false
}

func TestAgentStateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpelling(t)
		full := genOpenAI(t, s)
		keep := rapid.IntRange(0, len(full)).Draw(t, "tail")
		for keep > 0 && keep < len(full) && isToolMessage(full[len(full)-keep]) {
			keep++ // a legal tail
		}
		runtime := append([]any{}, full[:1]...)
		var compressions []any
		if keep < len(full) {
			runtime = append(runtime, s.message("system", member{"content", "[Conversation summary - earlier context]\nold"}))
			compressions = append(compressions, ordered{{"timestamp", "2026-01-01T00:00:00Z"}, {"summary", "old"},
				{"originalCount", len(full)}, {"newCount", keep + 2}})
			runtime = append(runtime, full[len(full)-keep:]...)
		} else {
			runtime = full
		}
		text := s.spell(false, ordered{{"agentId", "a"}, {"messages", full}, {"runtimeMessages", runtime},
			{"compressions", append([]any{}, compressions...)}, {"tokenUsage", nil}, {"updatedAt", "2026-01-01T00:00:00Z"}})
		d := mustRead(t, text)
		if d.Format != model.FormatAgentState || d.Items != len(full) {
			t.Fatalf("%s with %d items", d.Format, d.Items)
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		th := d.Conversations[0].Main()
		if len(th.History) != len(full) {
			t.Fatalf("history of %d, the file has %d", len(th.History), len(full))
		}
		live := th.Live(len(th.History))
		if len(live) != len(runtime) {
			t.Fatalf("%d live messages, the list has %d", len(live), len(runtime))
		}
		from := 0
		for from < len(live) && th.Messages[live[from]].Kind == model.KindSystem {
			from++
		}
		if from == len(live) {
			return
		}
		cuts := append([]int{from}, legalCuts(th, live, from)...)
		a := rapid.IntRange(0, len(cuts)-2).Draw(t, "from")
		b := rapid.IntRange(a+1, len(cuts)-1).Draw(t, "to")
		back := checkRewrite(t, d, 0, live, cuts[a], cuts[b])
		th2 := back.Conversations[0].Main()
		if len(th2.History) != len(full) || len(th2.Found) != len(th.Found)+1 {
			t.Fatalf("after it: history of %d, %d compressions", len(th2.History), len(th2.Found))
		}
	})
}

func FuzzReadAgentState(f *testing.F) {
	fuzzRead(f, model.FormatAgentState, []string{stateFresh,
		`{"agentId":"a","messages":[{"role":"user","content":"x"}],"compressions":[{"originalCount":9,"newCount":-1}]}`,
		`[{"agentId":"a","messages":[{"role":"user","content":"x"}],"runtimeMessages":[{"role":"user","content":"y"}]},{"agentId":1}]`})
}
