package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// A compaction in the tool's own form: the file's bytes, then what the tool would
// append; read back, the history is the same and what is live is the summary and
// what was kept (ExportFile checks each message itself).
func TestNativeExportOfRealFiles(t *testing.T) {
	wrote := map[model.Format]int{}
	for _, path := range realdata.Sources(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := openReal(t, path)
			if !transcript.HasNative(f.Doc) {
				return
			}
			for _, pinned := range []bool{false, true} {
				s, err := f.Session(t.Context(), Ref{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				p := s.Policy()
				p.Tail, p.Batch, p.Triggers, p.Former, p.KeepFirstUser = model.Amount{N: 6, Unit: model.Messages}, model.Amount{}, nil, model.MergeFormer, pinned
				rec, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil)
				if err != nil || rec.Outcome != model.Applied {
					return
				}
				out := filepath.Join(t.TempDir(), "out.jsonl")
				if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Native: true}); err != nil {
					var pr *model.Problem
					if errors.As(err, &pr) && pr.Code == "no-native" {
						t.Log(err)
						return
					}
					t.Fatal(err)
				}
				input, err := f.Doc.Bytes(model.Span{Len: f.Doc.Size})
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(out)
				if err != nil || !bytes.HasPrefix(got, input) {
					t.Fatalf("the history did not stay, %v", err)
				}
				back := openReal(t, out)
				now, was := back.Doc.Conversations[0].Main(), s.Thread()
				if len(now.History) != len(was.History) || len(now.Found) != len(was.Found)+1 {
					t.Fatalf("%d messages and %d compactions instead of %d and %d", len(now.History), len(now.Found), len(was.History), len(was.Found)+1)
				}
				wrote[f.Doc.Format]++
			}
		})
	}
	least := 5
	if _, here := realdata.Look(t); !here {
		least = 0
	}
	if wrote[model.FormatClaudeCode] < max(1, least) || wrote[model.FormatCodex] < least {
		t.Errorf("too few files were written: %v", wrote)
	}
	t.Log(wrote)
}

func TestNativeExportSaysWhatItCant(t *testing.T) {
	s := smallSession(t)
	_, err := s.Overlay().ExportFile(t.Context(), Output{Path: filepath.Join(t.TempDir(), "out"), Native: true})
	var p *model.Problem
	if !errors.As(err, &p) || p.Code != "nothing-compacted" {
		t.Fatal(err)
	}
	compactTail(t, s, 4)
	if _, err = s.Overlay().ExportFile(t.Context(), Output{Path: filepath.Join(t.TempDir(), "out"), Native: true}); !errors.As(err, &p) || p.Code != "no-native" {
		t.Fatal(err)
	}
}

// A record whose result goes with its call, while what a person said beside it stays, can't be
// named by a boundary, which names whole records. One that stays whole is read back whole.
func TestNativeExportKeepsWholeRecords(t *testing.T) {
	link := func(uuid, parent, rest string) string {
		return fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"sessionId":"s","isSidechain":false,"timestamp":"2026-03-04T09:00:00.000Z",%s}`, uuid, parent, rest)
	}
	said := strings.Repeat("The larch mill needs a new saw. ", 40)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join([]string{
		link("a", "null", `"type":"user","message":{"role":"user","content":"`+said+`"}`),
		link("b", `"a"`, `"type":"assistant","message":{"id":"m0","role":"assistant","content":[{"type":"text","text":"`+said+`"}]}`),
		link("b2", `"b"`, `"type":"user","message":{"role":"user","content":"`+said+`"}`),
		link("b3", `"b2"`, `"type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"`+said+`"}]}`),
		link("c", `"b3"`, `"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Read","input":{}}]}`),
		link("d", `"c"`, `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"a saw"},{"type":"text","text":"and hurry"}]}`),
		link("e", `"d"`, `"type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"It is done."}]}`),
	}, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for tail, want := range map[int]string{2: "no-native", 4: ""} {
		s := openSession(t, path, Options{})
		compactTail(t, s, tail)
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: filepath.Join(t.TempDir(), "out"), Native: true}); problemCode(err) != want {
			t.Errorf("tail %d: %v, want %q", tail, err, want)
		}
	}
}

// A session of Cline with a part that is damaged is read as OpenAI Chat; with that part
// gone its export reads as Cline again, which is no fault of ours.
func TestAnExportMayBeKnownAgain(t *testing.T) {
	const head = `{"version":1,"updated_at":"2026-07-17T02:04:41.983Z","agent":"lead","sessionId":"178_x","system_prompt":"You are Cline.","messages":[`
	var b strings.Builder
	b.WriteString(head + `{"id":"a","role":"user","ts":1783376868634,"content":[{"type":"text","text":"Mend the scanner."},{"text":"` +
		strings.Repeat("a part of no type ", 60) + `"}]}`)
	for i := range 8 {
		role := []string{"assistant", "user"}[i%2]
		fmt.Fprintf(&b, `,{"id":"m%d","role":%q,"ts":%d,"content":[{"type":"text","text":%q}]}`, i, role, 1783376880004+i,
			strings.Repeat("what was said of it ", 40))
	}
	b.WriteString("]}")
	path := filepath.Join(t.TempDir(), "session.json")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openSession(t, path, Options{})
	if f := s.File().Doc.Format; f != model.FormatOpenAI {
		t.Fatalf("it is read as %s: the test proves nothing", f)
	}
	p := s.Policy()
	p.Strategy, p.Tail, p.KeepFirstUser = model.Drop, model.Amount{N: 2, Unit: model.Messages}, false
	if rec, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil); err != nil || rec.Outcome != model.Applied {
		t.Fatal(rec.Reason, err)
	}
	out := filepath.Join(t.TempDir(), "out.json")
	if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out}); err != nil {
		t.Fatal(err)
	}
	if again := openSession(t, out, Options{}); again.File().Doc.Format != model.FormatCline || len(again.Items()) != len(s.Items()) {
		t.Errorf("the export is read as %s with %d messages, not %d", again.File().Doc.Format, len(again.Items()), len(s.Items()))
	}
}
