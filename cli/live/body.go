package live

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// body is a request's body, cut where its messages are.
//
//	{"model":"m","messages":[ m1 , m2 , m3 ],"stream":true}
//	                        ╰ list ────────╯
//	keys     k0               k1   k2   k3      k(i) = hash(k(i-1), what message i says)
type body struct {
	api   *api
	raw   []byte
	list  jspan.Value   // the array of messages; of another kind: there is none
	items []jspan.Value // its elements
	keys  [][32]byte    // hashes of the first 0, 1 … messages
	sums  [][32]byte    // the hash of each message
	plain []byte        // the message that a plain input is, once it was made

	header   http.Header // of the request
	listPath string      // where its server lists models, see [limits]

	model, previous         string
	system, tools, managing jspan.Value // managing: the server compacts by itself
}

// elementHashes remembers the hashes of messages, since a request brings the messages of
// the one before it again. The key is a quick hash of the bytes, twice seeded.
type elementHashes struct {
	recent[[2]uint64, [32]byte]
}

var hashSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// of is the hash of what a message says.
func (h *elementHashes) of(raw []byte) ([32]byte, error) {
	key := [2]uint64{maphash.Bytes(hashSeeds[0], raw), maphash.Bytes(hashSeeds[1], raw)}
	if sum, ok := h.get(key); ok {
		return sum, nil
	}
	sum, err := canonicalHash(raw)
	if err == nil {
		h.put(key, sum)
	}
	return sum, err
}

// parsers are used again: their index is as large as a body has values.
var parsers = sync.Pool{New: func() any { return new(jspan.Parser) }}

var errNoMessages = errors.New("the request holds no messages")

// parseBody cuts a body. It keeps and changes none of its bytes.
func parseBody(a *api, raw []byte, hashes *elementHashes) (*body, error) {
	p := parsers.Get().(*jspan.Parser)
	defer func() { p.Reset(); parsers.Put(p) }()
	v, err := p.Parse(raw, 0)
	if err != nil {
		return nil, err
	}
	if v.Kind != jspan.Object || jspan.Space(raw, v.End) != len(raw) {
		return nil, errors.New("the request is not one JSON object")
	}
	b := &body{api: a, raw: raw}
	if err := b.members(v); err != nil {
		return nil, err
	}
	if !b.list.Exists() || b.list.Kind == jspan.Array && len(b.items) == 0 {
		return nil, errNoMessages
	}
	return b, b.hash(hashes)
}

// members takes over the members of a request that matter here.
func (b *body) members(v jspan.Value) error {
	seen := map[string]bool{}
	for key, val := range v.Each {
		name := string(key)
		if seen[name] {
			return errors.New("the request has a member twice")
		}
		seen[name] = true
		switch name {
		case b.api.messages:
			b.list, b.items = plainValue(val), nil
			for _, e := range val.Items {
				b.items = append(b.items, plainValue(e))
			}
		case "request", "generateContentRequest": // of Gemini, by way of Code Assist or to count
			if b.api == geminiAPI {
				if err := b.members(val); err != nil {
					return err
				}
			}
		case "model":
			b.model = val.TextN(200)
		case "previous_response_id", "conversation":
			if val.Kind == jspan.String || val.Kind == jspan.Object {
				b.previous = val.TextN(200) + val.Get("id").TextN(200)
			}
		case "system", "instructions":
			b.system = plainValue(val)
		case "systemInstruction", "system_instruction":
			b.system = plainValue(val.Get("parts"))
		case "tools":
			b.tools = plainValue(val)
		case "context_management":
			b.managing = plainValue(val)
		}
	}
	return nil
}

// said is the content of a message: a text, or a list of blocks.
func said(message jspan.Value) jspan.Value {
	if parts := message.Get("parts"); parts.Exists() {
		return parts // Gemini's
	}
	return message.Get("content")
}

// plainValue is a value that outlives the parser's index.
func plainValue(v jspan.Value) jspan.Value {
	return jspan.Value{Buf: v.Buf, Off: v.Off, End: v.End, Kind: v.Kind}
}

// hash makes the chain.
func (b *body) hash(hashes *elementHashes) error {
	b.keys = make([][32]byte, 1, len(b.items)+1)
	b.keys[0] = sha256.Sum256([]byte(b.api.name))
	add := func(raw []byte) error {
		sum, err := hashes.of(raw)
		if err != nil {
			return err
		}
		last := b.keys[len(b.keys)-1]
		b.sums = append(b.sums, sum)
		b.keys = append(b.keys, sha256.Sum256(append(last[:], sum[:]...)))
		return nil
	}
	for _, m := range b.messages() {
		if err := add(m); err != nil {
			return err
		}
	}
	return nil
}

// messages are the messages as they are spelled; a plain input is one of them.
func (b *body) messages() []json.RawMessage {
	if b.list.Kind == jspan.String {
		if b.plain == nil {
			b.plain = slices.Concat([]byte(`{"type":"message","role":"user","content":`), b.list.Raw(), []byte("}"))
		}
		return []json.RawMessage{b.plain}
	}
	list := make([]json.RawMessage, len(b.items))
	for i, e := range b.items {
		list[i] = e.Raw()
	}
	return list
}

// end is the hash of all messages, root that of the first.
func (b *body) end() [32]byte  { return b.keys[len(b.keys)-1] }
func (b *body) root() [32]byte { return b.keys[1] }

// hasTools reports whether the model may call tools: a request without is a side
// call until it is continued.
func (b *body) hasTools() bool { return b.tools.Len() > len("[]") }

// askedLast is what the last message says if it is a person's, and the system prompt: as
// much as their beginnings and ends, since some clients put their question after all
// that it is about.
func (b *body) askedLast() (last, system string) {
	system = edges(wholeText(b.system))
	if n := len(b.items); n > 0 {
		if e := b.items[n-1]; e.Get("role").Is("user") {
			last = edges(wholeText(said(e)))
		}
		if e := b.items[0]; e.Get("role").Is("system") || e.Get("role").Is("developer") {
			system += edges(wholeText(said(e)))
		}
	}
	return last, system
}

// edges is the beginning and the end of a text.
func edges(text string) string {
	const most = 8 << 10
	if len(text) <= 2*most {
		return text
	}
	return text[:most] + "\n" + text[len(text)-most:]
}

// piece is an element of the list that is sent: message Msg of the request as it is spelled
// there, or Text.
type piece struct {
	Msg  int    `json:"m"`
	Text []byte `json:"t,omitempty"` // where Msg is -1; not JSON inside JSON, which would be spelled anew
}

// overlay is what is sent in the place of the first messages of a session.
type overlay struct {
	chain  [32]byte
	of     int // messages that it covers
	record string
	pieces []piece
}

// splice is the body with an overlay in the place of the messages it covers. All
// bytes but theirs are those of the request.
func (b *body) splice(o *overlay) []byte {
	if o == nil {
		return b.raw
	}
	n := b.list.Off + 1
	for _, p := range o.pieces {
		n += len(p.Text) + 1
		if p.Msg >= 0 {
			n += b.items[p.Msg].Len()
		}
	}
	tail := b.tailFrom(o.of)
	out := make([]byte, 0, n+len(b.raw)-tail)
	out = append(out, b.raw[:b.list.Off+1]...)
	for i, p := range o.pieces {
		if i > 0 {
			out = append(out, ',')
		}
		if p.Msg >= 0 {
			out = append(out, b.items[p.Msg].Raw()...)
		} else {
			out = append(out, p.Text...)
		}
	}
	if o.of < len(b.items) && len(o.pieces) > 0 {
		out = append(out, ',')
	}
	return append(out, b.raw[tail:]...)
}

// tailFrom is where message i begins, or the end of the list.
func (b *body) tailFrom(i int) int {
	if i < len(b.items) {
		return b.items[i].Off
	}
	return b.list.End - 1
}

// effective are the pieces that a request is sent as.
func (b *body) effective(o *overlay) []piece {
	var list []piece
	from := 0
	if o != nil {
		list, from = append(list, o.pieces...), o.of
	}
	for i := from; i < len(b.items); i++ {
		list = append(list, piece{Msg: i})
	}
	return list
}

// compose makes the overlay that sends the elements of out, which was made from
// the elements of sent: what is in both in the same bytes stays a message of the
// request, so that the client's marks of the cache go on moving in it.
func (b *body) compose(sent []piece, before, out []jspan.Value) (*overlay, error) {
	o := &overlay{chain: b.end(), of: len(b.items)}
	next := 0
	for _, e := range out {
		at := -1
		for i := next; i < len(before); i++ {
			if bytes.Equal(before[i].Raw(), e.Raw()) {
				at = i
				break
			}
		}
		if at >= 0 {
			o.pieces = append(o.pieces, sent[at])
			next = at + 1
			continue
		}
		text, err := unmarked(e.Raw())
		if err != nil {
			return nil, fmt.Errorf("a message that was changed can't be read: %w", err)
		}
		o.pieces = append(o.pieces, piece{Msg: -1, Text: text})
	}
	return o, nil
}

// unmarked is a changed message without marks of the cache: they would add to
// those that the client puts on later messages.
func unmarked(raw []byte) ([]byte, error) {
	if !bytes.Contains(raw, []byte(`"cache_control"`)) {
		return bytes.Clone(raw), nil
	}
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	takeMarks(v, 2)
	return model.PlainJSON(v)
}

// takeMarks takes the marks of a message, its blocks, and the blocks of these. What
// a tool was called with is nobody's mark.
func takeMarks(v map[string]any, deep int) {
	delete(v, "cache_control")
	list, _ := v["content"].([]any)
	for _, e := range list {
		if block, ok := e.(map[string]any); ok && deep > 0 {
			takeMarks(block, deep-1)
		}
	}
}

// wholeText is all of what a system prompt says.
func wholeText(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.Text()
	}
	var s strings.Builder
	for _, e := range v.Items {
		s.WriteString(e.Get("text").Text())
		s.WriteByte('\n')
	}
	return s.String()
}

// mostBody bounds what is kept of a request or an answer to write it down; a larger
// one is forwarded only.
const mostBody = 64 << 20

// mostRefusal bounds what is read of a refusal.
const mostRefusal = 1 << 20

type readCloser struct {
	io.Reader
	io.Closer
}

// decoded is a request or an answer without its coding.
func decoded(b []byte, encoding string) ([]byte, error) {
	var r io.Reader
	switch encoding {
	case "", "identity":
		return b, nil
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		r = z
	case "br":
		r = brotli.NewReader(bytes.NewReader(b))
	case "zstd":
		z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderMaxMemory(mostBody))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	default:
		return nil, fmt.Errorf("it is coded as %q", encoding)
	}
	out, err := io.ReadAll(io.LimitReader(r, mostBody+1))
	if err == nil && len(out) > mostBody {
		err = errors.New("it is too large")
	}
	return out, err
}
