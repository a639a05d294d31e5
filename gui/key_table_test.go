package gui

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/gui/words"
)

var update = flag.Bool("update", false, "write docs/keys.md anew")

const keysBegin, keysEnd = "<!-- keys: made from the table of commands by go test ./gui -run TestKeyTable -update -->\n", "<!-- end of keys -->\n"

const keysFile = "../docs/keys.md"

// The table of keys in docs/keys.md is the table of commands.
func TestKeyTable(t *testing.T) {
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
	raw, err := os.ReadFile(keysFile)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	from, to := strings.Index(text, keysBegin), strings.Index(text, keysEnd)
	if from < 0 || to < 0 {
		t.Fatalf("%s has no place for the keys", keysFile)
	}
	want := text[:from+len(keysBegin)] + b.String() + text[to:]
	if want == text {
		return
	}
	if !*update {
		t.Fatalf("%s does not list the keys of the commands; run go test ./gui -run TestKeyTable -update", keysFile)
	}
	if err := os.WriteFile(keysFile, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
