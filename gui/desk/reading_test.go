package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// unknownFile is JSON that no format claims and that is guessed.
func unknownFile(t *testing.T) string {
	t.Helper()
	var list []string
	for i := range 30 {
		list = append(list, fmt.Sprintf(`{"speaker":"%s","utterance":"message %d","note":"note %d"}`, []string{"user", "bot"}[i%2], i, i))
	}
	path := filepath.Join(t.TempDir(), "unknown.json")
	if err := os.WriteFile(path, []byte(`{"log":[`+strings.Join(list, ",")+`]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A guess is shown as one, can be tried in other ways, and is asked for until a
// person says how to read the file; then it is remembered.
func TestReadingIsConfirmed(t *testing.T) {
	f := newFollowWindow(t)
	path := unknownFile(t)
	f.Add(path)
	f.settle()
	e := f.Current()
	g, ok := e.Guess()
	if !e.Unsure() || !ok || g.Format != model.FormatGeneric || g.Why == "" || !f.CanReadAs() {
		t.Fatalf("unsure %v, %+v", e.Unsure(), g)
	}
	var look *transcript.Survey
	f.Readings(e, func(l *transcript.Survey, err error) {
		if err != nil {
			t.Fatal(err)
		}
		look = l
	})
	f.settle()
	if look == nil || look.Map == nil || len(look.Lists) != 1 || look.Lists[0].Path != "$.log" || look.Lists[0].Len != 30 {
		t.Fatalf("%+v", look)
	}
	m := *look.Map
	m.Text = "note"
	var trial *Trial
	f.TryReading(e, transcript.Options{Format: model.FormatCodex}, func(*Trial, error) { t.Error("a trial that was replaced is told") })
	f.TryReading(e, transcript.Options{Map: &m}, func(x *Trial, err error) {
		if err != nil {
			t.Fatal(err)
		}
		trial = x
	})
	f.settle()
	if trial == nil || trial.Len() != 30 || trial.Row(3).First != "note 3" || !trial.Whole || trial.Map != m.String() {
		t.Fatalf("%+v", trial)
	}
	f.TryReading(e, transcript.Options{Format: model.FormatCodex}, func(_ *Trial, err error) {
		if err == nil {
			t.Error("it is no Codex session")
		}
	})
	f.settle()
	f.ReadAs(e, transcript.Options{Map: &m})
	f.settle()
	if h := f.Session().Thread(); e.Unsure() || e != f.Current() || h.Messages[0].Preview != "note 0" {
		t.Fatalf("%+v", e)
	}
	f.Remove(e)
	f.Add(path)
	f.settle()
	if e := f.Current(); e.Unsure() || transcript.MapOf(e.File.Doc) != m.String() {
		t.Errorf("it is forgotten: %s", e.File.Doc.Why)
	}
}

// What was remembered of a file that is another one now does not keep it from
// being read.
func TestRememberedReadingThatFitsNoMore(t *testing.T) {
	f := newFollowWindow(t)
	path := unknownFile(t)
	f.Add(path)
	f.settle()
	f.ReadAs(f.Current(), transcript.Options{Format: model.FormatGeneric})
	f.settle()
	f.Remove(f.Current())
	newLog(t, path, 6)
	f.Add(path)
	f.settle()
	e := f.Current()
	if e.State != Ready || e.File.Doc.Format != model.FormatClaudeCode {
		t.Fatalf("%v, %v", e.State, e.Err)
	}
}

func TestFieldMapsOfTheWindow(t *testing.T) {
	f := newFollowWindow(t)
	var list []store.FieldMap
	load := func() { f.FieldMaps(func(l []store.FieldMap) { list = l }) }
	f.SaveFieldMap(store.FieldMap{Name: "a", Map: "messages=$,role=r,text=t"}, load)
	f.settle()
	if len(list) != 1 || list[0].Name != "a" {
		t.Fatalf("%+v", list)
	}
	f.DeleteFieldMap("a", load)
	f.settle()
	if len(list) != 0 {
		t.Fatalf("%+v", list)
	}
}
