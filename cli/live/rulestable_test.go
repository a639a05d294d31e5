package live

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each rule of the gateway and each known fault of other proxies names a test in
// docs/live.md; each test that is named there is here.
func TestEveryRuleHasATest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "live.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "### Which test shows what")
	table, _, ends := strings.Cut(table, "\n#")
	if !found || !ends {
		t.Fatal("the table is not there")
	}
	var source strings.Builder
	files, _ := filepath.Glob("*_test.go")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(b)
	}
	rules := map[string]bool{}
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 4 || strings.HasPrefix(cells[1], "-") || strings.TrimSpace(cells[1]) == "rule or fault" {
			continue
		}
		named := regexp.MustCompile(`Test\w+`).FindAllString(cells[2], -1)
		if len(named) == 0 && !strings.Contains(cells[2], "does not apply") {
			t.Errorf("no test for %s", cells[1])
		}
		for _, name := range named {
			if !strings.Contains(source.String(), "func "+name+"(") {
				t.Errorf("%s names %s, which is not here", cells[1], name)
			}
		}
		if n := regexp.MustCompile(`^\s*(\d+)\.`).FindStringSubmatch(cells[1]); n != nil {
			rules[n[1]] = true
		}
	}
	if len(rules) != 12 {
		t.Errorf("%d rules have a row", len(rules))
	}
}
