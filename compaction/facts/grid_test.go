package facts_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

var update = flag.Bool("update", false, "write the golden file of facts")

// grid are texts at the edges of the rules: each shape of a token at each length, in each
// frame that a token is told by.
func grid() (texts []string) {
	add := func(format string, args ...any) { texts = append(texts, fmt.Sprintf(format, args...)) }
	tokens := func(who string, list ...string) {
		for part := range slices.Chunk(list, 4) {
			add("%s: then %s end", who, strings.Join(part, " then "))
		}
	}
	var hex, words, numbers, versions, paths, quotes []string
	for _, n := range []int{5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 31, 32, 33, 39, 40, 41, 63, 64, 65, 127, 128, 129} {
		hex = append(hex, strings.Repeat("a0b1c2d3", 20)[:n], strings.Repeat("0123456789", 20)[:n], strings.Repeat("QmZ7", 40)[:n])
	}
	for n := 1; n < 9; n++ {
		abc := "abcdefghij"[:n]
		words = append(words, abc+"_x", "x_"+abc, "_"+abc, abc+"_", strings.ToUpper(abc)+"_X", abc+"Case", "Ab"+strings.ToUpper(abc), abc+"-1", "--"+abc,
			"-"+abc, "#"+"1234567890"[:n], "E"+"1234567890"[:n], "@"+abc+"/x", abc+"@x.org", abc+"()", abc+".b()", abc+"::b", "$"+abc, "%"+abc, abc+"=1")
		numbers = append(numbers, "1234567890"[:n]+" ms", "0."+"1234567890"[:n]+" %", "1"+strings.Repeat(",234", n)+" items", "$"+"1234567890"[:n],
			"1234567890"[:n]+"x", "3 "+abc, "1234567890"[:n], "-"+"1234567890"[:n]+" MB", "12-"+"1234567890"[:n]+" tests")
		versions = append(versions, strings.Repeat("1.", n)+"2", "v"+strings.Repeat("3.", n)+"0", "1.2.3-"+abc, "go1."+"1234567890"[:n])
		paths = append(paths, strings.Repeat("d/", n)+"f.go", "/"+strings.Repeat("d/", n), "./"+abc, "~/"+abc, "../"+abc, abc+".go", "a."+abc, "."+abc,
			abc+"/"+abc, "C:\\"+strings.Repeat("d\\", n)+"f.txt", "a/{b,"+abc+"}.go", "d/f.go:"+"1234567890"[:n], "d/f.go:1:"+"1234567890"[:n],
			"https://h.org/"+abc, "http://"+abc, "https://"+abc+".dev/x?y=1#z.", "ftp://h/"+abc+")", "https://h.org/a_("+abc+")", "www."+abc+".org")
	}
	tokens("t", hex...)
	tokens("t", words...)
	tokens("t", numbers...)
	tokens("t", versions...)
	tokens("t", paths...)
	tokens("a", paths[:20]...)
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 20, 39, 40, 41, 79, 80, 81, 119, 120, 121, 199, 200, 201, 299, 300, 301, 400} {
		said := strings.TrimSpace(strings.Repeat("say so now ", 50)[:n])
		quotes = append(quotes, "“"+said+"”", "\""+said+"\"", "'"+said+"'", "`"+said+"`", "「"+said+"」", "«"+said+"»")
		add("u: Never %s.", said)
		add("u: Please %s?\n- Always %s\n2. %s", said, said, said)
		add("a: I decided to %s because of it.", said)
		add("a: Let's %s. We will use %s", said, said)
		add("t: ok\nError: %s\nall well", said)
		add("t: x.go:1:2: %s\nKeyError: %s\npanic: %s\nexit status %d", said, said, said, n%10)
		add("t: %s error: no\n--- FAIL: Test%s\nTraceback: %s", said, strings.ReplaceAll(said, " ", ""), said)
		add(`c: {"command":"run %s | tail -5 && cd /srv; A=1 go test ./%s > out.txt # no"}`, said, strings.ReplaceAll(said, " ", "/"))
		add("t: $ %s\n> %s\n# %s\n%% %s", said, said, said, said)
		add("a: Now:\n```sh\n%s\nmake %s\n```", said, said)
	}
	for part := range slices.Chunk(quotes, 3) {
		add("u: It says %s here.", strings.Join(part, " and "))
		add("a: It says %s here.", strings.Join(part, " and "))
	}
	for _, s := range []string{"不要改", "请不要改动地名。", "决定采用渡轮。因为近。", "错误：文件不存在", "共5处，320 像素 42分", "“地名表”在docs/说明.md里", "必须先测试，再提交。", "以后都用 go test ./..."} {
		add("u: %s", s)
		add("a: %s", s)
		add("t: %s", s)
	}
	return texts
}

// The facts of each text of the grid are known, and so is what an index of them tells.
func TestFactsOfTheGrid(t *testing.T) {
	texts := grid()
	var b strings.Builder
	for _, text := range texts {
		short := text
		if r := []rune(text); len(r) > 90 {
			short = fmt.Sprintf("%s… (%d)", string(r[:90]), len(r))
		}
		fmt.Fprintf(&b, "%q\n", short)
		m := say(text)
		facts.Lift(&m, func(l facts.Lifted) {
			fact := l.Text
			if len(fact) > 60 {
				fact = fmt.Sprintf("%s…%s (%d)", fact[:40], fact[len(fact)-12:], len(fact))
			}
			fmt.Fprintf(&b, "  %s %d %q\n", l.Kind, l.Where, fact)
		})
	}
	x := index(t, texts...)
	n := x.Messages()
	fmt.Fprintf(&b, "%d facts, %d places\n", x.Len(), x.Total())
	for id := range facts.ID(x.Len()) {
		if id%23 == 0 {
			fmt.Fprintf(&b, "%q: %.3f of %.2f in %v\n", x.Fact(id).Text[:min(40, len(x.Fact(id).Text))], x.Weight(id, n), x.Evidence(id, n), x.Occurrences(id))
		}
	}
	changes := []facts.Change{fire(n/3, n/4), fire(n/2, n/3, "what is left: d/f.go and abc_x, E123"), fire(n-9, n/2)}
	for _, c := range changes {
		s := x.Survive(c)
		fmt.Fprintf(&b, "of %v: %v, standing %v\n", c.Removed, s.Kinds, s.Standing)
		for _, l := range s.Lost(5) {
			fmt.Fprintf(&b, "  lost %s %.40q %.3f %v\n", l.Kind, l.Text, l.Weight, l.At)
		}
	}
	needs := x.NeededLater(changes)
	fmt.Fprintf(&b, "needed %v by kinds %v by firings %v in halves %v, %d missed\n", needs.Recall, needs.Kinds, needs.Firings, needs.Halves, len(needs.Misses))
	for _, u := range x.UsedAfter(changes, 1) {
		fmt.Fprintf(&b, "  used %.30q %d %d %d %v %v\n", u.Text, u.Last, u.Before, u.Shown, u.Uses, u.Strict())
	}
	lister := x.Lister(func(s string) int { return (len(s) + 3) / 4 })
	for _, budget := range []int{0, 9, 10, 20, 40, 80, 160, 600} {
		for _, chinese := range []bool{false, true} {
			text := lister.Ledger(facts.LedgerRequest{At: n, Removed: []model.Range{{To: n / 2}}, Kept: []model.Range{{From: n / 2, To: n}}, Budget: budget, Chinese: chinese})
			fmt.Fprintf(&b, "ledger of %d: %q\n", budget, text)
			fmt.Fprintf(&b, "  starts at %d, title %v\n", facts.LedgerStart("Before.\n\n"+text), facts.IsLedgerTitle(text[:max(0, strings.IndexByte(text, '\n'))]))
			for line := range strings.Lines(text) {
				if k, rest, ok := facts.LedgerHead(line); ok {
					fmt.Fprintf(&b, "  %s: %d bytes follow\n", k, len(rest))
				}
			}
		}
	}
	const path = "testdata/grid.txt"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("line %d of %s:\n got %s\nwant %s", i+1, path, line, lines[min(i, len(lines)-1)])
		}
	}
}
