package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// topDialog is the dialog that is open on the stage.
func (s *stage) topDialog() *kit.Dialog {
	d, _ := s.Win.Canvas().Overlays().Top().(*kit.Dialog)
	return d
}

// A file that no format fits is asked for by itself, once; the guess can be used
// as it is, and the file can be compacted then.
func TestAGuessIsAskedFor(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, fmt.Sprintf(`{"speaker":"%s","utterance":"message %d"}`, []string{"user", "bot"}[i%2], i))
	}
	path := filepath.Join(t.TempDir(), "unknown.json")
	if err := os.WriteFile(path, []byte(`{"log":[`+strings.Join(list, ",")+`]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	e := s.Desk.Current()
	if s.topDialog() == nil || !e.File.Doc.Unconfirmed {
		t.Fatal("nothing is asked")
	}
	s.press("Esc")
	s.Desk.Select(s.Desk.Entries()[0])
	s.settle()
	s.Desk.Select(e)
	s.settle()
	if s.topDialog() != nil {
		t.Fatal("it is asked again")
	}
	s.Commands.Run("readAs")
	s.settle()
	if s.topDialog() == nil {
		t.Fatal("the command opens nothing")
	}
	s.press("Enter") // the map that was guessed is chosen
	s.settle()
	if s.topDialog() != nil || e.State != desk.Ready || e.File.Doc.Unconfirmed || e.File.Doc.Format != model.FormatGeneric {
		t.Fatalf("%v, %+v", e.State, e.File.Doc)
	}
}
