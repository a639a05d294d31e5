package layers

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// docs/requirements.md has every row of the four history systems, names only tests that
// there are, and says of each place that is missing why. What it promises of the window is
// looked at there with data of the system.
func TestRequirements(t *testing.T) {
	text, err := os.ReadFile("../../docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	found, err := exec.Command("git", "-C", "../..", "grep", "-hoE", `^func (Test|Example)\w+`, "--", "*_test.go").Output()
	if err != nil {
		t.Skipf("without the history of the project: %v", err)
	}
	tests := map[string]bool{}
	for _, f := range strings.Split(string(found), "\n") {
		tests[strings.TrimPrefix(f, "func ")] = true
	}
	row := regexp.MustCompile(`(?m)^\| ([A-Z]\d+(?:, [A-Z]\d+)*) \| .+ \| (W?V?L?|–) \| (.*) \|$`)
	name := regexp.MustCompile(`\b(Test|Example)\w+`)
	systems, err := os.ReadFile("../../gui/systems_test.go")
	if err != nil {
		t.Fatal(err)
	}
	inWindow := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b(?:s\.row|same)\("([A-Z0-9 ]+)"`).FindAllStringSubmatch(string(systems), -1) {
		for _, id := range strings.Fields(m[1]) {
			inWindow[id] = true
		}
	}
	rows := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		for _, id := range strings.Split(m[1], ", ") {
			rows[id] = true
			if strings.Contains(m[2], "W") && !inWindow[id] {
				t.Errorf("%s: gui/systems_test.go does not look at it in the window", id)
			}
		}
		held := name.FindAllString(m[3], -1)
		for _, n := range held {
			if !tests[n] {
				t.Errorf("%s: there is no %s", m[1], n)
			}
		}
		if m[2] != "WVL" && !strings.Contains(name.ReplaceAllString(m[3], ""), ". ") {
			t.Errorf("%s: a place is missing without a reason: %s", m[1], m[3])
		}
	}
	for letter, last := range map[string]int{"A": 29, "B": 15, "C": 15, "D": 29, "X": 14, "N": 6} {
		for i := range last {
			if id := letter + strconv.Itoa(i+1); !rows[id] {
				t.Errorf("there is no row %s", id)
			}
		}
	}
}
