package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/model"
)

func mustParse(t *testing.T, text string) Query {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q
}

// What is typed, and how it is spelled when it is stored.
func TestQueriesAndTheirSpelling(t *testing.T) {
	for text, want := range map[string]string{
		`role:tool tool:Bash tokens>2k fate:S is:error is:pinned has:image file:src/ "exact words" -not /regexp/`: "",
		`  a   b `:                       `a b`,
		`tokens>=2000`:                   `tokens>=2k`,
		`tokens>2000`:                    `tokens>2k`,
		`tokens<500`:                     `tokens<500`,
		`tokens:1k..5k`:                  ``,
		`tokens:5k..`:                    `tokens>=5k`,
		`tokens:..5k`:                    `tokens<=5k`,
		`tokens=7`:                       `tokens:7`,
		`tokens:1.5m,7`:                  `tokens:1.5m,7`,
		`message:10..20`:                 ``,
		`ROLE:User,assistant`:            `role:user,assistant`,
		`角色:工具 词元>2万`:                    `role:tool tokens>20k`,
		`状态：错误 包含:图片`:                    `is:error has:image`,
		`角色：用户`:                          `role:user`,
		`去向:摘要`:                          `fate:S`,
		`fate:summarised,kept`:           `fate:S,K`,
		`is:错误`:                          `is:error`,
		`tool:"my tool",Read`:            ``,
		`-tool:mcp__*`:                   ``,
		`-"a b"`:                         ``,
		`“压缩 历史”`:                        `"压缩 历史"`,
		`"say \"hi\" \\ now"`:            ``,
		`/func \w+\(/i`:                  ``,
		`/a\/b/`:                         ``,
		`/usr/bin/env`:                   ``,
		`http://example.org/x?a=b`:       ``,
		`scan.go:88`:                     ``,
		`std::vector`:                    ``,
		`a=b x>y`:                        ``,
		`- -- -`:                         ``,
		`panic:`:                         ``,
		`has:code,link in:call -is:gone`: ``,
		`match:case,word a b`:            ``,
		`匹配:大小写,正则 a`:                    `match:case,regexp a`,
	} {
		q := mustParse(t, text)
		if want == "" {
			want = text
		}
		if got := q.String(); got != want {
			t.Errorf("%q is spelled %q, want %q", text, got, want)
		}
	}
}

// A mistake has a place and, where a name is near, a proposal.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]Error{
		`abc rol:tool`:  {Code: BadKey, Found: "rol", Meant: "role", From: 4, To: 7},
		`tokesn>2k`:     {},
		`tokesn:2k`:     {Code: BadKey, Found: "tokesn", Meant: "tokens", From: 0, To: 6},
		`role:asistant`: {Code: BadValue, Key: Role, Found: "asistant", Meant: "assistant", From: 5, To: 13},
		`is:broken`:     {Code: BadValue, Key: Is, Found: "broken", From: 3, To: 9},
		`x role:`:       {Code: NoValue, Key: Role, From: 2, To: 7},
		`tool:Bash,`:    {Code: NoValue, Key: Tool, From: 0, To: 10},
		`tokens>many`:   {Code: BadNumber, Key: Tokens, Found: "many", From: 7, To: 11},
		`tokens:5..1`:   {Code: BadNumber, Key: Tokens, Found: "5..1", From: 7, To: 11},
		`tokens<0`:      {Code: BadNumber, Key: Tokens, Found: "0", From: 7, To: 8},
		`a "open`:       {Code: OpenQuote, From: 2, To: 7},
		`role>tool`:     {Code: NoOrder, Key: Role, From: 0, To: 5},
		`/a(b/`:         {Code: BadRegexp, Found: "missing closing )", From: 0, To: 5},
		`tool:"Bash"x`:  {Code: BadValue, Key: Tool, Found: "x", From: 11, To: 12},
	} {
		_, err := Parse(text)
		if want == (Error{}) {
			if err != nil {
				t.Errorf("%q: %v, want words", text, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || *e != want {
			t.Errorf("%q: %+v, want %+v", text, err, want)
		} else if e.Error() == "" {
			t.Errorf("%q: no sentence", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`role:tool tokens>2k -"a b" /x y/i`, `角色：用户,助手 -`, `tokens:1..2,3 file:a,"b c"`, `match:regexp a( b`, `match:word,case "a b" -c`, "a\x00\"\xff", `-/`, `"a\"`, `tool:"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.From < 0 || e.To > len(text) || e.From > e.To || e.Error() == "" {
				t.Fatalf("%q: %+v", text, err)
			}
			return
		}
		again, err := Parse(q.String())
		if err != nil || !sameTerms(q, again) {
			t.Fatalf("%q reads back from %q as %+v, %v; was %+v", text, q.String(), again, err, q)
		}
		if again.String() != q.String() {
			t.Fatalf("%q, then %q", q, again)
		}
		Compile(q).Match(&Subject{}, []model.Part{{Text: text}}, &Scratch{})
		Complete(text, len(text)/2, Facts{Tool: {{"Bash", 3}}})
	})
}

func sameTerms(a, b Query) bool {
	if len(a.Terms) != len(b.Terms) {
		return false
	}
	for i := range a.Terms {
		x, y := a.Terms[i], b.Terms[i]
		x.From, x.To, y.From, y.To = 0, 0, 0, 0
		for k := range x.Values { // numbers are spelled anew
			if x.Key.Info().Number {
				x.Values[k].Text, y.Values[k].Text = "", ""
			}
		}
		if !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}

var subjects = map[string]Subject{
	"asked":  {Num: 1, Msg: &model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginTyped}, Tokens: 12, Live: true, Fate: model.Pinned},
	"called": {Num: 2, Msg: &model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Calls: []model.Call{{ID: "1", Name: "Bash"}}}, Tokens: 2000, Live: true, Fate: model.Summarised},
	"failed": {Num: 3, Msg: &model.Message{Role: model.RoleTool, Kind: model.KindResult, Error: true}, Tool: "Bash", Tokens: 2001, Files: func(p string) bool { return contains("src/lex.go", p) }},
}

var texts = map[string][]model.Part{
	"asked":  {{Kind: model.PartText, Text: "Why does the Straße of column offset fail?\n压缩历史记录 ```x```"}, {Kind: model.PartMedia, Name: "image/png"}},
	"called": {{Kind: model.PartReasoning, Text: "thinking of ſcan and K"}, {Kind: model.PartCall, Name: "Bash", Text: `{"command":"echo \"a\tb\" \u4e2d\u6587","n":5}`}},
	"failed": {{Kind: model.PartResult, Text: "panic: column 7, offset 2; see https://example.org"}},
}

func TestEachOperator(t *testing.T) {
	for text, want := range map[string]string{
		"role:tool": "failed", "role:user,assistant": "asked called", "-role:user": "called failed",
		"tool:bash": "called failed", "tool:B*h": "called failed", "tool:Ba": "", "-tool:Bash": "asked",
		"tokens>2k": "failed", "tokens>=2k": "called failed", "tokens:2k": "called", "tokens:10..20": "asked", "tokens<2k": "asked",
		"fate:S": "called", "fate:P,S": "asked called", "-fate:S": "asked failed",
		"is:error": "failed", "is:pinned": "asked", "is:typed": "asked", "is:live": "asked called", "is:gone": "failed",
		"has:image": "asked", "has:media": "asked", "has:call": "called", "has:reasoning": "called", "has:code": "asked", "has:link": "failed",
		"file:SRC/": "failed", "file:lib": "", "message:2..": "called failed",
		"column": "asked failed", "COLUMN Offset": "asked failed", `"column offset"`: "asked", `"column  offset"`: "",
		"-column": "called", "column -panic": "asked", "压缩": "asked", "历史记录": "asked", "straße": "asked", "strasse": "",
		"scan": "called", "k": "called", `echo`: "called", `"echo ""`: "", `a` + "\\": "", "中文": "called",
		"/col.mn \\d/": "failed", "/COL/": "", "/COL/i": "asked failed", "-/col/": "called",
		"in:call echo": "called", "in:result column": "failed", "in:reasoning scan": "called", "in:text scan": "", "-in:result column": "asked",
		"role:tool is:error column": "failed",
		"match:case column":         "asked failed", "match:case COLUMN": "", "-match:case COLUMN": "asked failed", `match:case "column Offset"`: "",
		"match:word col": "", "match:word Column": "asked failed", "match:word -col": "asked called failed", "match:case,word Column": "",
		"match:word 历史": "asked", "match:word scan": "called", "match:word,case scan": "", "match:word Straß": "", "match:word straße": "asked",
		"match:regexp COL.MN": "asked failed", "match:regexp,case COL.MN": "", `match:regexp "n \\d,"`: "failed", "match:regexp -col.": "called",
		"match:word,regexp col..n": "asked failed", "match:word,regexp col.": "", "匹配:整词 col": "", "match:case": "asked called failed",
	} {
		q, err := Parse(text)
		if err != nil {
			continue // `"echo ""` is a mistake
		}
		m, got, x := Compile(q), []string{}, &Scratch{}
		for _, name := range []string{"asked", "called", "failed"} {
			s := subjects[name]
			if _, ok := m.Match(&s, texts[name], x); ok {
				if got = append(got, name); !m.May(&s) {
					t.Errorf("%s: %s meets it and may not", text, name)
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s finds %v, want %s", text, got, want)
		}
	}
}

// A switch goes on and off, and several stay beside each other.
func TestToggle(t *testing.T) {
	q := mustParse(t, "role:tool column")
	for _, c := range [][2]string{{"case", "role:tool column match:case"}, {"word", "role:tool column match:case,word"},
		{"case", "role:tool column match:word"}, {"word", "role:tool column"}} {
		was := q.String()
		if q = q.Toggle(Match, c[0]); q.String() != c[1] {
			t.Errorf("%s with %s turned is %q, want %q", was, c[0], q, c[1])
		}
	}
	if q := mustParse(t, "match:case,word"); !q.Empty() {
		t.Error("switches alone ask for something")
	}
	q, err := Parse("match:regexp good bad( more")
	if e, ok := err.(*Error); !ok || e.Code != BadRegexp || e.From != 18 || e.To != 22 || q.String() != "match:regexp good" {
		t.Errorf("%q, %+v", q, err)
	}
}

// What is marked where a text is shown is what is found.
func TestMarksAreWhatIsFound(t *testing.T) {
	text := "Col; column; COLUMN; columns; (column)"
	for _, q := range []string{"column", "match:case column", "match:word column", "match:word,case COLUMN", "match:regexp c.l"} {
		query := mustParse(t, q)
		var want [][]int
		for _, p := range found(Compile(query), text, &Scratch{}).Places {
			want = append(want, []int{p.From, p.To})
		}
		if got := query.Expression().FindAllStringIndex(text, -1); !reflect.DeepEqual(got, want) {
			t.Errorf("%s marks %v, finds %v", q, got, want)
		}
	}
}

// Adjacent hits are one place.
func TestPlaces(t *testing.T) {
	q := mustParse(t, `column offset`)
	h, _ := Compile(q).Match(&Subject{}, []model.Part{{Text: "the Column offset, offset"}}, &Scratch{})
	if want := []Place{{0, 4, 17}, {0, 19, 25}}; h.Count != 2 || !reflect.DeepEqual(h.Places, want) {
		t.Errorf("%+v", h)
	}
}

// Places are counted and put in order also where more are found than are kept, of
// several terms that follow one another or not.
func TestManyPlaces(t *testing.T) {
	const n = mostPlaces + 500
	for q, each := range map[string]int{"column": 1, "offset": 1, "column offset": 1, "column path": 2, "/col[a-z]+/ offset": 1, "offset column path": 2} {
		h := found(Compile(mustParse(t, q)), strings.Repeat("column offset, path=1\n", n), &Scratch{})
		if h.Count != n*each || len(h.Places) != mostPlaces {
			t.Errorf("%s: %d places, %d kept; want %d", q, h.Count, len(h.Places), n*each)
		}
		for i := range h.Places[1:] {
			if h.Places[i].To >= h.Places[i+1].From {
				t.Fatalf("%s: %v before %v", q, h.Places[i], h.Places[i+1])
			}
		}
	}
}

// found is what a query finds in one text.
func found(m *Matcher, text string, x *Scratch) Hit {
	h, _ := m.Match(&Subject{}, []model.Part{{Text: text}}, x)
	return h
}

// letters mixes what folding and JSON spell in several ways.
var letters = []rune(`abkKsSſ` + "\u212a" + `ÄäßẞΣσς中文あ "\/<&	` + "\U0001f600\U00010400\U00010428\u2028")

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteRune(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// A literal is found where its folded form is in the folded text, and the bytes of
// the text hold its needle however JSON is spelled.
func TestLiteralsAndNeedles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := &Scratch{}
	for range 40000 {
		text := randomText(r, 1+r.IntN(24))
		word := randomText(r, 1+r.IntN(3))
		if r.IntN(2) == 0 { // one that is there
			runes := []rune(text)
			from := r.IntN(len(runes))
			word = string(runes[from:min(len(runes), from+1+r.IntN(5))])
		}
		m := &Matcher{texts: []term{{lit: newLiteral(word)}}}
		got := found(m, text, x).Count > 0
		if want := strings.Contains(foldText(text), foldText(word)); got != want {
			t.Fatalf("%q in %q: %v", word, text, got)
		}
		if n := needle(word); got && n != nil {
			for _, spelled := range spellings(text) {
				low := make([]byte, len(spelled))
				Lower(low, spelled)
				found := Escaped(low, 0) >= 0
				for _, alt := range n {
					found = found || bytes.Contains(low, alt)
				}
				if !found {
					t.Fatalf("%q of %q is missed in %s by %q", word, text, spelled, n)
				}
			}
		}
	}
}

type term = text

// spellings are the ways in which JSON may spell a text, also within a string.
func spellings(text string) (list [][]byte) {
	plain, _ := json.Marshal(text)
	list = append(list, plain)
	var b []byte
	for i := 0; i < len(plain); {
		r, n := utf8.DecodeRune(plain[i:])
		if i += n; r < 0x80 {
			b = append(b, byte(r))
			continue
		}
		quoted := strings.Trim(strconv.QuoteToASCII(string(r)), `"`)
		if strings.HasPrefix(quoted, `\U`) {
			u := []uint16{uint16(0xd800 + (r-0x10000)>>10), uint16(0xdc00 + (r-0x10000)&0x3ff)}
			quoted = `\u` + strconv.FormatUint(uint64(u[0]), 16) + `\u` + strconv.FormatUint(uint64(u[1]), 16)
		}
		b = append(b, quoted...)
	}
	twice, _ := json.Marshal(string(b))
	return append(list, b, twice)
}

func TestLower(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	got := make([]byte, 256)
	Lower(got, all)
	for i, c := range all {
		want := c
		if 'A' <= c && c <= 'Z' {
			want += 32
		}
		if got[i] != want {
			t.Errorf("%q becomes %q", c, got[i])
		}
	}
}

func TestRequiredLiterals(t *testing.T) {
	for source, want := range map[string]string{`foo.*barbaz`: "barbaz", `(a|b)c+`: "c", `x*`: "", `^func (\w+)\(`: "func ", `(hello)+`: "hello"} {
		if got := required(source); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	known := Facts{Tool: {{"Read", 14}, {"Bash", 6}, {"my tool", 3}, {"BashOutput", 9}}, Role: {{"tool", 20}, {"user", 2}}}
	for text, want := range map[string]string{
		"ro": "role:", "x to": "tool: tokens>", "tool:": "tool:Read tool:BashOutput tool:Bash tool:\"my tool\"",
		"-tool:ba": "tool:BashOutput tool:Bash", "tool:Read,b": "tool:Read,BashOutput tool:Read,Bash", "role:": "role:user role:tool",
		"角": "role:", "角色:工": "role:tool", "is:e": "is:error", "\"a to": "", "tokens:": "", "zzz": "",
	} {
		var got []string
		for _, o := range Complete(text, len(text), known) {
			got = append(got, o.Text)
			if after := text[:o.From] + o.Text; !strings.HasPrefix(after, text[:o.From]) || o.To != len(text) {
				t.Errorf("%s: %+v", text, o)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s offers %q, want %q", text, got, want)
		}
	}
}

func TestOnlyAndNot(t *testing.T) {
	q := mustParse(t, "tool:Bash,Read x")
	for got, want := range map[string]string{
		q.With(Tool, "Edit", false).String():                         "x tool:Edit",
		q.With(Tool, "Read", true).String():                          "tool:Bash x -tool:Read",
		q.With(Tool, "Bash", true).With(Tool, "Read", true).String(): "x -tool:Bash,Read",
		q.Drop(1).String():                                           "tool:Bash,Read",
		q.Turn(1).String():                                           "tool:Bash,Read -x",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestFilesOfCalls(t *testing.T) {
	for _, c := range []struct {
		args, part string
		want       bool
	}{
		{`{"file_path":"/home/a/src/lex.go","old":"b/src/x"}`, "src/", true},
		{`{"old":"b/src/x"}`, "src/", false},
		{`{"command":["bash","-lc","sed -n 1,5p src/lex.go"]}`, "src/l", true},
		{`{"command":"echo src"}`, "src", false},
		{"*** Begin Patch\n*** Update File: src/a.go\n", "src/", true},
		{`{"input":"*** Update File: src/a.go\n"}`, "A.GO", true},
		{`{"paths":["x.go","lib/y.go"]}`, "lib", true},
	} {
		if got := NamesFile(c.args, c.part); got != c.want {
			t.Errorf("%s names %s: %v", c.args, c.part, got)
		}
	}
}
