package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// Fifty records over real sessions, chains of three among them: every one gives
// its whole input file back with the SHA-256 it had, its covered bytes have the
// hash it states, restoring it brings the list back that it was made on, and
// undoing the restore brings the record back.
func TestFiftyRecordsAreRestoredAndComeBack(t *testing.T) {
	ctx := context.Background()
	st, err := store.Open(filepath.Join(t.TempDir(), "fifty.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var chains [][]*model.Record
	files := map[string]string{} // record to its file
	total, deep := 0, 0
	for _, path := range realdata.Sources(t) {
		if total >= 50 && deep >= 3 {
			break
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() || info.Size() > 8<<20 {
			continue
		}
		f, err := Open(ctx, path, Options{Store: st}, transcript.Options{})
		if err != nil {
			continue // malformed ones are other tests' business
		}
		s, err := f.Session(ctx, Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Policy()
		live := s.Plan(p, compaction.Options{}).Before.Messages
		p.Triggers, p.Former = nil, model.MergeFormer
		p.Tail, p.Batch = model.Amount{N: live / 4, Unit: model.Messages}, model.Amount{N: max(2, live/5), Unit: model.Messages}
		var chain []*model.Record
		for len(chain) < 3 {
			rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if rec.Outcome != model.Applied {
				break
			}
			chain, files[rec.ID] = append(chain, rec), path
		}
		if len(chain) > 0 {
			total += len(chain)
			chains = append(chains, chain)
			if n, err := LoadNested(ctx, st, chain[len(chain)-1]); err != nil {
				t.Fatal(err)
			} else if n.Levels() == 3 {
				deep++
				reachesItsOriginals(t, n, chain)
			}
			restoreAll(t, s, chain)
		}
		f.Close()
	}
	identical := 0
	for _, chain := range chains {
		for _, rec := range chain {
			want, err := os.ReadFile(files[rec.ID])
			if err != nil {
				t.Fatal(err)
			}
			var back bytes.Buffer
			if err := st.WriteSource(ctx, rec.ID, &back); err != nil {
				t.Fatal(err)
			}
			if a, b := sha256.Sum256(want), sha256.Sum256(back.Bytes()); a != b || hex.EncodeToString(a[:]) != rec.SourceSHA {
				t.Errorf("%s of %s gives other originals back", rec.ID, files[rec.ID])
				continue
			}
			identical++
		}
	}
	if total < 50 || deep < 3 {
		t.Errorf("only %d records, %d chains nested three deep", total, deep)
	}
	t.Logf("%d records of %d sessions, %d nested three deep: %d gave SHA-256-identical originals", total, len(chains), deep, identical)
}

func reachesItsOriginals(t *testing.T, n *Nested, chain []*model.Record) {
	t.Helper()
	covered := 0
	for _, r := range chain {
		for _, o := range OriginalRanges(r) {
			covered += o.To - o.From + o.Copies
		}
	}
	if messages, _, span := n.Reach(); messages != covered || span.To <= span.From {
		t.Errorf("%s reaches %d messages in %v, the chain took %d", n.ID, messages, span, covered)
	}
}

// restoreAll proves and restores every record of a chain, the top one first,
// then applies the whole chain again by undoing the last restore.
func restoreAll(t *testing.T, s *Session, chain []*model.Record) {
	t.Helper()
	ctx := context.Background()
	ladder := s.Records.RestoreEffects()
	if len(ladder) != len(chain) {
		t.Fatalf("%d steps for %d records", len(ladder), len(chain))
	}
	top := chain[len(chain)-1].After
	for i, step := range ladder {
		k := len(chain) - 1 - i
		proof, err := s.With(chain[:k]).Prove(ctx, chain[k])
		if err != nil || !(proof.Source.Equal() && proof.Range.Equal()) {
			t.Errorf("%s: %+v, %v", chain[k].ID, proof, err)
		}
		if step.Then != chain[k].Before || step.Undone[0] != chain[k] {
			t.Errorf("restoring %s gives %+v, it was made on %+v", chain[k].ID, step.Then, chain[k].Before)
		}
	}
	restored, err := s.Records.Restore(ctx, chain[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Plan(s.Policy(), compaction.Options{}).Before; got != chain[0].Before {
		t.Errorf("restored: %+v, it was %+v", got, chain[0].Before)
	}
	again, err := s.Records.ReapplyPreview(ctx, restored)
	if err != nil {
		t.Fatalf("undo of %s: %v", restored.ID, err)
	}
	if again.Now != chain[0].Before || again.Then != top {
		t.Errorf("undoing the restore: from %+v to %+v, want %+v to %+v", again.Now, again.Then, chain[0].Before, top)
	}
	made, err := s.Records.Reapply(ctx, again)
	if err != nil || len(made) != len(chain) {
		t.Fatalf("%d records applied again, %v", len(made), err)
	}
	for i, r := range made {
		if r.Again != chain[i].ID || r.Summary != chain[i].Summary || r.RangeSHA != chain[i].RangeSHA || i > 0 && r.Base != made[i-1].ID {
			t.Errorf("%s stands for %s: again %q, base %q", r.ID, chain[i].ID, r.Again, r.Base)
		}
	}
	if _, err := s.Overlay().ExportFile(ctx, Output{Path: filepath.Join(t.TempDir(), "out")}); err != nil {
		t.Errorf("after the undo of the restore: %v", err)
	}
	if _, err := s.Records.ReapplyPreview(ctx, made[len(made)-1]); problemCode(err) != "is-applied" {
		t.Errorf("applying what is applied: %v", err)
	}
}

func problemCode(err error) string {
	var p *model.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// A record is applied again on a history that has grown or was changed behind
// it, and refused with the reason where a covered byte is another.
func TestReapplyOnAnotherVersionOfTheHistory(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 8, Unit: model.Messages}
	rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatal(rec, err)
	}
	source := make([]byte, s.File().Doc.Size)
	if _, err := s.File().Doc.Source.ReadAt(source, 0); err != nil {
		t.Fatal(err)
	}
	version := func(old, new string) *Session {
		t.Helper()
		b := bytes.Replace(source, []byte(old), []byte(new), 1)
		if bytes.Equal(b, source) {
			t.Fatalf("%q is not there", old)
		}
		d, err := transcript.Read(ctx, "small.json", bytes.NewReader(b), int64(len(b)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewFile(d, Options{}).Session(ctx, Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, x := range []struct{ name, old, new, code string }{
		{"grown", `File 9 repeats a package clause."}]}`, `File 9 repeats a package clause."},{"role":"user","content":"One more thing."}]}`, ""},
		{"the system prompt is longer", "You are careful.", "You are careful and quick.", ""},
		{"the tail is edited", "File 9 repeats a package clause.", "File 9 is empty.", ""},
		{"a covered message is edited", "Look at file 2 and", "Look at File 2 and", "covered-changed"},
		{"a covered message is gone", `{"role":"user","content":"Look at file 0 and say what it holds, in one sentence."},`, "", "covered-changed"},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := version(x.old, x.new)
			before := len(s.Stack())
			again, err := s.Records.ReapplyPreview(ctx, rec)
			if problemCode(err) != x.code {
				t.Fatalf("%v", err)
			}
			if x.code != "" {
				if len(s.Stack()) != before {
					t.Error("refused, and yet something stands")
				}
				return
			}
			made, err := s.Records.Reapply(ctx, again)
			if err != nil || len(made) != 1 || made[0].SourceSHA != s.File().Doc.Hash() {
				t.Fatal(made, err)
			}
			if _, err := s.Overlay().ExportFile(ctx, Output{Path: filepath.Join(t.TempDir(), "out.json")}); err != nil {
				t.Error(err)
			}
			if got := s.Plan(s.Policy(), compaction.Options{}).Before; got != again.Then {
				t.Errorf("%+v stand, %+v were told", got, again.Then)
			}
			if _, err := s.Records.Reapply(ctx, again); problemCode(err) != "stale-draft" {
				t.Errorf("twice: %v", err)
			}
		})
	}
	merged := *rec
	merged.Parents = []string{"R-0009"}
	if _, err := version(`File 9`, `File nine`).Records.ReapplyPreview(ctx, &merged); err == nil ||
		!strings.Contains(err.Error(), "can't be applied again. It covers 1 summary; the history holds 0 there.") {
		t.Errorf("a record over another one: %v", err)
	}
	if _, err := version(`File 9`, `File nine`).Records.ReapplyPreview(ctx, &model.Record{ID: "R-1", Outcome: model.Refused}); problemCode(err) != "nothing-again" {
		t.Errorf("a refused record: %v", err)
	}
}

// Two Chinese characters that are only in what was summarised away find the
// record, and a word that never was finds none.
func TestSummarisedAwayWordsFindTheRecord(t *testing.T) {
	ctx := context.Background()
	st, err := store.Open(filepath.Join(t.TempDir(), "words.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var b bytes.Buffer
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"user","content":"` + "请检查解析器的边界情况" + `"}`)
	for i := range 20 {
		fmt.Fprintf(&b, `,{"role":"assistant","content":"step %d"},{"role":"user","content":"go on with part %d of it, please"}`, i, i)
	}
	b.WriteString("]}")
	d, err := transcript.Read(ctx, "zh.json", bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{Store: st}).Session(ctx, Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Tail, p.KeepFirstUser, p.Strategy = model.Amount{N: 4, Unit: model.Messages}, false, model.Drop
	rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied || bytes.Contains([]byte(rec.Summary), []byte("边界")) {
		t.Fatal(rec, err)
	}
	for query, want := range map[string]int{"边界": 1, "解析": 1, "天气": 0} {
		if list, err := st.Records(ctx, store.Filter{Text: query}); err != nil || len(list) != want {
			t.Errorf("%s finds %d, %v", query, len(list), err)
		}
	}
}
