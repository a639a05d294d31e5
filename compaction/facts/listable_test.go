package facts

import (
	"strings"
	"testing"
)

// A list holds no nudges, no single plain quoted words, and nothing that a terminal
// would obey.
func TestWhatIsWorthAPlaceInAList(t *testing.T) {
	for f, want := range map[Fact]bool{
		{Instruction, "continue"}:              false,
		{Instruction, "never touch the lexer"}: true,
		{Instruction, "不要动数据库"}:                true,
		{Quoted, "same"}:                       false,
		{Quoted, "choose your color"}:          true,
		{Path, "a\x1b[31m.go"}:                 false,
	} {
		if got := listable(f); got != want {
			t.Errorf("%v: %v", f, got)
		}
	}
}

// Names of one family stand together, options and IDs apart.
func TestNamesAreGrouped(t *testing.T) {
	var b strings.Builder
	l := ledgerLayout{words: &ledgerWords[0]}
	l.names(&b, []string{"session.State", "--force", "repoRoot", "#14", "session.reset", "2f6fcb1"})
	want := "\nNames: session.State session.reset repoRoot\nOptions: --force\nIDs: #14 2f6fcb1"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
