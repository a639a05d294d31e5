package gui

import (
	"os"
	"path/filepath"
	"strings"
)

// upper is a heading in capitals, as groups of a list have them; Chinese has
// none.
func upper(s string) string { return strings.ToUpper(s) }

// shortHome writes a path in the person's home with a tilde.
func shortHome(path string) string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator)); ok {
		return filepath.Join("~", rest)
	}
	return path
}

// home puts a person's folder in the place of a leading tilde.
func home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}
