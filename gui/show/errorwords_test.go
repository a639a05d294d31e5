package show

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/gui/words"
	"palimpsest/model/transcript"
)

// Why a file can't be opened is said in the person's language, and what to do.
func TestWhyAFileCannotBeOpenedIsTranslated(t *testing.T) {
	words.Set(words.Chinese)
	defer words.Set(words.English)
	dir := t.TempDir()
	broken := filepath.Join(dir, "a.jsonl.gz")
	if err := os.WriteFile(broken, []byte("\x1f\x8b\x08\x00 cut off"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "none.jsonl"), broken} {
		_, err := transcript.Open(t.Context(), path, transcript.Options{})
		head, rest, _ := ErrorWords(err)
		if text := head + rest; strings.Contains(text, "cannot") || strings.Contains(text, "could") || rest == "" {
			t.Errorf("%s: %q, %q", filepath.Base(path), head, rest)
		}
	}
}
