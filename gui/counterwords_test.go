package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// The window's English says the same of formats and counters as the verbs do;
// another language says it in its own words.
func TestFormatsAndCountersHaveWords(t *testing.T) {
	s := newStage(t)
	for _, f := range transcript.Formats() {
		if formatTitle(f.Format) != f.Title || formatHow(f.Format) != f.How {
			t.Errorf("%s: %q, %q", f.Format, formatTitle(f.Format), formatHow(f.Format))
		}
	}
	ses := s.d.Session()
	if got := counterOf(ses); got != ses.Counter().Name() {
		t.Errorf("%q, the verbs say %q", got, ses.Counter().Name())
	}
	guess := model.Guess{Format: model.FormatCodex, Why: "records have a payload"}
	if guessReason(guess) != "Records have a payload" {
		t.Errorf("English says %q", guessReason(guess))
	}
	words.Set(words.Chinese)
	for _, f := range transcript.Formats() {
		if how := formatHow(f.Format); how == f.How || strings.HasPrefix(how, "format.") {
			t.Errorf("%s: %q", f.Format, how)
		}
	}
	if guessReason(guess) == "Records have a payload" {
		t.Error("a reason stays English")
	}
}
