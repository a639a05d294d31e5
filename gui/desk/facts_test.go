package desk

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// What survives follows the plan, then its draft, then an edit of the draft.
func TestSurvivalFollowsTheDraft(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(at80)
	w.settle()
	if w.Session().Insight.KnownFacts() == nil {
		t.Fatal("the facts were not indexed")
	}
	if w.Survival() != nil {
		t.Fatalf("a plan that does not apply has a survival: %+v", w.Survival())
	}
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 10, Unit: model.Messages} })
	w.settle()
	v := w.Survival()
	if v == nil || v.Lower || v.Kinds[facts.Path].Gone < 25 || len(v.Lost) != v.All().Gone-v.All().Survived {
		t.Fatalf("%+v", v)
	}
	w.DraftSet.EditDraft("nothing is told here")
	w.settle()
	if got := w.Survival().Kinds[facts.Path]; got.Survived >= v.Kinds[facts.Path].Survived || got.Gone != v.Kinds[facts.Path].Gone {
		t.Errorf("after the edit %+v, before %+v", got, v.Kinds[facts.Path])
	}
	w.DraftSet.EditDraft("src/f3.go was read")
	w.settle()
	for _, l := range w.Survival().Lost {
		if l.Text == "src/f3.go" {
			t.Error("a path of the edited text is lost")
		}
	}
}

// What was needed later is worked out for the parameters as they were left, and
// says so while they are dragged.
func TestNeededFollowsCommits(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	first, now := w.Needed()
	if first == nil || !now {
		t.Fatal("nothing known of what was needed")
	}
	w.Planning.Adjust(func(p *model.Policy) {
		p.Triggers = []model.Clause{{At: model.Amount{N: 40, Unit: model.Messages}}}
		p.Tail = model.Amount{N: 10, Unit: model.Messages}
	})
	w.settle()
	if n, now := w.Needed(); n != first || now {
		t.Error("worked out anew during a drag, or told as new")
	}
	w.measureNeeds() // as when the index is ready only now
	w.settle()
	if _, now := w.Needed(); now {
		t.Error("what is known for the former parameters is told as that of the dragged ones")
	}
	w.Planning.Commit()
	w.settle()
	if n, now := w.Needed(); !now || len(n.Firings) == 0 {
		t.Errorf("not worked out for what was left: %+v", n)
	}
}

// The indexes of the histories looked at last are kept, no more.
func TestIndexesAreBounded(t *testing.T) {
	w := newWindow(t)
	for range keptIndexes + 2 {
		w.Add(chat(t, 2))
		w.settle()
	}
	kept := 0
	for _, e := range w.Entries() {
		if e.Session.Insight.KnownFacts() != nil {
			kept++
		}
	}
	if len(w.indexes) != keptIndexes {
		t.Errorf("%d sessions are held for their index", len(w.indexes))
	}
	if kept != keptIndexes || w.Session().Insight.KnownFacts() == nil {
		t.Errorf("%d indexes are kept", kept)
	}
	w.Remove(w.Current())
	w.settle()
	for _, s := range w.indexes {
		if s.Insight.KnownFacts() == nil || len(w.Entries()) != keptIndexes+1 {
			t.Error("a history that was removed is still held")
		}
	}
	w.Select(w.Entries()[0])
	w.settle()
	if w.Session().Insight.KnownFacts() == nil {
		t.Error("a history looked at again has no index")
	}
}

// From an earlier message, what follows shows what was needed later of what the
// plan takes; at the end nothing follows.
func TestNeededFollowsThePlace(t *testing.T) {
	w := newWindow(t)
	w.Add(chatAgain(t, 30))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 10, Unit: model.Messages}; p.Strategy = model.Drop })
	w.settle()
	end := len(w.Session().Thread().History)
	if v := w.Survival(); v == nil || v.Needed != nil || v.At != end {
		t.Fatalf("at the end: %+v", v)
	}
	w.Planning.SetAt(end - 1)
	w.settle()
	v := w.Survival()
	if v == nil || v.At != end-1 || v.Needed == nil || v.Needed.Kinds[facts.Path] != (facts.Recall{Needs: 1}) || v.Needed.Misses[0].Use != end-1 {
		t.Fatalf("before the last message: %+v", v)
	}
	w.Planning.Set(func(p *model.Policy) { p.Strategy = model.Extract })
	w.settle()
	w.DraftSet.EditDraft("src/f0.go was read")
	w.settle()
	if n := w.Survival().Needed; n.Lower || n.Kinds[facts.Path] != (facts.Recall{Needs: 1, Met: 1}) {
		t.Errorf("with a draft that tells it: %+v", n)
	}
	w.Planning.SetAt(end)
	w.settle()
	if v := w.Survival(); v.Needed != nil {
		t.Errorf("at the end again: %+v", v.Needed)
	}
}

// chatAgain is a chat at whose end the agent names the first file again.
func chatAgain(t *testing.T, n int) string {
	t.Helper()
	path := chat(t, n)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSuffix(string(b), "]}\n") + `,{"role":"user","content":"And now?"},{"role":"assistant","content":"I go back to src/f0.go for a moment."}]}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Facts are indexed slowly while a hand drags something, so that what it watches has the
// processors, and all the same to their end under one that never rests.
func TestFactsAreIndexedSlowlyUnderAHandThatDrags(t *testing.T) {
	file := chat(t, 400)
	index := func(drags bool) (facts int, took time.Duration) {
		synctest.Test(t, func(t *testing.T) { facts, took = indexUnder(t, file, drags) }) // time passes only while all wait
		return facts, took
	}
	want, _ := index(false)
	got, took := index(true)
	if want == 0 || got != want || took < time.Second {
		t.Errorf("%d facts in %v under a hand, %d at rest", got, took, want)
	}
}

// indexUnder is how many facts a file has, and how long work that has time waits for a hand
// that drags something, or rests, until they are indexed.
func indexUnder(t *testing.T, file string, drags bool) (facts int, took time.Duration) {
	w := newWindow(t)
	rests, done := make(chan struct{}), make(chan struct{})
	if drags {
		w.Hand.Move()
	}
	go func() {
		defer close(done)
		for drags {
			select {
			case <-rests:
				return
			case <-time.After(5 * time.Millisecond):
				w.Hand.Move()
			}
		}
	}()
	w.Add(file)
	began := time.Now()
	w.settle()
	took = time.Since(began)
	close(rests)
	<-done
	if known := w.Session().Insight.KnownFacts(); known != nil {
		facts = known.Len()
	}
	return facts, took
}
