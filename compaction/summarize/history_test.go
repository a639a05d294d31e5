package summarize

import (
	"fmt"
	"strings"

	"palimpsest/model"
)

// history builds entries by hand, as a reader of transcripts would.
type history struct {
	entries []Entry
	calls   int
	before  int // messages before the first entry
}

func (h *history) add(m model.Message, parts ...model.Part) *history {
	h.entries = append(h.entries, Entry{Msg: &m, Parts: parts, Num: h.before + len(h.entries) + 1})
	return h
}

func text(s string) model.Part { return model.Part{Kind: model.PartText, Text: s} }

func (h *history) typed(s string) *history {
	return h.add(model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginTyped}, text(s))
}

func (h *history) injected(s string) *history {
	return h.add(model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginInjected}, text(s))
}

func (h *history) observed(s string) *history {
	return h.add(model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginObservation}, text(s))
}

func (h *history) says(s string) *history {
	return h.add(model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant}, text(s))
}

// does adds a call and its result; a result that begins with "!" is marked as
// an error.
func (h *history) does(tool, args, result string) *history {
	h.calls++
	id := fmt.Sprintf("call_%d", h.calls)
	h.add(model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Calls: []model.Call{{ID: id, Name: tool}}},
		model.Part{Kind: model.PartCall, CallID: id, Name: tool, Text: args})
	failed := strings.HasPrefix(result, "!")
	result = strings.TrimPrefix(result, "!")
	return h.add(model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: id, Name: tool, Error: failed},
		model.Part{Kind: model.PartResult, CallID: id, Name: tool, Text: result, Error: failed})
}

func (h *history) step(n int, analysis, execution, supervision string) *history {
	for _, p := range []struct{ name, text string }{{"analysis", analysis}, {"execution", execution}, {"supervision", supervision}} {
		if p.text != "" {
			h.add(model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Name: p.name, Step: int32(n)}, text(p.text))
		}
	}
	return h
}

// coding is a short session of an agent that works on a parser.
func coding() []Entry {
	h := &history{}
	h.injected("<environment>cwd: /home/ada/larch, branch main</environment>")
	h.typed("The lexer loses the last token of a file without a newline at its end. Please fix it, and never touch internal/legacy: customers still build it with Go 1.19.")
	h.says("I'll look at the lexer first.")
	h.does("Read", `{"file_path":"internal/lexer/lexer.go"}`, "package lexer\n…")
	h.does("Read", `{"file_path":"internal/lexer/lexer.go","offset":200}`, "func (l *Lexer) next() …")
	h.does("Grep", `{"pattern":"func .*emit","path":"internal/"}`, "internal/lexer/lexer.go:88: func (l *Lexer) emit(t Token)")
	h.does("Edit", `{"file_path":"internal/lexer/lexer.go","old_string":"if r == '\\n'","new_string":"if r == '\\n' || eof"}`, "The file has been updated.")
	h.does("Bash", `{"command":"go test ./internal/lexer/...","description":"run tests"}`, "!Exit code 1\n--- FAIL: TestEOF (0.00s)\n    lexer_test.go:41: got 3 tokens, want 4\nFAIL")
	h.does("Edit", `{"file_path":"internal/lexer/lexer.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
	h.does("Bash", `{"command":"go test ./internal/lexer/..."}`, "ok  \tlarch/internal/lexer\t0.412s")
	h.says("Fixed: emit is now called at end of input as well (lexer.go:88). All 214 tests of internal/lexer pass; internal/legacy is untouched.")
	h.typed("Good. Now the benchmark: BenchmarkScan was 41.2 MB/s before, is it slower?\r\n\x1b[31mI need ≥ 40 MB/s.\x1b[0m")
	h.does("Bash", `{"command":["bash","-lc","go test -bench=Scan -count=5 ./internal/lexer"]}`, "BenchmarkScan-8   40.9 MB/s")
	h.does("WebFetch", `{"url":"https://go.dev/doc/diagnostics","prompt":"profiling"}`, "!Request failed with status code 503")
	h.says("BenchmarkScan gives 40.9 MB/s (5 runs, σ 0.3), 0.7 % slower than before and above your limit of 40 MB/s.")
	h.add(model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginTyped}, text("这个图里的报错是什么？"), model.Part{Kind: model.PartMedia, Name: "image/png", Bytes: 12345})
	h.does("mcp__tracker__create_issue", `{"title":"Parser panics on nested tables","labels":["bug"]}`, `{"id":118}`)
	h.says("The screenshot shows a panic in parser.go:310 (index out of range [5] with length 5). I opened issue #118 for it.")
	return h.entries
}

// longTurn is one request and n calls.
func longTurn(n int) []Entry {
	h := &history{}
	h.typed("Move the whole project from logrus to slog. Keep the log keys as they are.")
	for i := range n {
		file := fmt.Sprintf("internal/pkg%02d/log.go", i*7%37)
		switch i % 6 {
		case 0, 3:
			h.does("Read", fmt.Sprintf(`{"file_path":%q}`, file), "package x")
		case 1:
			h.does("Edit", fmt.Sprintf(`{"file_path":%q,"old_string":"logrus","new_string":"slog"}`, file), "updated")
		case 2:
			h.does("Bash", fmt.Sprintf(`{"command":"go build ./%s"}`, file[:14]), "")
		case 4:
			if i%36 == 4 {
				h.does("Bash", `{"command":"go vet ./..."}`, fmt.Sprintf("!Exit code 1\n# larch/internal\n%s:14:2: undefined: logrus.WithField", file))
			} else {
				h.does("Bash", `{"command":"go vet ./..."}`, "")
			}
		case 5:
			h.does("Grep", `{"pattern":"logrus","path":"."}`, file)
		}
	}
	h.says("All 37 packages use log/slog now; go vet and the 1,204 tests pass.")
	return h.entries
}

// steps is a history of step records with the troubles that they have.
func stepHistory() []Entry {
	h := &history{}
	h.step(1, "**任务状态:** CONTINUE\n**完成度评估:** 20%\n**下一步:** 读取数据", "**执行目标:** 读取 data/run_017.csv\n**执行过程:** 打开文件\n**执行结果:** 共 **4,096** 行，缺失 12 行", "**质量评分:** 8/10\n**是否通过:** PASS")
	h.step(2, "**任务状态：** CONTINUE\n**完成度**: 45 %", "**Execution Goal:** fit the decay curve\n**Execution Result:** τ = 3.17 ms ± 0.04 ms", "**质量评分 :** 7/10\n**是否通过:** OPTIMIZE")
	h.step(3, "异常", "执行异常", "java.net.SocketTimeoutException: connect timed out: lab-db-2:5432")
	h.step(4, "**任务状态:** DONE\n**完成度评估:** 100%", "**执行目标:** 写报告\n**执行结果:** 报告保存在 out/report_v2.pdf", "**质量评分:** 9/10\n**是否通过:** 通过")
	return h.entries
}

// textProtocol is an agent that writes its calls into its words.
func textProtocol() []Entry {
	h := &history{}
	h.typed("Fix the failing test in requests/sessions.py")
	h.says("THOUGHT: look around\n\n```bash\nls -la\n```").observed("<returncode>0</returncode>\n<output>\nsetup.py\n</output>")
	h.says("THOUGHT: run\n\n```bash\npytest -x tests/test_sessions.py\n```").observed("<returncode>1</returncode>\n<output>\nE   AttributeError: 'NoneType' object has no attribute 'close'\n</output>")
	h.says("THOUGHT: patch it\n\n```bash\nsed -i 's/a/b/' requests/sessions.py\n```").observed("<returncode>0</returncode>\n<output></output>")
	return h.entries
}
