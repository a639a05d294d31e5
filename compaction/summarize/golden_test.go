package summarize

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
)

var update = flag.Bool("update", false, "write the golden files")

// failer is what a test, a fuzz test and a rapid test have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func mustMake(t failer, r Request) Result {
	t.Helper()
	res, err := Make(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// twice summarises one session, and then the next one with that summary.
func twice(t failer, s model.Strategy) []Entry {
	first := mustMake(t, Request{Entries: coding(), Strategy: s, Budget: model.Amount{N: 1200, Unit: model.Chars}})
	h := &history{before: len(coding())}
	h.typed("Now fix issue #118 as well.")
	h.does("Read", `{"file_path":"internal/parser/parser.go"}`, "package parser")
	h.does("Edit", `{"file_path":"internal/parser/parser.go"}`, "ok")
	h.says("parser.go:310 checks the length now.")
	return append([]Entry{{Former: first.Text}}, h.entries...)
}

func chineseChat() []Entry {
	h := &history{}
	h.typed("请把 config/larch.toml 里的超时从 30 秒改成 45 秒，不要动其他设置。")
	h.does("read_file", `{"path":"config/larch.toml"}`, "timeout = 30")
	h.does("edit_file", `{"path":"config/larch.toml","text":"timeout = 45"}`, "!错误：文件只读")
	h.does("shell", `{"command":"chmod u+w config/larch.toml"}`, "")
	h.does("edit_file", `{"path":"config/larch.toml","text":"timeout = 45"}`, "ok")
	h.says("已改好：timeout = 45，其余未动。文件原来是只读的，我加了写权限。")
	h.typed("谢谢")
	h.says("不客气。")
	return h.entries
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []Entry
		s       model.Strategy
		chars   int
	}{
		{"coding", coding(), model.Extract, 0},
		{"coding_600", coding(), model.Extract, 600},
		{"coding_300", coding(), model.Extract, 300},
		{"coding_json", coding(), model.StructuredJSON, 0},
		{"coding_json_700", coding(), model.StructuredJSON, 700},
		{"coding_table", coding(), model.StructuredTable, 0},
		{"coding_table_700", coding(), model.StructuredTable, 700},
		{"long_turn_1500", longTurn(900), model.Extract, 1500},
		{"long_turn_4000", longTurn(900), model.Extract, 4000},
		{"long_turn_json_1500", longTurn(900), model.StructuredJSON, 1500},
		{"steps", stepHistory(), model.Extract, 0},
		{"steps_250", stepHistory(), model.Extract, 250},
		{"steps_json", stepHistory(), model.StructuredJSON, 0},
		{"steps_table", stepHistory(), model.StructuredTable, 0},
		{"text_protocol", textProtocol(), model.Extract, 0},
		{"chinese", chineseChat(), model.Extract, 0},
		{"chinese_160", chineseChat(), model.Extract, 160},
		{"twice", twice(t, model.Extract), model.Extract, 0},
		{"twice_700", twice(t, model.Extract), model.Extract, 700},
		{"twice_json", twice(t, model.StructuredJSON), model.StructuredJSON, 0},
		{"twice_json_to_text", twice(t, model.StructuredJSON), model.Extract, 0},
		{"note_coding", coding(), model.NoteText, 0},
		{"note_coding_700", coding(), model.NoteText, 700},
		{"note_long_turn_1500", longTurn(900), model.NoteText, 1500},
		{"note_text_protocol", textProtocol(), model.NoteText, 0},
		{"note_chinese", chineseChat(), model.NoteText, 0},
		{"note_steps", stepHistory(), model.NoteText, 1500},
		{"note_twice_1500", twice(t, model.NoteText), model.NoteText, 1500},
		{"note_of_text_1500", twice(t, model.Extract), model.NoteText, 1500},
		{"twice_table_to_text", twice(t, model.StructuredTable), model.Extract, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustMake(t, Request{Entries: c.entries, Strategy: c.s, Budget: model.Amount{N: c.chars, Unit: model.Chars}})
			got := r.Text + "\n\nKEY POINTS\n" + strings.Join(r.KeyPoints, "\n") + "\n"
			if c.chars > 0 {
				got = fmt.Sprintf("%s\n\n%d of %d code points\n", r.Text, chars(r.Text), c.chars)
			}
			path := filepath.Join("testdata", c.name+".golden")
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
