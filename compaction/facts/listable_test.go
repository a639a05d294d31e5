package facts

import (
	"strings"
	"sync"
	"testing"
)

// A list holds no nudges, no single plain quoted words, and nothing that a terminal
// would obey.
func TestWhatIsWorthAPlaceInAList(t *testing.T) {
	for f, want := range map[Fact]bool{
		{Instruction, "continue"}:                        false,
		{Instruction, "never touch the lexer"}:           true,
		{Instruction, "不要动数据库"}:                          true,
		{Quoted, "same"}:                                 false,
		{Quoted, "choose your color"}:                    true,
		{Quoted, "Started session: "}:                    false,
		{Path, "a\x1b[31m.go"}:                           false,
		{Error, "694 +      error: skippedError,"}:       false,
		{Error, "[test] $ go test ./"}:                   false,
		{Error, "error: script \"build\" exited with 1"}: true,
		{Command, `cat > "$prompt"`}:                     false,
		{Command, "cat go.mod"}:                          true,
		{Identifier, "codeThe"}:                          false,
		{Identifier, "prompt.The"}:                       false,
		{Identifier, "readThem"}:                         true,
		{Identifier, "The_Name"}:                         true,
	} {
		if got := listable(f, ""); got != want {
			t.Errorf("%v: %v", f, got)
		}
	}
}

// Names of one family are listed together, options and IDs apart.
func TestNamesAreGrouped(t *testing.T) {
	var b strings.Builder
	x := &Index{leads: make([]string, 6)}
	var ids []ID
	for i, name := range []string{"session.State", "--force", "repoRoot", "#14", "session.reset", "2f6fcb1"} {
		x.facts, ids = append(x.facts, Fact{Identifier, name}), append(ids, ID(i))
	}
	x.names = sync.OnceValue(x.readNames)
	l := ledgerLayout{x: x, leads: true, words: &ledgerWords[0]}
	for i, want := range []string{"IDs: #14 2f6fcb1", "IDs: #14, fixed in 2f6fcb1"} {
		x.leads[5] = []string{"", "fixed in"}[i]
		b.Reset()
		l.names(&b, ids)
		if want = "\nNames: session.State session.reset repoRoot\nOptions: --force\n" + want; b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}
