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
	if !IsInjectedText(head) {
		return strings.TrimSpace(head)
	}
	s := strings.TrimSpace(text.Text())
	for IsInjectedText(s) && strings.HasPrefix(s, "<") {
		tag, _, _ := strings.Cut(s[1:], ">")
		tag, _, _ = strings.Cut(tag, " ")
		_, rest, ok := strings.Cut(s, "</"+tag+">")
		if !ok {
			return ""
		}
		s = strings.TrimSpace(rest)
	}
	if IsInjectedText(s) {
		return ""
	}
	return s[:CutRunes(s, PreviewScan)]
}

// ConversationOf finds the conversation a thread belongs to.
func ConversationOf(d *model.Document, th *model.Thread) *model.Conversation {
	for _, c := range d.Conversations {
		for _, t := range c.Threads {
			if t == th {
				return c
			}
		}
	}
	return &model.Conversation{}
}

// WholeNumber reads an id that is a number.
func WholeNumber(id string) (int64, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil
}

// RecordAround is the record of the source that a piece lies in.
func RecordAround(d *model.Document, p model.Piece) (model.Span, bool) {
	for _, s := range d.Segments {
		if s.Kind == model.SegmentRecord && s.Off <= p.Off && p.End() <= s.End() {
			return s.Span, true
		}
	}
	return model.Span{}, false
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
