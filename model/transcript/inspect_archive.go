package transcript

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Inspect writes its logs as archives (.eval): header.json with what the log
// says of the run, and an entry for each sample. They are deflated, or packed
// with Zstandard where INSPECT_USE_ZSTD was set. Samples are packed texts here
// (see packedSource); an export copies every entry but the changed ones as it
// stands in the archive, without unpacking it.

// inspectArchive is such an archive.
type inspectArchive struct {
	zip     *zip.Reader
	samples []int // entries of zip.File, in the order in which Inspect lists them
}

// sampleEntry matches the entry of a sample: its id and its epoch.
var sampleEntry = regexp.MustCompile(`^samples/(.+)_epoch_(\d+)\.json$`)

// archiveOf reads a source as an archive of samples; nil if it is none.
func archiveOf(src io.ReaderAt, size int64) *inspectArchive {
	z, err := zip.NewReader(src, size)
	if err != nil {
		return nil
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	a := &inspectArchive{zip: z}
	named := map[string]int{} // of a name that was written again, the last entry counts
	for i, f := range z.File {
		if sampleEntry.MatchString(f.Name) {
			named[f.Name] = i
		}
	}
	for _, i := range named {
		a.samples = append(a.samples, i)
	}
	slices.SortFunc(a.samples, a.order)
	if len(a.samples) == 0 {
		return nil
	}
	return a
}

// order is by epoch, then by id: numbers by their value and before words.
func (a *inspectArchive) order(i, j int) int {
	x, y := sampleEntry.FindStringSubmatch(a.zip.File[i].Name), sampleEntry.FindStringSubmatch(a.zip.File[j].Name)
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 1 << 60
		}
		return n
	}
	return cmp.Or(cmp.Compare(number(x[2]), number(y[2])), cmp.Compare(number(x[1]), number(y[1])), cmp.Compare(x[1], y[1]))
}

// head is the beginning of the first sample, from which its style is told.
func (a *inspectArchive) head() []byte {
	f, err := a.zip.File[a.samples[0]].Open()
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, styleHead)) // of a damaged entry, what there is
	return b
}

// unpack implements packing; i is an entry of the archive.
func (a *inspectArchive) unpack(i int) ([]byte, error) {
	f := a.zip.File[i]
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("open %s of the archive: %w", f.Name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, MaxWhole+1))
	if err != nil {
		return nil, fmt.Errorf("unpack %s of the archive: %w", f.Name, err)
	}
	if len(b) > MaxWhole {
		return nil, fmt.Errorf("unpack %s of the archive: it is longer than %d MB", f.Name, MaxWhole>>20)
	}
	return b, nil
}

// pack implements packing. No edit reaches the archive's own bytes.
func (a *inspectArchive) pack(w io.Writer, d *model.Document, _ []splice, inner map[int][]splice) error {
	out := zip.NewWriter(w)
	out.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	if err := out.SetComment(a.zip.Comment); err != nil {
		return err
	}
	for i, f := range a.zip.File {
		if err := a.entry(out, f, i, inner[i]); err != nil {
			return fmt.Errorf("write %s of the archive: %w", f.Name, err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	return newSourceReader(d).verify()
}

// entry copies an entry as it is packed, or packs it anew with its edits in the
// way in which it was.
func (a *inspectArchive) entry(out *zip.Writer, f *zip.File, i int, list []splice) error {
	if len(list) == 0 {
		return out.Copy(f)
	}
	text, err := a.unpack(i)
	if err != nil {
		return err
	}
	w, err := out.CreateHeader(&zip.FileHeader{Name: f.Name, Comment: f.Comment, NonUTF8: f.NonUTF8, Method: f.Method,
		Modified: f.Modified, CreatorVersion: f.CreatorVersion, ExternalAttrs: f.ExternalAttrs})
	if err != nil {
		return err
	}
	_, err = w.Write(spliced(text, list))
	return err
}

// readArchive reads the samples of an archive, one after the other: only the
// text of one is in memory.
func (f inspect) readArchive(ctx context.Context, b *builder, a *inspectArchive) error {
	d := b.doc
	src := newPackedSource(d, a)
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(d.Source, 0, d.Size)); err != nil {
		return openProblem(d.Path, err)
	}
	sum.Sum(d.SHA256[:0])
	d.Source = src
	b.segment(0, d.Size, model.SegmentGap)
	name := a.model()
	for k, i := range a.samples {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.progress != nil {
			b.progress(d.Size*int64(k)/int64(len(a.samples)), d.Size)
		}
		text, err := a.unpack(i)
		var v jspan.Value
		if err == nil {
			v, err = b.unpacked(src, i, text)
		}
		if err != nil {
			b.note("bad-entry", fmt.Sprintf("%s: %v; it is kept as it is", a.zip.File[i].Name, err))
			continue
		}
		f.sample(b, v, name)
		b.packed = nil
	}
	return nil
}

// model is the model of the run, as the header names it.
func (a *inspectArchive) model() string {
	for i, f := range a.zip.File {
		switch f.Name {
		case "header.json", "start.json", "_journal/start.json":
			if text, err := a.unpack(i); err == nil {
				if v, err := jspan.Parse(text, jspan.Space(text, 0)); err == nil {
					if name := v.Get("eval", "model").TextN(200); name != "" {
						return name
					}
				}
			}
		}
	}
	return ""
}

// zipMark is how an archive begins.
var zipMark = []byte("PK\x03\x04")

func isZip(head []byte) bool { return bytes.HasPrefix(head, zipMark) }
