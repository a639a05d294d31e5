package session

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// realFiles gives the real transcripts this program can read, largest formats
// included; the test is skipped where they are not at hand.
func realFiles(t *testing.T) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	root := filepath.Join(dir, "..", "shared", "data", "transcripts")
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

// Every real file, every preset: the compaction fits its rules, the export
// loads again with the promised live list (ExportFile checks that itself), adds
// no orphan, and restoring gives the input's bytes.
func TestEveryPresetOnEveryRealFile(t *testing.T) {
	for _, path := range realFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := openReal(t, path)
			input, err := f.Doc.Bytes(model.Span{Len: f.Doc.Size})
			if err != nil {
				t.Fatal(err)
			}
			choices := f.Choices()
			if len(choices) > 4 {
				choices = choices[:4]
			}
			for _, c := range choices {
				for _, preset := range compaction.Presets() {
					compactReal(t, f, c.Ref, preset, input)
				}
			}
		})
	}
}

func compactReal(t *testing.T, f *File, ref Ref, preset compaction.Preset, input []byte) {
	t.Helper()
	ctx := context.Background()
	s, err := f.Session(ctx, ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.adopt(preset.Policy)
	if p.Tail.Unit == model.Tokens { // short files must compact too
		p.Tail.N = min(p.Tail.N, int(s.Plan(p, compaction.Options{}).Before.Tokens)/4)
	}
	rec, err := s.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatalf("%s: %v", preset.ID, err)
	}
	if rec.Outcome != model.Applied {
		return
	}
	if rec.After.Tokens >= rec.Before.Tokens || rec.After.Messages > rec.Before.Messages {
		t.Errorf("%s: from %+v to %+v", preset.ID, rec.Before, rec.After)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := s.ExportFile(ctx, out, false); err != nil {
		t.Errorf("%s %v: %v", preset.ID, ref, err)
		return
	}
	if _, err := s.Restore(ctx, rec.ID); err != nil {
		t.Fatal(err)
	}
	var back bytes.Buffer
	if _, err := s.Export(&back); err != nil || !bytes.Equal(back.Bytes(), input) {
		t.Errorf("%s: restoring does not give the input back: %v", preset.ID, err)
	}
}
