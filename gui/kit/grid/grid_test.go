package grid

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
)

// table is a grid over ten rows in three groups, on a canvas of a width.
func table(t *testing.T, width float32) (*Grid, map[int]bool) {
	t.Helper()
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	ticked := map[int]bool{}
	text := func(col string) func(int) string { return func(i int) string { return fmt.Sprint(col, i) } }
	g := New([]Column{
		{ID: "id", Title: "id", Width: 60, Keep: true, Sort: true, Text: text("id")},
		{ID: "words", Title: "words", Width: 120, Grow: true, Text: text("words")},
		{ID: "before", Title: "before", Width: 70, Right: true, Sort: true, Text: text("before")},
		{ID: "after", Title: "after", Width: 70, Hide: 2, Right: true, Text: text("after")},
		{ID: "sha", Title: "sha", Width: 80, Hide: 1, Text: text("sha")},
		{ID: "more", Title: "more", Width: 50, Off: true, Text: text("more")},
	}, func() int { return 10 })
	g.Groups = func() []Group {
		return []Group{{Key: "a", Title: "A", Count: 3}, {Key: "b", Title: "B", Count: 1}, {Key: "c", Title: "C", Count: 6}}
	}
	g.Ticked = func(i int) bool { return ticked[i] }
	g.OnSelect = func(int) {}
	g.OnTick = func(i int, _ bool) { ticked[i] = !ticked[i]; g.Update() }
	g.OnTickRows = func(from, n int, on bool) {
		for i := from; i < from+n; i++ {
			ticked[i] = on
		}
		g.Update()
	}
	w := test.NewTempWindow(t, g.Object())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, 400))
	g.Update()
	return g, ticked
}

// inOrder are the columns that are seen, from the left.
func inOrder(g *Grid) (ids []string) {
	spots := g.place(g.list.Size().Width)
	for _, i := range g.order {
		if spots[i] != gone {
			ids = append(ids, g.columns[i].ID)
		}
	}
	return ids
}

func TestGroupsFoldAndTickTogether(t *testing.T) {
	g, ticked := table(t, 600)
	if g.length() != 13 {
		t.Fatalf("%d lines, want 10 rows and 3 heads", g.length())
	}
	g.Select(5)
	if at := g.at(g.list.Selected()); at.row != 5 {
		t.Errorf("row 5 is selected in the line of row %d", at.row)
	}
	g.list.Key(fyne.KeyLeft) // to the head of its group
	g.list.Key(fyne.KeySpace)
	if all, _ := g.state(4, 6); !all || len(ticked) != 6 {
		t.Errorf("Space on the head of a group ticked %v", ticked)
	}
	g.Select(5)
	if g.at(g.list.Selected()).row >= 0 {
		t.Error("the cursor left the head although the row looked at is the same")
	}
	g.list.Key(fyne.KeyLeft)
	if g.length() != 7 {
		t.Errorf("%d lines with one of the groups folded", g.length())
	}
	g.list.Key(fyne.KeyUp)
	if g.Selected() != 3 {
		t.Errorf("above the folded group is row %d, want 3", g.Selected())
	}
	g.Select(9)
	if at := g.at(g.list.Selected()); at.row >= 0 || at.group != 2 {
		t.Errorf("a row of a folded group is selected at %+v, want the head", at)
	}
	g.list.Key(fyne.KeyRight)
	if ticked[4] = false; g.length() != 13 {
		t.Errorf("%d lines after unfolding", g.length())
	}
	if all, some := g.state(4, 6); all || !some {
		t.Error("a group with a row that is not ticked is not ticked in part")
	}
	var copied string
	g.OnCopy = func(s string) { copied = s }
	g.list.TypedShortcut(&fyne.ShortcutCopy{})
	if rows := strings.Split(copied, "\n"); len(rows) != 5 || rows[0] != "id5\twords5\tbefore5\tafter5\tsha5" {
		t.Errorf("copied %q", copied)
	}
}

// A group shows its first rows and how many more there are, until a person asks for them
// or goes to one of them; a line "1 more" would take the place of its row.
func TestAGroupShowsFewRows(t *testing.T) {
	g, _ := table(t, 600)
	g.Groups = func() []Group {
		return []Group{{Key: "a", Count: 3, Few: 2}, {Key: "b", Count: 1, Few: 2}, {Key: "c", Count: 6, Few: 2}}
	}
	g.Update()
	lines := func() (out []int) {
		for i := range g.length() {
			out = append(out, g.at(i).row)
		}
		return out
	}
	few := []int{headRow, 0, 1, 2, headRow, 3, headRow, 4, 5, moreRow}
	if got := lines(); !slices.Equal(got, few) {
		t.Fatalf("lines %v, want %v", got, few)
	}
	g.Select(5)
	g.list.Key(fyne.KeyDown)
	g.list.Key(fyne.KeyReturn)
	if len(lines()) != 13 || g.Selected() != 6 {
		t.Errorf("Enter on the line shows %v at row %d", lines(), g.Selected())
	}
	g.whole = map[string]bool{}
	g.Update()
	g.Select(9)
	if at := g.at(g.list.Selected()); len(lines()) != 13 || at.row != 9 {
		t.Errorf("row 9 is shown at %+v of %v", at, lines())
	}
}

// Where it is narrow the columns go in their order, and the rest is beside each
// other without a gap or an overlap.
func TestColumnsFillTheRow(t *testing.T) {
	for _, c := range []struct {
		width float32
		want  []string
	}{
		{600, []string{"id", "words", "before", "after", "sha"}},
		{500, []string{"id", "words", "before", "after"}},
		{400, []string{"id", "words", "before"}},
	} {
		g, _ := table(t, c.width)
		if got := inOrder(g); !slices.Equal(got, c.want) {
			t.Errorf("%v wide: %v, want %v", c.width, got, c.want)
		}
		filled(t, g)
	}
}

func filled(t *testing.T, g *Grid) {
	t.Helper()
	x := float32(leftRoom + tickWidth + gap)
	spots := g.place(g.list.Size().Width)
	for _, i := range g.order {
		if spots[i] == gone {
			continue
		}
		if spots[i].x != x {
			t.Errorf("%s begins at %v, want %v", g.columns[i].ID, spots[i].x, x)
		}
		x += spots[i].w + gap
	}
	if end := g.list.Size().Width - rightRoom + gap; math.Abs(float64(x-end)) > .01 {
		t.Errorf("the columns end at %v, the row at %v", x, end)
	}
}

// A drag of an edge moves that edge with the pointer, on both sides of the column
// that grows, and never below the least widths.
func TestEdgesFollowThePointer(t *testing.T) {
	for _, id := range []string{"id", "words", "before", "after"} {
		g, _ := table(t, 700)
		i := g.index(id)
		was := g.place(g.list.Size().Width)[i]
		g.head.edges[i].Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(12, 0)})
		now := g.place(g.list.Size().Width)[i]
		if now.x+now.w != was.x+was.w+12 {
			t.Errorf("the edge of %s moved by %v, want 12", id, now.x+now.w-was.x-was.w)
		}
		filled(t, g)
		g.head.edges[i].Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-4000, 0)})
		filled(t, g)
		for k, s := range g.place(g.list.Size().Width) {
			if s != gone && s.w < leastMin {
				t.Errorf("after %s, %s is %v wide", id, g.columns[k].ID, s.w)
			}
		}
	}
}

func TestLayoutIsRemembered(t *testing.T) {
	g, _ := table(t, 700)
	var kept []byte
	g.OnLayout = func(l Layout) {
		var err error
		if kept, err = json.Marshal(l); err != nil {
			t.Fatal(err)
		}
	}
	sha := g.head.cells[g.index("sha")]
	sha.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(g.head.cells[0].Position().X-sha.Position().X+2, 0)}})
	sha.DragEnd()
	g.show(g.index("more"), true)
	g.show(g.index("after"), false)
	g.resize(g.index("sha"), 20)
	want := []string{"sha", "id", "words", "before", "more"}
	if got := inOrder(g); !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	other, _ := table(t, 700)
	var l Layout
	if err := json.Unmarshal(kept, &l); err != nil {
		t.Fatal(err)
	}
	l.Order = append([]string{"one that is gone"}, l.Order...)
	other.SetLayout(l)
	if !reflect.DeepEqual(other.place(700), g.place(700)) {
		t.Errorf("put back from %s: %v, want %v", kept, other.place(700), g.place(700))
	}
	g.reset()
	fresh, _ := table(t, 700)
	if !reflect.DeepEqual(g.place(700), fresh.place(700)) {
		t.Error("Reset does not bring the design back")
	}
}

func TestMenuOfColumnsByKeys(t *testing.T) {
	g, _ := table(t, 700)
	c := fyne.CurrentApp().Driver().CanvasForObject(g.obj)
	g.ShowColumns(c, fyne.NewPos(10, 10))
	m := c.Overlays().Top().(*kit.Menu)
	m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	m.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if got, want := inOrder(g), []string{"id", "words", "after", "sha"}; !slices.Equal(got, want) {
		t.Errorf("without the second of the menu: %v, want %v", got, want)
	}
	m.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if got, want := inOrder(g), []string{"id", "words", "before", "after", "sha"}; !slices.Equal(got, want) {
		t.Errorf("shown again: %v, want %v", got, want)
	}
	m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if c.Overlays().Top() != nil {
		t.Error("Esc does not close the menu")
	}
}
