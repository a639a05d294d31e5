package live

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"palimpsest/model/transcript/jspan"
)

// canonicalHash is the hash of what a message says: marks of the cache move from call to
// call and are left out, keys are in order, and a content that is one plain text is the
// text: clients use either, also for the same message. It is that of the message as
// encoding/json spells it, made without spelling it: a message may be as large as a body.
func canonicalHash(raw []byte) (sum [32]byte, err error) {
	v, err := jspan.Parse(raw, 0)
	if err != nil {
		return sum, err
	}
	c := canonicals.Get().(*canonical)
	defer canonicals.Put(c)
	c.hash.Reset()
	c.Reset(c.hash)
	err = errors.Join(c.value(v), c.Flush())
	c.hash.Sum(sum[:0])
	return sum, err
}

// canonical writes values in their canonical spelling.
type canonical struct {
	*bufio.Writer
	hash hash.Hash
}

var canonicals = sync.Pool{New: func() any { return &canonical{bufio.NewWriterSize(nil, 1<<10), sha256.New()} }}

func (c *canonical) value(v jspan.Value) error {
	switch v.Kind {
	case jspan.Object:
		return c.object(v)
	case jspan.Array:
		return c.list(v)
	case jspan.String:
		return c.text(v.Raw()[1 : v.Len()-1])
	case jspan.Number:
		if !json.Valid(v.Raw()) { // as NaN
			return errors.New("a number is none of JSON")
		}
	}
	_, err := c.Write(v.Raw())
	return err
}

func (c *canonical) list(v jspan.Value) error {
	c.WriteByte('[')
	for i, e := range v.Items {
		if i > 0 {
			c.WriteByte(',')
		}
		if err := c.value(e); err != nil {
			return err
		}
	}
	return c.WriteByte(']')
}

func (c *canonical) object(v jspan.Value) error {
	var few [12]member
	list, err := membersOf(v, few[:0])
	if err != nil {
		return err
	}
	c.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			c.WriteByte(',')
		}
		if err := c.text(m.key); err != nil {
			return err
		}
		c.WriteByte(':')
		if m.name == "content" {
			if m.val, err = plainText(m.val); err != nil {
				return err
			}
		}
		if err := c.value(m.val); err != nil {
			return err
		}
	}
	return c.WriteByte('}')
}

// null is the value null.
var null = jspan.Value{Buf: []byte("null"), End: 4, Kind: jspan.Null}

// plainText is the text of a content that is one plain text; another one is itself.
func plainText(content jspan.Value) (jspan.Value, error) {
	if content.Kind != jspan.Array || content.Count() != 1 {
		return content, nil
	}
	list, err := membersOf(content.Index(0), nil)
	if err != nil || len(list) != 2 {
		return content, err
	}
	text, plain := null, false
	for _, m := range list {
		switch m.name {
		case "type":
			plain = m.val.Is("text")
		case "text":
			text = m.val
		}
	}
	if !plain {
		return content, nil
	}
	return text, nil
}

type member struct {
	name string
	key  []byte // as it is spelled
	val  jspan.Value
}

// membersOf are the members of an object in order, without marks of the cache; of a name
// that is there twice the last. They are added to a list that is empty.
func membersOf(v jspan.Value, list []member) ([]member, error) {
	for key, val := range v.Each {
		name := string(key)
		if strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == '\\' || r >= utf8.RuneSelf }) >= 0 {
			if err := json.Unmarshal(slices.Concat([]byte{'"'}, key, []byte{'"'}), &name); err != nil {
				return nil, err
			}
		}
		if name == "cache_control" {
			continue
		}
		if i := slices.IndexFunc(list, func(m member) bool { return m.name == name }); i >= 0 {
			list[i].val = val
		} else {
			list = append(list, member{name, key, val})
		}
	}
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// mostHard bounds how much of a text is spelled at once.
const mostHard = 64 << 10

// text writes a text. Most of it is spelled as it is there already; the rest is left to
// encoding/json.
func (c *canonical) text(in []byte) error {
	c.WriteByte('"')
	for i := 0; i < len(in); {
		same := i
		for i < len(in) {
			n := asItIs(in[i:])
			if n == 0 {
				break
			}
			i += n
		}
		c.Write(in[same:i])
		if i < len(in) && forHTML(in[i]) != "" {
			c.WriteString(forHTML(in[i]))
			i++
			continue
		}
		hard, pair := i, false
		for i < len(in) && (i-hard < mostHard || pair) && asItIs(in[i:]) == 0 && forHTML(in[i]) == "" {
			n := 1
			pair = false
			if in[i] == '\\' {
				if n = 2; in[i+1] == 'u' {
					n = 6
					pair = (in[i+2] == 'd' || in[i+2] == 'D') && strings.IndexByte("89abAB", in[i+3]) >= 0
				}
			} else if in[i] >= utf8.RuneSelf {
				_, n = utf8.DecodeRune(in[i:])
			}
			i += n
		}
		if i == hard {
			continue
		}
		var s string
		if err := json.Unmarshal(slices.Concat([]byte{'"'}, in[hard:i], []byte{'"'}), &s); err != nil {
			return err
		}
		b, err := json.Marshal(s)
		if err != nil {
			return err
		}
		c.Write(b[1 : len(b)-1])
	}
	return c.WriteByte('"')
}

// forHTML is how encoding/json spells the characters of HTML; "": it is none.
func forHTML(b byte) string {
	switch b {
	case '<':
		return `\u003c`
	case '>':
		return `\u003e`
	case '&':
		return `\u0026`
	}
	return ""
}

// asItIs is how many bytes at the beginning of a text's spelling encoding/json spells the
// same, of one character; 0: it may spell it otherwise.
func asItIs(in []byte) int {
	switch b := in[0]; {
	case b >= utf8.RuneSelf:
		r, n := utf8.DecodeRune(in)
		if r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			return 0
		}
		return n
	case b == '\\':
		if strings.IndexByte(`nrt"\`, in[1]) >= 0 {
			return 2
		}
		return 0
	case b < ' ', forHTML(b) != "":
		return 0
	}
	return 1
}
