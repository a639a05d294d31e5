package gui

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/gui/words"
)

var update = flag.Bool("update", false, "write the key table of the README anew")

const keysBegin, keysEnd = "<!-- keys: made from the table of commands by go test ./gui -update -->\n", "<!-- end of keys -->\n"

// The README's table of keys is the table of commands.
func TestReadmeKeys(t *testing.T) {
	s := newStage(t)
	words.Set(words.English)
	var b strings.Builder
	b.WriteString("| key | does |\n|---|---|\n")
	for _, c := range s.Commands.List {
		if c.Run == nil || len(c.Keys) == 0 {
			continue
		}
		for i, k := range c.Keys {
			if i > 0 {
				b.WriteString(" or ")
			} else {
				b.WriteString("| ")
			}
			fmt.Fprintf(&b, "`%s`", k)
		}
		fmt.Fprintf(&b, " | %s |\n", strings.TrimSuffix(c.Title(), "…"))
	}
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	from, to := strings.Index(text, keysBegin), strings.Index(text, keysEnd)
	if from < 0 || to < 0 {
		t.Fatal("README.md has no place for the keys")
	}
	want := text[:from+len(keysBegin)] + b.String() + text[to:]
	if want == text {
		return
	}
	if !*update {
		t.Fatal("the key table of the README is not that of the commands; run go test ./gui -run TestReadmeKeys -update")
	}
	if err := os.WriteFile("../README.md", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
