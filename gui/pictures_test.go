package gui

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/gui/kit"
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
