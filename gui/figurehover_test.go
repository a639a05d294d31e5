package gui

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
)

// aFigure is a number with its unit, and what two of them are written as.
var aFigure = regexp.MustCompile(`^[≥≤~−+×–]*\s?[0-9][0-9.,]*(?: ?[%KMGB]+| pt)?(?: (?:of|→|fits|less) ?[0-9~.,]*[%KM]*)*$`)

// aSize is a share or a number of tokens within words.
var aSize = regexp.MustCompile(`[0-9](?: ?%|[KM])(?:[ ,.·]|$)|^[0-9]+ [a-z]+ (?:of|in) [0-9]+`)

// said reports whether a text is one of histories, which need no explanation.
func (x *tour) said(text string) bool { return strings.Contains(x.j.corpus, strings.TrimSpace(text)) }

// silent are the numbers on the screen under which no words appear when the pointer
// rests on them. The axes of charts, and what histories say, are not asked.
func (x *tour) silent(screen string) (list []string) {
	var due func()
	was := x.Overlay.After
	x.Overlay.After = func(_ time.Duration, f func()) func() { due = f; return func() { due = nil } }
	defer func() { x.Overlay.After = was }()
	c := x.Win.Canvas()
	s := look(c)
	for _, i := range s.texts() {
		n, text := s.all[i], textOf(s.all[i].obj)
		figure := aFigure.MatchString(text) || aSize.MatchString(text) && !x.said(text)
		if n.entry || n.prose || n.chart || !figure || text == "+ 500" {
			continue
		}
		x.figures++
		in := ink(n).and(n.clip)
		test.MoveMouse(c, fyne.Position{})
		due = nil
		test.MoveMouse(c, fyne.NewPos((in.x0+in.x1)/2, (in.y0+in.y1)/2))
		if due != nil {
			due()
		}
		if !floats(c) {
			list = append(list, fmt.Sprintf("%s: %q at %.0f,%.0f", screen, text, in.x0, in.y0))
		}
	}
	test.MoveMouse(c, fyne.Position{})
	return list
}

// floats reports whether words or a card are over what a canvas shows.
func floats(c fyne.Canvas) (found bool) {
	each(c.Content(), func(o fyne.CanvasObject) {
		name := reflect.TypeOf(o).String()
		found = found || strings.HasSuffix(name, ".tipBox") || strings.HasSuffix(name, ".cardBox")
	})
	return found
}

// Each number on a screen has words that say what it is and where it is from, under
// the pointer.
func TestEveryFigureHasWords(t *testing.T) {
	x := newTour(t)
	x.Win.Resize(large)
	x.settle()
	x.Desk.SelectMessage(100)
	sheets := append([]sheet{{"workbench", func() {}}}, x.allSheets()...)
	for _, sh := range sheets {
		sh.open()
		x.settle()
		x.fit()
		all := []string{}
		all = append(all, x.silent(sh.name)...)
		if sh.name == "records" {
			each(x.Win.Content(), func(o fyne.CanvasObject) {
				if tabs, ok := o.(*kit.Segments); ok && tabs.Len() > 5 {
					for i := range tabs.Len() {
						tabs.Choose(i)
						x.settle()
						x.fit()
						all = append(all, x.silent(fmt.Sprint(sh.name, ", tab ", i+1))...)
					}
				}
			})
		}
		for _, f := range all {
			t.Error(f)
		}
		x.LeaveSheet()
		x.settle()
	}
	if x.figures < 300 {
		t.Errorf("only %d numbers were pointed at", x.figures)
	}
}
