package repair

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// form is how the sessions of a format are linked, sent and spelled; forms.json has all.
type form struct {
	As string `json:"as"` // a format that it is a copy of, but for what it says

	// How records name themselves and the one before, and the types of those that are said;
	// without types all are, but the first line of a session.
	ID     string   `json:"id"`
	Parent string   `json:"parent"`
	Talk   []string `json:"talk"`

	Session   bool     `json:"session"`   // a tool goes on with its files: a last call may not wait
	Sent      bool     `json:"sent"`      // a request has the order of the list
	Ordered   bool     `json:"ordered"`   // calls have to be before their results, not beside them
	Results   string   `json:"results"`   // where a record has the results of a turn, if they have to be in one
	Elsewhere string   `json:"elsewhere"` // a pattern of requests that go on with what their provider holds
	Blocks    bool     `json:"blocks"`    // messages are made of blocks as Anthropic has them
	Begins    bool     `json:"begins"`    // the first message has to be the user's
	Role      string   `json:"role"`      // where a record has the role of its message
	Roles     []string `json:"roles"`     // those that the API knows; none: they are not looked at

	Calls   string    `json:"calls"`   // where a record has its calls; "": it is one
	CallID  string    `json:"callID"`  // where a result has the id of its call, which names one call alone
	Items   bool      `json:"items"`   // no two records may have one id, and none may be reasoning alone
	Refused []refused `json:"refused"` // what a record may not have

	First    []spelling `json:"first"`    // what every session begins with
	Metadata []spelling `json:"metadata"` // what the mark of a compaction has
	Answer   []spelling `json:"answer"`   // the record of a result that was not recorded
	Said     []spelling `json:"said"`     // a record of a result, as a message with its text
	Note     []spelling `json:"note"`     // a message of the user
}

// spelling is one way to spell something. In what is put, "@a.b" is a member of the value that
// is meant, or else of the record beside it, left out if neither has it, and #id, #name, #uid,
// #text, #session and #cwd are a call's id and name, the id of the new record, a text, the
// session's id and its folder.
type spelling struct {
	If   map[string]string          `json:"if"`   // members that the record beside it has; "*": with any value
	Not  map[string]string          `json:"not"`  // members that it does not have
	Each string                     `json:"each"` // a list in it, one of whose elements is meant
	Link string                     `json:"link"` // the member by which the records after it name the record beside it
	Put  json.RawMessage            `json:"put"`
	Puts map[string]json.RawMessage `json:"puts"` // members of what is meant that are set; "": the whole of it
}

// refused is a member that an API refuses in a record, whatever is around that; forms.json has them.
type refused struct {
	Rule    string            `json:"rule"`
	If      map[string]string `json:"if"`      // members that the record has
	Without []string          `json:"without"` // members that it has not
	Member  string            `json:"member"`  // the one that is refused
	Is      string            `json:"is"`      // because it is that: null, empty or filled
	Put     json.RawMessage   `json:"put"`     // in its place; none: it is taken out
}

// state is how much a value says, in the words of forms.json.
func state(v jspan.Value) string {
	switch {
	case v.Kind == jspan.Null || !v.Exists():
		return "null"
	case v.Kind == jspan.Array && v.Count() == 0:
		return "empty"
	}
	return "filled"
}

//go:embed forms.json
var formsText []byte

var forms = func() map[model.Format]form {
	var all map[model.Format]json.RawMessage
	if err := json.Unmarshal(formsText, &all); err != nil {
		panic(err) // a fault of the program: its tests read the same text
	}
	out := map[model.Format]form{}
	var read func(name model.Format, into *form)
	read = func(name model.Format, into *form) {
		var own form
		err := json.Unmarshal(all[name], &own)
		if own.As != "" {
			read(model.Format(own.As), into)
		}
		if err == nil {
			err = json.Unmarshal(all[name], into)
		}
		if err != nil {
			panic(fmt.Errorf("forms.json, %s: %w", name, err))
		}
	}
	for name := range all {
		f := form{}
		read(name, &f)
		out[name] = f
	}
	return out
}()

// The notes that a mend may put in. They say that something is not there, and nothing else.
const (
	noResult    = "No result was recorded."
	noContent   = "(no content)"
	ofTool      = "(Result of a tool)\n"
	noBeginning = "(The beginning of this session is not in its file.)"
)

// spelled is what is at hand to spell a record.
type spelled struct {
	d                  *model.Document
	like               jspan.Value // the record beside it
	at                 model.Piece // its place
	piece              model.Span  // of the element in it that is meant, if that is known
	of                 jspan.Value // the value in it that is meant
	call               model.Call
	uid                string // of a new record
	text, session, cwd string
}

// expand puts what is at hand into a text.
func (x *spelled) expand(s string) string {
	return strings.NewReplacer("#id", x.call.ID, "#name", x.call.Name, "#uid", x.uid, "#text", x.text,
		"#session", x.session, "#cwd", x.cwd).Replace(s)
}

// pathOf is a member's way, "a.b", into a record.
func pathOf(v jspan.Value, path string) jspan.Value {
	if path == "" {
		return v
	}
	return v.Get(strings.Split(path, ".")...)
}

// holds reports whether a value has all members with their values.
func (x *spelled) holds(v jspan.Value, members map[string]string) bool {
	for path, want := range members {
		if m := pathOf(v, path); !m.Exists() || m.Kind == jspan.Null || want != "*" && m.Text() != x.expand(want) {
			return false
		}
	}
	return true
}

// choose is the way that fits; nil: none does.
func (x *spelled) choose(ways []spelling) *spelling {
	for i := range ways {
		w := &ways[i]
		about := []jspan.Value{x.like}
		if w.Each != "" {
			about = nil
			for _, v := range pathOf(x.like, w.Each).Items {
				about = append(about, v)
			}
		}
		for _, v := range about {
			if w.Each != "" && x.piece.Len > 0 && x.piece != x.at.Span && within(x.at.Span, v) != x.piece {
				continue
			}
			if x.holds(v, w.If) && (len(w.Not) == 0 || !x.holds(v, w.Not)) {
				x.of = v
				return w
			}
		}
	}
	return nil
}

// record spells a new record; nil: no way fits. link is the member by which the records after
// it name the one beside it.
func (x *spelled) record(ways []spelling) (text []byte, link string) {
	w := x.choose(ways)
	if w == nil || w.Put == nil {
		return nil, ""
	}
	return x.fillText(w.Put), w.Link
}

// changes spells what is put into the record; nil: no way fits.
func (x *spelled) changes(ways []spelling) (ops []op) {
	w := x.choose(ways)
	if w == nil {
		return nil
	}
	comma, colon := x.marks()
	var added [][]byte // new members, by what holds them
	var ends []model.Span
	for _, path := range slices.Sorted(maps.Keys(w.Puts)) {
		text, at := x.fillText(w.Puts[path]), pathOf(x.of, path)
		if at.Exists() {
			ops = append(ops, put(within(x.at.Span, at), text))
			continue
		}
		in, name := x.of, path
		if i := strings.LastIndexByte(path, '.'); i >= 0 {
			in, name = pathOf(x.of, path[:i]), path[i+1:]
		}
		end := model.Span{Off: x.at.Off + int64(in.End) - 1}
		k := slices.Index(ends, end)
		if k < 0 {
			k, ends, added = len(ends), append(ends, end), append(added, nil)
		}
		added[k] = fmt.Appendf(added[k], "%s%q%s%s", comma, name, colon, text)
	}
	for i, at := range ends {
		ops = append(ops, put(at, added[i]))
	}
	return ops
}

// marks are what is between members, and after their names.
func (x *spelled) marks() (comma, colon string) {
	if x.d.Style.Spaced {
		return ", ", ": "
	}
	return ",", ":"
}

func (x *spelled) fillText(put json.RawMessage) []byte {
	v, err := jspan.Parse(put, 0)
	if err != nil {
		return nil
	}
	return x.fill(v)
}

// fill spells a value of forms.json in the document's style; nil: it is left out.
func (x *spelled) fill(v jspan.Value) []byte {
	comma, colon := x.marks()
	switch v.Kind {
	case jspan.String:
		if v.Is("#id") && strings.HasPrefix(x.call.ID, "#") { // the reader numbered it: it has none
			return nil
		}
		if path, ok := strings.CutPrefix(v.Text(), "@"); ok {
			for _, v := range []jspan.Value{x.of, x.like} {
				if m := pathOf(v, path); m.Exists() {
					return bytes.Clone(m.Raw())
				}
			}
			return nil
		}
		return jspan.AppendQuote(nil, x.expand(v.Text()), x.d.Style.ASCII)
	case jspan.Array:
		var list [][]byte
		for _, e := range v.Items {
			list = append(list, x.fill(e))
		}
		return append(append([]byte{'['}, bytes.Join(list, []byte(comma))...), ']')
	case jspan.Object:
		var list [][]byte
		for key, m := range v.Each {
			if raw := x.fill(m); raw != nil {
				list = append(list, append(append(jspan.AppendQuote(nil, string(key), true), colon...), raw...))
			}
		}
		return append(append([]byte{'{'}, bytes.Join(list, []byte(comma))...), '}')
	}
	return bytes.Clone(v.Raw())
}

// within is the place in the source of a value that was parsed out of a span.
func within(s model.Span, v jspan.Value) model.Span {
	return model.Span{Off: s.Off + int64(v.Off), Len: int64(v.Len())}
}

// blocksOf are the blocks of a message that has some.
func blocksOf(v jspan.Value) (list []jspan.Value) {
	for _, b := range contentOf(v).Items {
		list = append(list, b)
	}
	return list
}

func contentOf(v jspan.Value) jspan.Value {
	if content := v.Get("message", "content"); content.Exists() {
		return content
	}
	return v.Get("content")
}

// newID makes an id out of what it is for: a mend made again is the same one.
func newID(f model.Format, of string) string {
	b := sha256.Sum256([]byte("palimpsest repair " + of))
	switch f {
	case model.FormatPi:
		return fmt.Sprintf("%x", b[:4])
	case model.FormatAnthropic, model.FormatCline:
		return fmt.Sprintf("toolu_%x", b[:12])
	}
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
