package transcript

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/internal/recount"
	"palimpsest/model"
)

// counted are real files with the format they are in and what is counted of them.
var counted = []struct {
	file   string
	format model.Format
	rule   recount.Rule
}{
	{"amp/cass_thread001.json", "amp", recount.Rule{Messages: "role=user|assistant"}},
	{"claude_code/openhai_transcript.jsonl", "managed-agents", recount.Rule{Calls: "kind=tool_use", Results: "kind=tool_result"}},
	{"cline/mra_api_conversation_history.json", "cline", recount.Rule{Messages: "role=user|assistant", Calls: "type=tool_use"}},
	{"cursor/vibe_cursor_session.jsonl", "cursor-agent", recount.Rule{Messages: "role=user|assistant"}},
	{"gemini_aistudio/polylogue_branching.json", "ai-studio", recount.Rule{Messages: "role=user|model"}},
	{"gemini_cli/metaphi_stream_json.jsonl", "gemini-stream", recount.Rule{Calls: "type=tool_use", Results: "type=tool_result"}},
	{"grok_build/agentsview_grok.jsonl", "grok-build", recount.Rule{Calls: "arguments", Results: "type=tool_result"}},
	{"grok_export/polylogue_grok.json", "grok-export", recount.Rule{Messages: "sender"}},
	{"happy/trace_0.json", "happy", recount.Rule{Calls: "type=tool_use", Results: "type=tool_result"}},
	{"hermes/polylogue_hermes_archival.json", "hermes", recount.Rule{Messages: "message_id", Calls: "tool_name", Results: "output_preview"}},
	{"iflow/agentsview_iflow.jsonl", "iflow", recount.Rule{Messages: "uuid,parentUuid", Calls: "type=tool_use", Results: "type=tool_result"}},
	{"posit/agentsview_posit_lm.jsonl", "posit", recount.Rule{Messages: "role=user|assistant|tool", Calls: "type=tool-call", Results: "type=tool-result"}},
	{"qwenpaw/agentsview_qwenpaw.json", "qwenpaw", recount.Rule{Calls: "type=tool_use", Results: "type=tool_result"}},
}

// extraCalls are calls that the rule of a file can't recognise by one member: a search that the
// provider ran.
var extraCalls = map[string]int{"grok_build/agentsview_grok.jsonl": 1}

// extraMessages are messages that the rule of a file does not see: the first has no parent.
var extraMessages = map[string]int{"iflow/agentsview_iflow.jsonl": 1}

// What the readers count in real files is what a walk through their JSON counts.
func TestCountsAreIndependent(t *testing.T) {
	dir := filepath.Join(realdata.Root(t), "..", "shared", "data", "formats2")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the real files of ../shared/data/formats2 are not here")
	}
	for _, c := range counted {
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(c.file))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := recount.Count(text, c.rule)
			want.Calls += extraCalls[c.file]
			want.Messages += extraMessages[c.file]
			d := openSample(t, path)
			if d.Format != c.format {
				t.Fatalf("read as %s", d.Format)
			}
			checkCopy(t, d)
			n := count(d)
			if n.Calls != want.Calls || c.rule.Results != "" && n.Results != want.Results {
				t.Errorf("%d calls and %d results, and there are %+v", n.Calls, n.Results, want)
			}
			if c.rule.Messages != "" && n.Messages != want.Messages {
				t.Errorf("%d messages, and there are %d", n.Messages, want.Messages)
			}
			if u := understood(d, true); u.share() > mostUnread && !hasNote(d, "not-understood") {
				t.Errorf("%s, and no note says so", u.sentence())
			}
		})
	}
}

// Of every real history at least nine tenths of the text are read, or a note says that
// they are not.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	for _, path := range realdata.Sources(t) {
		d, err := Open(t.Context(), path, Options{})
		if err != nil {
			continue // it is refused in a sentence, which other tests look at
		}
		if u := understood(d, true); u.share() > mostUnread && !hasNote(d, "not-understood") {
			t.Errorf("%s (%s): %s, and no note says so", path, d.Format, u.sentence())
		}
	}
}
