package session

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Once its tool blocks are summarised, an Anthropic talk reads like an OpenAI
// one, and so does Cline's list of such messages; the export is none the worse
// for it.
func TestTalkThatLosesItsLastToolBlock(t *testing.T) {
	talk := strings.Replace(`[{"role":"user","content":"Read a.go, please, and tell me all about what it holds in it."},
{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"path":"a.go"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"package a, and a long comment about the letter a, its history, its uses, its friends and its foes, its shape and its sound"}]},
{"role":"assistant","content":"A package clause."},
{"role":"user","content":"And its name?"},
{"role":"assistant","content":"a"}]`, "a long comment", strings.Repeat("a long comment ", 30), 1)
	t.Run("Anthropic", func(t *testing.T) { exportsTextOnly(t, talk, model.FormatAnthropic) })
	timed := strings.ReplaceAll(talk, `{"role"`, `{"ts":1783376868634,"role"`)
	t.Run("Cline", func(t *testing.T) { exportsTextOnly(t, timed, model.FormatCline) })
}

func exportsTextOnly(t *testing.T, talk string, format model.Format) {
	t.Helper()
	ctx, src := context.Background(), []byte(talk)
	d, err := transcript.Read(ctx, "talk.json", bytes.NewReader(src), int64(len(src)), transcript.Options{})
	if err != nil || d.Format != format {
		t.Fatal(err, d.Why)
	}
	s, err := NewFile(d, Options{}).Session(ctx, Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Tail, p.KeepFirstUser = model.Amount{N: 2, Unit: model.Messages}, false
	rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatal(err, rec)
	}
	if _, err := s.Overlay().ExportFile(ctx, Output{Path: filepath.Join(t.TempDir(), "out.json")}); err != nil {
		t.Fatal(err)
	}
}
