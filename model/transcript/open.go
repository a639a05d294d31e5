package transcript

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/generic"
	"palimpsest/model/transcript/internal/source"
	"palimpsest/model/transcript/jspan"
)

// Options change how a source is opened. The zero value is right for most.
type Options struct {
	Progress func(done, total int64) // called now and then from the reading goroutine
	Format   model.Format            // read as this format instead of recognising one
	Map      *generic.FieldMap       // read as generic JSON, with the conversation where the map says
	Entry    string                  // of an archive: the file in it; "": the only one that can be a history
	Stdin    io.Reader               // what the path - is; nil: it is a file of that name
}

// Open reads the transcript at path. The file stays open while the document is
// in use: texts are read from it on demand. Errors that a person can act on are
// *model.Problem; a cancelled context gives its error.
func Open(ctx context.Context, path string, o Options) (*model.Document, error) {
	if path == "-" && o.Stdin != nil {
		return openStream(ctx, o)
	}
	st, err := os.Stat(path)
	if err != nil {
		return openInside(ctx, path, o, err)
	}
	if d, err := openEvents(ctx, path, st.IsDir(), o); d != nil || err != nil && ctx.Err() != nil {
		return d, err
	}
	if err := refuseNoFile(path, st); err != nil {
		return nil, err
	}
	return openFile(ctx, path, st.Size(), o)
}

// openInside reads a file that a path names inside an archive. missing is why there is no file
// at the path.
func openInside(ctx context.Context, path string, o Options, missing error) (*model.Document, error) {
	archive, entry := insideArchive(path)
	if archive == "" {
		return nil, codec.OpenProblem(path, missing)
	}
	o.Entry = entry
	d, err := Open(ctx, archive, o)
	if err == nil {
		d.Path = path
	}
	return d, err
}

// openEvents reads the folder of events that a path is or belongs to as one history. It gives
// none for any other path, which is what it is by itself.
func openEvents(ctx context.Context, path string, isDir bool, o Options) (*model.Document, error) {
	dir := eventFolder(path, isDir)
	if dir == "" {
		return nil, nil
	}
	return openFolder(ctx, dir, o)
}

// refuseNoFile says why a folder, a pipe or a device is not opened.
func refuseNoFile(path string, st os.FileInfo) error {
	if st.IsDir() {
		return &model.Problem{Code: "is-folder", What: fmt.Sprintf("%s is a folder.", path),
			Why: "A transcript is one file.", Next: "Open a file in it, or give the folder to the window."}
	}
	if !st.Mode().IsRegular() {
		return &model.Problem{Code: "not-a-file", What: fmt.Sprintf("%s is not a regular file.", path),
			Why: "Texts are read again when they are looked at, which a pipe or device can't do.", Next: "Save it to a file and open that."}
	}
	return nil
}

// openFile reads a file. A note says where other events of its conversation lie.
func openFile(ctx context.Context, path string, size int64, o Options) (*model.Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, codec.OpenProblem(path, err)
	}
	d, err := Read(ctx, path, f, size, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	if n := eventsBeside(path); d.Format == model.FormatOpenHands && d.Items == 1 && n > 0 {
		codec.Say(d, model.Note{Code: "siblings", Reason: fmt.Sprintf(
			"it is one event of a conversation; %d more lie beside it: open the folder %s", n, filepath.Dir(path))})
	}
	return d, nil
}

// openStream reads a stream to its end, as a file that is in memory.
func openStream(ctx context.Context, o Options) (*model.Document, error) {
	most := edit.MaxWhole()
	b, err := io.ReadAll(io.LimitReader(o.Stdin, most+1))
	if err != nil {
		return nil, codec.OpenProblem("standard input", err)
	}
	if int64(len(b)) > most {
		return nil, &model.Problem{Code: "too-large", What: "Standard input was not read.",
			Why: fmt.Sprintf("It is longer than %d MB.", most>>20), Next: "Save it to a file and open that."}
	}
	return Read(ctx, "-", bytes.NewReader(b), int64(len(b)), o)
}

// insideArchive is the archive that a path goes into, and what it names there.
func insideArchive(path string) (archive, entry string) {
	for at := filepath.Dir(path); at != filepath.Dir(at); at = filepath.Dir(at) {
		if st, err := os.Stat(at); err == nil {
			if rest, err := filepath.Rel(at, path); err == nil && st.Mode().IsRegular() {
				return at, filepath.ToSlash(rest)
			}
			break
		}
	}
	return "", ""
}

// IsEventFolder reports whether a path is a folder of events that [Open] takes as one
// history.
func IsEventFolder(ctx context.Context, path string) bool {
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return false
	}
	dir := eventFolder(path, true)
	if dir == "" {
		return false
	}
	_, err := openFolder(ctx, dir, Options{}) // its files are open only while they are read
	return err == nil
}

// openFolder reads the events of a folder as one source.
func openFolder(ctx context.Context, dir string, o Options) (*model.Document, error) {
	src, err := newFolderSource(dir)
	if err != nil {
		return nil, codec.OpenProblem(dir, err)
	}
	d, err := Read(ctx, dir, src, src.Size, o)
	if err != nil {
		return nil, err
	}
	if d.Format != model.FormatOpenHands { // other programs number their files too
		return nil, fmt.Errorf("%s holds %s", dir, d.Format)
	}
	d.Notes = append(d.Notes, model.Note{Code: "folder",
		Reason: fmt.Sprintf("%d files of a folder, read as one line each; an export is one file of JSON Lines", src.Files)})
	return d, nil
}

// Read reads a transcript from any source of size bytes. path is only a name.
func Read(ctx context.Context, path string, src io.ReaderAt, size int64, o Options) (*model.Document, error) {
	d := &model.Document{Path: path, Size: size, Source: src}
	if err := unpack(ctx, d, o.Entry); err != nil {
		return nil, err
	}
	b := &codec.Builder{Doc: d, Progress: o.Progress}
	s, err := sniff(b, ctx)
	if err != nil {
		return nil, err
	}
	c, err := choose(s, o, path)
	if err != nil {
		return nil, err
	}
	f, why := c.format, c.why
	d.Codec, d.Format, d.Why, d.Guesses, d.Unconfirmed = f, f.Info().Format, why, c.guesses, c.unconfirmed
	d.Style = sniffStyle(d, s)
	lines := s.JSONLines
	s, c = nil, choice{} // a large value is not kept longer than its format wants it
	if err := f.Read(ctx, b); err != nil {
		return nil, err
	}
	if !lines && len(d.Segments) == 0 {
		b.Cut()
	}
	if p := d.Packed; p != nil {
		p.Text = d.SHA256
		if d.SHA256, err = source.HashOf(p); err != nil {
			return nil, codec.OpenProblem(path, err)
		}
	}
	noteUnproven(d)
	if messagesIn(d) == 0 {
		if other := lessLikely(ctx, d, src, size, o); other != nil {
			return other, nil
		}
		return nil, &model.Problem{Code: "no-messages", What: fmt.Sprintf("%s holds no messages.", path),
			Why: "It was recognised (" + why + "), but no line of it is a message.", Next: "Open another file."}
	}
	return earned(ctx, d, src, size, o)
}

func messagesIn(d *model.Document) (n int) {
	for range d.Messages {
		n++
	}
	return n
}

// unpack lets a document be of what its file holds, where that is packed.
func unpack(ctx context.Context, d *model.Document, entry string) error {
	t, err := source.Open(ctx, d.Path, d.Source, d.Size, entry)
	if err != nil || t == nil {
		return err
	}
	d.Packed, d.Notes = t.Packed, t.Notes
	d.Source, d.Size = unpackedText{bytes.NewReader(t.Bytes), d.Source}, int64(len(t.Bytes))
	return nil
}

// unpackedText is what a file holds; who closes it closes the file.
type unpackedText struct {
	io.ReaderAt
	file io.ReaderAt
}

func (u unpackedText) Close() error {
	if c, ok := u.file.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func refuseBinary(path string, head []byte) error {
	what, next := "", "Unpack or export it as text first."
	switch {
	case len(head) > 0 && len(bytes.Trim(head, "\x00")) == 0:
		what, next = "nothing but zero bytes", "A crash leaves a file so whose text had not reached the disk: restore it from a copy."
	case bytes.HasPrefix(head, []byte("%PDF")):
		what = "a PDF document"
	case bytes.HasPrefix(head, source.ZipMark):
		what = "a zip archive"
	case bytes.Count(head[:min(len(head), 4096)], []byte{0}) > 8 && !holdsRecord(head):
		what = "a binary file"
	default:
		return nil
	}
	return &model.Problem{Code: "binary", What: fmt.Sprintf("%s is %s.", path, what),
		Why: "Transcripts are JSON or JSON Lines text.", Next: next}
}

// holdsRecord reports whether a line of a head is a JSON object: then NUL bytes
// are damage of a text, as a crash leaves it, and don't make it binary.
func holdsRecord(head []byte) bool {
	for line := range bytes.Lines(head) {
		if v, err := jspan.Parse(line, jspan.Space(line, 0)); err == nil && v.Kind == jspan.Object &&
			jspan.Space(line, v.End) == len(line) {
			return true
		}
	}
	return false
}

// spansLines reports whether the first value takes several lines, up to the end of
// the source or of its head.
func spansLines(head []byte) bool {
	v, err := jspan.Parse(head, 0)
	if err != nil {
		return errors.Is(err, jspan.ErrCut)
	}
	return bytes.IndexByte(v.Raw(), '\n') >= 0 && jspan.Space(head, v.End) == len(head)
}

// styleHead is how much of a source is looked at to find how it spells JSON.
const styleHead = 64 << 10

// sniffStyle finds how the source spells JSON, from its head.
func sniffStyle(d *model.Document, s *codec.Sniff) model.Style {
	head := make([]byte, min(d.Size, styleHead))
	if _, err := d.Source.ReadAt(head, 0); err != nil && err != io.EOF {
		head = nil
	}
	st := styleOf(head, d.Style, s.JSONLines)
	if lineEndIsCRLF(d) {
		st.EOL = "\r\n"
	}
	return st
}

func styleOf(head []byte, st model.Style, jsonl bool) model.Style {
	st.JSONLines, st.EOL = jsonl, "\n"
	st.Spaced = bytes.Contains(head, []byte(`": `))
	st.ASCII = bytes.Contains(head, []byte(`\u`)) && bytes.IndexFunc(head, func(r rune) bool { return r >= 0x80 && r != 0xFEFF }) < 0
	if !jsonl {
		if i := bytes.IndexByte(head, '\n'); i >= 0 {
			line := head[i+1:]
			st.Indent = string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
		}
	}
	return st
}

// lineEndIsCRLF looks at the first line end, however far it is.
func lineEndIsCRLF(d *model.Document) bool {
	r := bufio.NewReaderSize(io.NewSectionReader(d.Source, 0, d.Size), 64<<10)
	var before byte
	for {
		chunk, err := r.ReadSlice('\n')
		if n := len(chunk); n > 1 {
			before = chunk[n-2]
		} else if n == 1 && chunk[0] != '\n' {
			before = chunk[0]
		}
		if err != bufio.ErrBufferFull {
			return err == nil && before == '\r'
		}
		before = chunk[len(chunk)-1]
	}
}

// sniff reads the head of the source, and all of it when it is one JSON value.
func sniff(b *codec.Builder, ctx context.Context) (*codec.Sniff, error) {
	d := b.Doc
	if d.Size == 0 {
		return nil, &model.Problem{Code: "empty", What: fmt.Sprintf("%s is empty.", d.Path), Why: "It has 0 bytes.",
			Next: "Open another file."}
	}
	head := make([]byte, min(d.Size, 256<<10))
	if _, err := d.Source.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, codec.OpenProblem(d.Path, err)
	}
	d.Style.BOM = bytes.HasPrefix(head, []byte("\xef\xbb\xbf"))
	if d.Style.BOM {
		head = head[3:]
	}
	if err := refuseBinary(d.Path, head); err != nil {
		return nil, err
	}
	s, sure := sniffLines(b, head)
	if sure {
		return s, nil
	}
	whole, err := sniffWhole(b, ctx, head)
	if err != nil && s != nil && ctx.Err() == nil {
		if len(guesses(s)) > 0 {
			return s, nil // not one value after all, but some lines are records
		}
	}
	return whole, err
}

// sniffLines recognises JSON Lines: two lines that parse alone, or one that does
// beside others that are broken. It gives nil for one JSON value, and is not
// sure where the lines may be parts of one.
func sniffLines(b *codec.Builder, head []byte) (s *codec.Sniff, sure bool) {
	s = &codec.Sniff{JSONLines: true}
	var parser jspan.Parser // each format looks for other members in a line
	broken, rest := 0, head
	cut := false // the head ends inside a line that follows others
	for len(rest) > 0 && len(s.Lines) < codec.SniffLines {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			if int64(len(head)) < b.Doc.Size-3 && len(s.Lines)+broken > 0 {
				cut = true
				break
			}
			rest = nil
		}
		i := jspan.Space(line, 0)
		if i == len(line) {
			continue
		}
		v, err := parser.Parse(line, i)
		if err != nil || jspan.Space(line, v.End) != len(line) || v.Kind != jspan.Object {
			broken++
			continue
		}
		s.Lines = append(s.Lines, v)
	}
	switch n := len(s.Lines); {
	case n >= 2 || n == 1 && (broken > 0 || cut):
		// of a pretty-printed value some lines parse by chance
		return s, broken <= n || !spansLines(head)
	case n == 0 && broken > 0 && int64(len(head)) < b.Doc.Size-3 && bytes.IndexByte(head, '\n') < 0:
		s = sniffLongLine(b)
		return s, s != nil
	}
	return nil, false
}

// sniffLongLine handles a first line longer than the head: JSON Lines if the
// value ends with its line and something follows.
func sniffLongLine(b *codec.Builder) *codec.Sniff {
	nl := firstLineEnd(b.Doc.Source, min(b.Doc.Size, codec.MaxLine))
	if nl < 0 {
		return nil
	}
	buf := make([]byte, min(b.Doc.Size, codec.MaxLine))
	if _, err := io.ReadFull(io.NewSectionReader(b.Doc.Source, 0, b.Doc.Size), buf); err != nil || len(bytes.TrimSpace(buf[nl:])) == 0 {
		return nil
	}
	start := 0
	if b.Doc.Style.BOM {
		start = 3
	}
	s := &codec.Sniff{JSONLines: true}
	for _, line := range bytes.SplitN(buf[start:], []byte("\n"), codec.SniffLines) {
		if v, err := jspan.Parse(line, 0); err == nil && v.Kind == jspan.Object && jspan.Space(line, v.End) == len(line) {
			s.Lines = append(s.Lines, v)
		}
	}
	if len(s.Lines) == 0 {
		return nil
	}
	return s
}

// firstLineEnd is the place of the first line end before a place; -1: there is none.
func firstLineEnd(src io.ReaderAt, before int64) int64 {
	buf := make([]byte, 256<<10)
	for off := int64(0); off < before; off += int64(len(buf)) {
		n, err := src.ReadAt(buf, off)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return off + int64(i)
		}
		if err != nil {
			break
		}
	}
	return -1
}

// indexedWhole is the size up to which one value is read with an index of its members:
// every format looks for its own in it. The index takes 16 MB at most, and more while it
// grows: 14 MB of nothing but small numbers were read in 127 MB in place of 70.
const indexedWhole = 16 << 20

// sniffWhole reads a source that is one JSON value. If the first bytes cannot begin
// one, it stops there.
func sniffWhole(b *codec.Builder, ctx context.Context, head []byte) (*codec.Sniff, error) {
	d := b.Doc
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	start := 0
	if d.Style.BOM {
		start = 3
	}
	if err := headFault(head, start); err != nil {
		return nil, notJSON(d, err)
	}
	if most := edit.MaxWhole(); d.Size > most {
		return nil, &model.Problem{Code: "too-large", What: fmt.Sprintf("%s is too large for one JSON value.", d.Path),
			Why:  fmt.Sprintf("It has %d MB; this machine holds up to %d MB while it is read.", d.Size>>20, most>>20),
			Next: "Save it as JSON Lines."}
	}
	buf := make([]byte, d.Size)
	if _, err := io.ReadFull(io.NewSectionReader(d.Source, 0, d.Size), buf); err != nil {
		return nil, codec.OpenProblem(d.Path, err)
	}
	d.SHA256 = sha256.Sum256(buf)
	if jspan.Space(buf, start) == len(buf) {
		return nil, &model.Problem{Code: "empty", What: fmt.Sprintf("%s is empty.", d.Path),
			Why: "It holds nothing but white space.", Next: "Open another file."}
	}
	parse := jspan.Parse
	if len(buf) <= indexedWhole {
		parse = new(jspan.Parser).Parse
	}
	v, err := parse(buf, start)
	if err == nil && jspan.Space(buf, v.End) != len(buf) {
		err = &jspan.SyntaxError{Off: v.End, What: "more text behind the value"}
	}
	if err != nil {
		return nil, notJSON(d, err)
	}
	b.Whole = v
	return &codec.Sniff{Whole: v, Lines: []jspan.Value{v}}, nil
}

// headFault is what keeps a source from being one JSON value, if its head shows it.
// The head begins at a place of the source.
func headFault(head []byte, at int) error {
	_, err := jspan.Parse(head, 0)
	if errors.Is(err, jspan.ErrDepth) {
		return err
	}
	var fault *jspan.SyntaxError
	const token = 64 // bytes that a number or a word may need: what is wrong with it may be that it is cut
	if errors.As(err, &fault) && fault.Off < len(head)-token {
		return &jspan.SyntaxError{Off: fault.Off + at, What: fault.What}
	}
	return nil
}

func notJSON(d *model.Document, err error) error {
	why := "It is not JSON: " + err.Error() + "."
	if errors.Is(err, jspan.ErrCut) {
		why = fmt.Sprintf("The JSON ends in the middle of a value after %d bytes; the file is cut off.", d.Size)
	}
	return &model.Problem{Code: "not-json", What: fmt.Sprintf("%s could not be read.", d.Path), Why: why,
		Next: "See the list of formats: Help → Formats, or the verb formats.", Err: err}
}
