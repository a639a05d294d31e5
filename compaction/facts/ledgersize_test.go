package facts_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// hardWords end and begin in whatever a vocabulary may join with a line break, a slash, a
// comma or a colon.
var hardWords = []string{"/srv/app/main.go", "/srv/app/cmd/", "/srv/app/cmd/run.go", "/srv/app/cmd/deep/x(1).py", "./lib/a_", "../up/b.ts", "bare.go",
	"/tmp/日志/错误.log", "C:/x/y.txt", "app/(main)/page.tsx", "app/[id]/page.tsx", "session.State", "session.reset", "__init__", "v1.2.3", "v2.0.0-rc.1",
	"#1234", "deadbeef0123", "--dry-run", "--no-x", "MAX_RETRIES", "TestDrain", "test_drain", "don't", "it's_x", "5 MB", "0.033 mL/min", "97%", "$20", "1,000 rows",
	"https://a.example/b/?q=1", "http://x.example/", "\"two words!\"", "'quoted, text'", "`git push -f`", "`make -j4 \\`", "“引文内容。”", "参数--dry-run"}

var hardLines = []string{"Error: no such file: x.go:", "Error: it failed!", "TypeError: a is not b)", "错误：无法打开。", "Never touch config.yaml!",
	"You must use tabs:", "必须保留日志。", "I decided to keep sqlite.", "I decided to keep it (for now)", "$ go test ./...", "$ ls /"}

func hardHistory(r *rand.Rand, t *testing.T) *facts.Index {
	n := 20 + r.IntN(30)
	x, err := facts.Build(context.Background(), facts.Standard, n, func(int) (facts.Message, error) {
		text := ""
		for range 1 + r.IntN(25) {
			word := hardWords[r.IntN(len(hardWords))]
			if r.IntN(3) == 0 {
				word = fmt.Sprintf("/srv/%s/mod_%d/file%d%s", []string{"app", "lib)", "x-"}[r.IntN(3)], r.IntN(4), r.IntN(9), []string{".go", "/", ".d/", "_"}[r.IntN(4)])
			}
			if text += word + " "; r.IntN(4) == 0 {
				text += "\n" + hardLines[r.IntN(len(hardLines))] + "\n"
			}
		}
		author := []facts.Author{facts.User, facts.Agent, facts.Tool}[r.IntN(3)]
		kind := model.PartText
		if author == facts.Tool {
			kind = model.PartResult
		}
		return facts.Message{Author: author, Parts: []model.Part{{Kind: kind, Text: text}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The size of a list is known before it is written, to the token: for code points and both
// vocabularies, whatever its facts begin and end in.
func TestSizesOfListsAddUp(t *testing.T) {
	counts := map[string]func(string) int{"code points": utf8.RuneCountInString}
	for _, e := range []tokens.Encoding{tokens.O200k, tokens.Cl100k} {
		counts[string(e)] = func(s string) int { return tokens.Count(e, s) }
	}
	r := rand.New(rand.NewPCG(5, 6))
	histories := map[string]*facts.Index{}
	for _, name := range []string{"samples/long-coding-run.jsonl", "samples/mixed-languages.json", "samples/tool-heavy-build.json"} {
		histories[name] = open(t, name).index(t, facts.Standard)
	}
	for i := range 40 {
		histories[fmt.Sprint("drawn ", i)] = hardHistory(r, t)
	}
	lists, known := 0, 0
	for name, x := range histories {
		for counted, count := range counts {
			adding := x.Lister(count).AddsUp(count, func(n int) int { return n })
			for range 6 {
				c := anyChange(r, x)
				q := facts.LedgerRequest{At: c.At, Removed: []model.Range{{To: c.At}}, Away: c.Away, Remaining: c.Remaining,
					Budget: []int{60, 299, 700, 1600, 4000}[r.IntN(5)], Chinese: r.IntN(3) == 0}
				facts.Sizes(adding, q, func(n int) int { return n - 1 - r.IntN(1+n/8) }, func(text string, size int, ok bool) {
					if lists++; ok {
						known++
					}
					if n := count(text); ok && n != size {
						t.Fatalf("%s by %s: %d add up, there are %d in\n%s", name, counted, size, n, text)
					}
				})
				got, want := adding.Ledger(q), x.Lister(count).Ledger(q)
				if got.Text != want.Text {
					t.Fatalf("%s by %s: %+v:\n%s\nby writing each:\n%s", name, counted, q, got.Text, want.Text)
				}
				before := x.Fact(facts.ID(r.IntN(x.Len()))).Text + []string{"\n", "\n\n", ".\n\n", " /\n", "…\n\n"}[r.IntN(5)]
				if n := count(before + got.Text); got.Behind(before) != n || want.Behind(before) != n {
					t.Fatalf("%s by %s: %d behind %q, by what was counted before %d", name, counted, n, before, got.Behind(before))
				}
			}
		}
	}
	if lists < 1000 || known < lists*9/10 {
		t.Errorf("%d of %d lists are known", known, lists)
	}
}
