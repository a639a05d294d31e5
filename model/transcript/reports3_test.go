package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// reported is what the inputs of people's reports are, as counted by hand: their README says
// how each was read before.
type reported struct {
	file                                       string
	live, typed, calls, results, found, sealed int
}

func (r reported) String() string {
	return fmt.Sprintf("%d live, %d typed, %d calls, %d results, %d compactions, %d sealed",
		r.live, r.typed, r.calls, r.results, r.found, r.sealed)
}

var reports = []reported{
	{"c01_lone_surrogate.jsonl", 41, 11, 10, 10, 0, 0},
	{"c07_codex_standalone_output.jsonl", 34, 8, 8, 9, 0, 0},
	{"c08_responses_compaction_items.json", 29, 8, 6, 6, 3, 1},
	{"c08b_responses_opaque_checkpoint.json", 13, 6, 0, 0, 1, 1},
	{"c10_anthropic_caller.json", 22, 5, 7, 6, 0, 0},
	{"c10c_anthropic_server_result_text.json", 14, 7, 1, 0, 0, 0},
	{"c14_goose_visibility.jsonl", 9, 5, 5, 5, 1, 0},
	{"c17a_copilot_negative_removed.jsonl", 21, 8, 8, 8, 1, 0},
	{"c17d_copilot_raw_newline.jsonl", 21, 8, 8, 8, 1, 0},
	{"c26_dsh_session.jsonl", 25, 5, 5, 5, 0, 0},
	{"c27_opencode_export.md", 6, 2, 1, 1, 0, 0},
	{"c30_mastra_messages.json", 24, 6, 6, 6, 0, 0},
	{"c40_cc_result_before_call.jsonl", 23, 6, 6, 6, 0, 0},
	{"c41_antigravity_calls_twice.jsonl", 20, 5, 5, 5, 0, 0},
	{"c42_openhands_condensations_export_stopped.json", 11, 1, 5, 3, 2, 0},
	{"c43_content_is_one_block.jsonl", 24, 6, 6, 6, 0, 0},
	{"c44_vscode_prompt_completion.json", 16, 8, 0, 0, 0, 0},
	{"c45_coding_agent_spans.jsonl", 8, 4, 0, 0, 0, 0},
	{"c46_kimi_undo_clear.jsonl", 3, 4, 0, 0, 0, 0},
	{"c47_qwen_compression_not_applied.jsonl", 6, 6, 0, 0, 1, 0},
	{"c48_continue_summary_not_applied.json", 3, 4, 0, 0, 1, 0},
	{"c49_kimi_compaction_not_applied.jsonl", 4, 4, 0, 0, 1, 0},
}

// Every input of the reports is read as its README says is right.
func TestReports(t *testing.T) {
	dir := filepath.Join(realdata.Root(t), "..", "shared", "data", "reports3")
	readme, err := os.ReadFile(filepath.Join(dir, "README.tsv"))
	if err != nil {
		t.Skip("the inputs of reports are not here")
	}
	known := ""
	for _, want := range reports {
		known += want.file + " "
		t.Run(want.file, func(t *testing.T) {
			d := openSample(t, filepath.Join(dir, want.file))
			checkDocument(t, d)
			got := reportedOf(d)
			if got.file = want.file; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	for _, line := range strings.Split(strings.TrimSpace(string(readme)), "\n")[1:] {
		names, _, _ := strings.Cut(line, "\t")
		for _, name := range strings.FieldsFunc(names, func(r rune) bool { return strings.ContainsRune(" /,…", r) }) {
			if name = strings.TrimSuffix(name, "_"); !strings.Contains(known, name) {
				t.Errorf("no check for %s", name)
			}
		}
	}
}

func reportedOf(d *model.Document) (r reported) {
	for _, c := range d.Conversations {
		th := c.Main()
		r.live += len(th.Live(len(th.History)))
		r.found += len(th.Found)
		for i := range th.Messages {
			m := &th.Messages[i]
			r.calls += len(m.Calls)
			if m.Typed() {
				r.typed++
			}
			if m.Sealed {
				r.sealed++
			}
			if m.Kind == model.KindResult {
				r.results++
			}
		}
	}
	return r
}
