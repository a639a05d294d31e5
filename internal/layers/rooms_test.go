package layers

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// top is all that there is at the top of the repository.
var top = strings.Fields(`go.mod go.sum main.go gui model compaction assets FyneApp.toml README.md cli docs scripts internal
	LICENSE Makefile .gitattributes .gitignore .ci .github`)

// TestTheTopIsTidy looks at what is in the repository, not at what lies beside it.
func TestTheTopIsTidy(t *testing.T) {
	list := exec.CommandContext(t.Context(), "git", "ls-tree", "--name-only", "HEAD")
	list.Dir = filepath.Join("..", "..")
	out, err := list.Output()
	if err != nil {
		t.Skip("this is no clone: ", err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if !slices.Contains(top, name) {
			t.Errorf("%s is at the top of the repository", name)
		}
	}
}
