package transcript

import (
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
)

// unseen are inputs made after what people reported (f01 to f21, by the number of the report), and
// after what the loaders of the producers say (c), in other shapes than the reported ones: what of
// each is live, and the links of its calls.
var unseen = map[string]string{
	"c_copilot_cleared.jsonl":               `user second | assistant two`,
	"c_gemini_calls_in_content.jsonl":       `user list | assistant ls {"path":"k1"} >k1 >k2 | tool result larch <k1 | tool result birch <k2 | assistant both`,
	"c_gemini_result_of_its_own.jsonl":      `user list | assistant ls {"path":"k1"} >k1 | tool result larch <k1 | assistant one | user on`,
	"c_opencode_errors.json":                `user u1 | assistant half said | user u2`,
	"c_opencode_reverted.json":              `user u1 | assistant a1`,
	"c_pi_cut_off.jsonl":                    `user u1 | user u2 | assistant a2`,
	"f01_codex_checkpoint_last.jsonl":       `user first | summary [encrypted summary] sealed | user second | assistant two`,
	"f01_compaction_summary_item.json":      `user first | assistant one | summary [encrypted summary] sealed | user second | assistant two`,
	"f02_continue_two_summaries.json":       `summary sum two | user u3 | assistant a3`,
	"f02_kimi_two_compactions.jsonl":        `summary sum two | assistant a2 | user u3`,
	"f02_qwen_compressed_twice.jsonl":       `summary <state_snapshot>two</state_snapshot> | assistant Got it. | user u2 | assistant a3`,
	"f03_goose_export.json":                 `summary The conversation so far: ports. | user u2`,
	"f03_goose_middle_hidden.jsonl":         `user u1 | assistant a2 | user u3 | assistant a3`,
	"f04_result_first_then_question.jsonl":  `user go on | assistant I look >t1 | tool result one <t1 | user and be quick | assistant done | user thanks`,
	"f04_two_results_first.jsonl":           `user go on | assistant Read {"file_path":"/w/t1"} >t1 >t2 | tool result one <t1 | tool result two <t2 | assistant done`,
	"f05_ai_sdk_served_tool.json":           `user u0 | assistant a0 | user u1 | assistant web_search {"q":"x"} >s1 | tool result {"r":"larch"} <s1 | assistant It is a larch. | user u2 | assistant a2`,
	"f05_search_over_a_pause.json":          `user search | assistant web_search >srvtoolu_1 | assistant It is 9000. | user and why?`,
	"f05_shell_and_mcp.json":                `user run | assistant bash_code_execution >srvtoolu_1 >mcptoolu_1 | assistant a birch | user thanks`,
	"f06_plan_without_step.jsonl":           `user <USER_REQUEST> look </USER_REQUEST> | assistant I look. >#1 | user <USER_REQUEST> stop </USER_REQUEST> | assistant Stopped.`,
	"f06_two_calls_one_plan.jsonl":          `user <USER_REQUEST> look </USER_REQUEST> | assistant run_command {"CommandLine":"\"ls\""} >#1 >#2 | tool result Output: larch <#1 | tool result birch <#2 | assistant Both.`,
	"f07_kimi_clear_after_compaction.jsonl": `user u3 | assistant a3`,
	"f07_kimi_undo_two.jsonl":               `user u1 | assistant a1 | user u4`,
	"f08_custom_output_without_id.jsonl":    `user hand over | tool result The reviewer says larch. | assistant Taken over.`,
	"f08_two_handoffs.json":                 `user hand over | tool result larch | tool result birch | assistant Both done.`,
	"f09_sdk_summary_forgotten.jsonl":       `user u1 | user u3 | assistant a4 | user u5`,
	"f09_sdk_two_summaries.jsonl":           `user u1 | summary sum one | summary sum two | assistant a4 | user u5`,
	"f09_three_condensations.json":          `user u0 | summary sum two | user u6 | assistant a8`,
	"f10_block_then_string.jsonl":           `user look | assistant Read {"p":"a"} >x1 | tool result larch <x1 | assistant It is a larch.`,
	"f10_mastra_rows.jsonl":                 `user look | assistant read {"p":"a"} >c1 | tool result larch <c1 | assistant It is a larch. | user and b? | assistant read {"p":"b"} >c2`,
	"f11_dsh_replaced.jsonl":                `summary What was so far: ports. | user second | assistant two`,
	"f12_replayed_and_continued.jsonl":      `user u1 | assistant x1 | user u2 | assistant x2 | user u3 | assistant x3`,
	"f13_two_conversations.jsonl":           `user q1 | assistant a1 | user q2 | assistant a2 || user other | assistant else`,
	"f14_opencode_error_output.md":          "user Run it, and show: ```sh # not a heading ## User ``` | assistant bash { \"command\": \"saw\" } >call 1 | tool result no such saw <call 1 | assistant It failed.",
	"f15_cut_and_glued.jsonl":               `user look | assistant view {"path":"a"} >tc1 | tool result larch <tc1 | assistant It is a larch.`,
	"f15_two_on_one_line.jsonl":             `user look | assistant view {"path":"a"} >tc1 | tool result larch <tc1 | assistant It is a larch.`,
	"f16_half_emoji_result.json":            `user look | assistant f {} >c1 | tool result half � emoji <c1 | assistant seen`,
	"f20_prompt_completion_with_refs.json":  `user q1 | assistant a1 | user q2`,
	"f21_second_result_later.json":          `user look | assistant f {} >c1 | tool result running <c1 | user and? | tool result done <c1 | assistant done`,
}

// Every one of them is read as its producer would send it.
func TestUnseenInputs(t *testing.T) {
	paths, err := filepath.Glob("testdata/unseen/*")
	if err != nil || len(paths) != len(unseen) {
		t.Fatalf("%d inputs, and %d are checked: %v", len(paths), len(unseen), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			d := openSample(t, path)
			checkDocument(t, d)
			if got := liveOf(d); got != unseen[name] {
				t.Errorf("\n%q:\n%s", name, got)
			}
		})
	}
}

// liveOf spells the live list of each main thread: who says what, calls as >id, results as <id.
func liveOf(d *model.Document) string {
	var talks []string
	for _, c := range d.Conversations {
		th := c.Main()
		var out []string
		for _, i := range th.Live(len(th.History)) {
			m := &th.Messages[i]
			said := m.Kind.String() + " " + m.Preview
			for _, call := range m.Calls {
				said += " >" + call.ID
			}
			if m.Answers != "" {
				said += " <" + m.Answers
			}
			if m.Sealed {
				said += " sealed"
			}
			out = append(out, said)
		}
		talks = append(talks, strings.Join(out, " | "))
	}
	return strings.Join(talks, " || ")
}
