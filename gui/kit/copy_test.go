package kit

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is copied is what is seen: nothing in it acts on a terminal, and nothing is hidden.
func TestWhatIsCopiedDoesNotAct(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[31mred\x1b[0m text":             "red text",
		"ls\x1b[201~\rrm -rf ~":               "ls␛[201~␍rm -rf ~",
		"\x1b]0;title\a a\x9b b\u009b\u202ec": "␛]0;title␇ a\ufffd b\ufffd\ufffdc",
		"one\r\n\ttwo 漢 👩\u200d💻":             "one\n\ttwo 漢 👩\u200d💻",
		"end\x1b":                             "end␛",
	} {
		if got := copied(in); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

// Nothing reaches the clipboard by another way.
func TestOneWayToTheClipboard(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		if n := strings.Count(string(b), "Clipboard().SetContent("); n > 0 {
			if seen += n; filepath.Base(path) != "clean.go" {
				t.Errorf("%s does not use Copy", path)
			}
		}
		return err
	})
	if err != nil || seen != 1 {
		t.Error(seen, err)
	}
}
