package facts_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// lifted returns the facts of a message as "kind text" lines, sorted.
func lifted(m facts.Message) []string {
	var out []string
	facts.Lift(&m, func(l facts.Lifted) { out = append(out, l.Kind.String()+" "+l.Text) })
	slices.Sort(out)
	return slices.Compact(out)
}

// The rules, each with what it takes and what it leaves.
func TestRules(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// paths
		{"t: see model/doc.go:12:5, (lib/a.py) and 'x/y.ts'.", "path lib/a.py|path model/doc.go|path x/y.ts"},
		{"t: and/or, he/she, I/O, text/html, 11/21/2026, </div>, <br/>", ""},
		{"t: /etc/hosts /tmp /help ~/.ssh/config ../up/x ./run", "path ../up/x|path ./run|path /etc/hosts|path /tmp|path ~/.ssh/config"},
		{`t: C:\Users\ada\notes.txt and \nsrc/a.go`, `path C:\Users\ada\notes.txt|path src/a.go`},
		{"t: app/(main)/users/[id]/page.tsx", "path app/(main)/users/[id]/page.tsx"},
		{"t: console.log(x) package.json Makefile .gitignore *.md Node.js", "identifier console.log|path .gitignore|path Makefile|path package.json"},
		{"t: 请看docs/说明.md文件和src/a.go，谢谢", "path docs/说明.md|path src/a.go"},
		{"t: a.go..b.go main...origin/main", "identifier origin/main|path a.go|path b.go"},
		// URLs
		{"t: (https://x.org/a_(b)?q=1#c). git+ssh://h/x", "url https://x.org/a_(b)?q=1#c|url ssh://h/x"},
		{"t: 见https://x.org/页，", "url https://x.org/"},
		// numbers
		{"t: 12 MB, 9.8%, 1,214 strings, 3-5 minutes, $45, 41.2 MB/s, ~7 ms, 0.04s", "number $45|number 0.04s|number 1,214 strings|number 12 MB|number 3-5 minutes|number 41.2 MB/s|number 7 ms|number 9.8%"},
		{"t: 7, 3 is, 2 class, x2 y3s, 1920x1080, $1", ""},
		{"t: 共5处，42분, 320 像素, 6.5海里 ¥45", "number 320 像素|number 42분|number 5处|number 6.5海里|number ¥45"},
		// identifiers
		{"t: scan_number scanNumber HTMLParser np.nan __init__ --no-verify v1.26 1.2.3 E0308 utf-8 #14", "identifier #14|identifier --no-verify|identifier 1.2.3|identifier E0308|identifier HTMLParser|identifier __init__|identifier np.nan|identifier scanNumber|identifier scan_number|identifier utf-8|identifier v1.26"},
		{"t: plain Words and APIs, e.g. GitHub, well-known _so_ 2026", ""},
		{"t: 6d95fc9a b446bbcb-86ab-4ac1-b05a-bb9aff4d4bd0 deadbeef 0x1f 1234567", "identifier 0x1f|identifier 6d95fc9a|identifier b446bbcb-86ab-4ac1-b05a-bb9aff4d4bd0"},
		{"t: ada@example.org react@18.2.0 @scope/pkg", "identifier @scope/pkg|identifier ada@example.org|identifier react@18.2.0"},
		// commands
		{`c: {"command":"cd /srv && go vet ./... 2>&1 | tail -5; echo done # no"}`, "command go vet ./...|path /srv"},
		{`c: {"cmd":["bash","-lc","grep -n 'a|b' f.go || true"]}`, "command grep -n 'a|b' f.go|path f.go"},
		{"c: {\"command\":\"cat <<'E' > n.py\\nrm all\\nE\\nls -l\"}", "command ls -l|path n.py"},
		{"u: use `make all`, not `x y`", "command make all|instruction use `make all`, not `x y`|quoted x y"},
		{"a: Now:\n```bash\nls -la\n```", "command ls -la"},
		{"t: [test] $ go test ./a.go\nit costs $ 5", "command go test ./a.go|path ./a.go"},
		// errors
		{"t: ok\nx.c:1:2: error: bad thing\nall well", "error x.c:1:2: error: bad thing|path x.c"},
		{"t: KeyError: 'name'\nprint(\"error: x\")", "error KeyError: 'name'|identifier KeyError"},
		{"t: 构建失败：缺少依赖", "error 构建失败：缺少依赖"},
		{"t: ok\n12. error: bad thing\n28. - KeyError: 'name'", "error KeyError: 'name'|error error: bad thing|identifier KeyError"},
		// quoted, instructions, decisions
		{"u: It says “Hello there” and 「北の岬」.", "quoted Hello there|quoted 北の岬"},
		{"u: Never touch the old parser. It is late. 请不要改地名。Could you look?", "instruction Could you look|instruction Never touch the old parser|instruction 请不要改地名"},
		{"a: I'll use a table because it is faster. Never mind. 决定采用渡轮。", "decision I'll use a table because it is faster|decision 决定采用渡轮"},
		{"t: Never touch it. I'll use a table.", ""},
	} {
		if got := strings.Join(lifted(say(c.in)), "|"); got != c.want {
			t.Errorf("%q\n gives %s\n  want %s", c.in, got, c.want)
		}
	}
}

// What a call reads and runs is marked as such.
func TestReadAndRun(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		want       map[string]facts.Where
	}{
		{"Read", `{"file_path":"/x/a.go"}`, map[string]facts.Where{"/x/a.go": facts.InCall | facts.Read}},
		{"Edit", `{"file_path":"/x/a.go"}`, map[string]facts.Where{"/x/a.go": facts.InCall}},
		{"str_replace_editor", `{"command":"view","path":"/x/a.go"}`, map[string]facts.Where{"/x/a.go": facts.InCall | facts.Read, "str_replace_editor": facts.InCall}},
		{"Bash", `{"command":"cat a.go | wc -l"}`, map[string]facts.Where{"cat a.go": facts.InCall | facts.Run, "a.go": facts.InCall | facts.Read}},
		{"Bash", `{"command":"sed -i s/a/b/ a.go"}`, map[string]facts.Where{"sed -i s/a/b/ a.go": facts.InCall | facts.Run, "a.go": facts.InCall}},
		{"shell", `"ls -l a.go"`, map[string]facts.Where{"ls -l a.go": facts.InCall | facts.Run, "a.go": facts.InCall}},
	} {
		got := map[string]facts.Where{}
		m := facts.Message{Author: facts.Agent, Parts: []model.Part{{Kind: model.PartCall, Name: c.tool, Text: c.args}}}
		facts.Lift(&m, func(l facts.Lifted) { got[l.Text] |= l.Where })
		for f, where := range c.want {
			if got[f] != where {
				t.Errorf("%s %s: %q is at %b, want %b", c.tool, c.args, f, got[f], where)
			}
		}
	}
}

// Whatever a text holds, every fact is valid, literally in it and of bounded
// length.
func FuzzLift(f *testing.F) {
	for _, s := range []string{"", "a/b.go:1", "`go test ./...`", "https://x.org/(", "「…」 5处", "$ ls -l\n", "\\u00e4 \xff\xfe .../..", "error: x", "```bash\nls -l",
		"cat <<E\n", "\"'\"'\"", strings.Repeat("a/", 700), strings.Repeat("(", 300), strings.Repeat("1,", 300), "x\x00y_z", "<parameter=command>ls -l", "C:\\a\\b.c", "--", "@/@", "~.~/~"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range []model.PartKind{model.PartText, model.PartReasoning, model.PartResult} {
			for _, author := range []facts.Author{facts.User, facts.Agent, facts.Tool} {
				m := facts.Message{Author: author, Parts: []model.Part{{Kind: p, Text: s, Error: author == facts.Tool}}}
				facts.Lift(&m, func(l facts.Lifted) {
					if strings.Contains(l.Text, "\n") { // texts are read line by line
						t.Fatalf("%s %q goes beyond its line", l.Kind, l.Text)
					}
					if n := utf8.RuneCountInString(l.Text); n < 2 || n > 1024 {
						t.Fatalf("%s of %d code points", l.Kind, n)
					}
					if utf8.ValidString(s) && !utf8.ValidString(l.Text) {
						t.Fatalf("%s %q is cut inside a character", l.Kind, l.Text)
					}
					if p != model.PartResult && !strings.Contains(s, l.Text) {
						t.Fatalf("%s %q is not in the text", l.Kind, l.Text)
					}
				})
			}
		}
		call := facts.Message{Author: facts.Agent, Parts: []model.Part{{Kind: model.PartCall, Name: "Bash", Text: s}, {Kind: model.PartCall, Text: `{"command":"` + s}}}
		facts.Lift(&call, func(l facts.Lifted) {
			if l.Text == "" || strings.Contains(l.Text, "\n") {
				t.Fatalf("%s %q", l.Kind, l.Text)
			}
		})
	})
}

// However a text is made, what is handed out is bounded by its length.
func TestHostileTextGivesNoMoreFactsThanItHasRoomFor(t *testing.T) {
	for _, unit := range []string{"a/b.go ", "error: x\n", "`a b` ", "1,", "((((", "x_y.", "\\n", "「", "$ ls -l\n", "```\n", "\"a\" ", "不", "a.b/", "\"\\"} {
		s := strings.Repeat(unit, 20000)
		n := 0
		for _, a := range []facts.Author{facts.User, facts.Agent, facts.Tool} {
			m := facts.Message{Author: a, Parts: []model.Part{{Kind: model.PartText, Text: s}, {Kind: model.PartCall, Name: "bash", Text: s}, {Kind: model.PartResult, Text: s}}}
			facts.Lift(&m, func(facts.Lifted) { n++ })
		}
		if n > 3*3*len(s) {
			t.Errorf("%q: %d facts of %d bytes", unit, n, len(s))
		}
	}
}
