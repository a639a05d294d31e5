package gui

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"palimpsest/assets"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// This file is what the gate of the screens looks at: it walks the objects that
// a canvas draws, in the order in which they are drawn, and names what a person
// could not read.
//
//	canvas ─ walk ─→ seen: objects with place, clip and owners ─ rules ─→ faults

// The smallest contrast of a text with what is under it (WCAG 2, level AA).
const leastContrast = 4.5

// The smallest window that everything has to fit into.
var leastWindow = fyne.NewSize(1280, 720)

// A fault is one thing that a person could not read on a screen.
type fault struct {
	rule, screen, text string
	at                 fyne.Position
	detail             string
}

// key is the fault without its place and its numbers, the same for all choices of a
// screen and for its second opening.
func (f fault) key() string {
	return f.rule + " | " + state.ReplaceAllString(f.screen, "") + " | " + number.ReplaceAllString(f.text, "#")
}

var (
	number = regexp.MustCompile(`[0-9][0-9.,:-]*`)
	state  = regexp.MustCompile(`, choice [0-9.]+$| again$`)
)

func (f fault) String() string {
	return fmt.Sprintf("%s: %s: %q at %.0f,%.0f %s", f.screen, f.rule, f.text, f.at.X, f.at.Y, f.detail)
}

// rect is a part of the canvas.
type rect struct{ x0, y0, x1, y1 float32 }

func rectOf(p fyne.Position, s fyne.Size) rect { return rect{p.X, p.Y, p.X + s.Width, p.Y + s.Height} }

func (r rect) and(o rect) rect {
	return rect{max(r.x0, o.x0), max(r.y0, o.y0), min(r.x1, o.x1), min(r.y1, o.y1)}
}
func (r rect) empty() bool          { return r.x0 >= r.x1 || r.y0 >= r.y1 }
func (r rect) holds(o rect) bool    { return r.x0 <= o.x0 && r.y0 <= o.y0 && r.x1 >= o.x1 && r.y1 >= o.y1 }
func (r rect) inset(d float32) rect { return rect{r.x0 + d, r.y0 + d, r.x1 - d, r.y1 - d} }

// seen is one object that is drawn.
type seen struct {
	obj   fyne.CanvasObject
	place rect
	clip  rect // by the canvas and by everything that scrolls
	boxes rect // what all its owners have in common, within the part that scrolls
	list  bool // in a row of a list, whose words are data
	entry bool // in a field, which scrolls what is typed
	prose bool // in a text that is read
	chart bool
	off   bool // in a widget that is disabled
}

// sight is what a canvas draws.
type sight struct {
	all    []seen
	press  []seen // what answers to the pointer
	hints  []seen // what has words or a card under the pointer, in rows of lists too
	images map[*canvas.Raster]image.Image
}

// look walks what a canvas draws: the topmost dialog or menu, else the content.
func look(c fyne.Canvas) *sight {
	s := &sight{images: map[*canvas.Raster]image.Image{}}
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	all := rectOf(fyne.Position{}, c.Size())
	s.walk(root, seen{clip: all, boxes: all}, fyne.Position{})
	return s
}

func (s *sight) walk(o fyne.CanvasObject, in seen, offset fyne.Position) {
	if o == nil || !o.Visible() {
		return
	}
	at := offset.Add(o.Position())
	in.obj, in.place = o, rectOf(at, o.Size())
	if d, ok := o.(interface{ Disabled() bool }); ok && d.Disabled() {
		in.off = true
	}
	switch w := o.(type) {
	case *fyne.Container:
		in.boxes = in.boxes.and(in.place)
		for _, c := range w.Objects {
			s.walk(c, in, at)
		}
	case fyne.Widget:
		if pressable(w) && !in.list {
			s.press = append(s.press, in)
		}
		if hinted(w) != "" {
			s.hints = append(s.hints, in)
		}
		in = owned(w, in)
		for _, c := range test.WidgetRenderer(w).Objects() {
			s.walk(c, in, at)
		}
	default:
		s.all = append(s.all, in)
	}
}

// pressable reports whether a widget is a control or a figure of a value.
func pressable(w fyne.Widget) bool {
	switch c := w.(type) {
	case *kit.Tag:
		return c.OnTapped != nil
	case *kit.Figure:
		return !c.Disabled()
	case *kit.PressRow:
		return !c.Disabled() || c.Tip() != ""
	}
	_, ok := w.(interface{ Tip() string })
	return ok
}

// hinted is all that is written under the pointer when it rests on a widget.
func hinted(w fyne.CanvasObject) string {
	switch h := w.(type) {
	case *kit.Figure:
		return fmt.Sprintf("%+v", h.Card())
	case interface{ Tip() string }:
		return h.Tip()
	}
	return ""
}

// untold says what is missing of the words that appear when the pointer rests on a
// control; "" if they say what its own words do not.
func untold(w fyne.CanvasObject) string {
	if f, ok := w.(*kit.Figure); ok {
		if c := f.Card(); c.Name == "" || c.Value == "" || c.About == "" && len(c.Methods) == 0 {
			return fmt.Sprintf("its card is %+v", c)
		}
		return ""
	}
	bare := func(s string) string { return strings.TrimRight(strings.TrimSpace(s), "….:") }
	switch tip := w.(interface{ Tip() string }).Tip(); {
	case tip == "":
		return "no words"
	case strings.EqualFold(bare(tip), bare(wordsIn(w))):
		return "no other words than its own"
	}
	return ""
}

// owned is what the parts of a widget have of it.
func owned(w fyne.Widget, in seen) seen {
	if x, ok := w.(*container.Scroll); ok {
		in.clip = in.clip.and(in.place)
		in.boxes = in.boxes.and(in.place)
		if x.Direction != container.ScrollHorizontalOnly {
			in.boxes.y0, in.boxes.y1 = -math.MaxFloat32, math.MaxFloat32
		}
		if x.Direction != container.ScrollVerticalOnly {
			in.boxes.x0, in.boxes.x1 = -math.MaxFloat32, math.MaxFloat32
		}
		return in
	}
	if _, ok := w.(*container.Clip); ok { // rows of a text that is read move behind it
		in.clip = in.clip.and(in.place)
		in.boxes = in.boxes.and(in.place)
		in.boxes.y0, in.boxes.y1 = -math.MaxFloat32, math.MaxFloat32
		return in
	}
	name := reflect.TypeOf(w).String()
	switch {
	case strings.HasSuffix(name, "Entry"):
		in.entry = true
	case strings.HasPrefix(name, "*chart."):
		in.chart = true
	case name == "*reading.row":
		in.list, in.prose = true, true
	case strings.HasSuffix(name, ".listLine"):
		in.list = true
	}
	in.boxes = in.boxes.and(in.place)
	return in
}

// ink is where the letters of a text are.
func ink(n seen) rect {
	t := n.obj.(*canvas.Text)
	w := fyne.MeasureText(t.Text, t.TextSize, t.TextStyle).Width
	x := n.place.x0
	switch room := n.place.x1 - n.place.x0; t.Alignment {
	case fyne.TextAlignCenter:
		x += (room - w) / 2
	case fyne.TextAlignTrailing:
		x += room - w
	}
	mid := (n.place.y0 + n.place.y1) / 2
	return rect{x, mid - t.TextSize*.45, x + w, mid + t.TextSize*.45}
}

// texts are the texts a person sees: neither scrolled away nor covered.
func (s *sight) texts() (list []int) {
	for i, n := range s.all {
		t, ok := n.obj.(*canvas.Text)
		if !ok || strings.TrimSpace(t.Text) == "" {
			continue
		}
		in := ink(n)
		if mid := (in.y0 + in.y1) / 2; mid < n.clip.y0 || mid > n.clip.y1 || in.and(n.clip).empty() || s.covered(in.and(n.clip), i) {
			continue
		}
		list = append(list, i)
	}
	return list
}

// covered reports whether something opaque is drawn over a place behind object i.
func (s *sight) covered(place rect, i int) bool {
	for _, n := range s.all[i+1:] {
		r, ok := n.obj.(*canvas.Rectangle)
		if ok && alpha(r.FillColor) == 255 && n.place.and(n.clip).holds(place) {
			return true
		}
	}
	return false
}

func alpha(c color.Color) uint8 {
	if c == nil {
		return 0
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA).A
}

// under is the colour that is drawn at a point before object i.
func (s *sight) under(x, y float32, i int) color.NRGBA {
	var over []color.NRGBA
	for j := i - 1; j >= 0; j-- {
		n := s.all[j]
		if v := n.place.and(n.clip); x < v.x0 || x >= v.x1 || y < v.y0 || y >= v.y1 {
			continue
		}
		c := s.paint(n, x, y)
		if c.A == 0 {
			continue
		}
		if over = append(over, c); c.A == 255 {
			break
		}
	}
	base := color.NRGBAModel.Convert(kit.Color(kit.ColorPanel)).(color.NRGBA) // what a window is cleared to
	for j := len(over) - 1; j >= 0; j-- {
		base = mix(base, over[j])
	}
	return base
}

// paint is the colour an object has at a point.
func (s *sight) paint(n seen, x, y float32) color.NRGBA {
	c := color.Color(color.Transparent)
	switch o := n.obj.(type) {
	case *canvas.Rectangle:
		c = o.FillColor
	case *canvas.Raster:
		w, h := int(n.place.x1-n.place.x0+.5), int(n.place.y1-n.place.y0+.5)
		if w <= 0 || h <= 0 || o.Generator == nil {
			break
		}
		im := s.images[o]
		if im == nil {
			im = o.Generator(w, h)
			s.images[o] = im
		}
		if im != nil {
			b := im.Bounds()
			c = im.At(b.Min.X+int(x-n.place.x0)*b.Dx()/w, b.Min.Y+int(y-n.place.y0)*b.Dy()/h)
		}
	}
	if c == nil {
		return color.NRGBA{}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

func mix(under, over color.NRGBA) color.NRGBA {
	a := float64(over.A) / 255
	m := func(u, o uint8) uint8 { return uint8(float64(u)*(1-a) + float64(o)*a + .5) }
	return color.NRGBA{m(under.R, over.R), m(under.G, over.G), m(under.B, over.B), 255}
}

// contrast is that of two opaque colours, 1 to 21.
func contrast(a, b color.NRGBA) float64 {
	lum := func(c color.NRGBA) float64 {
		f := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= .03928 {
				return x / 12.92
			}
			return math.Pow((x+.055)/1.055, 2.4)
		}
		return .2126*f(c.R) + .7152*f(c.G) + .0722*f(c.B)
	}
	x, y := lum(a), lum(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// judge holds all rules against what is seen.
type judge struct {
	static map[string][]*template // of the words of each language
	spaces map[string]bool        // what their keys begin with
	others map[kit.Mode]map[color.NRGBA]bool
	corpus string // all that histories, files and records say
	said   map[saying]verdict
}

// saying is a text as it is judged by its words alone, and verdict what is found: most texts
// are on many screens.
type (
	saying struct {
		lang, text  string
		list, entry bool
	}
	verdict struct {
		cut, foreign bool
		key          string
	}
)

func (j *judge) words(n seen, text string) verdict {
	of := saying{words.Language(), text, n.list, n.entry}
	v, ok := j.said[of]
	if !ok {
		if !n.entry && !n.list {
			v.cut, v.key = j.cut(text), j.key(text)
		}
		v.foreign = of.lang == words.Chinese && j.foreign(n, text)
		j.said[of] = v
	}
	return v
}

func newJudge(corpus string) *judge {
	j := &judge{static: map[string][]*template{}, spaces: map[string]bool{}, others: map[kit.Mode]map[color.NRGBA]bool{}, corpus: corpus,
		said: map[saying]verdict{}}
	for _, lang := range words.Languages {
		j.static[lang] = templates(lang)
		for _, t := range j.static[lang] {
			space, _, _ := strings.Cut(t.key, ".")
			j.spaces[space] = true
		}
	}
	for _, m := range []kit.Mode{kit.Light, kit.Dark} {
		own, all := map[color.NRGBA]bool{}, map[color.NRGBA]bool{}
		for _, n := range colorNames {
			for _, x := range []kit.Mode{kit.Light, kit.Dark} {
				c := color.NRGBAModel.Convert(kit.NewTheme(x, 1).Color(n, theme.VariantDark)).(color.NRGBA)
				if x == m {
					own[c] = true
				} else {
					all[c] = true
				}
			}
		}
		for c := range own {
			delete(all, c)
		}
		j.others[m] = all
	}
	return j
}

var colorNames = []fyne.ThemeColorName{kit.ColorBackground, kit.ColorPanel, kit.ColorRaised, kit.ColorLine, kit.ColorText,
	kit.ColorMuted, kit.ColorFaint, kit.ColorAccent, kit.ColorOnAccent, kit.ColorSelection, kit.ColorHover, kit.ColorError,
	kit.ColorWarning, kit.ColorSuccess, kit.ColorKept, kit.ColorPinned, kit.ColorCleared, kit.ColorSummarised, kit.ColorDropped,
	kit.ColorAdded, theme.ColorNameInputBackground, theme.ColorNameScrollBar}

// judge is every fault of what a canvas draws.
func (j *judge) judge(screen string, c fyne.Canvas, mode kit.Mode) (faults []fault) {
	s := look(c)
	add := func(rule, text string, at rect, detail string) {
		faults = append(faults, fault{rule, screen, text, fyne.NewPos(at.x0, at.y0), detail})
	}
	list := s.texts()
	for _, i := range list {
		n := s.all[i]
		t := n.obj.(*canvas.Text)
		in := ink(n)
		if d := outside(n, in); d != "" {
			add("outside", t.Text, in, d)
		}
		said := j.words(n, t.Text)
		if said.cut {
			add("cut", t.Text, in, "")
		}
		if said.key != "" {
			add("key", said.key, in, t.Text)
		}
		if r, on := s.contrast(i, in); r < leastContrast {
			add("contrast", t.Text, in, fmt.Sprintf("%.2f of %v on %v", r, t.Color, on))
		}
		if said.foreign {
			add("english", t.Text, in, "")
		}
	}
	for _, n := range s.press {
		if d := untold(n.obj); d != "" && !n.place.and(n.clip).empty() {
			add("tip", fmt.Sprintf("%T %s", n.obj, wordsIn(n.obj)), n.place, d)
		}
	}
	for _, n := range s.press {
		if x, ok := n.obj.(interface{ Unexplained() bool }); ok && x.Unexplained() && !n.place.and(n.clip).empty() {
			add("why", fmt.Sprintf("%T %s", n.obj, wordsIn(n.obj)), n.place, "it is disabled and does not say why")
		}
	}
	for _, n := range s.hints {
		if key := j.key(hinted(n.obj)); key != "" {
			add("key", key, n.place, hinted(n.obj))
		}
	}
	for _, p := range s.overlaps(list) {
		a, b := s.all[p[0]].obj.(*canvas.Text), s.all[p[1]].obj.(*canvas.Text)
		add("overlap", a.Text+" × "+b.Text, ink(s.all[p[1]]), fmt.Sprint(ink(s.all[p[0]]), ink(s.all[p[1]])))
	}
	for _, n := range s.all {
		for _, c := range colors(n.obj) {
			if _, text := n.obj.(*canvas.Text); text && (c == color.NRGBA{0, 0, 0, 255} || c == color.NRGBA{255, 255, 255, 255}) {
				continue // on a shade, see contrast
			}
			if j.others[mode][c] && !n.place.and(n.clip).empty() {
				add("other theme", fmt.Sprintf("%T %v", n.obj, c), n.place, textOf(n.obj))
			}
		}
	}
	if m := c.Content().MinSize(); m.Width > leastWindow.Width || m.Height > leastWindow.Height {
		add("window", fmt.Sprintf("%.0f×%.0f", m.Width, m.Height), rect{}, "")
	}
	return faults
}

func textOf(o fyne.CanvasObject) string {
	if t, ok := o.(*canvas.Text); ok {
		return t.Text
	}
	return ""
}

// colors are those an object is painted in.
func colors(o fyne.CanvasObject) (list []color.NRGBA) {
	add := func(c color.Color) {
		if alpha(c) > 1 {
			list = append(list, color.NRGBAModel.Convert(c).(color.NRGBA))
		}
	}
	switch x := o.(type) {
	case *canvas.Text:
		if x.Text != "" {
			add(x.Color)
		}
	case *canvas.Rectangle:
		add(x.FillColor)
		if x.StrokeWidth > 0 {
			add(x.StrokeColor)
		}
	case *canvas.Line:
		add(x.StrokeColor)
	case *canvas.Circle:
		add(x.FillColor)
		if x.StrokeWidth > 0 {
			add(x.StrokeColor)
		}
	}
	return list
}

// outside says how far letters are beyond what holds them; "" if they are not.
func outside(n seen, in rect) string {
	if n.entry {
		return ""
	}
	const slack = 1.6 // of rounding, and of letters that lean
	room := n.boxes.and(rect{n.place.x0, -math.MaxFloat32, n.place.x1, math.MaxFloat32})
	for side, d := range map[string]float32{"left": room.x0 - in.x0, "right": in.x1 - room.x1,
		"above": room.y0 - in.y0, "below": in.y1 - room.y1} {
		if d > slack {
			return fmt.Sprintf("%.0f too far %s", d, side)
		}
	}
	return ""
}

// contrast is the worst that a text has with what is under it.
func (s *sight) contrast(i int, in rect) (float64, color.NRGBA) {
	t := s.all[i].obj.(*canvas.Text)
	in = in.and(s.all[i].clip)
	worst, at := 21., color.NRGBA{}
	y := (in.y0 + in.y1) / 2
	for _, x := range []float32{in.x0 + 1, (in.x0 + in.x1) / 2, in.x1 - 1} {
		under := s.under(x, y, i)
		if r := contrast(mix(under, color.NRGBAModel.Convert(t.Color).(color.NRGBA)), under); r < worst {
			worst, at = r, under
		}
	}
	return worst, at
}

// overlaps are the pairs of texts that are drawn over each other.
func (s *sight) overlaps(list []int) (pairs [][2]int) {
	places := make([]rect, len(list))
	for k, i := range list {
		places[k] = ink(s.all[i]).and(s.all[i].clip).inset(1)
	}
	for k, i := range list {
		for m, j := range list[k+1:] {
			b := places[k].and(places[k+1+m])
			if !b.empty() && !s.coveredBetween(b, i, j) && !s.twice(i, j) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// twice reports whether the second of two objects is a part of the first, in the same
// line, that is drawn once more to be bolder.
func (s *sight) twice(i, j int) bool {
	a, b := s.all[i], s.all[j]
	return strings.Contains(textOf(a.obj), textOf(b.obj)) && math.Abs(float64(a.place.y0-b.place.y0)) < 1 &&
		b.place.x0 >= a.place.x0-1 && b.place.x1 <= a.place.x1+2
}

// coveredBetween reports whether something opaque between two objects hides a
// place of the first.
func (s *sight) coveredBetween(place rect, i, j int) bool {
	for _, n := range s.all[i+1 : j] {
		r, ok := n.obj.(*canvas.Rectangle)
		if ok && alpha(r.FillColor) == 255 && n.place.and(n.clip).holds(place) {
			return true
		}
	}
	return false
}

// template is a sentence of the words: what is said around the values.
type template struct {
	key    string
	pieces []string // a value is between two of them
}

// templates reads the sentences of a language.
func templates(lang string) (list []*template) {
	files, _ := fs.Glob(assets.Lang, "lang/*."+lang+".json")
	hole := regexp.MustCompile(`\{\{[^}]*\}\}`)
	for _, f := range files {
		raw, err := assets.Lang.ReadFile(f)
		if err != nil {
			panic(err)
		}
		var all map[string]any
		if err := json.Unmarshal(raw, &all); err != nil {
			panic(err)
		}
		for k, v := range all {
			forms := map[string]any{"other": v}
			if m, ok := v.(map[string]any); ok {
				forms = m
			}
			for _, s := range forms {
				list = append(list, &template{k, hole.Split(fmt.Sprint(s), -1)})
			}
		}
	}
	return list
}

var (
	keyShape = regexp.MustCompile(`[a-z][A-Za-z]*(\.[^\s.,:;·]+)+`)
	fileName = regexp.MustCompile(`\.(jsonl?|db|csv|md|html|go|lan|larch|txt)$`)
)

// key is what stands in a text where words should be: a key of the words that there are
// none for, or a value that was not given; "": there is none.
func (j *judge) key(text string) string {
	for _, bad := range []string{"<no value>", "\ufffd", "%!"} {
		if strings.Contains(text, bad) {
			return bad
		}
	}
	for _, w := range keyShape.FindAllString(text, -1) {
		if space, _, _ := strings.Cut(w, "."); j.spaces[space] && !fileName.MatchString(w) && !strings.Contains(j.corpus, w) {
			return w
		}
	}
	return ""
}

// begins reports whether a text is the beginning of a sentence, without its
// end, and of how many letters that are not values.
func (t *template) begins(s string) (letters int, ok bool) {
	at := func(piece string) (int, bool) { // how much of a piece a text begins with
		if len(piece) >= len(s) {
			return len(s), strings.HasPrefix(piece, s)
		}
		return len(piece), strings.HasPrefix(s, piece)
	}
	for i, p := range t.pieces {
		if i > 0 {
			// A value: as short as it may be.
			if p == "" {
				return letters, false
			}
			k := strings.Index(s, p)
			if k < 0 {
				for n := min(len(p)-1, len(s)); n > 2; n-- { // the sentence ends within this piece
					if strings.HasSuffix(s, p[:n]) {
						return letters + n, true
					}
				}
				return letters, false
			}
			s = s[k:]
		}
		n, fits := at(p)
		if !fits {
			return letters, false
		}
		letters += n
		if s = s[n:]; s == "" {
			return letters, n < len(p) || i < len(t.pieces)-1
		}
	}
	return letters, false
}

// whole reports whether a text is the sentence.
func (t *template) whole(s string) bool {
	for i, p := range t.pieces {
		k := strings.Index(s, p)
		if k < 0 || i == 0 && k > 0 {
			return false
		}
		s = s[k+len(p):]
	}
	return s == ""
}

// cut reports whether a text is a sentence of the program that ends in an
// ellipsis which is not its own.
func (j *judge) cut(text string) bool {
	s, ok := strings.CutSuffix(text, "…")
	if !ok {
		return false
	}
	list := j.static[words.Language()]
	for _, t := range list {
		if t.whole(text) {
			return false
		}
	}
	least := 4
	if words.Language() == words.Chinese {
		least = 6 // bytes of two characters
	}
	for _, t := range list {
		if n, ok := t.begins(strings.TrimSpace(s)); ok && n >= least {
			return true
		}
	}
	return false
}

var (
	latin = regexp.MustCompile(`[A-Za-z][A-Za-z'’-]*(?:[ ,:]+[A-Za-z][A-Za-z'’-]*)*`)
	keys  = regexp.MustCompile(`^[A-Za-z0-9+ ,↑↓←→/?\\[\]=-]*$`) // of the keyboard
	// A name is written the same in every language: of products, formats and
	// keys, units, and what is code.
	names = regexp.MustCompile(`^(?:[A-Z0-9]+|[A-Z]|[KMGk]?B?|tok|msg|Palimpsest|Claude( Code)?|Codex|JSON( Lines?)?|English|` +
		`Ctrl|Shift|Alt|Enter|Esc|Tab|Home|End|Space|PgUp|PgDn|Delete|F|ms|min|jsonl|base|k_base|o200k_base|[a-z]|` +
		`Anthropic|Anthropic Messages|OpenAI|OpenAI chat|DeepSeek|Gemini|Gemma|Qwen|Llama|Mistral|Markdown|HTML|Go|` +
		`[A-Za-z]*PATH|PGPASSWORD|pgpass|sections|tool_use|cargo|npm|` +
		`(?:role|tool|tokens|fate|is|has|file|in|message):.*|qqzzxx)$`) // operators of a query, and what the tour types
)

// foreign reports whether a text on a Chinese screen is English of ours: a
// sentence of the English words, or letters that no history, file or record
// holds.
func (j *judge) foreign(n seen, text string) bool {
	if n.entry {
		return false
	}
	own := func(lang, s string) bool {
		for _, t := range j.static[lang] {
			if len(t.pieces[0]) > 2 && t.whole(s) {
				return true
			}
		}
		return false
	}
	if !strings.ContainsFunc(text, unicode.IsLetter) || strings.HasPrefix(text, "~/") { // numbers, and paths
		return false
	}
	if !n.list && len(text) > 3 && own(words.English, text) && !own(words.Chinese, text) {
		return true
	}
	if n.list {
		return false // what files and models say
	}
	for _, run := range latin.FindAllString(text, -1) {
		run = strings.TrimRight(run, " ,:-'’")
		if strings.ContainsAny(text, "+") && keys.MatchString(text) || strings.Contains(text, "PgUp") || strings.HasPrefix(text, "Home ") {
			continue
		}
		named := !slices.ContainsFunc(strings.Fields(run), func(w string) bool { return !names.MatchString(strings.Trim(w, ",:")) })
		if named || names.MatchString(run) || strings.Contains(j.corpus, run) || own(words.Chinese, text) {
			continue
		}
		return true
	}
	return false
}
