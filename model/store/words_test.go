package store

import (
	"pgregory.net/rapid"
	"strings"
	"testing"
	"unicode"
)

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		" \n\t—…!":                   "",
		"Hello, World":               " hello world ",
		"src/lex.go:41 parse_line()": " src lex go 41 parse line ",
		"解析器 rewritten":              " 解析器 rewritten ",
		"v2の解析器Parser":               " v2 の解析器 parser ",
		"ＦＵＬＬ　ｗｉｄｔｈ①":                " full width1 ",
		"ﾃｽﾄ テスト":                    " テスト テスト ",
		"Ünïcode STRASSE straße":     " ünïcode strasse straße ",
		"a\xff\xfeb":                 " a b ",
		"NUL\x00here":                " nul here ",
		"\u0e48a\u0e48 \u0301":       " a\u0e48 ",
		"サーバー":                       " サーバー ",
		"한국어 텍스트":                    " 한국어 텍스트 ",
		"R-0007 #1 100%":             " r 0007 1 100 ",
	} {
		if got := fold(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTermSpellings(t *testing.T) {
	for query, want := range map[string][3]string{
		"Parser":    {"% parser%", `"parser"*`, ""},
		"压缩":        {"%压缩%", `"压缩"`, ""},
		"析":         {"%析%", `"析"*`, ""},
		"解析器":       {"%解析器%", `"解析 析器"`, ""},
		"解析器Parser": {"%解析器 parser%", `"解析 析器 器 parser"*`, ""},
		"src/lex":   {"% src lex%", `"src lex"*`, ""},
	} {
		list := terms(query)
		if len(list) != 1 || list[0].like() != want[0] || list[0].match() != want[1] {
			t.Errorf("%q: %+v: %s, %s", query, list, list[0].like(), list[0].match())
		}
	}
	if list := terms(" -- ,, "); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// alphabet has what could be told apart wrongly: scripts, marks, wildcards and
// quotes of SQL and of the index.
var alphabet = []rune("abAB12 _%*\"'\\-/.解析器压缩のテーサ한국ก่าé\u0301ßＡ，。\x00\U0001F600")

// The index, the scan and the definition find the same.
func TestSearchProperty(t *testing.T) {
	s := openTemp(t)
	texts := rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 12, -1)
	rapid.Check(t, func(rt *rapid.T) {
		text := texts.Draw(rt, "text")
		query := rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 4, -1).Draw(rt, "query")
		if rapid.Bool().Draw(rt, "from the text") && text != "" {
			r := []rune(text)
			from := rapid.IntRange(0, len(r)-1).Draw(rt, "from")
			query = string(r[from:rapid.IntRange(from+1, len(r)).Draw(rt, "to")])
		}
		list := terms(query)
		if len(list) == 0 {
			return
		}
		rec := sampleRecord()
		rec.Summary, rec.KeyPoints = text, nil
		save(t, s, rec, nil)
		defer s.Delete(t.Context(), rec.ID)
		named := false // the text may also be part of a name of the record
		for _, name := range []string{rec.ID, rec.Session, rec.Path, rec.Model, rec.Policy.Preset, rec.Agent, rec.Reason, rec.SourceSHA} {
			named = named || strings.Contains(strings.ToLower(name), strings.ToLower(query))
		}
		want := true
		for _, term := range list {
			want = want && strings.Contains(fold(text), term.literal())
		}
		n, err := s.CountRecords(t.Context(), Filter{SourceSHA: rec.SourceSHA, Text: query})
		loose := strings.Contains(query, "\x00") // a LIKE pattern ends there, so that it may match any name
		if err != nil || n == 0 && (want || named) || n == 1 && !want && !named && !loose {
			rt.Errorf("%q in %q (%q): %d found, %v, want %v, named %v", query, text, fold(text), n, err, want, named)
		}
		ways := []textIndex{false}
		if s.index {
			ways = append(ways, true)
		}
		for _, t := range list {
			one := strings.Contains(fold(text), t.literal())
			for _, index := range ways {
				where, arg := index.has(t)
				if n := matching(rt, s, where, arg); (n == 1) != one {
					rt.Errorf("%q in %q (%q): %d tried, index %v, want %v", query, text, fold(text), n, index, one)
				}
			}
		}
	})
}

func matching(t *rapid.T, s *Store, where string, args ...any) (n int) {
	if err := s.read.Raw("SELECT count(*) FROM records WHERE "+where, args...).Row().Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A folded text holds no character that a pattern would read as another, and its
// words are found in it.
func FuzzFold(f *testing.F) {
	for _, seed := range []string{"", "Parser 解析器", "a_b%c\\", "\u0301a\u0301", "ǆ İ ß", "ガ", "１２"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folded := fold(text)
		for _, r := range folded {
			if r != ' ' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				t.Errorf("%q has %q", folded, r)
			}
		}
		for _, w := range strings.Fields(folded) {
			for _, term := range terms(w) {
				if !strings.Contains(folded, term.literal()) {
					t.Errorf("%q is not found in its own text %q", w, folded)
				}
			}
		}
	})
}
