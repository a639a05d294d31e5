// Package reading is the view in which a body is read: one message, a summary, the
// original of a record.
//
//	┌──────────────────────────────────────────┬─┐
//	│ find: column offset   3 of 12   ▲ ▼  ×   │ │  the find bar, on Ctrl+F
//	├──────────────────────────────────────────┤█│  the scroll bar, with a tick for
//	│ Count columns in runes                   │ │  each hit
//	│ • keep posTable by line                  │-│
//	│ ┌ src/lex/scan.go  +5 −3 ──────────────┐ │ │  rows of one height; only those that
//	│ │ 86    − // col is the column offset  │ │ │  are seen are made
//	│ … 1,240 lines · show all                 │ │
//	└──────────────────────────────────────────┴─┘
//
// What is shown is a [body.Doc]; it is read and laid out by the scheduler, never on
// the window's goroutine. All else belongs to that goroutine.
package reading

import (
	"context"
	"image"
	"image/color"
	"maps"
	"regexp"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/model/body"
)

// View shows a body. Set what it reports before it is shown.
type View struct {
	widget.BaseWidget
	// OnLink opens a link that leads elsewhere than to the web and reports whether
	// it did; nil: there are none.
	OnLink func(target string) bool
	// OnPick is called when a person pressed a place and selected nothing.
	OnPick func(p body.Place)
	// OnCopy receives copied text; nil puts it on the clipboard.
	OnCopy func(text string)
	// Menu adds items to the menu of a place.
	Menu func(p body.Place) []kit.MenuItem
	// OnFindMore looks for words that are not in the body where there is more; nil: there
	// is no more.
	OnFindMore func(words string)
	// HitInk is the colour of what is lit; "": the accent.
	HitInk fyne.ThemeColorName
	// OnLook is called when a person switched line numbers, or edits side by side, on or
	// off.
	OnLook func(Look)

	surface
	bar  *scrollBar
	find *findBar
	edge *canvas.Rectangle

	marked  *regexp.Regexp // what a search beside the view found; nil: nothing
	fromEnd bool           // the last of its places is shown first
	lights  []body.Hit     // what is lit while nothing is searched
	lightAt int            // the current one of them; −1: none

	sel     selection
	hover   string // target of the link under the pointer
	focused bool
}

// surface is what a view shows: the body, laid out, and the rows of it that are
// seen.
type surface struct {
	view  *View
	sched *sched.Scheduler
	key   string
	// reading is what is being read; nil: nothing is.
	reading func() *body.Doc
	keeping bool

	doc   *body.Doc
	lay   *body.Layout
	paper body.Paper
	top   float64 // row at the upper edge, with the part of it that is above
	pics  []image.Image

	faces  [3]kit.Measure
	look   string // what the faces and colours are for
	gen    int    // counts what makes every row outdated
	clip   *container.Clip
	field  *fyne.Container // what the clip shows: frames, rows, pictures
	rows   map[int]*row
	pool   []*row
	frames []*canvas.Rectangle
	images []*canvas.Image

	hits    []body.Hit
	current int
	goal    *body.Place // to be shown once it is laid out
	follows bool        // the body grows, and its end is shown
	change  int         // the change of a diff that is selected, from 0; −1: none
	toFirst bool        // the first one is to be selected once the body is read
}

var views int

// New makes an empty view whose work s does.
func New(s *sched.Scheduler) *View {
	views++
	v := &View{surface: surface{sched: s, key: "reading." + strconv.Itoa(views), rows: map[int]*row{}, current: -1}}
	v.view = v
	v.field = container.NewWithoutLayout()
	v.clip = container.NewClip(v.field)
	v.bar = newScrollBar(v)
	v.find = newFindBar(v)
	v.find.box.Hide()
	v.edge = canvas.NewRectangle(color.Transparent)
	v.doc = &body.Doc{}
	v.lay = &body.Layout{Doc: v.doc}
	v.paper.Pitch = kit.Px(pitch)
	v.ExtendBaseWidget(v)
	return v
}

// Read reads a body in the background and shows it. With keep the view stays where
// it is: the body continues what was shown, or is another spelling of it.
func (v *surface) Read(keep bool, read func() *body.Doc) {
	v.reading, v.keeping = read, keep
	paper := v.paperNow()
	if !keep {
		paper.Open, v.follows, v.toFirst = nil, false, false
	}
	sched.Run(v.sched, v.key, func(context.Context, func(sched.Progress)) (*body.Layout, error) {
		return read().Lay(paper), nil
	}, func(l *body.Layout, err error) {
		v.reading = nil
		if err != nil {
			return
		}
		if !keep {
			v.top = 0
		}
		v.paper.Open = paper.Open
		v.doc = l.Doc
		v.view.sel = selection{}
		v.hits, v.current, v.change = nil, -1, -1
		v.take(l)
		v.view.find.again()
		if v.toFirst {
			v.view.StepChange(1)
		}
	})
}

// Follow shows a text that grows: its end, or, once a person has scrolled away from that,
// the place that they read.
func (v *surface) Follow(text string) {
	v.follows = true
	v.Read(true, func() *body.Doc { return body.Plain(text) })
}

// Compare shows a diff, from its first change on.
func (v *surface) Compare(read func() *body.Doc) {
	v.Read(false, read)
	v.toFirst = true
}

// StepChange selects the next change of a diff, or with −1 the one before, and goes round at
// the ends.
func (v *View) StepChange(by int) {
	list := v.doc.Changes()
	if len(list) == 0 {
		return
	}
	if v.change < 0 && by < 0 {
		v.change = 0
	}
	v.change = (v.change + by + len(list)) % len(list)
	h := list[v.change]
	v.Select(h.Start(), body.Place{Block: h.Block, At: h.To})
	v.reveal(h.Start())
	v.scrollTo(float64(v.lay.RowOf(h.Start())) - above)
}

// above is how many rows are seen before a change that was gone to.
const above = 3

// Set shows a body that is read already; an empty one is nothing.
func (v *surface) Set(d *body.Doc) { v.Read(false, func() *body.Doc { return d }) }

// Doc is the body that is shown.
func (v *surface) Doc() *body.Doc { return v.doc }

// Layout is how it is laid out.
func (v *surface) Layout() *body.Layout { return v.lay }

// SetPictures hands the pictures of the body over, by their number; one that is nil
// can't be shown.
func (v *surface) SetPictures(list []image.Image) {
	v.pics = list
	v.relay()
}

// Look is what a person chose of how bodies are shown.
type Look struct {
	Numbers bool // of lines, where a text has none of its own
	Sides   bool // edits side by side, where there is room
}

// Look is how the body is shown.
func (v *surface) Look() Look { return Look{v.paper.Numbers, v.paper.Sides} }

// SetLook shows the body so.
func (v *surface) SetLook(l Look) {
	if v.Look() != l {
		v.paper.Numbers, v.paper.Sides = l.Numbers, l.Sides
		v.relay()
	}
}

// Choose is [surface.SetLook] by a person: it is reported.
func (v *View) Choose(l Look) {
	v.SetLook(l)
	if v.OnLook != nil {
		v.OnLook(l)
	}
}

// paperNow is the paper for the present width, letters and folds. What it holds may
// be read by any goroutine.
func (v *surface) paperNow() body.Paper {
	v.faces = [3]kit.Measure{
		body.FaceText: kit.NewMeasure(textSize, false),
		body.FaceBold: kit.MeasureOf(textSize, fyne.TextStyle{Bold: true}),
		body.FaceMono: kit.NewMeasure(monoSize, true),
	}
	faces, pics := v.faces, v.pics
	v.paper.Letter = func(f body.Face, r rune) float32 { return faces[f].Rune(r) }
	v.paper.Pitch = kit.Px(pitch)
	v.paper.Width = max(kit.Px(80), v.roomWidth())
	p := v.paper
	p.Open = maps.Clone(v.paper.Open)
	p.Picture = func(n int) (w, h int) {
		if n < len(pics) && pics[n] != nil {
			s := pics[n].Bounds().Size()
			return s.X, s.Y
		}
		return 0, 0
	}
	return p
}

func (v *surface) roomWidth() float32 {
	return v.view.BaseWidget.Size().Width - kit.Px(leftRoom+rightRoom)
}

// relay lays the body out again, and stays at the place that is seen.
func (v *surface) relay() {
	if v.reading != nil { // what it laid out is outdated
		v.Read(v.keeping, v.reading)
		return
	}
	if len(v.doc.Blocks) == 0 { // as when the window starts: no letter need be measured
		v.paper.Pitch = kit.Px(pitch)
		return
	}
	doc, paper := v.doc, v.paperNow()
	sched.Run(v.sched, v.key, func(context.Context, func(sched.Progress)) (*body.Layout, error) {
		return doc.Lay(paper), nil
	}, func(l *body.Layout, err error) {
		if err == nil {
			v.take(l)
		}
	})
}

// take shows another layout of the body, at the place that is seen.
func (v *surface) take(l *body.Layout) {
	at, part := v.topPlace()
	end := v.follows && (len(v.lay.Rows) == 0 || v.top+v.page() >= float64(len(v.lay.Rows)))
	v.lay = l
	v.gen++
	if i := l.RowOf(at); i >= 0 && (at != body.Place{}) {
		v.top = float64(i) + part
	}
	if end {
		v.top = float64(len(l.Rows)) // as far as there is something below
	}
	if g := v.goal; g != nil {
		v.goal = nil
		v.reveal(*g)
	}
	v.view.Refresh()
}

// topPlace is the place at the upper edge.
func (v *surface) topPlace() (body.Place, float64) {
	i := int(v.top)
	if i < 0 || i >= len(v.lay.Rows) {
		return body.Place{}, 0
	}
	r := v.lay.Rows[i]
	return body.Place{Block: int(r.Block), At: int(r.From)}, v.top - float64(i)
}

// page is how many rows are seen.
func (v *surface) page() float64 {
	return float64(v.clip.Size().Height-kit.Px(topRoom)) / float64(v.paper.Pitch)
}

// scrollTo brings a row to the upper edge.
func (v *surface) scrollTo(row float64) {
	row = max(0, min(row, float64(len(v.lay.Rows))-v.page()+.3))
	if row != v.top {
		v.top = row
		kit.HideTipOf(v.view)
		v.place()
		canvas.Refresh(v.field)
	}
}

// reveal brings a place into view, opening the fold that hides it.
func (v *surface) reveal(p body.Place) {
	if f, hidden := v.lay.Hides(p); hidden {
		v.goal = &p
		v.setOpen(f, true)
		return
	}
	i := v.lay.RowOf(p)
	if i < 0 {
		return
	}
	if y := float64(i); y < v.top || y+1 > v.top+v.page() {
		v.scrollTo(y - v.page()/3)
	}
}

func (v *surface) setOpen(f body.Fold, open bool) {
	if v.paper.Open == nil {
		v.paper.Open = map[body.Fold]bool{}
	}
	v.paper.Open[f] = open
	v.relay()
}

// highlight lights ranges of the body's text, current more than the others; −1: none
// is.
func (v *surface) highlight(hits []body.Hit, current int) {
	v.hits, v.current = hits, current
	v.gen++
	if current >= 0 && current < len(hits) {
		v.reveal(hits[current].Start())
	}
	v.view.Refresh()
}

// place makes the rows agree with what is seen.
func (v *surface) place() {
	size := v.clip.Size()
	p := v.paper.Pitch
	from := max(0, int(v.top))
	to := min(len(v.lay.Rows), int(v.top+float64(size.Height/p))+2)
	for i, r := range v.rows {
		if i < from || i >= to {
			delete(v.rows, i)
			v.pool = append(v.pool, r)
		}
	}
	objs := v.placeFrames(v.field.Objects[:0], from, to)
	for i := from; i < to; i++ {
		r := v.rows[i]
		if r == nil {
			if n := len(v.pool); n > 0 {
				r, v.pool = v.pool[n-1], v.pool[:n-1]
			} else {
				r = newRow(v.view)
			}
			v.rows[i] = r
		}
		r.Move(fyne.NewPos(0, v.y(i)))
		r.Resize(fyne.NewSize(size.Width, p))
		r.show(i)
		objs = append(objs, r)
	}
	v.field.Objects = v.placePictures(objs, from, to)
	v.field.Resize(fyne.NewSize(size.Width, max(size.Height, v.y(to)))) // the last row may be half seen
	v.view.bar.update()
}

// y is where a row is.
func (v *surface) y(i int) float32 {
	return float32((float64(i)-v.top)*float64(v.paper.Pitch)) + kit.Px(topRoom)
}

// placeFrames draws the frames behind the rows.
func (v *surface) placeFrames(objs []fyne.CanvasObject, from, to int) []fyne.CanvasObject {
	n := 0
	rows := v.lay.Rows
	for i := from; i < to; {
		k := i + 1
		for rows[i].Kind != body.RowGap && k < to && rows[k].Block == rows[i].Block && rows[k].Kind != body.RowGap {
			k++
		}
		b := &v.doc.Blocks[rows[i].Block]
		if !b.Kind.Framed() || rows[i].Kind == body.RowGap {
			i = k
			continue
		}
		if n == len(v.frames) {
			v.frames = append(v.frames, canvas.NewRectangle(color.Transparent))
		}
		f := v.frames[n]
		n++
		x := kit.Px(leftRoom) + v.doc.Inset(b, v.em())
		top, bottom := v.y(i)-kit.Px(4), v.y(k)+kit.Px(4)
		if i == from && i > 0 && rows[i-1].Block == rows[i].Block && rows[i-1].Kind != body.RowGap {
			top -= kit.Px(40)
		}
		if k == to && to < len(rows) && rows[to].Block == rows[i].Block {
			bottom += kit.Px(40)
		}
		f.FillColor, f.StrokeColor, f.StrokeWidth, f.CornerRadius = kit.Color(kit.ColorBackground), kit.Color(kit.ColorLine), 1, 4
		f.Move(fyne.NewPos(x, top))
		f.Resize(fyne.NewSize(v.clip.Size().Width-x-kit.Px(rightRoom), bottom-top))
		canvas.Refresh(f)
		objs = append(objs, f)
		i = k
	}
	return objs
}

// placePictures draws the pictures over the rows that are kept for them.
func (v *surface) placePictures(objs []fyne.CanvasObject, from, to int) []fyne.CanvasObject {
	n := 0
	for i := from; i < to; i++ {
		r := v.lay.Rows[i]
		if r.Kind != body.RowPicture || i > from && !r.Head {
			continue
		}
		first := i
		for !v.lay.Rows[first].Head {
			first--
		}
		media := v.doc.Blocks[r.Block].Media
		if media >= len(v.pics) || v.pics[media] == nil {
			continue
		}
		if n == len(v.images) {
			im := canvas.NewImageFromImage(nil)
			im.FillMode, im.ScaleMode = canvas.ImageFillStretch, canvas.ImageScaleSmooth
			v.images = append(v.images, im)
		}
		im := v.images[n]
		n++
		s := v.pics[media].Bounds().Size()
		w, h := v.paper.PictureSize(s.X, s.Y, v.em())
		im.Move(fyne.NewPos(kit.Px(leftRoom)+r.X, v.y(first)))
		im.Resize(fyne.NewSize(w, h))
		if im.Image != v.pics[media] {
			im.Image = v.pics[media]
			im.Refresh()
		}
		objs = append(objs, im)
	}
	return objs
}

func (v *surface) em() float32 { return v.faces[body.FaceText].Rune('M') }

// CreateRenderer implements fyne.Widget.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	var stale kit.Stale
	again := func() {
		v.layOut(v.BaseWidget.Size())
		canvas.Refresh(v)
	}
	return &kit.Parts{Place: v.layOut, Least: func() fyne.Size { return fyne.NewSize(kit.Px(120), kit.Px(46)) }, Again: again,
		List: func() []fyne.CanvasObject {
			if stale.Due() {
				v.gen++
				again()
			}
			return []fyne.CanvasObject{v.clip, v.bar, v.find.box, v.edge}
		}}
}

// layOut puts the text, its bar and the line of the search into a room.
func (v *View) layOut(s fyne.Size) {
	top := float32(0)
	if v.find.box.Visible() {
		top = v.find.box.MinSize().Height
		v.find.box.Move(fyne.Position{})
		v.find.box.Resize(fyne.NewSize(s.Width, top))
	}
	v.clip.Move(fyne.NewPos(0, top))
	v.clip.Resize(fyne.NewSize(s.Width, max(0, s.Height-top)))
	v.bar.Move(fyne.NewPos(s.Width-kit.Px(barWidth), top))
	v.bar.Resize(fyne.NewSize(kit.Px(barWidth), max(0, s.Height-top)))
	v.edge.Resize(s)
	v.edge.FillColor, v.edge.StrokeWidth, v.edge.StrokeColor = color.Transparent, 1, kit.Color(kit.ColorAccent)
	v.edge.Hidden = !v.focused
	if look := v.lookNow(); look != v.look {
		v.look = look
		v.gen++
		v.relay()
	} else if w := max(kit.Px(80), v.roomWidth()); w != v.paper.Width {
		v.relay()
	}
	v.top = max(0, min(v.top, float64(len(v.lay.Rows))-v.page()+.3))
	v.place()
}

// lookNow names the text size and the colours in use.
func (v *View) lookNow() string {
	r, g, b, _ := kit.Color(kit.ColorPanel).RGBA()
	return strconv.FormatFloat(float64(kit.Scale()), 'f', 3, 32) + strconv.Itoa(int(r>>8<<16|g>>8<<8|b>>8))
}
