package facts_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// What a text holds is what the extractor lifts from it, whatever words were seen before
// and whatever is around them.
func TestFactsInKnownWords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	around := []string{" ", " ", " ", "\n", "\t", "(", "<", "*", "`", ":", "..", ",", "/", "-", "~", "5", "@", "文"}
	found := 0
	for range 30 {
		x := hardHistory(r, t)
		words := hardWords[:len(hardWords):len(hardWords)]
		for id := range x.Len() {
			f := x.Fact(facts.ID(id))
			words = append(words, f.Text)
			if at := strings.LastIndexByte(f.Text, '/'); f.Kind == facts.Path && at > 0 {
				words = append(words, f.Text[:at+1]+"{"+f.Text[at+1:]+", other.go}", f.Text[:at+1]+"{"+f.Text[at+1:]+" other.go}")
			}
		}
		for range 40 {
			var b strings.Builder
			for range r.IntN(40) {
				b.WriteString(words[r.IntN(len(words))] + around[r.IntN(len(around))])
			}
			got, want := x.FactsIn(b.String()), facts.PlainFactsIn(x, b.String())
			if found += len(want); !slices.Equal(got, want) {
				t.Fatalf("%q holds %v, by the extractor %v", b.String(), got, want)
			}
		}
	}
	if found < 5000 {
		t.Errorf("%d facts", found)
	}
}

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
