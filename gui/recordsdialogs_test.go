package gui

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// withRecord is a stage with one applied compaction, at the records.
func withRecord(t *testing.T) (*stage, *model.Record) {
	t.Helper()
	s := newStage(t)
	s.Desk.CompactNow()
	s.settle()
	s.press("Ctrl+2")
	r := s.Desk.RecordView.Record()
	if r == nil || r.Outcome != model.Applied {
		t.Fatalf("%+v", r)
	}
	return s, r
}

// Records go into a file, are deleted, and come back from it once.
func TestRecordsLeaveAndComeBack(t *testing.T) {
	s, r := withRecord(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "all.json")
	s.Commands.Run("exportRecords")
	s.fill(0, file)
	s.tap(words.T("export.do"))
	s.closed()
	if b, err := os.ReadFile(file); err != nil || !json.Valid(b) || !strings.Contains(string(b), r.UID) {
		t.Fatalf("%d bytes, %v", len(b), err)
	}

	s.records.Tick(s.Desk.RecordList.RecordRow(r.ID), false)
	s.Desk.RecordView.SelectRecord(s.Desk.RecordList.RecordAt(0).ID) // one of the file
	s.settle()
	s.Commands.Run("deleteRecords")
	s.settle()
	s.sees(words.T("records.delete", "record", r.ID), words.T("do.delete"))
	s.tap(words.T("do.delete"))
	if n := s.Desk.RecordList.StoredCount(); n != 0 {
		t.Fatalf("%d records are left", n)
	}

	for _, want := range []string{words.T("exchange.adds", "count", 1), words.T("exchange.nothing")} {
		s.Settings.SetFolder(dir)
		s.Commands.Run("importRecords")
		s.settle()
		s.fill(0, file)
		s.press("Enter")
		s.sees(want)
		if s.topDialog() != nil {
			s.tap(words.T("exchange.do"))
		}
		if n := s.Desk.RecordList.StoredCount(); n != 1 {
			t.Errorf("%d records after the import", n)
		}
	}

	// Opened like a transcript it is offered for import, and a pipe beside it keeps nothing waiting.
	pipe := filepath.Join(dir, "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Logf("no pipe was opened: %v %s", err, out)
	}
	s.Overlay.Toast("", "", nil)
	dialogs.OpenPaths(s.Host, pipe, file)
	s.settle()
	s.sees(words.T("exchange.nothing"))
	if slices.ContainsFunc(s.Desk.Entries(), func(e *desk.Entry) bool { return e.Path == file }) {
		t.Error("an export of records is in the list of sessions")
	}
}

// One record is exported as its original, its summary or itself; a file in the way
// is asked about.
func TestOneRecordIsExported(t *testing.T) {
	s, r := withRecord(t)
	looks(s, func() {
		s.showRecords()
		s.settle()
		s.Desk.RecordView.SelectRecord(r.ID)
		s.settle()
		file := filepath.Join(t.TempDir(), "out")
		export := func(what string) {
			t.Helper()
			s.Commands.Run("exportRecord")
			s.tap(words.T(what))
			s.fill(0, file)
			s.tap(words.T("export.do"))
		}
		export("export.summary")
		s.closed()
		if b, err := os.ReadFile(file); err != nil || strings.TrimSpace(string(b)) != strings.TrimSpace(r.Summary) {
			t.Errorf("%q, %v", b, err)
		}
		export("export.original")
		s.sees(words.T("export.exists"))
		s.tap(words.T("export.replace"))
		s.closed()
		sample, err := os.ReadFile("../assets/samples/long-coding-run.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(file); err != nil || string(b) != string(sample) {
			t.Errorf("the original has %d bytes, not %d; %v", len(b), len(sample), err)
		}
		export("export.record")
		s.tap(words.T("do.cancel"))
		s.press("Esc")
		if b, err := os.ReadFile(file); err != nil || string(b) != string(sample) {
			t.Errorf("a file was replaced although a person said no: %v", err)
		}
	})
}

// The history a record was made of is opened from it.
func TestARecordLeadsToItsHistory(t *testing.T) {
	s, r := withRecord(t)
	s.Desk.Select(s.Desk.Entries()[1])
	s.settle()
	s.press("Ctrl+2")
	s.Desk.RecordView.SelectRecord(r.ID)
	s.settle()
	s.Commands.Run("openRecord")
	s.settle()
	if s.InSheet() || s.Desk.Current() != s.Desk.Entries()[0] || s.Desk.Current().State != desk.Ready {
		t.Errorf("at %+v, in a sheet %v", s.Desk.Current(), s.InSheet())
	}
}

// A sweep is saved as a table or with all its numbers.
func TestASweepIsSaved(t *testing.T) {
	s, p := sweeping(t)
	dir := t.TempDir()
	for form, name := range map[string]string{"sweep.save.csv": "s.csv", "sweep.save.json": "s.json"} {
		s.tap(words.T("sweep.save"))
		s.tap(words.T(form))
		file := filepath.Join(dir, name)
		s.fill(0, file)
		s.tap(words.T("do.save"))
		s.closed()
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name == "s.json" && !json.Valid(b) {
			t.Errorf("no JSON: %.200s", b)
		}
		if cells := p.Shown.Axes.Cells(); name == "s.csv" && strings.Count(string(b), "\n") < cells {
			t.Errorf("%d lines for %d cells", strings.Count(string(b), "\n"), cells)
		}
	}
}
