package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// projectDir is the folder with go.mod above the test.
func projectDir(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// realFiles gives the real transcripts this program can read, largest formats
// included; the test is skipped where they are not at hand.
func realFiles(t *testing.T) []string {
	t.Helper()
	root := filepath.Join(projectDir(t), "..", "shared", "data", "transcripts")
	var files []string
	for _, format := range []string{"claude_code", "codex_rollout", "openai_chat", "anthropic_messages", "malformed",
		"openai_responses", "gemini", "swe_agent", "mini_swe_agent", "sharegpt", "tau_bench", "cline", "chatgpt_export", "claude_ai_export",
		"pi", "copilot_cli", "openhands", "langchain", "inspect", "atif", "multi_agent",
	} {
		_ = filepath.WalkDir(filepath.Join(root, format), func(p string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), "sdk_events_") {
				files = append(files, p) // events of one conversation, a file each
				return filepath.SkipDir
			}
			if err == nil && !e.IsDir() && !strings.HasSuffix(p, ".meta.json") {
				files = append(files, p)
			}
			return nil
		})
	}
	if len(files) == 0 {
		t.Skip("the real transcripts of ../shared/data are not here")
	}
	return files
}

func openReal(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(context.Background(), path, Options{}, transcript.Options{})
	var p *model.Problem
	if errors.As(err, &p) && p.Code == "unknown-format" {
		t.Skip(p.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
