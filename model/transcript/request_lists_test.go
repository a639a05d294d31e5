package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// differs lists where the manifest counts otherwise than the reader, and why.
var differs = map[string]struct {
	items, calls int
	why          string
}{
	"openai_chat/openhands_sdk_litellm_proxy__deepseek__deepseek-chat-1757015076.651.json": {18, 1,
		"the manifest also counts the calls of raw_messages, which tell the same conversation again"},
	"openai_chat/llamafactory_v1_typed_blocks.jsonl": {274, 68,
		"the manifest does not count calls that are typed parts of the content"},

	"chatgpt_export/polylogue_native_conversation.json": {8, 1, "the manifest does not count messages to a recipient as calls"},
	"claude_ai_export/polylogue_claude_ai_export.json":  {1, 0, "the manifest counts no messages in it; it has one"},

	"swe_agent/sweagent_v0_pydicom_1458.traj":                   {26, 0, textActions},
	"swe_agent/sweagent_ctf_web.traj":                           {43, 0, textActions},
	"mini_swe_agent/psf__requests-1142.traj.json":               {144, 0, textActions},
	"mini_swe_agent/django__django-11138.traj.json":             {232, 0, textActions},
	"mini_swe_agent/scikit-learn__scikit-learn-25102.traj.json": {88, 0, textActions},
}

const textActions = "the manifest counts actions in the text; they are no tool calls, and what came of them is an observation"

func TestRequestFiles(t *testing.T) {
	for folder, format := range map[string]model.Format{"openai_chat": model.FormatOpenAI, "anthropic_messages": model.FormatAnthropic} {
		for _, s := range samples(t, folder) {
			t.Run(s.File, func(t *testing.T) {
				t.Parallel()
				d := openSample(t, s.Path)
				format := format
				if strings.HasSuffix(s.File, "cline_session_messages.json") {
					format = model.FormatCline // whose messages are Anthropic's
				}
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
				if len(d.Notes) > 0 {
					t.Errorf("%d notes, the first: %+v", len(d.Notes), d.Notes[0])
				}
				checkDocument(t, d)
				rounds := 8
				if d.Size > 500<<10 {
					rounds = 4
				}
				checkRewrites(t, d, rounds)
				t.Logf("%s | %v", d.Why, n)
			})
		}
	}
}

func TestTextProtocols(t *testing.T) {
	want := map[string]bool{ // conversation 0 of the file
		"adp_sweplay_large.json": true, "swesmith_ft_xml.jsonl": true, "minisweagent_bare_array.json": true,
		"adp_swegym_openhands_tools.json": false, "cookbooks_json_mode_finetune.jsonl": false,
	}
	for _, s := range samples(t, "openai_chat") {
		for name, observations := range want {
			if !strings.HasSuffix(s.File, name) {
				continue
			}
			th := openSample(t, s.Path).Conversations[0].Main()
			if th.Observations != observations {
				t.Errorf("%s: Observations is %v", name, th.Observations)
			}
			typed := 0
			for i := range th.Messages {
				if th.Messages[i].Typed() {
					typed++
				}
			}
			if observations { // also when the task is in a summary
				d := openSample(t, s.Path)
				th := d.Conversations[0].Main()
				live := th.Live(len(th.History))
				cuts := legalCuts(th, live, 1)
				back := checkRewrite(t, d, 0, live, 1, cuts[len(cuts)/2]).Conversations[0].Main()
				for i := range back.Messages {
					if back.Messages[i].Typed() {
						t.Errorf("%s: message %d counts as typed after the task was summarised", name, i)
					}
				}
			}
			if observations && typed != 1 {
				t.Errorf("%s: %d messages count as typed, the task alone is", name, typed)
			}
		}
	}
}

// The compaction block of a real request: what is before it is ignored.
func TestCompactionBlock(t *testing.T) {
	for _, s := range samples(t, "anthropic_messages") {
		if !strings.HasSuffix(s.File, "compaction_request.json") {
			continue
		}
		d := openSample(t, s.Path)
		th := d.Conversations[0].Main()
		var kinds []string
		for _, i := range th.Live(len(th.History)) {
			kinds = append(kinds, th.Messages[i].Kind.String())
		}
		if got := strings.Join(kinds, ", "); got != "system, summary, assistant, user" {
			t.Errorf("live: %s", got)
		}
		if len(th.History) != 4 || len(th.Found) != 1 || th.Found[0].At != 2 || th.Found[0].Summary != 2 {
			t.Errorf("history of %d, found %+v", len(th.History), th.Found)
		}
		live := th.Live(len(th.History))
		back := checkRewrite(t, d, 0, live, 1, 3) // the old summary goes into a new one
		if n := back.Items; n != 3 {
			t.Errorf("%d elements after it: what the block hid must stay in the file", n)
		}
		checkRewrite(t, d, 0, live, 2, 3)
	}
}

// A compaction in the usage of a response may say nothing of tokens.
func TestCompactionWithoutUsage(t *testing.T) {
	const src = `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"}],"response":{"type":"message","role":"assistant",
"content":[{"type":"compaction","content":"s"},{"type":"text","text":"a"}],"usage":{"iterations":[{"type":"compaction"}]}}}`
	d, err := Read(context.Background(), "x.json", strings.NewReader(src), int64(len(src)), Options{Format: model.FormatAnthropic})
	if err != nil {
		t.Fatal(err)
	}
	if found := d.Conversations[0].Main().Found; len(found) != 1 || found[0].Before != nil {
		t.Errorf("%+v", found)
	}
}

// Dropping a compaction block without another summary must not bring back what
// it hid.
func TestCompactionBlockDropped(t *testing.T) {
	d := mustRead(t, `{"messages":[{"role":"user","content":"old"},{"role":"assistant","content":[{"type":"compaction","content":"S"},{"type":"text","text":"a"}]},{"role":"user","content":"new"}]}`)
	th := d.Conversations[0].Main()
	r, err := Rewrite(d, &edit.Change{Drop: th.Live(len(th.History))[:1]})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"messages":[{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":"new"}]}`
	if got := string(written(t, r.Edits)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What the formats of this package make of everything else: nothing wrong.
func TestOthersAreNotMistaken(t *testing.T) {
	right := map[string]model.Format{}
	mine := map[model.Format]bool{model.FormatOpenAI: true, model.FormatAnthropic: true, model.FormatSteps: true, model.FormatAgentState: true}
	for folder, format := range folders {
		mine[format], right[folder] = true, format
	}
	for _, s := range samples(t) {
		switch s.Format {
		case "openai_chat", "anthropic_messages":
			continue
		}
		st, err := os.Stat(s.Path)
		if err != nil || st.IsDir() {
			continue
		}
		d, err := Open(context.Background(), s.Path, Options{})
		got := "refused"
		if err == nil {
			got = string(d.Format)
			checkDocument(t, d)
		}
		if err == nil && mine[d.Format] && right[s.Format] != d.Format {
			t.Errorf("%s, a %s file, is taken for %s: %s", s.File, s.Format, d.Format, d.Why)
		}
		if strings.HasPrefix(s.File, "openhands/sdk_events") && err != nil {
			continue // a line for each of the single events says nothing
		}
		t.Logf("%-18s %-60s %s", s.Format, s.File, got)
	}
}

// The raw copy of a conversation, which holds the calls that the messages spell as
// prose, never loses one half of a call.
func TestRawCopiesKeepCallsWhole(t *testing.T) {
	const src = `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},
{"role":"assistant","content":"<run a/> <run b/>"},{"role":"user","content":"RESULT a"},{"role":"user","content":"RESULT b"},
{"role":"assistant","content":"<run c/>"},{"role":"user","content":"RESULT c"},{"role":"assistant","content":"done"}],
"raw_messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},
{"role":"assistant","content":"","tool_calls":[{"id":"a"},{"id":"b"}]},{"role":"tool","tool_call_id":"a","content":"a"},
{"role":"tool","tool_call_id":"b","content":"b"},{"role":"assistant","content":"","tool_calls":[{"id":"c"}]},
{"role":"tool","tool_call_id":"c","content":"c"},{"role":"assistant","content":"done"}]}`
	d, err := Read(context.Background(), "log.json", strings.NewReader(src), int64(len(src)), Options{Format: model.FormatOpenAI})
	if err != nil {
		t.Fatal(err)
	}
	for from := 1; from < 8; from++ {
		for to := from + 1; to <= 8; to++ {
			var drop []int32
			for i := from; i < to; i++ {
				drop = append(drop, int32(i))
			}
			r, err := Rewrite(d, &edit.Change{Drop: drop, Summaries: []edit.Summary{{Text: testSummary, Before: drop[0]}}})
			if err != nil {
				t.Fatal(err)
			}
			var back struct {
				Messages, Raw []struct {
					ToolCalls []struct{ ID string } `json:"tool_calls"`
					Answers   string                `json:"tool_call_id"`
				}
			}
			got := bytes.Replace(written(t, r.Edits), []byte(`"raw_messages"`), []byte(`"raw"`), 1)
			if err := json.Unmarshal(got, &back); err != nil {
				t.Fatalf("%d to %d: %v", from, to, err)
			}
			if len(back.Messages) != 8-len(drop)+1 {
				t.Errorf("%d to %d: %d messages are sent", from, to, len(back.Messages))
			}
			open := map[string]bool{}
			for _, m := range back.Raw {
				for _, c := range m.ToolCalls {
					open[c.ID] = true
				}
				if m.Answers != "" && !open[m.Answers] {
					t.Errorf("%d to %d: the result of call %s is left without it", from, to, m.Answers)
				}
				delete(open, m.Answers)
			}
			if len(open) > 0 {
				t.Errorf("%d to %d: the calls %v are left without results", from, to, open)
			}
		}
	}
}
