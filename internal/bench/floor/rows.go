package floor

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/valyala/fastjson"
)

// EachLine calls f with the lines of a file, without their ends, and counts them.
func EachLine(path string, f func(line []byte) error) (n int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 4<<20)
	for {
		line, err := r.ReadSlice('\n')
		if len(line) > 0 {
			if err := f(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
				return n, err
			}
			n++
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// Rows makes the row of every line of a file with plain fastjson and adds up what they
// weigh. checked is with the checks that opening a history may not leave out: the hash
// of the file, valid UTF-8, and JSON as strict as the standard's.
func Rows(path string, checked bool) (weight int, err error) {
	var p fastjson.Parser
	var sum hash.Hash
	if checked {
		sum = sha256.New()
	}
	_, err = EachLine(path, func(line []byte) error {
		if checked {
			sum.Write(line)
			sum.Write([]byte("\n"))
			if !utf8.Valid(line) {
				return errors.New("not UTF-8")
			}
			if err := fastjson.ValidateBytes(line); err != nil {
				return err
			}
		}
		v, err := p.ParseBytes(line)
		if err != nil {
			return err
		}
		r := RowOf(v)
		weight += r.Weight()
		return nil
	})
	return weight, err
}

// Row is what a table of messages needs of one record, whatever the reader: the task
// by which readers are compared.
type Row struct {
	kind, role, id, parent, time string
	text                         string // all its texts, one after the other
	calls                        []call
	answers                      string // the call whose result it is
}

type call struct{ id, name, input string }

// Weight is what the rows of two readers can be compared by, and what keeps a
// compiler from leaving the work out.
func (r *Row) Weight() int {
	n := len(r.kind) + len(r.role) + len(r.id) + len(r.parent) + len(r.time) + len(r.text) + len(r.answers)
	for _, c := range r.calls {
		n += len(c.id) + len(c.name) + len(c.input)
	}
	return n
}

// RowOf makes the row of a record with plain fastjson: no check of what the
// parser takes for JSON, no hash, no places, no threads.
func RowOf(v *fastjson.Value) Row {
	r := Row{kind: text(v, "type"), id: text(v, "uuid"), parent: text(v, "parentUuid"), time: text(v, "timestamp")}
	var b strings.Builder
	if p := v.Get("payload"); p != nil {
		r.role, r.id = text(p, "role"), text(p, "id")
		switch text(p, "type") {
		case "message":
			fill(p.Get("content"), &r, &b)
		case "function_call":
			r.calls = []call{{text(p, "call_id"), text(p, "name"), text(p, "arguments")}}
		case "function_call_output":
			r.answers = text(p, "call_id")
			b.Write(p.GetStringBytes("output"))
		}
	} else if m := v.Get("message"); m != nil {
		r.role = text(m, "role")
		fill(m.Get("content"), &r, &b)
	}
	r.text = b.String()
	return r
}

func fill(content *fastjson.Value, r *Row, b *strings.Builder) {
	if content == nil {
		return
	}
	if content.Type() == fastjson.TypeString {
		b.Write(content.GetStringBytes())
	}
	for _, part := range content.GetArray() {
		switch string(part.GetStringBytes("type")) {
		case "tool_use":
			c := call{id: text(part, "id"), name: text(part, "name")}
			if input := part.Get("input"); input != nil {
				c.input = string(input.MarshalTo(nil))
			}
			r.calls = append(r.calls, c)
		case "tool_result":
			r.answers = text(part, "tool_use_id")
			fill(part.Get("content"), r, b)
		default:
			b.Write(part.GetStringBytes("text"))
		}
	}
}

func text(v *fastjson.Value, key string) string { return string(v.GetStringBytes(key)) }
