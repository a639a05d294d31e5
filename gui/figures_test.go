package gui

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// shownTexts are all words on a canvas, and the cards of its figures.
func shownTexts(o fyne.CanvasObject, out *[]string) {
	if o == nil || !o.Visible() {
		return
	}
	switch x := o.(type) {
	case *canvas.Text:
		*out = append(*out, x.Text)
		return
	case *fyne.Container:
		for _, c := range x.Objects {
			shownTexts(c, out)
		}
		return
	case *kit.Figure:
		c := x.Card()
		*out = append(*out, c.Value, c.About)
		for _, p := range append(c.Parts, c.Methods...) {
			*out = append(*out, p[0]+" "+p[1])
		}
	}
	if w, ok := o.(fyne.Widget); ok {
		for _, c := range test.WidgetRenderer(w).Objects() {
			shownTexts(c, out)
		}
	}
}

// No screen shows a number that says nothing or can't be, whatever the settings.
func TestNoScreenShowsAnAbsurdNumber(t *testing.T) {
	s := newStage(t)
	r := rand.New(rand.NewPCG(5, 9))
	pick := func(of ...int) int { return of[r.IntN(len(of))] }
	units := []model.Unit{model.Tokens, model.Messages, model.Steps, model.Turns}
	strategies := model.Strategies()
	check := func(where string) {
		t.Helper()
		var shown []string
		shownTexts(s.Win.Canvas().Content(), &shown)
		if len(shown) < 60 {
			t.Fatalf("%s: only %d texts are shown", where, len(shown))
		}
		for _, text := range shown {
			if bad := figure.Absurd(text); bad != "" {
				t.Errorf("%s: %q in %q, settings %+v", where, bad, text, s.Desk.Params())
			}
		}
	}
	for _, e := range s.Desk.Entries() {
		s.Desk.Select(e)
		s.settle()
		if s.Desk.Session() == nil {
			continue
		}
		for i := range 5 {
			s.Desk.Set(func(q *model.Policy) {
				q.Window = pick(1, 1000, 10_000, 200_000, 1_000_000)
				q.Tail = model.Amount{N: pick(0, 1, 2, 10, 8000), Unit: units[r.IntN(len(units))]}
				q.Batch = model.Amount{N: pick(0, 1, 30), Unit: q.Tail.Unit}
				q.Budget = model.Amount{N: pick(1, 100, 4000, 90_000), Unit: model.Tokens}
				q.MinGain.Messages, q.MinGain.Tokens = pick(0, 1, 2), pick(0, 1)
				q.Strategy = strategies[r.IntN(len(strategies))]
				show.SetClause(q, 0, []model.Amount{{N: 80, Unit: model.Percent}, {N: 1, Unit: model.Percent}, {N: 1, Unit: model.Messages},
					{N: 1, Unit: model.Steps}, {N: 1, Unit: model.Turns}}[r.IntN(5)])
			})
			if i == 3 { // not at the end
				s.Desk.SetAt(len(s.Desk.Session().Thread().History) / 2)
			}
			s.settle()
			check("workbench")
			s.Commands.Run(commands.Preview)
			s.settle()
			check("preview")
			s.Back()
		}
	}
}

// A figure has a card: at once with the keyboard, after a moment under the
// pointer; a key, the pointer's leaving and another page take it away. Enter copies
// the full value.
func TestAFigureHasACard(t *testing.T) {
	s := newStage(t)
	s.Win.Resize(large)
	due := func() {}
	s.Overlay.After = func(_ time.Duration, f func()) func() { due = f; return func() { due = func() {} } }
	after := findFigure(s.Win.Canvas().Content(), "~47.7K")
	if after == nil {
		t.Fatal("the result shows no ~47.7K")
	}
	c := after.Card()
	if !strings.HasPrefix(c.Value, "~47,") || len(c.Parts) < 3 || len(c.Methods) < 2 || !strings.Contains(c.About, "estimated") || !strings.Contains(c.About, "±") {
		t.Errorf("%+v", c)
	}
	told := func() bool {
		var shown []string
		shownTexts(s.Win.Canvas().Content(), &shown)
		return slices.Contains(shown, c.Name)
	}
	if told() {
		t.Error("there is a card before anybody points at it")
	}
	if s.Win.Canvas().Focus(after); !told() {
		t.Error("no card with the keyboard")
	}
	if after.KeyDown(&fyne.KeyEvent{Name: fyne.KeyDown}); told() {
		t.Error("a key leaves the card")
	}
	after.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := s.App.Clipboard().Content(); got != c.Value {
		t.Errorf("copied %q, the card says %q", got, c.Value)
	}
	s.Win.Canvas().Unfocus()
	after.MouseIn(&desktop.MouseEvent{})
	if told() {
		t.Error("the card does not wait")
	}
	if due(); !told() {
		t.Error("no card under the pointer")
	}
	if after.MouseOut(); told() {
		t.Error("the card stays when the pointer has left")
	}
	after.MouseIn(&desktop.MouseEvent{})
	due()
	s.Commands.Run(commands.Preview)
	if s.settle(); told() {
		t.Error("the card follows to another page")
	}
}

// findFigure is the figure that shows a text.
func findFigure(o fyne.CanvasObject, text string) *kit.Figure {
	switch x := o.(type) {
	case *kit.Figure:
		if x.Text() == text && x.Visible() {
			return x
		}
		return nil
	case *fyne.Container:
		for _, c := range x.Objects {
			if f := findFigure(c, text); f != nil {
				return f
			}
		}
		return nil
	}
	if w, ok := o.(fyne.Widget); ok {
		for _, c := range test.WidgetRenderer(w).Objects() {
			if f := findFigure(c, text); f != nil {
				return f
			}
		}
	}
	return nil
}

// A number that was typed without a unit and may be meant in tokens is asked back.
func TestATypedNumberThatMayBeTokensIsAskedBack(t *testing.T) {
	units := model.ParamOf("tail").Units
	for _, c := range []struct {
		text string
		now  model.Unit
		ok   bool
	}{{"20000", model.Messages, false}, {"20k", model.Steps, false}, {"20000", model.Tokens, true}, {"20000tok", model.Messages, true}, {"900", model.Messages, true}} {
		n, err := show.ParseField(c.text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = show.AmountOf(n, c.now, units, 200_000)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "20,000 tok or 20,000") {
			t.Errorf("%s beside %s: %v", c.text, c.now, err)
		}
	}
}
