package gui

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/session/figures"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
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
	fine := map[string]bool{} // most texts are shown under any settings
	check := func(where string) {
		t.Helper()
		var shown []string
		shownTexts(s.Win.Canvas().Content(), &shown)
		if len(shown) < 60 {
			t.Fatalf("%s: only %d texts are shown", where, len(shown))
		}
		for _, text := range shown {
			if fine[text] {
				continue
			}
			bad := figure.Absurd(text)
			if fine[text] = bad == ""; bad != "" {
				t.Errorf("%s: %q in %q, settings %+v", where, bad, text, s.Desk.Planning.Params())
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
			s.Desk.Planning.Set(func(q *model.Policy) {
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
				s.Desk.Planning.SetAt(len(s.Desk.Session().Thread().History) / 2)
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

// What is not known is not copied.
func TestAnUnknownFigureCopiesNothing(t *testing.T) {
	s := newStage(t)
	r := params(s).Result
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 10000, Unit: model.Messages} }) // so that nothing goes
	s.settle()
	unknown := r.Orders
	if unknown.Text() != "– "+words.T("figure.short.refused") {
		t.Fatalf("%q orders are kept though nothing is compacted", unknown.Text())
	}
	s.App.Clipboard().SetContent("before")
	unknown.Tapped(nil)
	if got := s.App.Clipboard().Content(); got != "before" || unknown.Card().Foot != "" {
		t.Errorf("copied %q, the card says %q", got, unknown.Card().Foot)
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
	figure := regexp.MustCompile(`textSize="22">(~\d+)(\.\dK)<`).FindStringSubmatch(s.markup())
	if figure == nil {
		t.Fatal("the result shows no tokens after the compaction")
	}
	after := findFigure(s.Win.Canvas().Content(), figure[1]+figure[2])
	if after == nil {
		t.Fatal("the result shows no " + figure[1] + figure[2])
	}
	c := after.Card()
	if !strings.HasPrefix(c.Value, figure[1]+",") || len(c.Parts) < 3 || len(c.Methods) < 2 || !strings.Contains(c.About, "estimated") || !strings.Contains(c.About, "±") {
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

// pointAt moves the pointer to the middle of the first text that a window shows, among
// those that are wanted.
func (s *stage) pointAt(wanted func(text string, at fyne.Position) bool) bool {
	place := s.App.Driver().AbsolutePositionForObject
	var t *canvas.Text
	walk(s.Win.Canvas().Content(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if x, ok := o.(*canvas.Text); ok && t == nil && wanted(x.Text, place(x)) {
			t = x
		}
	})
	if t == nil {
		return false
	}
	test.MoveMouse(s.Win.Canvas(), place(t).AddXY(t.Size().Width/2, t.Size().Height/2))
	return true
}

// A number in a row has a card under the pointer, as those in panes have. A record's
// sizes are those that the result showed when it was applied.
func TestANumberInARowHasACard(t *testing.T) {
	s := newStage(t)
	s.Win.Resize(large)
	due := func() {}
	s.Overlay.After = func(_ time.Duration, f func()) func() { due = f; return func() { due = func() {} } }
	shows := func(text string) bool {
		var shown []string
		shownTexts(s.Win.Canvas().Content(), &shown)
		return slices.Contains(shown, text)
	}
	from, _ := s.ledger().Shown()
	message := s.Desk.Row(from + 3)
	name := words.T("figure.name.message")
	size, _ := s.Desk.RowFigure(message, false)
	at := words.Figure(size)
	if !s.pointAt(func(text string, p fyne.Position) bool { return text == at && p.X > 600 }) {
		t.Fatalf("no row shows %s", at)
	}
	if due(); !shows(name) || !shows(size.Full()) {
		t.Errorf("no card for %s of a message", at)
	}
	test.MoveMouse(s.Win.Canvas(), fyne.NewPos(5, 5))
	if shows(name) {
		t.Error("the card stays")
	}
	peak := words.Figure(s.Desk.Current().PeakFigure())
	if !s.pointAt(func(text string, p fyne.Position) bool { return text == peak && p.X < 300 }) {
		t.Fatalf("no session shows %s", peak)
	}
	if due(); !shows(words.T("figure.name.peak")) {
		t.Errorf("no card for %s of a session", peak)
	}
	if !s.pointAt(func(text string, _ fyne.Position) bool {
		return strings.HasPrefix(text, words.T("status.counted", "method", "o200k_base"))
	}) {
		t.Fatal("the status bar does not say how tokens are counted")
	}
	if due(); !shows(words.T("status.counting.name")) {
		t.Error("no card for how tokens are counted")
	}

	s.Desk.Planning.SetAt(len(s.Desk.Session().Thread().History))
	s.settle()
	s.Commands.Run(commands.Preview)
	s.settle()
	shown, _ := s.Desk.CompactionFigures()
	s.Commands.Run(commands.ApplyDraft)
	s.settle()
	r := s.Desk.Session().Stack()[0]
	stored := figures.OfRecord(r)
	if words.Figure(stored.Before) != words.Figure(shown.Before) || words.Figure(stored.After) != words.Figure(shown.After) ||
		words.Figure(stored.Survives) != words.Figure(shown.Survives) {
		t.Errorf("shown %v → %v, %v, stored %v → %v, %v", shown.Before, shown.After, shown.Survives, stored.Before, stored.After, stored.Survives)
	}
	s.press("Ctrl+2")
	s.settle()
	before := words.Figure(stored.Before)
	if !s.pointAt(func(text string, p fyne.Position) bool { return text == before && p.Y < 500 }) {
		t.Fatalf("the list of records does not show %s", before)
	}
	if due(); !shows(words.T("figure.name.before")) || !shows(words.T("figure.scope.record")+" · "+words.T("figure.kind.estimated")) {
		t.Error("no card for the size of a record")
	}
}
