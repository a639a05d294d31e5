package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// Text is what a file holds, unpacked.
type Text struct {
	Bytes []byte
	*model.Packed
	Notes []model.Note
}

// layer unpacks one kind of packing. It returns nil for what is not of its kind.
type layer func(s *state) (*Text, error)

// state is what is to be unpacked, and how far that is.
type state struct {
	path  string // of the file, for what lies beside it
	src   io.ReaderAt
	size  int64
	head  []byte
	entry string // of an archive; "": the only one that can be a history
	outer bool   // it is the file itself
	text  []byte // all of it, where it is in memory
	file  int64  // size of the file that all of it came from
	ctx   context.Context
}

const headBytes = 64 << 10

// Open unpacks a file, as often as it is packed. It returns nil for a file that is text
// already. entry chooses what is wanted of an archive.
func Open(ctx context.Context, path string, src io.ReaderAt, size int64, entry string) (*Text, error) {
	s := &state{path: path, src: src, size: size, entry: entry, outer: true, file: size, ctx: ctx}
	var done *Text
	for depth := 0; ; depth++ {
		s.head = make([]byte, min(s.size, headBytes))
		if _, err := s.src.ReadAt(s.head, 0); err != nil && err != io.EOF {
			return nil, err
		}
		next, err := s.once()
		if err != nil || next == nil {
			return done, err
		}
		if depth == 4 {
			return nil, problem(path, "it is packed more often than any history is")
		}
		done = next.in(done, src, size)
		s = &state{path: path, src: bytes.NewReader(done.Bytes), size: int64(len(done.Bytes)), entry: done.rest(entry), text: done.Bytes,
			file: size, ctx: ctx}
	}
}

func (s *state) once() (*Text, error) {
	for _, l := range []layer{gzipped, zstandard, xzed, bzipped, zipped, tarred, utf16Text, parquetTable, database,
		several, changes, markdown, traces} {
		if t, err := l(s); t != nil || err != nil {
			return t, err
		}
	}
	return nil, nil
}

// in puts a packing inside the one before it.
func (t *Text) in(outer *Text, src io.ReaderAt, size int64) *Text {
	if t.Source == nil {
		t.Source, t.Size = src, size
	}
	if outer == nil {
		return t
	}
	inner := t.Pack
	t.Source, t.Size, t.Kind = outer.Source, outer.Size, outer.Kind+", "+t.Kind
	if t.Inner == "" {
		t.Inner = outer.Inner
	} else if outer.Inner != "" {
		t.Inner = outer.Inner + "/" + t.Inner
	}
	if t.Why == "" {
		t.Why = outer.Why
	}
	t.Notes = append(outer.Notes, t.Notes...)
	if inner == nil || outer.Pack == nil {
		t.Pack = nil
		return t
	}
	t.Pack = func(w io.Writer, text []byte) error {
		var b bytes.Buffer
		if err := inner(&b, text); err != nil {
			return err
		}
		return outer.Pack(w, b.Bytes())
	}
	return t
}

// rest returns the part of an entry's name after the archive that was opened. Where no archive
// was opened, as for the gzip of a tar.gz, it returns the whole name.
func (t *Text) rest(entry string) string {
	if t.Inner == "" {
		return entry
	}
	if rest, ok := strings.CutPrefix(entry, t.Inner+"/"); ok {
		return rest
	}
	return ""
}

// Budgets: logs shrink to a fiftieth at most. A file that would grow more was made to do harm.
const (
	mostGrowth = 100
	leastText  = 32 << 20 // what may always be unpacked
)

// budget is how much a packed text may unpack to.
func budget(packed int64) int64 { return min(edit.MaxWhole(), max(leastText, mostGrowth*packed)) }

// unpacked reads all of a text, unless it is a bomb: then no more of it is held than may
// always be. If a file is packed several times, the size of the file bounds every layer.
func (s *state) unpacked(open func() (io.Reader, error), packed int64) ([]byte, error) {
	failed := func(err error) error {
		return &model.Problem{Code: "damaged-archive", What: fmt.Sprintf("%s could not be unpacked.", s.path),
			Why: "It is damaged or cut off: " + err.Error() + ".", Next: "Copy or export it again.", Err: err}
	}
	r, err := open()
	if err != nil {
		return nil, problem(s.path, err.Error())
	}
	defer func() { closeAny(r) }()
	b, err := io.ReadAll(io.LimitReader(r, leastText+1))
	if err != nil {
		return nil, failed(err)
	}
	if len(b) <= leastText {
		return b, nil
	}
	most, n := budget(min(packed, s.file)), int64(len(b))
	b = nil
	rest, err := io.Copy(io.Discard, io.LimitReader(r, most+1-n))
	switch n += rest; {
	case err != nil:
		return nil, failed(err)
	case n > most:
		return nil, &model.Problem{Code: "too-large", What: fmt.Sprintf("%s was not read.", s.path),
			Why:  fmt.Sprintf("Its %d KB would unpack to more than %d MB, more than any log does.", packed>>10, most>>20),
			Next: "If you trust it, unpack it and open what is in it."}
	}
	closeAny(r)
	if r, err = open(); err == nil {
		b = make([]byte, n)
		_, err = io.ReadFull(r, b)
	}
	if err != nil {
		return nil, failed(err)
	}
	return b, nil
}

func closeAny(r io.Reader) {
	if c, ok := r.(io.Closer); ok {
		_ = c.Close() // it was read
	}
}

// parquetTable refuses a Parquet table with the command that turns it into JSON Lines.
func parquetTable(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, []byte("PAR1")) {
		return nil, nil
	}
	lines := strings.TrimSuffix(s.path, ".parquet") + ".jsonl"
	return nil, &model.Problem{Code: "parquet", What: fmt.Sprintf("%s is a Parquet table.", s.path),
		Why: "Tables of this kind are not read.",
		Next: fmt.Sprintf(`Convert it to JSON Lines with duckdb -c "COPY (FROM '%s') TO '%s' (FORMAT json)", and open that.`,
			s.path, lines)}
}

func (s *state) all() io.Reader { return io.NewSectionReader(s.src, 0, s.size) }

// whole is the text in memory.
func (s *state) whole() ([]byte, error) {
	if s.text != nil {
		return s.text, nil
	}
	b := make([]byte, s.size)
	_, err := io.ReadFull(s.all(), b)
	return b, err
}

func problem(path, why string) error {
	return &model.Problem{Code: "not-unpacked", What: fmt.Sprintf("%s could not be unpacked.", path),
		Why:  strings.ToUpper(why[:1]) + why[1:] + ".",
		Next: "Unpack it, and open what is in it."}
}

// HashOf is the hash of a file's own bytes.
func HashOf(p *model.Packed) (sum [32]byte, err error) {
	h := sha256.New()
	if _, err = io.Copy(h, io.NewSectionReader(p.Source, 0, p.Size)); err == nil {
		h.Sum(sum[:0])
	}
	return sum, err
}
