package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// The window's English says the same of formats and counters as the verbs do;
// another language says it in its own words.
func TestFormatsAndCountersHaveWords(t *testing.T) {
	s := newStage(t)
	for _, f := range transcript.Formats() {
		if show.FormatTitle(f.Format) != f.Title || show.FormatHow(f.Format) != f.How {
			t.Errorf("%s: %q, %q", f.Format, show.FormatTitle(f.Format), show.FormatHow(f.Format))
		}
	}
	ses := s.Desk.Session()
	if got := show.CounterOf(ses); got != ses.Counter().Name() {
		t.Errorf("%q, the verbs say %q", got, ses.Counter().Name())
	}
	guess := model.Guess{Format: model.FormatCodex, Why: "records have a payload"}
	if show.GuessReason(guess) != "Records have a payload" {
		t.Errorf("English says %q", show.GuessReason(guess))
	}
	words.Set(words.Chinese)
	for _, f := range transcript.Formats() {
		if how := show.FormatHow(f.Format); how == f.How || strings.HasPrefix(how, "format.") {
			t.Errorf("%s: %q", f.Format, how)
		}
	}
	if show.GuessReason(guess) == "Records have a payload" {
		t.Error("a reason stays English")
	}
}
