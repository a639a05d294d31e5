package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"palimpsest/model"
	"palimpsest/model/store"
)

// dash means the standard input or output in the place of a file.
const dash = "-"

// stdin is what a file named - is read from; tests put theirs here.
var stdin io.Reader = os.Stdin

// input is the standard input, which can be read once: two who read it would each get a
// part.
type input struct {
	from io.Reader
	once sync.Once
}

// Open returns what reads it.
func (in *input) Open() (io.Reader, error) {
	first := false
	in.once.Do(func() { first = true })
	if !first {
		return nil, usage("The standard input can be read once: name - once.")
	}
	return in.from, nil
}

// content is what a file, or the input, holds.
func (in *input) content(path string) ([]byte, error) {
	if path != dash {
		return model.ReadSmall(path)
	}
	from, err := in.Open()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}

// titled is a file as it is called where a person reads it.
func titled(path string) string {
	if path == dash {
		return "standard input"
	}
	return path
}

// pipe is what a verb writes that is asked to write to the standard output: a file, since
// every output is read back before it counts, which then is copied. What the verb
// prints goes to the standard error meanwhile.
type pipe struct {
	dir, path string
	out       io.Writer
}

// openPipe changes a call that says -o - into one that writes a file; nil: it says no
// such thing.
func (a *app) openPipe(call *kong.Context) (*pipe, error) {
	for _, f := range call.Flags() {
		if f.Name != "output" || f.Target.String() != dash {
			continue
		}
		if a.json {
			return nil, usage("With -o - the standard output is the file itself; leave --json out, or name a file.")
		}
		dir, err := os.MkdirTemp("", "palimpsest-")
		if err != nil {
			return nil, fmt.Errorf("make a place for the output: %w", err)
		}
		p := &pipe{dir, filepath.Join(dir, "out"), a.out}
		f.Target.SetString(p.path)
		a.out = a.errOut
		return p, nil
	}
	return nil, nil
}

// flush copies what the verb wrote. A terminal is shown no control characters.
func (p *pipe) flush() error {
	f, err := os.Open(p.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // it wrote nothing, and said why
	}
	if err != nil {
		return err
	}
	defer f.Close()
	w := p.out
	if raw := bare(w); widthOf(raw) == 0 {
		w = raw
	}
	_, _ = io.Copy(w, f) // the output keeps why not
	return nil
}

// close takes the file away.
func (p *pipe) close() {
	if p != nil {
		_ = os.RemoveAll(p.dir)
	}
}

// unnamed notes of a record that what was written from it has no name, so that nobody looks
// for the file that was there meanwhile. If that can't be noted the record is right all
// the same.
func (a *app) unnamed(st *store.Store, id *string) {
	if a.pipe == nil || id == nil {
		return
	}
	if rec, err := st.Record(a.ctx, *id); err == nil && rec.Output == a.pipe.path {
		_ = st.SetOutput(a.ctx, *id, dash, rec.OutputSHA)
	}
}

// says puts the name of the output in the place of that of the file it is written to
// meanwhile.
func (p *pipe) says(err error) error {
	var m *model.Problem
	if p == nil || !errors.As(err, &m) || !strings.Contains(m.What, p.path) {
		return err
	}
	m.What = strings.ReplaceAll(m.What, p.path, "The standard output")
	m.Next = "Nothing was changed. It is written to the folder for temporary files first: make room there, or name another in TMPDIR."
	return err
}

// shown is a path as a person named it.
func (a *app) shown(path string) string {
	if a.pipe != nil && path == a.pipe.path {
		return "the standard output"
	}
	return path
}
