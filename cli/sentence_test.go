package cli

import (
	"errors"
	"testing"
)

// An error begins with a capital letter, but not by changing a file's name.
func TestSentencesKeepFileNames(t *testing.T) {
	for text, want := range map[string]string{
		"no such record":                 "No such record",
		"cut.json could not be read":     "cut.json could not be read",
		"a/b is empty":                   "a/b is empty",
		"my-notes holds no conversation": "my-notes holds no conversation",
	} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
