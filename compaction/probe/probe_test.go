package probe

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// talk is a history that is written down line by line.
type talk struct {
	list []Message
	n    int
}

func (h *talk) add(kind model.Kind, origin model.Origin, parts ...model.Part) {
	h.list = append(h.list, Message{Message: &model.Message{Kind: kind, Origin: origin}, Num: len(h.list) + 1, Parts: parts})
}

func (h *talk) person(text string) {
	h.add(model.KindUser, model.OriginTyped, model.Part{Kind: model.PartText, Text: text})
}

func (h *talk) agent(text string) {
	h.add(model.KindAssistant, 0, model.Part{Kind: model.PartText, Text: text})
}

func (h *talk) call(tool string, args map[string]any, result string, failed bool) {
	data, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	h.n++
	id := fmt.Sprint("c", h.n)
	h.add(model.KindAssistant, 0, model.Part{Kind: model.PartCall, Name: tool, Text: string(data), CallID: id})
	h.add(model.KindResult, 0, model.Part{Kind: model.PartResult, Text: result, CallID: id, Error: failed})
}

type args = map[string]any

// worked is a history of each kind of thing that questions are made of, and the cut in it.
func worked() ([]Message, int) {
	var h talk
	h.person("Please write the parser of the configuration. Never touch the generated lexer tables by hand.")
	h.agent("I'll start with `parseConfigFile` in the loader, which returns early when nothing is set.")
	h.call("Edit", args{"file_path": "/w/app/internal/loader/config.go", "new_string": "x"}, "ok", false)
	h.call("Read", args{"file_path": "/w/app/internal/output/writer.go"}, "package output", false)
	h.call("Read", args{"file_path": "/w/app/README.md"}, "# App", false)
	h.person("Now add validation of the port numbers and the host names")
	h.call("AskUserQuestion", args{"questions": []any{map[string]any{"question": "How strict?", "options": []any{
		map[string]any{"label": "Reject unknown keys"}, map[string]any{"label": "Warn only"}, map[string]any{"label": "Ignore them"}}}}},
		`User has answered your questions: "How strict?"="Warn only".`, false)
	h.agent("I'll keep the checks in one table of rules instead of a switch per field.")
	h.call("TodoWrite", args{"todos": []any{
		map[string]any{"content": "Write the parser", "status": "completed"},
		map[string]any{"content": "Validate port numbers and hosts", "status": "in_progress"},
		map[string]any{"content": "Document the defaults", "status": "pending"}}}, "ok", false)
	h.call("Bash", args{"command": "git commit -am x"}, "[main 1a2b3c4d] loader: read the configuration once\n 1 file changed", false)
	h.person("The error messages should name the line, like compilers do")
	h.call("Bash", args{"command": "git commit -am y"}, "[main 5e6f7a8b] loader: errors name their line\n 1 file changed", false)
	h.call("Bash", args{"command": "git commit -am z"}, "[main 9c8d7e6f] loader: bring 9c8d7e6f back once more\n", false)
	h.call("Bash", args{"command": "git commit -am y"}, "[main 0a0b0c0d] loader: errors name their line\n", false)
	h.person("Also sort the keys before they are printed somewhere")
	h.call("Bash", args{"command": "go test ./internal/..."}, "--- FAIL: TestPortsAreChecked (0.00s)\nFAIL", true)
	h.call("Bash", args{"command": "ls -la docs"}, "index.md", false)
	h.call("Grep", args{"pattern": "HostName"}, "2 files", false)
	at := len(h.list)
	h.agent("`parseConfigFile` has to be called first.")
	h.call("Read", args{"file_path": "/w/app/internal/output/writer.go"}, "package output", false)
	h.call("Read", args{"file_path": "/w/app/README.md"}, "# App", false)
	return h.list, at
}

func find(t *testing.T, list []Question, kind Kind, words string) Question {
	t.Helper()
	i := slices.IndexFunc(list, func(q Question) bool { return q.Kind == kind && strings.Contains(q.Ask, words) })
	if i < 0 {
		t.Fatalf("no question of %s with %q in %+v", kind, words, list)
	}
	return list[i]
}

func TestEachKindOfQuestion(t *testing.T) {
	history, at := worked()
	list := Make(history, at, "", false)
	for _, want := range []struct {
		kind          Kind
		words, answer string
	}{
		{Order, "generated", "Never touch the generated lexer tables by hand."},
		{Request, "last", "Also sort the keys before they are printed somewhere"},
		{State, "to-do", "Validate port numbers and hosts"},
		{State, "Name a test", "TestPortsAreChecked"},
		{Artifact, "newest commit", "loader: errors name their line"},
		{Artifact, "read the configuration once", "1a2b3c4d"},
		{Artifact, "config.go", "loader/config.go"},
		{Decision, "How strict", "Warn only"},
		{Decision, "a switch per field", "keep the checks in one table of rules"},
		{Recall, "writer.go", "output/writer.go"},
		{Recall, "in the loader", "parseConfigFile"},
		{Continuation, "among the next", "Read: /w/app/internal/output/writer.go"},
	} {
		q := find(t, list, want.kind, want.words)
		if q.Answers[0] != want.answer {
			t.Errorf("%s: %q", q.Ask, q.Answers)
		}
		if q.Rule == Choice && (!slices.Contains(q.Choices, want.answer) || len(q.Choices) < 3) {
			t.Errorf("%s: %q", q.Ask, q.Choices)
		}
		if q.Rule != Choice && strings.Contains(Plain(q.Ask), Plain(want.answer)) {
			t.Errorf("the answer stands in %s", q.Ask)
		}
		place := history[q.Message-1]
		if q.Kind != Decision && q.Kind != Continuation && q.Excerpt(place.Text()) == "" {
			t.Errorf("%s: message %d does not answer it: %s", q.Ask, q.Message, place.Text())
		}
	}
	if slices.ContainsFunc(list, func(q Question) bool { return strings.Contains(q.Ask, "README") }) {
		t.Error("a file of the project's own folder is asked for, which a relative path does not name")
	}
	if slices.ContainsFunc(list, func(q Question) bool { return q.Answers[0] == "9c8d7e6f" || q.Answers[0] == "5e6f7a8b" }) {
		t.Error("a question holds its answer, or has two")
	}
	if again := Make(history, at, "", false); !reflect.DeepEqual(list, again) {
		t.Error("the same history made other questions")
	}
	for _, q := range Make(history, at, history[5].Text()+"Validate the port numbers, and the hosts", false) {
		if want := strings.Contains(q.Ask, "to-do"); q.Kept != want {
			t.Errorf("%v: the window answers %s", q.Kept, q.Ask)
		}
	}
}

func TestChineseQuestions(t *testing.T) {
	var h talk
	h.person("请写一个解析配置的程序。不要手动修改自动生成的词法表格文件。")
	h.agent("我使用 `bufio.Scanner` 而不是 `strings.Split`，因为文件很大。")
	h.call("Edit", args{"file_path": "/w/app/loader/config.go"}, "ok", false)
	h.call("Read", args{"file_path": "/w/app/output/writer.go"}, "", false)
	h.call("update_plan", args{"plan": []any{map[string]any{"step": "检查端口号和主机名称", "status": "pending"}}}, "", false)
	at := len(h.list)
	h.agent("好的")
	list := Make(h.list, at, "", true)
	for kind, want := range map[Kind]string{Order: "不要手动修改自动生成的词法表格文件。", State: "检查端口号和主机名称", Decision: "bufio.Scanner",
		Artifact: "loader/config.go"} {
		q := find(t, list, kind, "")
		if q.Answers[0] != want || !strings.ContainsAny(q.Ask, "？。") {
			t.Errorf("%s: %q", q.Ask, q.Answers)
		}
	}
	q := find(t, list, State, "")
	for answer, want := range map[string]Mark{"检查端口号、主机名称": Right, "写文档": Wrong, "不知道": Unknown} {
		if got := q.Mark(answer); got != want {
			t.Errorf("%s is %s", answer, got)
		}
	}
}

func TestMarks(t *testing.T) {
	literal := Question{Rule: Literal, Answers: []string{"loader/config.go", "1a2b3c4d"}}
	words := Question{Rule: Words, Answers: []string{"Never touch the generated lexer tables by hand"}}
	choice := Question{Rule: Choice, Choices: []string{"it failed", "it passed"}, Answers: []string{"it passed"}}
	for _, c := range []struct {
		q      Question
		answer string
		want   Mark
	}{
		{literal, "It is `internal/Loader/config.go`.", Right},
		{literal, "loader/config.gold", Wrong},
		{literal, "1A2B3C4D", Right},
		{literal, "1a2b3c4d5e", Wrong},
		{literal, "", Unknown},
		{Question{Rule: Literal, Answers: []string{"unknownKeys"}}, "unknownKeys", Right},
		{literal, "I don't know.", Unknown},
		{literal, "I don’t know, maybe loader/config.go", Unknown},
		{literal, "Not stated in the text", Unknown},
		{literal, strings.Repeat("src/a.go ", 60) + "loader/config.go", Wrong}, // who lists everything
		{words, "“never touch generated lexer tables”", Right},
		{words, "Never touch the tables", Wrong},
		{choice, "B", Right},
		{choice, "(b) it passed", Right},
		{choice, "Answer: A", Wrong},
		{choice, "it passed", Right},
		{choice, "Both", Wrong},
		{choice, "H", Wrong},
	} {
		if got := c.q.Mark(c.answer); got != c.want {
			t.Errorf("%q is %s, not %s", c.answer, got, c.want)
		}
	}
}

// Orders say what the agent is to do; a question, a doubt or a log is none.
func TestOrders(t *testing.T) {
	for text, want := range map[string]bool{
		"Always run the linter before you commit":             true,
		"please don't add comments that repeat the code":      true,
		"Make sure to keep the public API stable":             true,
		"从现在起不要提交代码":                                          false, // begins otherwise
		"不要提交生成的文件":                                           true,
		"don't you think this is slow?":                       false,
		"I don't know why it fails":                           false,
		"never mind, go on":                                   false,
		"we don't want that, go ahead":                        false,
		"Only one of the tests fails":                         false,
		"Error: you must provide a value for --config to run": false,
	} {
		if isOrder(text) != want {
			t.Errorf("%v: %s", !want, text)
		}
	}
}
