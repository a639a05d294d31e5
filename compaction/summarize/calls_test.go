package summarize

import (
	"strings"
	"testing"
)

func TestKeyArgument(t *testing.T) {
	big := strings.Repeat("x\\n", 1<<20)
	for _, c := range []struct {
		name, tool, args, want string
		edit                   bool
	}{
		{"path", "Read", `{"file_path":"/src/a.go","limit":20}`, "/src/a.go", false},
		{"path after others", "Edit", `{"old_string":"a","new_string":"b","file_path":"a.go"}`, "a.go", true},
		{"command", "Bash", `{"description":"run","command":"go test ./..."}`, "go test ./...", false},
		{"command array", "shell", `{"command":["bash","-lc","ls -la /tmp"],"timeout":10}`, "ls -la /tmp", false},
		{"plain array", "shell", `{"command":["git","log","-1"]}`, "git log -1", false},
		{"editor with a verb", "str_replace_editor", `{"command":"view","path":"/repo/x.py"}`, "view /repo/x.py", false},
		{"editor that writes", "str_replace_editor", `{"command":"create","path":"/repo/x.py","file_text":"a"}`, "create /repo/x.py", true},
		{"pattern and path", "Grep", `{"pattern":"func \\w+","path":"internal/"}`, `"func \w+" internal/`, false},
		{"query", "web_search", `{"query":"fyne canvas","n":5}`, "fyne canvas", false},
		{"url", "fetch", `{"url":"https://go.dev/doc/"}`, "https://go.dev/doc/", false},
		{"first short string", "lookup", `{"n":3,"customer":"Ada L."}`, "Ada L.", false},
		{"nested first string", "TodoWrite", `{"todos":[{"content":"write tests","done":false}]}`, "write tests", false},
		{"patch in a command", "shell", `{"command":["apply_patch","*** Begin Patch\n*** Update File: a/b.go\n@@\n-x\n+y\n*** End Patch"]}`, "a/b.go", true},
		{"free-form patch", "apply_patch", "*** Begin Patch\n*** Add File: n.go\n+x\n*** Delete File: o.go\n*** End Patch", "n.go, o.go", true},
		{"JSON in a JSON string", "Read", `"{\"path\":\"a.txt\"}"`, "a.txt", false},
		{"cut JSON", "Write", `{"path":"a.txt","content":"hello wor`, "a.txt", true},
		{"no JSON", "python", "print(1)\nprint(2)", "print(1) print(2)", false},
		{"empty", "status", "", "", false},
		{"empty object", "status", "{}", "", false},
		{"not even that", "status", "{{{\"", "", false},
		{"long content before the path", "Write", `{"content":"` + big + `","file_path":"/src/late.go"}`, "/src/late.go", true},
		{"surrogates", "say", `{"message":"\ud83d\ude42 \ud83d"}`, "🙂 \ufffd", false},
		{"several lines of a command", "Bash", `{"command":"cd a\n\tmake all\u0007"}`, "cd a make all", false},
	} {
		got, edit := keyArgument(c.tool, c.args)
		if got != c.want || edit != c.edit {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, edit, c.want, c.edit)
		}
	}
}

func TestFailure(t *testing.T) {
	for _, c := range []struct {
		name, text string
		flagged    bool
		want       string
		failed     bool
	}{
		{"fine", "package a\n", false, "", false},
		{"says error later, unmarked", "line 1\nerror: not ours", false, "", false},
		{"marked", "no such table: users", true, "no such table: users", true},
		{"marked without words", "", true, "", true},
		{"exit code and telling line", "Exit code 2\ncompiling\nmain.go:4: undefined: x\n", true, "exit 2: main.go:4: undefined: x", true},
		{"exit code alone", "Exit code 1", true, "exit 1", true},
		{"unmarked exit code", "hello\n[Command finished with exit code 127]", false, "exit 127: hello", true},
		{"exit code 0", "output\nProcess exited with code 0", false, "", false},
		{"traceback", "Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'id'", false, "KeyError: 'id'", true},
		{"tags", "<tool_use_error>File has not been read yet.</tool_use_error>", true, "File has not been read yet.", true},
		{"envelope", `{"output":"cat: x: No such file or directory\n","metadata":{"exit_code":1}}`, false, "cat: x: No such file or directory", true},
		{"envelope of success", `{"output":"ok\n","metadata":{"exit_code":0}}`, false, "", false},
		{"error object", `{"error":"quota exceeded"}`, false, "quota exceeded", true},
		{"shell", "bash: foo: command not found", false, "bash: foo: command not found", true},
		{"header lines", "Chunk ID: 38c756\nWall time: 0.2 s\nProcess exited with code 1\nOutput:\nlint: 2 problems", false, "exit 1: lint: 2 problems", true},
		{"return code of a text protocol", "<returncode>1</returncode>\n<output>\n</output>", false, "exit 1", true},
		{"escapes", "\x1b[31mError:\x1b[0m bad\x00 thing", false, "Error: bad thing", true},
	} {
		got, failed := failure(c.text, c.flagged, true)
		if got != c.want || failed != c.failed {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, failed, c.want, c.failed)
		}
	}
	if _, failed := failure("Error: x", false, false); failed {
		t.Error("an unmarked result of a source that marks failures was judged by its text")
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"a\r\n\tb  c ", 10, "a b c"},
		{"\x1b[1;31mred\x1b[0m \x1b]0;title\x07text\x1b(B", 20, "red text"},
		{"a\xffb\xc3", 10, "a\ufffdb\ufffd"},
		{"one two three four", 11, "one two…"},
		{"abcdefghij", 5, "abcd…"},
		{"日本語テキスト", 4, "日本語…"},
		{"🙂🙂🙂", 2, "🙂…"},
		{"x\u202ey\u2066z\u200b", 9, "xyz"},
		{"abc", 0, ""},
		{"\x1b", 5, ""},
		{strings.Repeat(" ", 1<<20) + "x", 5, "…"},
	} {
		if got := line(c.in, c.limit); got != c.want {
			t.Errorf("line(%.20q, %d) = %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}

func TestAction(t *testing.T) {
	tool, key, _, words, ok := action("THOUGHT: look\n\n```bash\nls -la\n```\n")
	if !ok || tool != "run" || key != "ls -la" || strings.TrimSpace(words) != "THOUGHT: look" {
		t.Errorf("fenced: %q %q %q %v", tool, key, words, ok)
	}
	tool, key, edit, _, ok := action("I open it.\n<function=str_replace_editor>\n<parameter=command>create</parameter>\n<parameter=path>/a.py</parameter>\n</function>")
	if !ok || tool != "str_replace_editor" || key != "create /a.py" || !edit {
		t.Errorf("function tag: %q %q %v %v", tool, key, edit, ok)
	}
	if _, _, _, _, ok := action("Nothing to run."); ok {
		t.Error("words without a call were taken for one")
	}
}
