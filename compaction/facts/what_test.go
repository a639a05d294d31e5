package facts

import (
	"testing"

	"palimpsest/model"
)

// Lines of a program and of its output are neither orders nor errors, a word in quotes is no
// string that could be missed, and what a person says beside them still is.
func TestFactsAreWhatTheirKindSays(t *testing.T) {
	lifted := func(a Author, k model.PartKind, text string) (kinds []Fact) {
		Lift(&Message{Author: a, Parts: []model.Part{{Kind: k, Text: text}}}, func(l Lifted) { kinds = append(kinds, l.Fact) })
		return kinds
	}
	for _, text := range []string{"import random", `return f"{n:,}"`, "create mode 100644 a/b.go", "Commit: Test User <test@example.com>",
		`"""Format a number with commas."""`, "error: null,", "it took 1s", "there is \"user\" in it"} {
		for _, f := range lifted(User, model.PartText, text) {
			if f.Kind == Instruction || f.Kind == Error || f.Kind == Number || f.Kind == Quoted {
				t.Errorf("%q holds %s %q", text, f.Kind, f.Text)
			}
		}
	}
	for text, kind := range map[string]Kind{"import the table of prices first": Instruction, "return the value as it was read": Instruction,
		"create a file for each mode": Instruction, "Commit the change with a test": Instruction, "error: no such table: users": Error,
		"wait 15s for it": Number, `call it "user name"`: Quoted} {
		found := false
		for _, f := range lifted(User, model.PartText, text) {
			found = found || f.Kind == kind
		}
		if !found {
			t.Errorf("%q holds no %s", text, kind)
		}
	}
}
