package body

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	_ "image/gif"  // decoders of what
	_ "image/jpeg" // histories hold
	_ "image/png"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// PictureLimit is the most bytes of a message's source in which pictures are looked
// for.
const PictureLimit = 48 << 20

// The most pixels of a picture that is decoded, and of a side of one that is kept.
const (
	mostPixels = 40 << 20
	mostSide   = 1280
)

// Pictures decodes the pictures that the source of a message holds, in order,
// reduced to what a screen shows. One that can't be decoded, or is too large, is
// nil.
func Pictures(source []byte) (list []image.Image) {
	dec := json.NewDecoder(bytes.NewReader(source))
	for {
		tok, err := dec.Token()
		if err != nil {
			return list
		}
		if s, ok := tok.(string); ok {
			if data := pictureData(s); data != "" {
				list = append(list, decode(data))
			}
		}
	}
}

// pictureData is the base64 of a picture in a string; "": there is none.
func pictureData(s string) string {
	if strings.HasPrefix(s, "data:image/") {
		_, s, _ = strings.Cut(s, ",")
	}
	if len(s) < 64 {
		return ""
	}
	for _, magic := range []string{"iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"} {
		if strings.HasPrefix(s, magic) {
			return s
		}
	}
	return ""
}

func decode(data string) image.Image {
	raw, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(data))
	if err != nil {
		return nil
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > mostPixels/c.Height {
		return nil
	}
	im, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	w, h := c.Width, c.Height
	if k := float64(max(w, h)) / mostSide; k > 1 {
		w, h = max(1, int(float64(w)/k)), max(1, int(float64(h)/k))
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), im, im.Bounds(), draw.Src, nil)
	return out
}
