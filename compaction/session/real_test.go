package session

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

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
	for _, path := range realdata.Sources(t) {
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
