package body_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/body"
	"palimpsest/model/transcript"
)

// paper is one whose letters are all as wide: 8, and 16 those of Chinese.
func paper(width float32) body.Paper {
	return body.Paper{Width: width, Pitch: 19, Letter: func(_ body.Face, r rune) float32 {
		if r >= 0x2E80 {
			return 16
		}
		return 8
	}}
}

func part(kind model.PartKind, name, text string) model.Part {
	return model.Part{Kind: kind, Name: name, Text: text, CallID: "c1"}
}

func read(o body.Options, parts ...model.Part) *body.Doc { return body.Read(parts, o) }

// kinds is the body of each message of the sample with every kind of content.
func kinds(t *testing.T) []*body.Doc {
	t.Helper()
	doc, err := transcript.Open(context.Background(), "testdata/kinds.jsonl", transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []*body.Doc
	calls := map[string]model.Part{}
	th := doc.Conversations[0].Main()
	for i := range th.Messages {
		parts, err := doc.Parts(&th.Messages[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if p.Kind == model.PartCall {
				calls[p.CallID] = p
			}
		}
		call := calls[th.Messages[i].Answers]
		list = append(list, read(body.Options{Tool: call.Name, Args: call.Text}, parts...))
	}
	return list
}

// blocksOf counts the kinds of blocks.
func blocksOf(list []*body.Doc) map[body.Kind]int {
	n := map[body.Kind]int{}
	for _, d := range list {
		for _, b := range d.Blocks {
			n[b.Kind]++
		}
	}
	return n
}

func TestEveryKindOfContentIsRecognised(t *testing.T) {
	n := blocksOf(kinds(t))
	for _, k := range []body.Kind{body.Paragraph, body.Heading, body.Verbatim, body.Code, body.Diff, body.Tree, body.Table, body.Rule, body.Picture} {
		if n[k] == 0 {
			t.Errorf("no block of kind %d in %v", k, n)
		}
	}
	if n[body.Diff] != 4 { // an edit, a diff that a tool printed, two files of a patch
		t.Errorf("%d diffs", n[body.Diff])
	}
}

func TestMarkdownIsDrawnAsSuch(t *testing.T) {
	d := prose("# A *head*\n\nOne `code` and **bold** [link](https://a.example).\nnext line\n\n" +
		"1. first\n2. second\n   - inner\n\n> said\n\n| a | b |\n|---|--:|\n| `x|y` | 2 |\n\n[ref]: https://b.example\n")
	var got []string
	for _, b := range d.Blocks {
		got = append(got, b.Marker+strings.ReplaceAll(b.Text, "\t", "¦"))
	}
	want := []string{"A head", "One code and bold link.\nnext line", "1.first", "2.second", "•inner", "said", "a¦b\nx¦y¦2", "[ref]: https://b.example"}
	if strings.Join(got[:6], "|") != strings.Join(want[:6], "|") || got[len(got)-1] != want[7] {
		t.Errorf("%q", got)
	}
	p := d.Blocks[1]
	looks := map[string]body.Span{}
	for _, s := range p.Spans {
		looks[p.Text[s.From:s.To]] = s
	}
	if !looks["code"].Code || !looks["bold"].Bold || looks["link"].Link != "https://a.example" {
		t.Errorf("%+v", p.Spans)
	}
	if q := d.Blocks[5]; q.Quote != 1 || d.Blocks[4].Indent != 2 {
		t.Errorf("%+v", q)
	}
}

// A path is shown with every character that it has.
func TestPathsStayLiteral(t *testing.T) {
	for _, path := range []string{`C:\Users\ann\.conf\settings.json`, `D:\a\_b\x.ps1`, `\\host\share\(1)`} {
		var got strings.Builder
		for _, b := range prose("# Files\n\nKeep " + path + " as it is.").Blocks {
			got.WriteString(b.Text)
		}
		if !strings.Contains(got.String(), path) {
			t.Errorf("%s is shown as %q", path, got.String())
		}
	}
}

// Whatever a text is taken for, every letter of it is shown, in order.
func TestNoLetterIsLost(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"# ", "- ", "> ", "`", "```\n", "**", "_", "a", "bc", "会", "é", "\n", "\n\n", "    ", "|", "|-|\n",
			"<b>", "</b>", "<!-- x", " -->", "[l](u)", "[l]: u", "1. ", "~~", "\\", "&amp;", " ", "\t", "---\n", "***", "{\"k\":1}", "  1→v\n", "\r\n", "ש"}), 0, 40).Draw(t, "words")
		text := strings.Join(words, "")
		if strings.Contains(text, "[l](u)") || strings.Contains(text, "&amp;") || strings.Contains(text, "```\n") {
			return // what leads elsewhere, and the names of characters and languages, are not text
		}
		var got strings.Builder
		for _, b := range prose(text).Blocks {
			got.WriteString(b.Text + b.Title)
		}
		if letters(got.String()) != letters(text) {
			t.Fatalf("%q became %q", text, got.String())
		}
	})
}

// Rows hold all of a body's text and none is wider than the paper, whatever it is.
func TestRowsHoldTheText(t *testing.T) {
	for _, width := range []float32{120, 400, 1200} {
		for n, d := range kinds(t) {
			p := paper(width)
			p.Open = map[body.Fold]bool{}
			for i := range d.Blocks {
				p.Open[body.Fold{Block: i, Line: body.Middle}] = true
				for line := range d.Blocks[i].Ends {
					p.Open[body.Fold{Block: i, Line: line}] = true
				}
			}
			l := d.Lay(p)
			shown := make([]strings.Builder, len(d.Blocks))
			for _, r := range l.Rows {
				b := &d.Blocks[r.Block]
				if r.Kind != body.RowText {
					continue
				}
				if r.Cells > 0 {
					continue // wrapped cell by cell
				}
				s := b.Text[r.From:r.To]
				shown[r.Block].WriteString(s)
				wide := float32(0)
				for _, c := range strings.TrimSpace(s) {
					if c != '\t' {
						wide += p.Letter(body.FaceText, c)
					}
				}
				if b.Kind != body.Heading && wide > width && len([]rune(s)) > 1 && r.X < width/2 {
					t.Errorf("message %d: %q is %v wide on %v", n+1, s, wide, width)
				}
			}
			for i := range d.Blocks {
				b := &d.Blocks[i]
				strip := func(s string) string { return strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s) }
				if b.Kind != body.Table && strip(shown[i].String()) != strip(b.Text) {
					t.Errorf("message %d, block %d: rows hold %q of %q", n+1, i, shown[i].String(), b.Text)
				}
			}
		}
	}
}

// A body of 50 MB is laid out by looking at its ends only: what it costs is counted
// in letters that are measured.
func TestAHugeBodyOpensAtOnce(t *testing.T) {
	for name, text := range map[string]string{
		"lines":    strings.Repeat("a line of the output of a program that prints and prints\n", 50<<20/57),
		"one line": strings.Repeat("word ", 10<<20),
		"json":     "[" + strings.Repeat(`{"a":1},`, 6<<20) + "{}]",
		"escapes":  strings.Repeat("\x1b[31mred\x1b[0m\n", 4<<20),
	} {
		for _, kind := range []model.PartKind{model.PartText, model.PartResult, model.PartCall} {
			d := read(body.Options{}, part(kind, "t", text))
			p, measured := paper(800), 0
			letter := p.Letter
			p.Letter = func(f body.Face, r rune) float32 { measured++; return letter(f, r) }
			l := d.Lay(p)
			if measured > 300_000 || len(l.Rows) > 4000 || len(l.Rows) < 100 {
				t.Errorf("%s as %v: %d letters measured for %d rows", name, kind, measured, len(l.Rows))
			}
			end := body.Place{Block: len(d.Blocks) - 1, At: len(text) / 2}
			if f, hidden := l.Hides(end); !hidden || f.Line != body.Middle {
				t.Errorf("%s as %v: the middle is not folded", name, kind)
			}
		}
	}
}

func TestTheFoldedMiddle(t *testing.T) {
	text := strings.Repeat("one\n", 1000)
	d := read(body.Options{}, part(model.PartResult, "", text))
	l := d.Lay(paper(400))
	var fold body.Row
	for _, r := range l.Rows {
		if r.Kind == body.RowFold {
			fold = r
		}
	}
	if n := strings.Count(text[fold.From:fold.To], "\n"); n != 700 || len(l.Rows) != 301 {
		t.Errorf("%d lines are folded, %d rows", n, len(l.Rows))
	}
	p := paper(400)
	p.Open = map[body.Fold]bool{{Block: 0, Line: body.Middle}: true}
	if l := d.Lay(p); len(l.Rows) != 1000 {
		t.Errorf("%d rows when it is open", len(l.Rows))
	}
	if i := l.RowOf(body.Place{Block: 0, At: 4 * 950}); l.Rows[i].From != 4*950 || l.Rows[i].Line != 950 {
		t.Errorf("%+v", l.Rows[i])
	}
}

func TestEditsAreDiffs(t *testing.T) {
	marks := func(b body.Block) string {
		var s strings.Builder
		for _, m := range b.Marks {
			s.WriteByte(m.Sign)
		}
		return s.String()
	}
	for name, c := range map[string]struct{ args, title, marks string }{
		"Claude":   {`{"file_path":"a.go","old_string":"x\ny","new_string":"x\nz\n"}`, "a.go", " -+"},
		"opencode": {`{"filePath":"a.go","oldString":"x","newString":"y"}`, "a.go", "-+"},
		"editor":   {`{"command":"str_replace","path":"a.go","old_str":"x","new_str":""}`, "a.go", "-"},
		"many":     {`{"file_path":"a.go","edits":[{"old_string":"x","new_string":"y"}]}`, "a.go", "-+"},
		"patch":    {`{"input":"*** Begin Patch\n*** Update File: b.py\n@@ def f\n-x\n+y\n z\n*** End Patch"}`, "b.py", "@-+ "},
		"shell":    {`{"command":["apply_patch","*** Begin Patch\n*** Add File: n.txt\n+y\n*** End Patch"]}`, "n.txt", "+"},
		"search":   {`{"path":"c.ts","diff":"------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n"}`, "c.ts", "-+"},
		"bare":     {"*** Begin Patch\n*** Update File: b.py\n-x\n+y\n*** End Patch", "b.py", "-+"},
	} {
		d := read(body.Options{}, part(model.PartCall, "Edit", c.args))
		b := d.Blocks[0]
		if b.Kind != body.Diff || b.Title != c.title || marks(b) != c.marks {
			t.Errorf("%s: kind %d, %q, %q", name, b.Kind, b.Title, marks(b))
		}
		if n := strings.Count(b.Text, "\n") + 1; n != len(b.Marks) {
			t.Errorf("%s: %d lines, %d marks", name, n, len(b.Marks))
		}
	}
	d := read(body.Options{}, part(model.PartResult, "", "said before\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@ f\n a\n-b\n+c\n"))
	if len(d.Blocks) != 2 || d.Blocks[1].Title != "x" {
		t.Fatalf("%+v", d.Blocks)
	}
	last := d.Blocks[1].Marks[6]
	if last != (body.Mark{Sign: '+', New: 4}) {
		t.Errorf("%+v", last)
	}
	// What an edit has beside its texts is shown too.
	d = read(body.Options{}, part(model.PartCall, "Edit", `{"file_path":"a","old_string":"x","new_string":"y","replace_all":true}`))
	if len(d.Blocks) != 2 || d.Blocks[1].Text != "replace_all: true" {
		t.Errorf("%+v", d.Blocks)
	}
}

// A body behind another one is laid out as it is alone, with a gap before it.
func TestABodyBehindAnother(t *testing.T) {
	const text = "- one\n- two\n  - three\n\nand more"
	p := paper(800)
	alone, first := prose(text).Lay(p), prose("before").Lay(p)
	both := prose("before")
	both.Add(prose(text))
	if got, want := len(both.Lay(p).Rows), len(first.Rows)+1+len(alone.Rows); got != want {
		t.Errorf("%d rows together, want %d", got, want)
	}
}

func TestTreesFold(t *testing.T) {
	text := `{"name":"x","list":[1,{"deep":null}],"text":"a\nb","n":1.50,"e":{}}`
	d := read(body.Options{}, part(model.PartCall, "f", text))
	want := "name: \"x\"\nlist: [\n  0: 1\n  1: {\n    deep: null\ntext: |\n  a\n  b\nn: 1.50\ne: {}"
	if b := d.Blocks[0]; b.Kind != body.Tree || b.Text != want || b.Ends[1] != 4 || b.Ends[5] != 7 {
		t.Fatalf("%v %v\n%s", b.Kind, b.Ends, b.Text)
	}
	p := paper(800)
	if n := len(d.Lay(p).Rows); n != 10 {
		t.Errorf("%d rows", n)
	}
	p.Open = map[body.Fold]bool{{Block: 0, Line: 1}: false}
	l := d.Lay(p)
	if len(l.Rows) != 7 {
		t.Errorf("%d rows when the list is folded", len(l.Rows))
	}
	hit := d.Find("DEEP")[0]
	if f, hidden := l.Hides(hit.Start()); !hidden || f.Line != 1 {
		t.Errorf("the hit is hidden by %+v %v", f, hidden)
	}
}

func TestTerminalColours(t *testing.T) {
	d := read(body.Options{}, part(model.PartResult, "", "\x1b[1;31mbad\x1b[0m ok \x1b[38;5;208mx\x1b[39m\rnext\x1b[2K \x1b[48;2;1;2;3my"))
	b := d.Blocks[0]
	if b.Text != "bad ok x\nnext\x1b[2K y" {
		t.Fatalf("%q", b.Text)
	}
	if s := b.Spans; len(s) != 3 || s[0].Ink != body.InkRed || !s[0].Bold || s[1].RGB != 0x01FF8700 || s[2].Back != 0x01010203 {
		t.Errorf("%+v", b.Spans)
	}
}

// In a result code with numbers is code, in the language of the file that the call
// names.
func TestFilesAreCode(t *testing.T) {
	d := read(body.Options{Tool: "Read", Args: `{"file_path":"x/a.go"}`}, part(model.PartResult, "", "     7→func a() {\n     8→\treturn 1 // one\n     9→}\n"))
	b := d.Blocks[0]
	if b.Kind != body.Code || b.First != 7 || b.Title != "x/a.go" || len(b.Spans) == 0 {
		t.Fatalf("%+v", b)
	}
	for _, r := range d.Lay(paper(600)).Rows {
		if r.Kind == body.RowText && r.Head && int(r.No) != 7+int(r.Line) {
			t.Errorf("%+v", r)
		}
	}
	for lang, code := range map[string]string{"go": "func f() string { return `x` }", "python": "def f():\n    return 1", "ts": "const a: number = 1",
		"app.tsx": "const a = 1", "rust": "fn main() {}", "bash": "if true; then echo x; fi", "json": `{"a": 1}`, "yaml": "a: 1", "c++": "int x = 1;",
		"html": "<b>x</b><script>let a = 1</script>", "sql": "select 1 from t", "Makefile": "a: b\n\tc", "Dockerfile": "FROM x"} {
		b := prose("```" + lang + "\n" + code + "\n```\n").Blocks[0]
		if b.Kind != body.Code || b.Text != code || len(b.Spans) == 0 {
			t.Errorf("%s has no colours: %+v", lang, b)
		}
	}
}

func TestCopying(t *testing.T) {
	parts := []model.Part{part(model.PartText, "", "# H\n\n- a **b**\n"), part(model.PartCall, "run", `{"x":1}`)}
	d := body.Read(parts, body.Options{})
	from, to := d.All()
	if got := d.Text(from, to); got != "H\n\n• a b\n\nx: 1" {
		t.Errorf("%q", got)
	}
	if got := d.Text(body.Place{Block: 1, At: 2}, body.Place{Block: 1, At: 3}); got != "b" {
		t.Errorf("%q", got)
	}
	if got := d.Markdown(); got != "# H\n\n- a **b**\n\n**run**\n\n```json\n{\n  \"x\": 1\n}\n```" {
		t.Errorf("%q", got)
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(d.JSON()), &list); err != nil || len(list) != 2 || list[1]["name"] != "run" {
		t.Errorf("%v %v", err, list)
	}
	diff := read(body.Options{}, part(model.PartCall, "Edit", `{"file_path":"a","old_string":"x\nk","new_string":"y\nk"}`))
	from, to = diff.All()
	if got := diff.Text(from, to); got != "-x\n+y\n k" {
		t.Errorf("%q", got)
	}
}

func TestPicturesAreDecodedWithinLimits(t *testing.T) {
	doc, err := transcript.Open(context.Background(), "testdata/kinds.jsonl", transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	th := doc.Conversations[0].Main()
	for i := range th.Messages {
		raw, err := doc.Bytes(th.Messages[i].Pieces[0].Span)
		if err != nil {
			t.Fatal(err)
		}
		for _, im := range body.Pictures(raw) {
			if found++; im == nil || im.Bounds().Dx() != 96 {
				t.Errorf("%v", im)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d pictures", found)
	}
	bomb := `{"d":"iVBORw0KGgoAAAANSUhEUgABAAAAAQAACAYAAABccqhmAAAAAElFTkSuQmCCAAAAAAAAAAAAAAAA"}`
	if list := body.Pictures([]byte(bomb)); len(list) != 1 || list[0] != nil {
		t.Errorf("%v", list)
	}
}

// Links that are laid over a text keep what it looks like, and its letters.
func TestLinksAreLaidOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab*_` 会")), 0, 40, -1).Draw(t, "text")
		from := rapid.IntRange(0, 20).Draw(t, "from")
		to := from + rapid.IntRange(1, 20).Draw(t, "length")
		for _, b := range body.Read([]model.Part{{Text: text}}, body.Options{Links: func(s string) []body.Span {
			if to > len(s) {
				return nil
			}
			return []body.Span{{From: from, To: to, Link: "message:1"}}
		}}).Blocks {
			at, linked := 0, 0
			for _, s := range b.Spans {
				if s.From < at || s.To <= s.From || s.To > len(b.Text) {
					t.Fatalf("%q: %+v", b.Text, b.Spans)
				}
				if at = s.To; s.Link != "" {
					linked += s.To - s.From
				}
			}
			if to <= len(b.Text) && linked != to-from {
				t.Fatalf("%q: %d bytes are linked, not %d: %+v", b.Text, linked, to-from, b.Spans)
			}
		}
	})
}

// What is found in a long text is what an expression matches, case and all.
func TestALongTextHasThePlacesOfAShortOne(t *testing.T) {
	words := []string{"needle", "Needle", "NEEDLE", "need", "le", "压缩", "straße", "STRASSE", "Maße", "kelvin", "aa", "aaa", " "}
	r := rand.New(rand.NewPCG(1, 2))
	for _, odd := range []string{"", "\u212aelvin"} {
		var b strings.Builder
		for b.Len() < 80<<10 {
			b.WriteString(words[r.IntN(len(words))])
		}
		d := &body.Doc{Blocks: []body.Block{{Text: b.String() + odd}}}
		for _, source := range []string{"(?i:needle)", "needle", "(?i:needle)|aa", "aa|(?i:need)", "(?i:压缩)", "(?i:maße)", "(?i:kelvin)", "n[e]+dle", "(?i)le|压"} {
			re := regexp.MustCompile(source)
			want := re.FindAllStringIndex(d.Blocks[0].Text, body.MostHits)
			got := d.FindAll(re)
			if len(got) != len(want) || len(want) == 0 {
				t.Fatalf("%s: %d places, want %d", source, len(got), len(want))
			}
			for i, h := range got {
				if h.From != want[i][0] || h.To != want[i][1] {
					t.Fatalf("%s: place %d is %d–%d, want %v", source, i, h.From, h.To, want[i])
				}
			}
		}
	}
}

// BenchmarkFind looks through a line of 18 MB, and has an expression do it beside it.
func BenchmarkFind(b *testing.B) {
	line := strings.Repeat("abcdefghij klmnop ", 1<<20) + "needle"
	d := &body.Doc{Blocks: []body.Block{{Text: line}}}
	for name, find := range map[string]func() int{
		"body":       func() int { return len(d.Find("NEEDLE")) },
		"expression": func() int { return len(regexp.MustCompile("(?i)NEEDLE").FindAllStringIndex(line, -1)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				if n := find(); n != 1 {
					b.Fatalf("%d places", n)
				}
			}
		})
	}
}

// prose is a body of one Markdown text.
func prose(text string) *body.Doc { return body.Read([]model.Part{{Text: text}}, body.Options{}) }
