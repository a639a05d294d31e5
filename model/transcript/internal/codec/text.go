package codec

import (
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// CutRunes is the length of the first n code points of s.
func CutRunes(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// FirstOf returns the first text that is more than white space; "" if none is.
func FirstOf(texts ...string) string {
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// RawHead is the beginning of a value as it is spelled.
func RawHead(v jspan.Value) string {
	if !v.Exists() {
		return ""
	}
	return strings.ToValidUTF8(string(v.Raw()[:min(v.Len(), PreviewScan)]), "")
}

// FirstText is the first text of a content value that is not empty.
func FirstText(content jspan.Value) (text jspan.Value) {
	if content.Kind == jspan.String {
		return content
	}
	for _, b := range content.Items {
		if text = b; b.Kind != jspan.String {
			text = jspan.Value{}
			if b.Get("type").Is("text") {
				text = b.Get("text")
			}
		}
		if (text.Kind == jspan.String) && (text.Len() > len(`""`)) {
			break
		}
	}
	return text
}

// TypedHead is the beginning of what is left of a text when the context that
// the program wrapped into it is taken off; "" if nothing is.
func TypedHead(text jspan.Value) string {
	head := text.TextN(PreviewScan)
	if !model.Injected(head) {
		return strings.TrimSpace(head)
	}
	s := strings.TrimSpace(text.Text())
	if !strings.HasPrefix(s, "<") {
		return ""
	}
	s = model.Said(s)
	return s[:CutRunes(s, PreviewScan)]
}

// WholeNumber reads an id that is a number.
func WholeNumber(id string) (int64, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil
}

// NumberText is a step number as text, however it is spelled.
func NumberText(v jspan.Value) string {
	switch v.Kind {
	case jspan.Number:
		return string(v.Raw())
	case jspan.String:
		return v.TextN(40)
	}
	return ""
}

// MembersOf finds several members of an object in one pass over it: a source that
// is one value may be large, and every format looks for its own.
func MembersOf(v jspan.Value, names ...string) []jspan.Value {
	found := make([]jspan.Value, len(names))
	left := len(names)
	for key, val := range v.Each {
		for i, n := range names {
			if string(key) == n && !found[i].Exists() {
				found[i] = val
				left--
				break
			}
		}
		if left <= 0 {
			break
		}
	}
	return found
}

// TextOrRaw is a string decoded, anything else as the source spells it.
func TextOrRaw(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.Text()
	}
	return v.RawText()
}

// Either is the member of an object that some writers call a and others b.
func Either(v jspan.Value, a, b string) jspan.Value {
	if x := v.Get(a); x.Exists() {
		return x
	}
	return v.Get(b)
}
