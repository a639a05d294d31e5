package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// checkpoint is one in the bytes of a file.
var checkpoint = regexp.MustCompile(`"type":\s*"(compaction|compaction_summary)",\s*"[a-z_]*":\s*"|"encrypted_content":\s*"[^"]*",\s*"type":\s*"compaction"`)

// What a person chooses for a checkpoint that only the provider can read is so in the file
// that is written: it is there or gone, and the summary names the messages before it or not.
func TestCheckpointsInFiles(t *testing.T) {
	root := realdata.Root(t)
	realdata.Transcripts(t)
	for _, c := range []struct {
		path string
		set  model.Checkpoints
		gone int    // of what looks like one in the bytes; two of c08 can be read, and are merged
		told string // the head of the summary
	}{
		{"transcripts/codex_rollout/agentv_f4771e_2compacted.jsonl", model.CheckpointsStay, 0, "Messages 349–510:"},
		{"transcripts/codex_rollout/agentv_f4771e_2compacted.jsonl", model.LoseCheckpoints, 1, "Messages 349–510:"},
		{"transcripts/codex_rollout/agentv_f4771e_2compacted.jsonl", model.FromOriginals, 1, "Messages 2–510:"},
		{"reports3/c08_responses_compaction_items.json", model.CheckpointsStay, 2, "Messages 1–22:"},
		{"reports3/c08_responses_compaction_items.json", model.FromOriginals, 3, "Messages 1–22:"},
		{"reports3/c08b_responses_opaque_checkpoint.json", model.FromOriginals, 0, "Messages 1–8:"},
		{"reports3/c08b_responses_opaque_checkpoint.json", model.LoseCheckpoints, 1, "Messages 1–8:"},
	} {
		t.Run(string(c.set)+" "+filepath.Base(c.path), func(t *testing.T) {
			path := filepath.Join(root, "..", "shared", "data", c.path)
			source, err := os.ReadFile(path)
			if err != nil {
				t.Skip("the file is not here")
			}
			d, err := transcript.Open(t.Context(), path, transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := NewFile(d, Options{Verb: true}).Session(t.Context(), Ref{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := compaction.BasePolicy()
			p.Strategy, p.Tail, p.Checkpoints = model.NoteText, model.Amount{N: 4, Unit: model.Messages}, c.set
			rec, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil)
			if err != nil || rec.Outcome != model.Applied {
				t.Fatalf("%+v, %v", rec, err)
			}
			out := filepath.Join(t.TempDir(), "out"+filepath.Ext(path))
			if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out}); err != nil {
				t.Fatal(err)
			}
			written, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			had, has := checkpoint.FindAll(source, -1), checkpoint.FindAll(written, -1)
			if len(had)-len(has) != c.gone || len(had) == 0 || !strings.Contains(rec.Summary, c.told) {
				t.Errorf("%d checkpoints of %d; %.200s", len(has), len(had), rec.Summary)
			}
			if bytes.Equal(written, source) {
				t.Error("nothing was written")
			}
		})
	}
}

// Signed thinking after a message that goes is said in the plan, and stays word for word; with NoThinking
// it is not in the file, and all else is. What is before the first change keeps its own.
func TestThinkingBehindWhatGoes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"model":"claude-fable-5-1","messages":[{"role":"user","content":"begin"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"T-first","signature":"c2lnbmVk"},{"type":"text","text":"A-first"}]}`)
	for i := range 8 {
		fmt.Fprintf(&b, `,{"role":"user","content":"question %d, %s"}`, i, strings.Repeat("at some length ", 90))
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"thinking","thinking":"T-%d","signature":"c2lnbmVk"},{"type":"text","text":"A-%d"}]}`, i, i)
	}
	b.WriteString(`,{"role":"user","content":"more"},{"role":"assistant","content":[{"type":"thinking","thinking":"T-alone","signature":"c2lnbmVk"}]}]}`)
	for _, leave := range []bool{false, true} {
		d, err := transcript.Read(t.Context(), "a.json", strings.NewReader(b.String()), int64(b.Len()), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewFile(d, Options{Verb: true}).Session(t.Context(), Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := compaction.BasePolicy()
		p.Budget = model.Amount{N: 200, Unit: model.Tokens}
		p.Tail, p.NoThinking, p.Pins = model.Amount{N: 6, Unit: model.Messages}, leave, []model.Range{{From: 0, To: 2}}
		draft, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
		if err != nil || draft.Plan.Outcome != compaction.WouldApply {
			t.Fatalf("%v, %v", draft.Plan.Why, err)
		}
		want := compaction.Reason{Code: "thinking-stale", N: 3}
		if leave {
			want.Code = "thinking-left-out"
		}
		if !slices.Contains(draft.Plan.Warnings, want) {
			t.Errorf("warnings %v", draft.Plan.Warnings)
		}
		if _, err := s.Records.Apply(t.Context(), draft); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out.json")
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out}); err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		for text, there := range map[string]bool{"T-first": true, "A-first": true, "A-7": true, "A-6": true, "T-3": false,
			"T-7": !leave, "T-6": !leave, "T-alone": !leave} {
			if bytes.Contains(written, []byte(text)) != there {
				t.Errorf("leave out %v: %q is in the file: %v", leave, text, !there)
			}
		}
		if bytes.Count(written, []byte(`"signature"`)) != map[bool]int{false: 4, true: 1}[leave] || !json.Valid(written) {
			t.Errorf("leave out %v: %s", leave, written)
		}
	}
}
