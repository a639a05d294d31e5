package desk

import (
	"testing"

	"palimpsest/model"
)

// A hand that moves a slider sees the plan of each move, and at the end that of where it
// stopped, with its text.
func TestADragShowsPlansOnTheWay(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 60))
	w.settle()
	seen := map[int]bool{}
	w.Listen(TopicPlan, func() {
		if w.Planning.Plan().Policy.Tail != w.Planning.Planned().Tail {
			t.Errorf("a plan with %v was made with %v", w.Planning.Plan().Policy.Tail, w.Planning.Planned().Tail)
		}
		seen[w.Planning.Planned().Tail.N] = true
	})
	const first, last = 2, 30
	for n := first; n <= last; n++ {
		w.Planning.Adjust(func(p *model.Policy) { p.Tail = model.Amount{N: n, Unit: model.Messages} })
		if !seen[n] {
			t.Fatalf("the plan with %d is not shown", n)
		}
	}
	w.settle()
	if d := w.DraftSet.Draft(); d == nil || d.Plan.Policy.Tail.N != last {
		t.Errorf("the text is not that of where the hand stopped: %+v", d)
	}
}

// A view that is chosen while a plan is made is the one its rows are shown in.
func TestAViewChosenWhileAPlanIsMade(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 60))
	w.settle()
	w.Planning.Replan()
	w.Planning.SetView(1 - w.Planning.View())
	w.settle()
	rows := w.RowCount()
	w.Planning.SetView(1 - w.Planning.View())
	w.Planning.SetView(1 - w.Planning.View())
	if w.RowCount() != rows {
		t.Errorf("%d rows behind the plan, %d in the view", rows, w.RowCount())
	}
}

// What was needed later is not worked out on for parameters that a hand moves
// away from, and is when it lets go.
func TestADragEndsWhatItsParametersAsked(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 60))
	w.settle()
	w.measureNeeds()
	w.Planning.Adjust(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	if w.Scheduler().Running("needed") {
		t.Error("it is worked out on while the hand moves")
	}
	w.Planning.Commit()
	w.settle()
	if n, now := w.Needed(); n == nil || !now {
		t.Errorf("needed %v, of the parameters: %v", n, now)
	}
}

// A person who looks at what the model sees, and back, is at the message they were at.
func TestTheViewAndBackKeepsTheMessage(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 60))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 10, Unit: model.Messages} })
	w.settle()
	back := func(want int) {
		t.Helper()
		for range 2 {
			w.Planning.SetView(1 - w.Planning.View())
			w.settle()
		}
		if got := w.SelectedMessage(); got != want {
			t.Errorf("message %d was selected, and %d is after looking at what the model sees", want, got)
		}
	}
	last := len(w.Session().Thread().History) - 1
	for _, m := range []int{last / 2, last, 7} {
		w.SelectMessage(m)
		back(m)
	}
	w.SelectMessage(7)
	w.Planning.SetView(1 - w.Planning.View())
	w.settle()
	w.SelectRow(w.RowCount() - 1) // chosen there: it stays
	w.Planning.SetView(1 - w.Planning.View())
	w.settle()
	if got := w.SelectedMessage(); got != last {
		t.Errorf("message %d is selected in place of the one that was chosen", got)
	}
}
