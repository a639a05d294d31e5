package gui

import (
	"testing"

	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Every way in which a question fails is told in the window's language; in
// English by the words that the record keeps.
func TestFailuresAreTold(t *testing.T) {
	defer words.Set(words.English)
	for _, kind := range []remote.Kind{remote.Misconfigured, remote.Unreachable, remote.Unauthorised, remote.NoModel, remote.TooLarge, remote.Limited,
		remote.ServerError, remote.BadRequest, remote.TimedOut, remote.Broken, remote.Garbled, remote.NoAnswer, remote.TooLong, remote.Paused, remote.Stopped} {
		plain, full := &remote.Failure{Kind: kind}, &remote.Failure{Kind: kind, Status: 418, Said: "no tea"}
		words.Set(words.English)
		if got := words.T("failure." + string(kind)); got != plain.Error() || show.FailureWords(full) != full.Error() {
			t.Errorf("%s: %q, %q", kind, got, show.FailureWords(full))
		}
		reason := words.T("failure." + string(kind))
		words.Set(words.Chinese)
		for _, f := range []*remote.Failure{plain, full, {Kind: remote.Paused, Err: full}} { // as a record keeps it
			if got, want := show.RecordReason(&model.Record{Reason: "summarise: " + f.Error()}), show.FailureWords(f); got != want {
				t.Errorf("%s of a record: %q, want %q", kind, got, want)
			}
		}
		if got := show.FailureWords(plain); got == reason || got == "" {
			t.Errorf("%s: %q", kind, got)
		}
		if got, want := show.FailureWords(full), words.T("failure."+string(kind))+"（状态 418）：no tea"; got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}
