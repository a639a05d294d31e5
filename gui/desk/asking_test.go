package desk

import (
	"runtime"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/model"
)

// askingWindow is an open history with the strategy model and a server.
func askingWindow(t *testing.T) (*window, *trial.Server) {
	t.Helper()
	s, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Text = func(string, string) string { return "Conversation summary: thirty files hold a package clause each." }
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.use(s, "good")
	w.Planning.Set(func(p *model.Policy) {
		p.Strategy, p.Tail = model.ModelText, model.Amount{N: 10, Unit: model.Messages}
	})
	w.settle()
	return w, s
}

func (w *window) use(s *trial.Server, behaviour string) {
	w.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: s.URL(), Model: behaviour, Tries: 1}, Window: 32000})
}

// Nothing is sent while parameters move or the question is worded; Send asks
// once, the answer is a draft beside the former one, and applying stores it.
func TestAskingAModel(t *testing.T) {
	w, s := askingWindow(t)
	if w.DraftSet.Draft() != nil || len(s.Requests()) != 0 {
		t.Fatal("a model was asked before anybody said so")
	}
	w.CompactNow()
	w.settle()
	if !w.Asking().Ready() || w.Asking().Enquiry.Calls != 1 || len(s.Requests()) != 0 {
		t.Fatalf("%+v, %d requests", w.Asking(), len(s.Requests()))
	}
	w.Send()
	w.settle()
	if w.DraftSet.Draft() == nil || len(w.DraftSet.Drafts()) != 1 || len(s.Requests()) != 1 || w.Asking().Heard().Chars == 0 {
		t.Fatalf("%+v", w.Asking())
	}
	first := w.DraftSet.Draft().Text.Text
	s.Text = func(string, string) string { return "Conversation summary: another one." }
	w.Enquire(session.Asking{Instruction: "Be brief."})
	w.settle()
	w.Send()
	w.settle()
	if len(w.DraftSet.Drafts()) != 2 || w.DraftSet.Draft().Text.Text == first {
		t.Fatalf("%d drafts", len(w.DraftSet.Drafts()))
	}
	w.DraftSet.ChooseDraft(0)
	w.DraftSet.EditDraft("Something else.")
	if len(w.DraftSet.Drafts()) != 3 {
		t.Fatalf("%d drafts: an edit makes one beside the one it was made from", len(w.DraftSet.Drafts()))
	}
	w.Undo()
	if w.DraftSet.Draft().Text.Text != first || w.DraftSet.Draft().Edited {
		t.Fatalf("the edit was not discarded: %q", w.DraftSet.Draft().Text.Text)
	}
	w.DraftSet.EditDraft(first + " Edited.")
	w.ApplyDraft()
	w.settle()
	r := w.Job().Record
	if r == nil || r.Summary != first+" Edited." || !r.Edited || r.Asked == nil || len(w.DraftSet.Drafts()) != 0 {
		t.Fatalf("%+v, %v", r, w.Job().Err)
	}
}

// A failure is said and recorded, changes nothing, and can be tried again.
func TestAskingFails(t *testing.T) {
	w, s := askingWindow(t)
	w.use(s, "status-500@1")
	for range 2 {
		w.Enquire(session.Asking{})
		w.settle()
		w.Send()
		w.settle()
		if len(w.RecordList.Records()) == 1 && w.DraftSet.Draft() == nil && (w.Asking().Err == nil || !strings.Contains(w.Asking().Err.Error(), "500")) {
			t.Fatalf("%+v", w.Asking())
		}
	}
	if len(w.RecordList.Records()) != 1 || w.RecordList.Records()[0].Outcome != model.Failed || w.Asking().Err != nil || w.DraftSet.Draft() == nil {
		t.Errorf("records %+v, %+v", w.RecordList.Records(), w.Asking())
	}
}

// While a part waits for another attempt it is known why and until when, and a person
// may have it made at once.
func TestAskingAgainNow(t *testing.T) {
	w, s := askingWindow(t)
	w.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: s.URL(), Model: "status-429@1", Tries: 2}, Window: 32000})
	w.Enquire(session.Asking{})
	w.settle()
	w.Send()
	a := w.Asking()
	for !t.Failed() {
		if h := a.Heard(); h.Pausing() == 0 {
			if p := h.Parts[0]; p.After == nil || !strings.Contains(p.After.Error(), "Rate limit") || p.Answered {
				t.Fatalf("%+v", p)
			}
			break
		}
		runtime.Gosched()
	}
	a.Again()
	w.settle()
	h := a.Heard()
	if p := h.Parts[0]; w.DraftSet.Draft() == nil || !p.Answered || !p.Again.IsZero() || p.Text == "" || h.Pausing() >= 0 || h.Again != 1 {
		t.Fatalf("%+v, draft %v", h, w.DraftSet.Draft())
	}
}

// Cancel leaves the screen as it was, and is recorded.
func TestAskingIsCancelled(t *testing.T) {
	w, s := askingWindow(t)
	w.use(s, "first-byte")
	w.Enquire(session.Asking{})
	w.settle()
	w.Send()
	w.CancelAsking()
	w.settle()
	if w.Asking() != nil || w.DraftSet.Draft() != nil || len(w.RecordList.Records()) != 1 || w.RecordList.Records()[0].Outcome != model.Cancelled {
		t.Errorf("%+v, %+v", w.Asking(), w.RecordList.Records())
	}
}
