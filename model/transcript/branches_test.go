package transcript

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model"
)

func TestChatExportFiles(t *testing.T) {
	for folder, format := range map[string]model.Format{"chatgpt_export": "chatgpt-export", "claude_ai_export": "claude-ai-export"} {
		for _, s := range samples(t, folder) {
			d := checkRealFile(t, s, format)
			if d.Conversations[0].Title == "" || len(d.Notes) > 0 {
				t.Errorf("%s: title %q, notes %s", s.File, d.Conversations[0].Title, noteCodes(d))
			}
		}
	}
}

func TestChatGPTShapes(t *testing.T) {
	for _, s := range samples(t, "chatgpt_export") {
		d := openSample(t, s.Path)
		want := "user typed | text Analyze the attached fixture and create an artifact. | media \n"
		if got := outline(t, d, 0); !strings.Contains(got, want) {
			t.Errorf("%s", got)
		}
		if n := len(d.Conversations[0].Threads); n != 2 || d.Conversations[0].Threads[1].Messages[0].Preview != "Superseded answer." {
			t.Errorf("%d threads", n)
		}
	}
	node := func(id, parent, children, message string) string {
		return fmt.Sprintf(`"%s":{"id":"%s","parent":%s,"children":[%s],"message":%s}`, id, id, parent, children, message)
	}
	say := func(role, kind, rest string) string {
		return `{"id":"m","author":{"role":"` + role + `","name":"python"},"create_time":1784164540.5,"content":{"content_type":"` + kind + `",` + rest + `},"metadata":{}}`
	}
	checkOutlines(t, "chatgpt-export", []outlineCase{{"every kind of content",
		`[{"title":"T","mapping":{` + strings.Join([]string{
			node("r", "null", `"a"`, "null"),
			node("a", `"r"`, `"b"`, say("user", "user_editable_context", `"user_profile":"P","user_instructions":"I"`)),
			node("b", `"a"`, `"c"`, say("user", "text", `"parts":["hi"]`)),
			node("c", `"b"`, `"d"`, say("assistant", "thoughts", `"thoughts":[{"summary":"s","content":"hm"}]`)),
			node("d", `"c"`, `"e"`, strings.Replace(say("assistant", "code", `"language":"python","text":"1+1"`), `"metadata"`, `"recipient":"python","metadata"`, 1)),
			node("e", `"d"`, `"f"`, say("tool", "execution_output", `"text":"2"`)),
			node("f", `"e"`, `"g"`, say("tool", "tether_quote", `"text":"a file"`)),
			node("g", `"f"`, ``, say("assistant", "multimodal_text", `"parts":["two",{"content_type":"image_asset_pointer"},{"content_type":"audio_transcription","text":"too"}]`)),
		}, ",") + `},"current_node":"g"}]`,
		"user injected | text P | text I\nuser typed | text hi\nassistant →d:python | reasoning hm | tool call d 1+1\ntool result python ←d | tool result d 2\nuser injected python | text a file\nassistant | text two | media  | text too\n"}})
}

func TestClaudeAIShapes(t *testing.T) {
	checkOutlines(t, "claude-ai-export", []outlineCase{
		{"calls and results in one answer; attachments; old exports; nothing said",
			`[{"uuid":"a","name":"T","chat_messages":[{"uuid":"1","text":"hi","content":[{"type":"text","text":"hi"}],"sender":"human","created_at":"2026-08-01T10:00:01Z","attachments":[{"file_name":"x","extracted_content":"X"}],"files":[{"file_name":"p.png"}],"files_v2":[{"file_name":"p.png"}]},` +
				`{"uuid":"2","text":"so","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","name":"f","input":{}},{"type":"tool_result","name":"f","content":[{"type":"text","text":"1"}]},{"type":"text","text":"so"}],"sender":"assistant"}]},` +
				`{"uuid":"b","name":"","chat_messages":[{"uuid":"3","text":"old","sender":"human"}]},{"uuid":"c","chat_messages":[]}]`,
			"user typed | text hi | text X | media \nassistant →#1:f | reasoning hm | tool call #1 {}\ntool result f ←#1 | tool result #1 1\nassistant | text so\n---\nuser typed | text old\n"},
		{"a tree",
			`{"uuid":"a","chat_messages":[{"uuid":"1","text":"q","sender":"human","parent_message_uuid":"0"},{"uuid":"2","text":"no","sender":"assistant","parent_message_uuid":"1"},{"uuid":"3","text":"yes","sender":"assistant","parent_message_uuid":"1"}],"current_leaf_message_uuid":"3"}`,
			"user typed | text q\nassistant | text yes\n"},
	})
}

// withBranches draws a conversation and, for some of its messages, a branch
// beside what follows.
func withBranches(t *rapid.T, talk []saying) map[int]saying {
	beside := map[int]saying{}
	for i := range talk {
		if rapid.IntRange(0, 3).Draw(t, "branch") == 0 {
			beside[i] = saying{role: "user", text: genText.Draw(t, "other")}
		}
	}
	return beside
}

func TestChatExportProperties(t *testing.T) {
	t.Run("ChatGPT", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			s, talk := drawSpelling(t), genTalk(t)
			beside := withBranches(t, talk)
			message := func(m saying) any {
				role := m.role
				if role == "result" {
					role = "tool"
				}
				out := ordered{{"id", "m"}, {"author", ordered{{"role", role}, {"name", nil}}}, {"content", ordered{{"content_type", "text"}, {"parts", []string{m.text}}}}}
				if len(m.calls) > 0 {
					out = append(out, member{"recipient", "run"})
				}
				return out
			}
			mapping := ordered{{"n-1", ordered{{"id", "n-1"}, {"message", nil}, {"parent", nil}, {"children", []string{"n0"}}}}}
			for i, m := range talk {
				var children []string
				if i+1 < len(talk) {
					children = append(children, fmt.Sprint("n", i+1))
				}
				if other, ok := beside[i]; ok {
					id := fmt.Sprint("b", i)
					children = append(children, id)
					mapping = append(mapping, member{id, ordered{{"id", id}, {"message", message(other)}, {"parent", fmt.Sprint("n", i)}, {"children", []string{}}}})
				}
				mapping = append(mapping, member{fmt.Sprint("n", i), ordered{{"id", fmt.Sprint("n", i)}, {"message", message(m)}, {"parent", fmt.Sprint("n", i-1)}, {"children", children}}})
			}
			checkTree(t, s, "chatgpt-export", ordered{{"title", "T"}, {"mapping", mapping}, {"current_node", fmt.Sprint("n", len(talk)-1)}}, len(beside))
		})
	})
	t.Run("claude.ai", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			s, talk := drawSpelling(t), genTalk(t)
			beside := withBranches(t, talk)
			branches := 0
			var list []any
			parent := "root"
			for i, m := range talk {
				sender := map[string]string{"system": "human", "user": "human", "assistant": "assistant"}[m.role]
				if sender == "" {
					continue
				}
				content := []any{ordered{{"type", "text"}, {"text", m.text}}}
				for k, res := range resultsOf(talk, i) {
					content = append(content, ordered{{"type", "tool_use"}, {"id", m.calls[k]}, {"name", "run"}, {"input", ordered{}}})
					if res != nil {
						content = append(content, ordered{{"type", "tool_result"}, {"tool_use_id", m.calls[k]}, {"content", []any{ordered{{"type", "text"}, {"text", *res}}}}})
					}
				}
				id := fmt.Sprint("n", i)
				list = append(list, ordered{{"uuid", id}, {"text", m.text}, {"content", content}, {"sender", sender}, {"parent_message_uuid", parent}})
				parent = id
				if other, ok := beside[i]; ok {
					branches++
					list = append(list, ordered{{"uuid", fmt.Sprint("b", i)}, {"text", other.text}, {"sender", "human"}, {"parent_message_uuid", id}})
				}
			}
			checkTree(t, s, "claude-ai-export", ordered{{"uuid", "c"}, {"chat_messages", list}, {"current_leaf_message_uuid", parent}}, branches)
		})
	})
}

func checkTree(t *rapid.T, s spelling, format model.Format, value any, branches int) {
	var text string
	switch rapid.IntRange(0, 3).Draw(t, "shape") {
	case 0:
		text = s.spell(true, value, value)
	case 1:
		text = s.spell(false, []any{value, value})
	default:
		text = s.spell(false, value)
	}
	d := mustRead(t, text)
	if d.Format != format || len(d.Conversations[0].Threads) != branches+1 {
		t.Fatalf("%s (%s) with %d threads, want %d", d.Format, d.Why, len(d.Conversations[0].Threads), branches+1)
	}
	checkDocument(t, d)
	checkOnlyRead(t, d)
}

func FuzzReadChatGPT(f *testing.F) {
	fuzzRead(f, "chatgpt-export", []string{
		`{"title":"T","mapping":{"r":{"id":"r","message":null,"parent":null,"children":["a"]},"a":{"id":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["u"]}},"parent":"r","children":["b","c"]},"b":{"message":{"author":{"role":"assistant"},"recipient":"f","content":{"content_type":"thoughts","thoughts":[{"content":"t"}]}},"parent":"a"},"c":{"id":"c","message":{"author":{"role":"tool"},"content":{"text":"x"}},"parent":"b","children":["a"]}},"current_node":"c"}`,
		`[{"mapping":{"a":{"message":{},"parent":"a","children":["a",1]}},"current_node":null}]`,
	})
}

func FuzzReadClaudeAI(f *testing.F) {
	fuzzRead(f, "claude-ai-export", []string{
		`[{"uuid":"a","name":"T","chat_messages":[{"uuid":"1","text":"hi","content":[{"type":"text","text":"hi"}],"sender":"human","attachments":[{"extracted_content":"X"}],"files":[1],"parent_message_uuid":"0"},{"uuid":"2","content":[{"type":"tool_use","name":"f"},{"type":"tool_result","content":"1"}],"sender":"assistant","parent_message_uuid":"1"}],"current_leaf_message_uuid":"2"}]`,
		`{"chat_messages":[{"sender":"x"},{"sender":"human","uuid":null,"content":"t"}]}`,
	})
}
