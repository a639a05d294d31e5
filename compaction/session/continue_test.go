package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// growingCopy is a real JSON Lines file cut at about a share of its lines, as a
// file of the test's own, and what is missing of it.
func growingCopy(t *testing.T, name string, share float64) (path string, rest []byte) {
	t.Helper()
	files := append(realdata.Sources(t), filepath.Join(realdata.Root(t), "assets", "samples", "long-coding-run.jsonl"))
	i := slices.IndexFunc(files, func(p string) bool { return filepath.Base(p) == name })
	if i < 0 {
		t.Skip("not among the real transcripts: " + name)
	}
	data, err := os.ReadFile(files[i])
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	head := bytes.Join(lines[:int(share*float64(len(lines)))], nil)
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, head, 0o666); err != nil {
		t.Fatal(err)
	}
	return path, data[len(head):]
}

func appendTo(t *testing.T, path string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func openStored(t *testing.T, st Store, path string) (*File, *Session) {
	t.Helper()
	f, err := Open(t.Context(), path, Options{Store: st}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

func compactTail(t *testing.T, s *Session, tail int) *model.Record {
	t.Helper()
	p := s.Policy()
	p.Tail, p.Batch, p.Triggers = model.Amount{N: tail, Unit: model.Messages}, model.Amount{}, nil
	rec, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatalf("%+v, %v", rec, err)
	}
	return rec
}

// A record needs the prefix it was made on: it stays while the file grows,
// the next one is made on it, what they leave can be exported (which reads it
// back), and opening the grown file again finds both.
func TestARecordStandsWhileTheFileGrows(t *testing.T) {
	names := []string{"entire_cli_b8e923_2compacts_summaries.jsonl", "agentv_f4771e_2compacted.jsonl",
		"jnarowski_full_session_two_images.jsonl", "agentv_1f4427_1.jsonl"}
	if _, here := realdata.Look(t); !here {
		names = []string{"long-coding-run.jsonl"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { st.Close() })
			path, rest := growingCopy(t, name, .6)
			f, s := openStored(t, st, path)
			before := s.File().Doc
			first := compactTail(t, s, 10)
			follower, err := transcript.Follow(f.Doc)
			if err != nil {
				t.Fatal(err)
			}
			half := len(rest) / 2
			half += bytes.IndexByte(rest[half:], '\n') + 1
			var left int
			for _, part := range [][]byte{rest[:half], rest[half:]} {
				appendTo(t, path, part)
				change, d, err := follower.Next(t.Context())
				if err != nil || change != transcript.FileGrown {
					t.Fatalf("change %d, %v", change, err)
				}
				longer := s.File().Longer(d)
				n, err := longer.Continue(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				left += len(n.TakeOver(s))
				fresh, err := longer.Session(t.Context(), Ref{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(n.counts.raw, fresh.counts.raw) || n.counts.estimated != fresh.counts.estimated {
					t.Fatal("counting on gives other numbers than counting anew")
				}
				if len(fresh.Stack()) != len(n.Stack()) {
					t.Fatalf("%d records stand on the grown file when it is opened anew, %d when it was followed", len(fresh.Stack()), len(n.Stack()))
				}
				s = n
			}
			if left > 0 {
				t.Fatalf("%d records were left behind", left)
			}
			if stack := s.Stack(); len(stack) != 1 || stack[0].ID != first.ID || s.At() != len(s.Thread().History) {
				t.Fatalf("%d records stand, at %d of %d", len(stack), s.At(), len(s.Thread().History))
			}
			second := compactTail(t, s, 5)
			if second.Base != first.ID || second.SourceSize <= first.SourceSize || first.SourceSHA != before.Hash() {
				t.Fatalf("the second record stands on %q of %d bytes", second.Base, second.SourceSize)
			}
			if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: filepath.Join(t.TempDir(), "out.jsonl")}); err != nil {
				t.Fatal(err)
			}
			_, again := openStored(t, st, path)
			if got, want := again.Items(), s.Items(); !slices.Equal(got, want) {
				t.Fatalf("opened anew %d messages are live, %d before", len(got), len(want))
			}
			stack, err := StackOf(t.Context(), st, second)
			if err != nil || len(stack) != 2 {
				t.Fatalf("%d records under the second, %v", len(stack), err)
			}
			var original bytes.Buffer
			if err := st.WriteSource(t.Context(), first.ID, &original); err != nil || int64(original.Len()) != before.Size {
				t.Fatalf("%d bytes come back, %v", original.Len(), err)
			}
		})
	}
}

// A rewind takes the messages away that a record was made on: it is left behind
// and said.
func TestARewindLeavesTheRecordBehind(t *testing.T) {
	line := func(uuid, parent, role, text string) string {
		if parent != "null" {
			parent = `"` + parent + `"`
		}
		return `{"type":"` + role + `","uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"s","message":{"role":"` + role + `","content":"` + text + `"}}` + "\n"
	}
	text := strings.Repeat("a text of some length ", 40)
	var b strings.Builder
	b.WriteString(line("u0", "null", "user", text))
	last := "u0"
	for _, id := range strings.Split("abcdefghijkl", "") {
		b.WriteString(line(id, last, map[bool]string{true: "user", false: "assistant"}[len(b.String())%2 == 0], text))
		last = id
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), path, Options{}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec := compactTail(t, s, 2)
	s.SetAt(3)
	follower, err := transcript.Follow(f.Doc)
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, []byte(line("z", "b", "user", "another way")))
	_, d, err := follower.Next(t.Context())
	if err != nil || d == nil {
		t.Fatal(err)
	}
	n, err := f.Longer(d).Continue(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	left := n.TakeOver(s)
	if len(left) != 1 || left[0] != rec || len(n.Stack()) != 0 || n.At() != 3 {
		t.Fatalf("%d left, %d stand, at %d", len(left), len(n.Stack()), n.At())
	}
	if len(s.Stack()) != 1 {
		t.Error("the former session was changed")
	}
}
