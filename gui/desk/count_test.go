package desk

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"palimpsest/model"
)

// sketchSmaller makes files of 1 MB large ones, before a window is opened: with less to
// count, the same happens. The window is closed before the size is put back.
func sketchSmaller(t *testing.T) {
	before := sketchFrom
	sketchFrom = 1 << 20
	t.Cleanup(func() { sketchFrom = before })
}

// A large file shows its rows as a sketch first; what a person changed on it
// stays when the counted session takes its place.
func TestLargeFileIsSketchedFirst(t *testing.T) {
	sketchSmaller(t)
	w := newWindow(t)
	path := chat(t, 1000) // about 1.7 MB
	var sketched []bool
	moved := false // the person moved a parameter, on the sketch
	w.Listen(TopicPlan, func() {
		s := w.Session()
		if s == nil || w.Planning.Plan() == nil {
			return
		}
		if !moved {
			moved = true
			if w.RowCount() < 4000 || !s.Estimated() {
				t.Errorf("the sketch shows %d rows, estimated %v", w.RowCount(), s.Estimated())
			}
			w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 12, Unit: model.Messages} })
		}
		sketched = append(sketched, s.Sketched())
	})
	w.Add(path)
	w.settle()
	s := w.Session()
	if len(sketched) < 2 || !sketched[0] || s.Sketched() || s.Estimated() || len(w.Notices()) > 0 {
		t.Fatalf("sketched %v, now %v, notices %v", sketched, s.Sketched(), w.Notices())
	}
	if w.Planning.Params().Tail.N != 12 || s.Policy().Tail.N != 12 || w.DraftSet.Draft() == nil || s.Insight.KnownFacts() == nil {
		t.Errorf("tail %v of %v, draft %v", w.Planning.Params().Tail, s.Policy().Tail, w.DraftSet.Draft() != nil)
	}
}

// Counting can be stopped; what there is stays a sketch, on which nothing is
// drafted, also when it is looked at once more. Taken up again, it ends.
func TestCountingIsStoppedAndTakenUpAgain(t *testing.T) {
	sketchSmaller(t)
	w := newWindow(t)
	w.Add(chat(t, 1000))
	stopped := false
	w.Listen(TopicSession, func() {
		if !stopped && w.Counting() {
			stopped = true
			w.StopCounting()
		}
	})
	w.settle()
	if !stopped || !w.CanCount() || w.Counting() || !w.Session().Sketched() || w.DraftSet.Draft() != nil || len(w.Notices()) > 0 {
		t.Fatalf("stopped %v, can count %v, counting %v, sketched %v, notices %v", stopped, w.CanCount(), w.Counting(), w.Session().Sketched(), w.Notices())
	}
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 7, Unit: model.Messages} })
	w.settle()
	w.Count()
	if !w.Counting() || w.CanCount() {
		t.Error("it is not counted")
	}
	w.settle()
	if w.Session().Sketched() || w.DraftSet.Draft() == nil || w.Planning.Params().Tail.N != 7 || w.CanCount() {
		t.Errorf("sketched %v, draft %v, tail %v", w.Session().Sketched(), w.DraftSet.Draft() != nil, w.Planning.Params().Tail)
	}
}

// A file that grows while its sketch is counted is counted once more from where
// the count ended, and shows what came.
func TestAFileGrowsWhileItIsCounted(t *testing.T) {
	sketchSmaller(t)
	f := newFollowWindow(t)
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	turns := int(2 * sketchFrom / 2500)
	log := newLog(t, path, turns)
	grew := false
	before := 0
	f.Listen(TopicSession, func() {
		if !grew && f.Counting() {
			grew, before = true, len(f.Session().Thread().History)
			log.append(3)
		}
	})
	f.Add(path)
	f.until("it grew and is counted", func() bool {
		s := f.Session()
		return grew && s != nil && !s.Sketched() && len(s.Thread().History) > before && s.Insight.KnownFacts() != nil
	})
	if f.CanCount() || f.Counting() || f.Current().New == 0 || f.DraftSet.Draft() == nil {
		t.Errorf("counting %v, new %d, draft %v", f.Counting(), f.Current().New, f.DraftSet.Draft() != nil)
	}
}

// While a parameter is dragged counting leaves the processors to the plans; it ends
// when the hand rests.
func TestCountingWaitsForAHandThatDrags(t *testing.T) {
	sketchSmaller(t)
	path := chat(t, 1000)
	synctest.Test(t, func(t *testing.T) { // time passes only while all wait
		w := newWindow(t)
		w.Hand.Move()
		w.Add(path)
		for w.Session() == nil || !w.Counting() {
			w.q.Drain()
			w.Hand.Move()
			time.Sleep(time.Millisecond)
		}
		for n := range 40 {
			w.Planning.Adjust(func(p *model.Policy) { p.Tail = model.Amount{N: 2 + n, Unit: model.Messages} })
			w.q.Drain()
			time.Sleep(10 * time.Millisecond)
		}
		if !w.Counting() {
			t.Error("all was counted under the hand")
		}
		w.settle()
		if w.Session().Sketched() || w.Planning.Params().Tail.N != 41 {
			t.Errorf("at rest: sketched %v, tail %v", w.Session().Sketched(), w.Planning.Params().Tail)
		}
	})
}
