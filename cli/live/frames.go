package live

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"sync"

	"palimpsest/model/transcript/jspan"
)

// frames lets the lines of a client pass that are messages of JSON-RPC, and answers the
// others: the library would end the conversation at one.
type frames struct {
	io.Closer
	lines *bufio.Scanner
	out   io.Writer
	rest  []byte
}

// mostFrame bounds a line.
const mostFrame = 16 << 20

// JSON-RPC's codes.
const (
	noJSON    = -32700
	noRequest = -32600
)

func newFrames(in io.ReadCloser, out io.Writer) *frames {
	f := &frames{Closer: in, lines: bufio.NewScanner(in), out: out}
	f.lines.Buffer(nil, mostFrame)
	return f
}

// Read implements [io.Reader].
func (f *frames) Read(b []byte) (int, error) {
	for len(f.rest) == 0 {
		if !f.lines.Scan() {
			if err := f.lines.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		line := bytes.TrimSpace(f.lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if code, why := refused(line); code != 0 {
			if _, err := fmt.Fprintf(f.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why); err != nil {
				return 0, err
			}
			continue
		}
		f.rest = append(line, '\n')
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// refused is why a line is no message; 0: it is one.
func refused(line []byte) (code int, why string) {
	v, err := jspan.Parse(line, 0)
	switch {
	case err != nil || jspan.Space(line, v.End) != len(line):
		return noJSON, "the line is not JSON"
	case v.Kind == jspan.Array:
		return noRequest, "lists of messages are not taken"
	case !v.Get("jsonrpc").Is("2.0"), v.Get("method").Kind != jspan.String && !v.Has("result") && !v.Has("error"):
		return noRequest, "the line is no message of JSON-RPC 2.0"
	}
	return 0, ""
}

// oneAtATime is a writer that several goroutines write lines to.
type oneAtATime struct {
	io.WriteCloser
	mu sync.Mutex
}

// Write implements [io.Writer].
func (w *oneAtATime) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(b)
}
