package floor

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/valyala/fastjson"
	"golang.org/x/sync/errgroup"
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
			if err := check(line); err != nil {
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

func check(line []byte) error {
	if !utf8.Valid(line) {
		return errors.New("not UTF-8")
	}
	return fastjson.ValidateBytes(line)
}

// RowsBeside is Rows with the checks on so many goroutines, while one more reads and
// hashes. count, which may be nil, is called with the texts of every row; what it returns
// is added to the weight.
func RowsBeside(path string, workers int, count func(text string) int) (weight int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var all atomic.Int64
	g, ctx := errgroup.WithContext(context.Background())
	empty, full := make(chan []byte, 2*workers), make(chan []byte, 2*workers)
	for range 2 * workers {
		empty <- make([]byte, 0, 256<<10)
	}
	for range workers {
		g.Go(func() error {
			var p fastjson.Parser
			for block := range full {
				n, err := weighBlock(&p, block, count)
				if err != nil {
					return err
				}
				all.Add(int64(n))
				empty <- block[:0]
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(full)
		return eachBlock(ctx, file, empty, full)
	})
	err = g.Wait()
	return int(all.Load()), err
}

// eachBlock gives stretches of whole lines, in memory that comes back.
func eachBlock(ctx context.Context, file io.Reader, empty <-chan []byte, full chan<- []byte) error {
	sum := sha256.New()
	var rest []byte
	for {
		var block []byte
		select {
		case <-ctx.Done():
			return nil
		case block = <-empty:
		}
		block = append(block, rest...)
		var err error
		for cut := 0; cut == 0 && err == nil; {
			from, n := len(block), 0
			if from == cap(block) {
				block = slices.Grow(block, from)
			}
			n, err = file.Read(block[from:cap(block)])
			block = block[:from+n]
			cut = bytes.LastIndexByte(block[from:], '\n') + 1
			if cut > 0 {
				rest = append(rest[:0], block[from+cut:]...)
				block = block[:from+cut]
			}
		}
		sum.Write(block)
		select {
		case <-ctx.Done():
			return nil
		case full <- block:
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func weighBlock(p *fastjson.Parser, block []byte, count func(text string) int) (weight int, err error) {
	for line := range bytes.Lines(block) {
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) == 0 {
			continue
		}
		if err := check(line); err != nil {
			return 0, err
		}
		v, err := p.ParseBytes(line)
		if err != nil {
			return 0, err
		}
		r := RowOf(v)
		weight += r.Weight()
		if count == nil {
			continue
		}
		weight += count(r.text)
		for _, c := range r.calls {
			weight += count(c.name) + count(c.input)
		}
	}
	return weight, nil
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
