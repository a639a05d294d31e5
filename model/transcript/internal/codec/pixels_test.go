package codec

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
)

// The size of a picture is read from its head, however the value around it is spelled.
func TestPixels(t *testing.T) {
	im := image.NewPaletted(image.Rect(0, 0, 640, 480), palette.Plan9)
	for name, write := range map[string]func(io.Writer) error{
		"png":  func(w io.Writer) error { return png.Encode(w, im) },
		"jpeg": func(w io.Writer) error { return jpeg.Encode(w, im, nil) },
		"gif":  func(w io.Writer) error { return gif.Encode(w, im, nil) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		data := base64.StdEncoding.EncodeToString(b.Bytes())
		url := "data:image/" + name + ";base64," + data
		object, _ := json.Marshal(map[string]any{"source": map[string]string{"media_type": "image/" + name, "data": data}, "type": "image"})
		for _, spelled := range []string{`"` + url + `"`, `"` + data + `"`, string(object), strings.ReplaceAll(string(object), "/", `\/`), `"` + data[:len(data)*3/4] + `"`} {
			if got := pixels([]byte(spelled)); got != 640*480 {
				t.Errorf("%s: %d pixels in %.60s", name, got, spelled)
			}
		}
	}
	for _, none := range []string{"", `"https://example.com/a.png"`, `"iVBORw0KGgo"`, `{"data":"/9j/AAAA"}`, `"` + strings.Repeat("x", 4096) + `iVBORw0KGgo"`} {
		if got := pixels([]byte(none)); got != 0 {
			t.Errorf("%d pixels in %.60s", got, none)
		}
	}
}
