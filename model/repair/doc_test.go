package repair

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

var update = flag.Bool("update", false, "write the table of docs/repair.md")

var doesWords = map[Does]string{RefusesLoad: "does not load it", RefusesCall: "every call is refused",
	LosesBefore: "loses what is before it", LosesLine: "loses what it says",
	MayRefuse: "some providers refuse the call", PutsRight: "puts it right", OnlySpace: "it only takes space",
	OnlyProvider: "only its provider can read it", Unknown: "not known"}

// The page says of each rule what each tool does, as the table of rules has it.
func TestThePageHasTheTableOfRules(t *testing.T) {
	titles := map[string]string{}
	for _, f := range transcript.Formats() {
		titles[string(f.Format)] = f.Title
	}
	var b strings.Builder
	const common = "Zero bytes"    // the rule that has lines of many others
	titleOf := map[string]string{} // the rule that has a line first
	cell := func(c Consequence) string {
		s := doesWords[c.Does]
		if c.Source != "" {
			s += fmt.Sprintf(" (%s: %s)", c.Sure, c.Source)
		}
		return s
	}
	for _, r := range Rules() {
		mend := r.Mend
		switch {
		case mend == "":
			mend = "none"
		case r.Asked:
			mend += "; only when asked for"
		}
		fmt.Fprintf(&b, "### %s\n\n`%s` · mend: %s\n\n", r.Title, r.ID, mend)
		var cells []string // in the order in which they are met
		tools := map[string][]string{}
		for _, f := range slices.Sorted(maps.Keys(r.Tools)) {
			if titles[f] == "" {
				t.Errorf("%s names the format %s, which there is not", r.ID, f)
			}
			c := cell(r.In(model.Format(f)))
			if tools[c] == nil {
				cells = append(cells, c)
			}
			tools[c] = append(tools[c], titles[f])
		}
		var lines, told []string // of told the tools are those of an earlier rule
		for _, c := range cells {
			line := fmt.Sprintf("- %s: %s\n", strings.Join(tools[c], "; "), c)
			lines = append(lines, line)
			if titleOf[line] == common {
				told = append(told, tools[c]...)
			}
		}
		for _, line := range lines {
			if titleOf[line] == "" {
				titleOf[line] = r.Title
			}
			if len(told) < 2 || titleOf[line] != common {
				b.WriteString(line)
			}
		}
		if len(told) > 1 {
			fmt.Fprintf(&b, "- %s: as for *%s*\n", strings.Join(told, "; "), common)
		}
		if r.Other.Does != "" && (r.Other.Does != Unknown && r.Other.Sure != "assumed" || len(cells) == 0) {
			rest := "others"
			if len(cells) == 0 {
				rest = "all"
			}
			fmt.Fprintf(&b, "- %s: %s\n", rest, cell(r.Other))
		}
		b.WriteString("\n")
	}
	path := filepath.Join(realdata.Root(t), "docs", "repair.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "## The rules\n\n"
	head, _, ok := strings.Cut(string(text), begin)
	want := head + begin + strings.TrimRight(b.String(), "\n") + "\n"
	switch {
	case !ok:
		t.Fatal("the page has no rules")
	case *update:
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	case want != string(text):
		t.Error("the page is not what the table says; go test ./model/repair -run TheTableOfRules -update writes it")
	}
}
