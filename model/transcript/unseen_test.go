package transcript

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// unseen are inputs made after what people reported (f01 to f21, by the number of the report), and
// after what the loaders of the producers say (c), in other shapes than the reported ones: what of
// each is live, and the links of its calls.
var unseen = map[string]string{
	"g01_mastra_string_steps.jsonl":                `user look | assistant I read both. >c1 | tool result larch � <c1 | assistant read {"p":"b"} >c2 | tool result birch <c2 | assistant Both are trees. | user ok`,
	"g02_opencode_summaries_that_count.json":       `summary sum one | user u2 | assistant a2 | assistant half a sum | user u3 | assistant begun | user u4 | assistant a4`,
	"g03_queue_by_words.jsonl":                     `user go | assistant Bash {} >t1 | tool result larch <t1 | user use tabs | assistant tabs | user wait for it | assistant done | user more | user shown first | assistant seen`,
	"g05_kimi_steps_are_entries.jsonl":             `summary sum | assistant three >k1 | tool result larch <k1 | assistant four | user u2`,
	"g06_kimi_call_after_a_result.jsonl":           `user u1 | assistant I look >k1 >k2 | tool result larch <k1 | tool result birch <k2 | user be quick | assistant both`,
	"g09_antigravity_by_type.jsonl":                `user look | assistant run_command {"p": "\"run_command\""} >#1 >#2 >#3 | tool result birch <#3 | tool result larch <#2 | assistant I write. >#1 | tool result written <#1 | assistant Done.`,
	"g10_mastra_failed_call.jsonl":                 `user look | assistant read {"p": "c1"} >c1 | tool result no such file <c1 | assistant It is gone. | user ok`,
	"g12_opencode_tail.json":                       `summary sum | user u2 | assistant a2 | user u3 | user u4`,
	"g08_openhands_halves.json":                    `user go | summary sum | assistant I run c >k3 >k4 | tool result oak <k3 | assistant All done. >k5 | user thanks`,
	"g13_copilot_whole_and_head.jsonl":             `user look | assistant view {"path": "a"} >tc1 | tool result larch <tc1 | assistant It is a larch. | user and b? | assistant b is a birch. | user ok`,
	"g15_spans_of_calls_and_results.jsonl":         `user look | assistant Shell {"c":"ls a"} >k1 | assistant Shell {"c":"ls b"} >k2 | tool result birch <k2 | tool result larch ✓ <k1 | assistant both | user more | assistant Shell >k3 | tool result oak <k3 | assistant done`,
	"g18_dsh_result_replaced.jsonl":                `user u1 | assistant look >k1 | tool result [cleared] <k1 | assistant a1 | user u2 | assistant a2`,
	"g18_dsh_replaced_again.jsonl":                 `user u1 | summary sum two | user u4 | assistant a4`,
	"g19_queue_at_the_end.jsonl":                   `user go | assistant done`,
	"g20_copilot_split_in_an_id.jsonl":             `user look | assistant view {"path": "a"} >tc1 | tool result larch <tc1 | tool result birch <tc2 | assistant view {"path": "b"} >tc2 | user ok`,
	"h01_opencode_second_tail.json":                `summary sum two | user u2 | assistant a2 | user u3 | summary sum | user u4 | assistant a4 | user u5 ✓`,
	"h02_mastra_wrapped_strings.json":              `user look | assistant I read both. >c1 | tool result larch � <c1 | assistant read {"p":"b"} >c2 | tool result birch <c2 | assistant Both are trees. | user ok`,
	"h05_claude_api_error.jsonl":                   `user go | assistant begun | user go on ✓ | user again | assistant No response requested. | assistant done`,
	"i01_bedrock_cache_points.json":                `user look | assistant I read both. >c1 >c2 | tool result birch <c2 | tool result larch <c1 | assistant Both are trees. | user and c? | assistant read {"p":"c"} >c3 | tool result oak <c3 | user be quick | assistant An oak. | user ok`,
	"i02_kimi_cli_context.jsonl":                   `user look | assistant Shell {"c": "ls"} >k1 | tool result larch <k1 | assistant It is a larch. | user ok`,
	"i03_chat_refusal.json":                        `user look | assistant I don't climb trees. | user and b? | assistant b is a birch. | user and c? | assistant Nor look down. | user ok`,
	"i06_codex_inter_agent.jsonl":                  `user look | assistant I look. | user found a larch | assistant It is a larch. | user ok`,
	"i09_qwen_failed_compression.jsonl":            `user u1 | assistant a1 | user u2 | assistant a2`,
	"q_kimi_asked.jsonl":                           `user plant the trees | assistant AskUserQuestion {"questions":[{"question":"Which tree?"}]} >k1 | tool result {"answers": {"Which tree?": "the old larch by the gate"}} <k1 | user thanks`,
	"c_copilot_cleared.jsonl":                      `user second | assistant two`,
	"c_gemini_calls_in_content.jsonl":              `user list | assistant ls {"path":"k1"} >k1 >k2 | tool result larch <k1 | tool result birch <k2 | assistant both`,
	"c_gemini_commands.json":                       `user u1 | assistant a1 | user u2 | assistant a2`,
	"c_gemini_result_of_its_own.jsonl":             `user list | assistant ls {"path":"k1"} >k1 | tool result larch <k1 | assistant one | user on`,
	"c_opencode_errors.json":                       `user u1 | assistant half said | user u2`,
	"c_opencode_reverted.json":                     `user u1 | assistant a1`,
	"c_pi_cut_off.jsonl":                           `user u1 | user u2 | assistant a2`,
	"f01_anthropic_encrypted_compaction.json":      `summary [encrypted summary] sealed | assistant a1 | user q2`,
	"f01_anthropic_failed_compaction.json":         `summary sum of q1 to q2 | assistant a2 | user q3`,
	"f01_anthropic_only_failed.json":               `user q1 | assistant a1 | user q2 | assistant a2 | user q3`,
	"f01_codex_checkpoint_last.jsonl":              `user first | summary [encrypted summary] sealed | user second | assistant two`,
	"f01_codex_two_checkpoints.jsonl":              `summary [encrypted summary] sealed | user zweite | user dritte | assistant drei`,
	"f01_compaction_summary_item.json":             `user first | assistant one | summary [encrypted summary] sealed | user second | assistant two`,
	"f01_responses_output_checkpoint.json":         `user q1 | assistant a1 | user q2 | summary [encrypted summary] sealed | assistant a2`,
	"f02_continue_empty_summary.json":              `user u1 | assistant a1 | user u2 | assistant a2`,
	"f02_continue_two_summaries.json":              `summary sum two | user u3 | assistant a3`,
	"f02_kimi_kept_users.jsonl":                    `user u1 | user u3 | summary sum | user u4 | assistant a4`,
	"f02_kimi_two_compactions.jsonl":               `summary sum two | assistant a2 | user u3`,
	"f02_qwen_compressed_twice.jsonl":              `summary <state_snapshot>two</state_snapshot> | assistant Got it. | user u2 | assistant a3`,
	"f02_qwen_compression_on_a_dead_branch.jsonl":  `user u0 | assistant a0 | user u1 again | assistant a1 again`,
	"f02_roo_condensed_twice.json":                 `summary sum two | user u3 | assistant a3`,
	"f02_roo_truncated.json":                       `user u1 | user [Sliding window truncation: 2 messages hidden] | assistant a2 | user u3 | assistant a3`,
	"f03_goose_export.json":                        `summary The conversation so far: ports. | user u2`,
	"f03_goose_metadata_forms.jsonl":               `summary The summary | assistant Your context was compacted. | user u2 | assistant a2 | user u3`,
	"f03_goose_middle_hidden.jsonl":                `user u1 | assistant a2 | user u3 | assistant a3`,
	"f04_parallel_split_lines_results_first.jsonl": `user go | assistant I read both >t1 >t2 | tool result one <t1 | tool result two <t2 | assistant both read | user ok`,
	"f04_result_first_after_boundary.jsonl":        `summary This session is being continued from a previous conversation. Summary: ports. | assistant Read {"file_path": "/w/t1"} >t1 | tool result one <t1 | assistant done | user ok`,
	"f04_result_first_then_question.jsonl":         `user go on | assistant I look >t1 | tool result one <t1 | user and be quick | assistant done | user thanks`,
	"f04_two_results_first.jsonl":                  `user go on | assistant Read {"file_path":"/w/t1"} >t1 >t2 | tool result one <t1 | tool result two <t2 | assistant done`,
	"f05_ai_sdk_served_tool.json":                  `user u0 | assistant a0 | user u1 | assistant web_search {"q":"x"} >s1 | tool result {"r":"larch"} <s1 | assistant It is a larch. | user u2 | assistant a2`,
	"f05_callers_three_rounds.json":                `user count | assistant code_execution >srvtoolu_A >toolu_1 | tool result r1 <toolu_1 | assistant q >toolu_2 | tool result r2 <toolu_2 | assistant three | user thanks | assistant bye | user more`,
	"f05_fetch_error_and_tool_search.json":         `user fetch | assistant web_fetch >srvtoolu_F >srvtoolu_S >toolu_w | tool result rain <toolu_w | assistant rain | user ok`,
	"f05_responses_approval.json":                  `user go | assistant  >mcpr_1 | tool result  <mcpr_1 | assistant done > | user next | assistant bye`,
	"f05_search_over_a_pause.json":                 `user search | assistant web_search >srvtoolu_1 | assistant It is 9000. | user and why?`,
	"f05_shell_and_mcp.json":                       `user run | assistant bash_code_execution >srvtoolu_1 >mcptoolu_1 | assistant a birch | user thanks`,
	"f06_plan_without_step.jsonl":                  `user <USER_REQUEST> look </USER_REQUEST> | assistant I look. >#1 | user <USER_REQUEST> stop </USER_REQUEST> | assistant Stopped.`,
	"f06_three_calls_one_fails.jsonl":              `user <USER_REQUEST> sieh nach </USER_REQUEST> | assistant Ich sehe nach. >#1 >#2 >#3 | tool result larch <#1 | tool result no such command <#2 | tool result  <#3 | assistant Fertig. | user <USER_REQUEST> danke </USER_REQUEST>`,
	"f06_two_calls_one_plan.jsonl":                 `user <USER_REQUEST> look </USER_REQUEST> | assistant run_command {"CommandLine":"\"ls\""} >#1 >#2 | tool result Output: larch <#1 | tool result birch <#2 | assistant Both.`,
	"f07_kimi_clear_after_compaction.jsonl":        `user u3 | assistant a3`,
	"f07_kimi_undo_over_calls.jsonl":               `user u1 | assistant a1 | user u3`,
	"f07_kimi_undo_stops_at_summary.jsonl":         `user u1 | summary sum | user u3`,
	"f07_kimi_undo_two.jsonl":                      `user u1 | assistant a1 | user u4`,
	"f08_codex_null_and_empty_ids.jsonl":           `user go | tool result Der Prüfer sagt: Lärche. | tool result birch | assistant ok | user next | assistant bye`,
	"f08_custom_output_without_id.jsonl":           `user hand over | tool result The reviewer says larch. | assistant Taken over.`,
	"f08_two_handoffs.json":                        `user hand over | tool result larch | tool result birch | assistant Both done.`,
	"f09_empty_condensation.json":                  `user u0 | summary sum ✓ | user u3 | assistant a5`,
	"f09_ids_and_no_summary.json":                  `user u0 | assistant a3 | user u5 | assistant a6`,
	"f09_sdk_open_calls.jsonl":                     `user u1 | assistant bash {} >c1 | tool result larch <c1 | user u2 | assistant a2 | user u3`,
	"f09_sdk_summary_forgotten.jsonl":              `user u1 | user u3 | assistant a4 | user u5`,
	"f09_sdk_two_summaries.jsonl":                  `user u1 | summary sum one | summary sum two | assistant a4 | user u5`,
	"f09_three_condensations.json":                 `user u0 | summary sum two | user u6 | assistant a8`,
	"f10_block_then_string.jsonl":                  `user look | assistant Read {"p":"a"} >x1 | tool result larch <x1 | assistant It is a larch.`,
	"f10_mastra_content_is_a_string.json":          `user u1 | assistant read {"p": "c1"} >c1 | tool result {"x": "larch"} <c1 | assistant a1 | user u2`,
	"f10_mastra_rows.jsonl":                        `user look | assistant read {"p":"a"} >c1 | tool result larch <c1 | assistant It is a larch. | user and b? | assistant read {"p":"b"} >c2`,
	"f10_mastra_two_threads.json":                  `user u1 | assistant read {"p": "c1"} >c1 | tool result larch <c1 | assistant a1 | user u2 | assistant read {"p": "c2"} >c2 || user other | assistant else`,
	"f10_one_block_anthropic.json":                 `user look | assistant Read {"p": 1} >t1 | tool result larch <t1 | assistant a larch | user ok`,
	"f10_one_block_array.json":                     `user look | assistant Read {"p": 1} >t1 | tool result larch <t1 | assistant a larch`,
	"f11_dsh_replaced.jsonl":                       `summary What was so far: ports. | user second | assistant two`,
	"f11_replaced_middle.jsonl":                    `user u1 | summary middle | assistant a2 | user u3`,
	"f12_replayed_and_continued.jsonl":             `user u1 | assistant x1 | user u2 | assistant x2 | user u3 | assistant x3`,
	"f12_replayed_from_the_middle.jsonl":           `user u1 | assistant a1 | user u2 | assistant a2 | user u3 | assistant a3 | user u4 | assistant a4`,
	"f13_out_of_order.jsonl":                       `user q1 | assistant a1 | user q2 | assistant a2`,
	"f13_two_conversations.jsonl":                  `user q1 | assistant a1 | user q2 | assistant a2 || user other | assistant else`,
	"f14_crlf_and_rules.md":                        `user Zeige: --- mit Strich | assistant read {"filePath":"a"} >call 1 | tool result ## User --- <call 1 | assistant bash {"command":"ls"} >call 3 | tool result no <call 3 | assistant Fertig.`,
	"f14_opencode_error_output.md":                 "user Run it, and show: ```sh # not a heading ## User ``` | assistant bash { \"command\": \"saw\" } >call 1 | tool result no such saw <call 1 | assistant It failed.",
	"f15_cut_and_glued.jsonl":                      `user look | assistant view {"path":"a"} >tc1 | tool result larch <tc1 | assistant It is a larch.`,
	"f15_split_in_four.jsonl":                      `user look | assistant view {"path": "t1"} >t1 | tool result one two three four <t1 | assistant done | user more | assistant bye`,
	"f15_three_glued.jsonl":                        `user look here | assistant view {"path": "t1"} >t1 | tool result larch <t1 | assistant done | user more`,
	"f15_two_on_one_line.jsonl":                    `user look | assistant view {"path":"a"} >tc1 | tool result larch <tc1 | assistant It is a larch.`,
	"f16_half_emoji_result.json":                   `user look | assistant f {} >c1 | tool result half � emoji <c1 | assistant seen`,
	"f16_lone_everywhere.json":                     `user low � only, pair 😀 ok | assistant f {"x":"\ud83d"} >c1 | tool result high � end <c1 | assistant seen | user ok`,
	"f17_boundary_without_metadata.jsonl":          `summary This session is being continued from a previous conversation that ran out of context. Summary: ports. | assistant on | user more | assistant fine | user again | assistant end`,
	"f17_two_boundaries_one_preserved.jsonl":       `summary This session is being continued from a previous conversation. Summary: two. | assistant Read {"file_path": "/w/t1"} >t1 | tool result larch <t1 | assistant mid answer | user new | assistant new answer | user again | assistant end`,
	"f18_thinking_redacted_and_empty.json":         `user q0 | assistant a0 | user q1 | assistant a1 | user q2 | assistant a2 | user q3 | assistant a3 | user q4 | assistant a4 | user q5 | assistant a5 | user last | assistant r >toolu_z | tool result larch <toolu_z`,
	"f19_chat_provider_fields.json":                `user u1 | assistant a1 sealed | user u2 | assistant a2 | user u3`,
	"f19_hermes_kept_field.json":                   `user u1 | assistant a1 | user u2 | assistant a2 sealed | user u3 | assistant a3 | user u4`,
	"f19_langchain_additional.json":                `user u1 | assistant a1 sealed | user u2 | assistant a2`,
	"f20_prompt_completion_with_refs.json":         `user q1 | assistant a1 | user q2`,
	"f20_vscode_completion_list.json":              `user q1 | assistant a1 | user q2 | user q3 | assistant a3`,
	"f21_second_result_later.json":                 `user look | assistant f {} >c1 | tool result running <c1 | user and? | tool result done <c1 | assistant done`,
	"f21_three_results.json":                       `user go | assistant f {} >ü1 >ü2 | tool result two <ü2 | tool result one <ü1 | tool result one more <ü1 | tool result  <ü1 | assistant done | user ok`,
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

// Each part of a row that is one string is in one message.
func TestPartsOfAPackedRow(t *testing.T) {
	d := openSample(t, "testdata/unseen/g01_mastra_string_steps.jsonl")
	th := d.Conversations[0].Main()
	var got []string
	for _, i := range th.Live(len(th.History)) {
		parts, err := d.Codec.Parts(d, &th.Messages[i])
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, p := range parts {
			said += fmt.Sprintf("%v %s%s; ", p.Kind, p.CallID, p.Text)
		}
		got = append(got, said)
	}
	want := []string{"text look; ", "text I read both.; tool call c1{\"p\":\"a\"}; ", "tool result c1larch \ufffd; ", "tool call c2{\"p\":\"b\"}; ",
		"tool result c2birch; ", "text Both are trees.; ", "text ok; "}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A prompt that was still in the queue at the end is a message, and no request has it.
func TestAPromptThatStillWaits(t *testing.T) {
	d := openSample(t, "testdata/unseen/g19_queue_at_the_end.jsonl")
	th := d.Conversations[0].Main()
	var waits []string
	for i := range th.Messages {
		if m := &th.Messages[i]; m.Kind == model.KindOther {
			waits = append(waits, m.Role.String()+" "+m.Preview)
		}
	}
	if !slices.Equal(waits, []string{"user and plant a birch ✓"}) || !hasNote(d, "prompt-waits") || len(th.History) != 2 {
		t.Errorf("%q, %d in the history, %+v", waits, len(th.History), d.Notes)
	}
}

// A result that stands before its call is none without one.
func TestAnEarlyResultIsNotSaidToBeAlone(t *testing.T) {
	if hasNote(openSample(t, "testdata/unseen/g20_copilot_split_in_an_id.jsonl"), "orphan-result") {
		t.Error("a result whose call comes later is said to have none")
	}
}

// A call of Mastra that ended in an error has a result that says so.
func TestAFailedCallOfMastra(t *testing.T) {
	m := openSample(t, "testdata/unseen/g10_mastra_failed_call.jsonl").Conversations[0].Main().Messages[2]
	if m.Kind != model.KindResult || !m.Error {
		t.Errorf("%+v", m)
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

// The compactions that databases record are applied: Crush names the summary in the session, Goose
// says of each message who sees it.
func TestCompactionsInDatabases(t *testing.T) {
	for want, statements := range map[string][]string{
		`summary two | user u3`: {
			"CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, created_at INTEGER, summary_message_id TEXT)",
			"CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER)",
			"INSERT INTO sessions VALUES ('s', NULL, 'Ports', 1, 'm3')",
			`INSERT INTO messages SELECT 'm' || key, 's', iif(key % 2, 'assistant', 'user'),
				json_array(json_object('type', 'text', 'data', json_object('text', value))), 'm', key FROM json_each('["u1","one","u2","two","u3"]')`,
		},
		`user u1 | assistant a1`: {
			"CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, revert TEXT)",
			"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT)",
			"CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT)",
			`INSERT INTO session VALUES ('s', NULL, '/w', 'Ports', '{"messageID":"m2"}')`,
			`INSERT INTO message SELECT 'm' || key, 's', json_object('role', iif(key % 2, 'assistant', 'user')) FROM json_each('["u1","a1","u2","a2"]')`,
			`INSERT INTO part SELECT 'p' || key, 'm' || key, json_object('type', 'text', 'text', value) FROM json_each('["u1","a1","u2","a2"]')`,
		},
		`user u1 | assistant a1 | user u2 | assistant a2`: { // of a version that had no revert
			"CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT)",
			"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT)",
			"CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT)",
			`INSERT INTO session VALUES ('s', NULL, '/w', 'Ports')`,
			`INSERT INTO message SELECT 'm' || key, 's', json_object('role', iif(key % 2, 'assistant', 'user')) FROM json_each('["u1","a1","u2","a2"]')`,
			`INSERT INTO part SELECT 'p' || key, 'm' || key, json_object('type', 'text', 'text', value) FROM json_each('["u1","a1","u2","a2"]')`,
		},
		`summary one | assistant a2 | user u3`: {
			"CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT)",
			"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)",
			"INSERT INTO sessions VALUES ('s', 'Ports', '/w')",
			`INSERT INTO messages SELECT key, 's', iif(key % 2, 'assistant', 'user'), json_array(json_object('type', 'text', 'text', value)), key,
				json_extract('[{"agentVisible":false},{"agentVisible":false},{"userVisible":false,"agentVisible":true},null,""]', '$[' || key || ']')
				FROM json_each('["u1","a1","one","a2","u3"]')`,
		},
	} {
		path := filepath.Join(t.TempDir(), "x.db")
		db, err := sql.Open("sqlite3", path)
		for _, s := range statements {
			if err == nil {
				_, err = db.Exec(s)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		if got := liveOf(openSample(t, path)); got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
}
