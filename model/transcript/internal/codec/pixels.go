package codec

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif"  // decoders of what
	_ "image/jpeg" // histories hold
	_ "image/png"

	_ "golang.org/x/image/webp"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// pictures are how the base64 of a PNG, JPEG, GIF and WebP begins.
var pictures = [][]byte{[]byte("iVBORw0KGgo"), []byte("/9j/"), []byte(`\/9j\/`), []byte("R0lGOD"), []byte("UklGR")}

const (
	pictureFrom = 2 << 10   // how far into a value the base64 begins at most
	pictureHead = 256 << 10 // how much of it is looked at for the size of the picture
	mostPixels  = 1 << 30   // more is no picture
)

// MediaPart is an image, a sound or a file: its size in the source and, of an image, in
// pixels.
func MediaPart(name string, v jspan.Value) model.Part {
	return model.Part{Kind: model.PartMedia, Name: name, Bytes: v.Len(), Pixels: pixels(v.Raw())}
}

// pixels is the area of the picture in a value, as it is spelled. 0: there is none, or
// its size can't be read.
func pixels(spelled []byte) int {
	head := spelled[:min(len(spelled), pictureFrom)]
	at := -1
	for _, magic := range pictures {
		if i := bytes.Index(head, magic); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return 0
	}
	data := spelled[at:min(len(spelled), at+pictureHead)]
	if end := bytes.IndexByte(data, '"'); end >= 0 {
		data = data[:end]
	}
	data = bytes.ReplaceAll(data, []byte(`\/`), []byte("/"))
	c, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > mostPixels/c.Height {
		return 0
	}
	return c.Width * c.Height
}
