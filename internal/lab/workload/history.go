package workload

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Shape is the program whose files a history looks like.
type Shape string

const (
	ClaudeCode Shape = "claude-code"
	Codex      Shape = "codex"
)

// File returns a history of at least size bytes, made once and kept in the folder
// for temporary files.
func File(shape Shape, size int64) (string, error) {
	dir := filepath.Join(os.TempDir(), "palimpsest-bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	texts, _ := Texts()
	path := filepath.Join(dir, fmt.Sprintf("%s-%d-%d.jsonl", shape, size, len(texts)))
	if st, err := os.Stat(path); err == nil && st.Size() >= size {
		return path, nil
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	if err := Write(f, shape, size); err != nil {
		f.Close()
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return path, os.Rename(f.Name(), path)
}

// Write writes a history of at least size bytes: a question in twenty messages,
// calls with their results between them, and six texts of about 1 MB.
func Write(w io.Writer, shape Shape, size int64) error {
	texts, _ := Texts()
	if len(texts) == 0 {
		return fmt.Errorf("there is no text to write a history of")
	}
	out := &counting{w: bufio.NewWriterSize(w, 1<<20)}
	g := &generator{random: rand.New(rand.NewPCG(8, 8)), at: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	for _, t := range texts {
		if len(t) < 400 {
			g.short = append(g.short, t)
		} else {
			g.long = append(g.long, t)
		}
	}
	if len(g.short) == 0 || len(g.long) == 0 {
		g.short, g.long = texts, texts
	}
	g.out = json.NewEncoder(out)
	g.out.SetEscapeHTML(false)
	turn, head := g.claudeTurn, func() {}
	if shape == Codex {
		turn, head = g.codexTurn, g.codexHead
	}
	head()
	huge := int64(1)
	for out.n < size && g.err == nil {
		if out.n > huge*size/7 {
			g.huge = true
			huge++
		}
		turn()
	}
	if g.err != nil {
		return g.err
	}
	return out.w.Flush()
}

type counting struct {
	w *bufio.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

type generator struct {
	random      *rand.Rand
	short, long []string
	out         *json.Encoder
	err         error
	at          time.Time
	n           int    // records so far
	last        string // uuid of the record before
	huge        bool   // the next result is of about 1 MB
	input       int    // tokens that usage reports, roughly
}

type object = map[string]any

func (g *generator) put(v any) {
	if err := g.out.Encode(v); err != nil && g.err == nil {
		g.err = err
	}
}

func (g *generator) brief() string { return g.short[g.random.IntN(len(g.short))] }

// result is mostly short: one in four is longer than 400 bytes.
func (g *generator) result() string {
	s := g.brief()
	if g.random.IntN(4) == 0 {
		s = g.long[g.random.IntN(len(g.long))]
	}
	if !g.huge {
		return s
	}
	g.huge = false
	for len(s) < 1<<20 {
		s += "\n" + g.long[g.random.IntN(len(g.long))]
	}
	return s
}

func (g *generator) now() string {
	g.at = g.at.Add(time.Duration(1+g.random.IntN(20)) * time.Second)
	return g.at.Format("2006-01-02T15:04:05.000Z")
}
