package desk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/gui/originals"
	"palimpsest/model"
)

// The file on disk is hashed from its path, whatever is open and whatever is stored: each
// state is told from the others, and comes back when the bytes do.
func TestOriginalsSayWhatBecameOfTheFile(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content = bytes.ReplaceAll(content, []byte("},{"), []byte("},\n{"))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Add(path)
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.CompactNow()
	w.settle()
	w.RecordList.LoadRecords()
	w.settle()
	w.RecordView.SelectRecord(w.RecordList.RecordAt(0).ID)
	w.settle()
	lines := bytes.SplitAfter(content, []byte("\n"))
	other := bytes.Replace(lines[7], []byte(`"`), []byte(`'`), 1)
	for _, x := range []struct {
		name    string
		content []byte // nil: there is no file
		disk    originals.Disk
		line    int
	}{
		{"as it was", content, originals.Unchanged, 0},
		{"another line at the end", append(bytes.Clone(content), "{}\n"...), originals.Grown, len(bytes.Split(bytes.TrimSpace(content), []byte("\n")))},
		{"another eighth line", bytes.Join([][]byte{bytes.Join(lines[:7], nil), other, bytes.Join(lines[8:], nil)}, nil), originals.Changed, 8},
		{"cut after nine lines", bytes.Join(lines[:9], nil), originals.Changed, 10},
		{"no file", nil, originals.Gone, 0},
		{"as it was again", content, originals.Unchanged, 0},
	} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if x.content != nil {
			if err := os.WriteFile(path, x.content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w.RecordList.ReadCopies(true)
		w.settle()
		c := w.RecordList.Copies(w.RecordView.Record())
		if c == nil || c.Disk != x.disk || c.Line != x.line || !c.Intact(w.RecordView.Record()) {
			t.Errorf("%s: %+v, want %s at line %d", x.name, c, x.disk, x.line)
			continue
		}
		if sum := sha256.Sum256(x.content); x.content != nil && c.File != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the file's hash is %s", x.name, c.File)
		}
	}
}

// The stored copy opens where there is no file, and another place is taken only for a file
// of the same bytes.
func TestOriginalsAreHadWithoutTheirFile(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	n := len(w.Session().Thread().History)
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.CompactNow()
	w.settle()
	w.RecordView.SelectRecord("R-0001")
	w.settle()
	r := w.RecordView.Record()
	moved := filepath.Join(t.TempDir(), "moved.jsonl")
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	w.RecordList.OpenCopy(r)
	w.settle()
	if s := w.Session(); s == nil || len(s.Thread().History) != n || len(s.Stack()) != 1 {
		t.Fatalf("the stored copy opens as %+v", w.Current())
	}
	w.RecordList.Locate(r, chat(t, 25))
	w.settle()
	if got := w.Notices(); len(got) == 0 || w.Store() == nil {
		t.Error("another file is taken without a word")
	}
	w.RecordList.Locate(r, moved)
	w.settle()
	if e := w.Current(); e == nil || e.Path != moved || e.Session == nil || len(e.Session.Stack()) != 1 || w.RecordView.Record().Path != moved {
		t.Errorf("located, %+v is looked at, and the record's file is %s", w.Current(), w.RecordView.Record().Path)
	}
}
