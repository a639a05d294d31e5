package gui

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// Each rule of the gate finds what it is for, on a canvas with that one fault, and
// nothing on one without.
func TestTheGateFindsEachFault(t *testing.T) {
	a := test.NewTempApp(t)
	t.Cleanup(func() { words.Set(words.English) })
	text := func(s string, c color.Color, x, w float32) *canvas.Text {
		o := canvas.NewText(s, c)
		o.TextSize = 13
		o.Move(fyne.NewPos(x, 20))
		o.Resize(fyne.NewSize(w, 20))
		return o
	}
	plain := func(s string) *canvas.Text { return text(s, kit.Color(kit.ColorText), 20, 280) }
	pointed := func(tip string) fyne.CanvasObject {
		h := kit.Hinted(kit.Label("one text"), func() string { return tip })
		h.Resize(fyne.NewSize(300, 60))
		return h
	}
	disabled := func(tip string) fyne.CanvasObject {
		b := kit.NewButton("one text", kit.Secondary, nil).WithTip(tip)
		b.Resize(fyne.NewSize(200, 24))
		b.Disable()
		return b
	}
	light := kit.NewTheme(kit.Light, 1)
	for name, c := range map[string]struct {
		rule, lang string
		objs       func() []fyne.CanvasObject
	}{
		"nothing": {"", words.English, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("Context usage per call")} }},
		"too narrow": {"outside", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{text("Context usage", kit.Color(kit.ColorText), 20, 30)}
		}},
		"over an edge": {"outside", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{text("Context usage", kit.Color(kit.ColorText), 560, 200)}
		}},
		"a cut title":     {"cut", words.English, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("Context usage p…")} }},
		"data may be cut": {"", words.English, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("zzyzx road no…")} }},
		"two texts": {"overlap", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{plain("one text"), text("another", kit.Color(kit.ColorText), 40, 200)}
		}},
		"covered": {"", words.English, func() []fyne.CanvasObject {
			r := canvas.NewRectangle(kit.Color(kit.ColorPanel))
			r.Resize(fyne.NewSize(300, 60))
			return []fyne.CanvasObject{plain("one text"), r, text("another", kit.Color(kit.ColorText), 40, 200)}
		}},
		"faint": {"contrast", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{text("faint", color.NRGBA{0x66, 0x70, 0x81, 255}, 20, 200)}
		}},
		"on a selection": {"contrast", words.English, func() []fyne.CanvasObject {
			r := canvas.NewRectangle(color.NRGBA{0x60, 0x68, 0x78, 255})
			r.Resize(fyne.NewSize(300, 60))
			return []fyne.CanvasObject{r, text("muted", kit.Color(kit.ColorFaint), 20, 200)}
		}},
		"the other theme": {"other theme", words.English, func() []fyne.CanvasObject {
			r := canvas.NewRectangle(light.Color(kit.ColorLine, 0))
			r.Resize(fyne.NewSize(300, 1))
			return []fyne.CanvasObject{r}
		}},
		"a sentence of ours":  {"english", words.Chinese, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("Context usage per call")} }},
		"words of the engine": {"english", words.Chinese, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("失败：the server was busy")} }},
		"names":               {"", words.Chinese, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("用 Claude Code 打开 JSON，12 KB")} }},
		"what a file says":    {"", words.Chinese, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("zebra crossing")} }},
		"a key for words":     {"key", words.English, func() []fyne.CanvasObject { return []fyne.CanvasObject{plain("fate.kept.means")} }},
		"a key under the pointer": {"key", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{pointed("S: fate.\ufffd.means")}
		}},
		"a file's name under the pointer": {"", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{pointed("in records.json")}
		}},
		"disabled without a reason": {"why", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{disabled("preview.back.tip")}
		}},
		"disabled for a reason": {"", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{disabled("storage.use.tip")}
		}},
		"a wide window": {"window", words.English, func() []fyne.CanvasObject {
			return []fyne.CanvasObject{kit.Sized(1300, 10, kit.Label(""))}
		}},
	} {
		kit.Use(a, kit.Dark, 1)
		words.Set(c.lang)
		w := test.NewTempWindow(t, container.NewWithoutLayout())
		w.SetPadded(false)
		w.Resize(fyne.NewSize(600, 100))
		box := container.NewWithoutLayout(c.objs()...)
		if c.rule == "window" {
			box = container.NewStack(c.objs()...)
		}
		w.SetContent(box)
		found := newJudge("zebra crossing, and more").judge(name, w.Canvas(), kit.Dark)
		switch {
		case c.rule == "" && len(found) > 0:
			t.Errorf("%s: %v", name, found)
		case c.rule != "" && (len(found) == 0 || found[0].rule != c.rule):
			t.Errorf("%s: %v, want %s", name, found, c.rule)
		}
	}
}
