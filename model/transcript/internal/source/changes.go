package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// change is a line of a log in which VS Code keeps a session: the whole of it first, then
// what became of it.
//
//	{"kind":0,"v":{…}}                          the session
//	{"kind":1,"k":["requests",0,"result"],"v":…} set
//	{"kind":2,"k":["requests"],"v":[…],"i":3}    cut to i elements, then append
//	{"kind":3,"k":["customTitle"]}               delete
type change struct {
	Kind  *int
	K     []any
	V     any
	Index *int `json:"i"`

	left *int // elements that may still be added without a value
}

// changes makes one session of a log of changes.
func changes(s *state) (*Text, error) {
	head := bytes.TrimLeft(s.head, "\xef\xbb\xbf \t\r\n")
	begin := bytes.ReplaceAll(head[:min(len(head), 40)], []byte(" "), nil)
	if !bytes.HasPrefix(begin, []byte(`{"kind":0,`)) || !bytes.Contains(begin, []byte(`"v":{`)) {
		return nil, nil
	}
	text, err := s.whole()
	if err != nil {
		return nil, err
	}
	var whole any
	lost, left := 0, max(mostGap, len(text)/4)
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		c := change{left: &left}
		if err := d.Decode(&c); err != nil || c.Kind == nil || len(c.K) > mostNested {
			lost++ // the last one may be half written
			continue
		}
		if *c.Kind == 0 {
			whole = c.V
		} else if !c.on(&whole, c.K) {
			lost++
		}
	}
	if _, ok := whole.(object); !ok {
		return nil, nil
	}
	b, err := model.PlainJSON(whole)
	if err != nil {
		return nil, err
	}
	t := &Text{Bytes: append(b, '\n'), Packed: &model.Packed{Kind: "log of changes",
		Why: "A log of changes is read as the session it leads to, and not written."}}
	if lost > 0 {
		t.Notes = append(t.Notes, model.Note{Code: "lost-changes",
			Reason: fmt.Sprintf("%d lines of the log are damaged or lead nowhere; they are left out", lost)})
	}
	return t, nil
}

// mostNested is how long a way into a value may be.
const mostNested = 200

// mostGap bounds how far past the end of a list an element may be set.
const mostGap = 1 << 16

// on changes what is at a way into a value, and reports whether the way leads there.
func (c *change) on(at *any, way []any) bool {
	if len(way) == 0 {
		switch *c.Kind {
		case 1:
			*at = c.V
		case 2:
			return c.push(at)
		case 3:
			*at = nil
		default:
			return false
		}
		return true
	}
	switch key := way[0].(type) {
	case string:
		o, ok := (*at).(object)
		if !ok {
			if *at != nil {
				return false
			}
			o = object{}
			*at = o
		}
		if *c.Kind == 3 && len(way) == 1 {
			delete(o, key)
			return true
		}
		v := o[key]
		done := c.on(&v, way[1:])
		if done {
			o[key] = v
		}
		return done
	case json.Number:
		list, ok := (*at).([]any)
		n, err := key.Int64()
		if !ok && *at != nil || err != nil || n < 0 || n > int64(len(list))+mostGap {
			return false
		}
		if grow := int(n) + 1 - len(list); grow > 0 {
			if *c.left -= grow - 1; *c.left < 0 {
				return false
			}
			list = append(list, make([]any, grow)...)
		}
		*at = list
		return c.on(&list[n], way[1:])
	}
	return false
}

// push cuts a list and appends to it.
func (c *change) push(at *any) bool {
	list, ok := (*at).([]any)
	more, is := c.V.([]any)
	if !ok && *at != nil || !is && c.V != nil {
		return false
	}
	if c.Index != nil {
		list = list[:min(len(list), max(0, *c.Index))]
	}
	*at = append(slices.Clip(list), more...)
	return true
}

// several reads a file of JSON values that are not one a line: spread over lines, as jq
// prints them, or all on one line without an end between them.
func several(s *state) (*Text, error) {
	head := bytes.TrimLeft(s.head, "\xef\xbb\xbf \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return nil, nil
	}
	v, err := jspan.Parse(head, 0)
	next := min(v.End, len(head))
	if err == nil {
		next = jspan.Space(head, v.End)
	}
	spread := err == nil && bytes.IndexByte(v.Raw(), '\n') >= 0
	line := bytes.TrimSpace(head)
	if next >= len(head) || err != nil || head[next] != '{' || !spread && (bytes.IndexByte(line, '\n') >= 0 || s.size > headBytes) {
		return nil, nil
	}
	text, err := s.whole()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	for {
		var one json.RawMessage
		err := d.Decode(&one)
		if err == io.EOF {
			break
		}
		if err != nil || json.Compact(&b, one) != nil {
			return nil, nil // what is wrong is said where it is read
		}
		b.WriteByte('\n')
	}
	return &Text{Bytes: b.Bytes(), Packed: &model.Packed{Kind: "JSON values", Pack: func(w io.Writer, text []byte) error {
		_, err := w.Write(text)
		return err
	}}}, nil
}
