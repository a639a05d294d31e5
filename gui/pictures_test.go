package gui

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/gui/kit"
	"palimpsest/gui/meter"
	"palimpsest/model"
)

// Pictures have the size that was asked for, are dark or light as their theme is,
// and show marks in many colours, not an empty window. With PICTURES=DIR all of those
// that the documentation shows are drawn, and written into that folder.
func TestPicturesShowTheScreens(t *testing.T) {
	few := []string{"workbench-1280-dark", "workbench-zh-dark", "agents-dark", "sweep-light", "compare-light", "records-compare-light", "draft-beside-dark"}
	dir := os.Getenv("PICTURES")
	for _, s := range shots() {
		if dir == "" && !slices.Contains(few, s.name) {
			continue
		}
		img := s.take(t)
		if b := img.Bounds(); float32(b.Dx()) != s.size.Width || float32(b.Dy()) != s.size.Height {
			t.Errorf("%s: %v", s.name, b)
		}
		light, colors := brightness(img)
		if (light > .5) != (s.mode == kit.Light) {
			t.Errorf("%s: brightness %.2f", s.name, light)
		}
		if colors < 40 {
			t.Errorf("%s shows %d colours", s.name, colors)
		}
		if dir == "" {
			continue
		}
		if err := savePNG(filepath.Join(dir, s.name+".png"), img); err != nil {
			t.Fatal(err)
		}
	}
}

// brightness is how bright a picture is, 0 to 1, and how many colours it has.
func brightness(img image.Image) (light float64, colors int) {
	seen, n := map[color.Color]bool{}, 0
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 3 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 3 {
			c := img.At(x, y)
			seen[c] = true
			r, g, b, _ := c.RGBA()
			light += float64(r+g+b) / 3 / 0xffff
			n++
		}
	}
	return light / float64(n), len(seen)
}

// The meter writes when the first frame was drawn, how many messages are shown,
// where the slider lies, and how long a moved parameter took to be seen.
func TestTheMeterWritesWhatIsWaitedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meter.txt")
	t.Setenv(meter.Variable, file)
	s := newStage(t)
	draw := func() {
		s.Win.Canvas().Capture()
		s.settle()
	}
	draw()
	s.Desk.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 3000, Unit: model.Tokens} })
	s.settle()
	draw()
	draw() // a frame that answers no input, after which places are looked for
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		f := strings.Fields(l)
		if f[0] == "place" && f[1] != "slider" {
			continue
		}
		lines[f[0]] = f[1:]
	}
	if len(lines["frame"]) != 1 || len(lines["shown"]) != 1 || lines["shown"][0] != strconv.Itoa(s.Desk.RowCount()) {
		t.Errorf("it wrote\n%s", b)
	}
	if p := lines["place"]; len(p) != 5 || p[0] != "slider" || p[3] == "0" || p[4] == "0" {
		t.Errorf("the slider is said to lie at %v", p)
	}
	if len(lines["input"]) != 1 {
		t.Errorf("no time of an input:\n%s", b)
	}
}
