package edit

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"palimpsest/model"
	"palimpsest/model/pattern"
	"palimpsest/model/transcript/jspan"
)

// Inspect writes its logs as archives (.eval): header.json with what the log
// says of the run, and an entry for each sample. They are deflated, or packed
// with Zstandard where INSPECT_USE_ZSTD was set. Samples are packed texts here
// (see [edit.PackedSource]); an export copies every entry but the changed ones as it
// is in the archive, without unpacking it.

// InspectArchive is such an archive.
type InspectArchive struct {
	Zip     *zip.Reader
	Samples []int // entries of zip.File, in the order in which Inspect lists them
}

// sampleEntry matches the entry of a sample: its id and its epoch.
var sampleEntry = pattern.New(`^samples/(.+)_epoch_(\d+)\.json$`)

// ArchiveOf reads a source as an archive of samples; nil if it is none.
func ArchiveOf(src io.ReaderAt, size int64) *InspectArchive {
	z, err := zip.NewReader(src, size)
	if err != nil {
		return nil
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	a := &InspectArchive{Zip: z}
	named := map[string]int{} // of a name that was written again, the last entry counts
	for i, f := range z.File {
		if sampleEntry.MatchString(f.Name) {
			named[f.Name] = i
		}
	}
	for _, i := range named {
		a.Samples = append(a.Samples, i)
	}
	slices.SortFunc(a.Samples, a.order)
	if len(a.Samples) == 0 {
		return nil
	}
	return a
}

// order is by epoch, then by id: numbers by their value and before words.
func (a *InspectArchive) order(i, j int) int {
	x, y := sampleEntry.FindStringSubmatch(a.Zip.File[i].Name), sampleEntry.FindStringSubmatch(a.Zip.File[j].Name)
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 1 << 60
		}
		return n
	}
	return cmp.Or(cmp.Compare(number(x[2]), number(y[2])), cmp.Compare(number(x[1]), number(y[1])), cmp.Compare(x[1], y[1]))
}

// Head is the beginning of the first sample, which shows its style.
func (a *InspectArchive) Head() []byte {
	f, err := a.Zip.File[a.Samples[0]].Open()
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, StyleHead)) // of a damaged entry, what there is
	return b
}

// Unpack implements packing; i is an entry of the archive.
func (a *InspectArchive) Unpack(i int) ([]byte, error) {
	f := a.Zip.File[i]
	if !plausible(f.CompressedSize64, f.UncompressedSize64, leastEntry) {
		return nil, fmt.Errorf("%s of the archive is not unpacked: its %d KB would become %d MB", f.Name,
			f.CompressedSize64>>10, f.UncompressedSize64>>20)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("open %s of the archive: %w", f.Name, err)
	}
	defer r.Close()
	b := make([]byte, f.UncompressedSize64) // what the archive says may be a lie, and is no more than is plausible
	switch _, err := io.ReadFull(r, b); {
	case err != nil:
		return nil, fmt.Errorf("unpack %s of the archive: %w", f.Name, err)
	default:
		var more [1]byte
		if n, err := r.Read(more[:]); n > 0 || err != io.EOF {
			return nil, fmt.Errorf("unpack %s of the archive: it is longer than the archive says, or damaged", f.Name)
		}
	}
	return b, nil
}

// Budgets of an archive. Logs of JSON shrink to a fifth, with the same history in each
// of its samples to a fiftieth; what would grow more was made to.
const (
	mostGrowth = 100      // unpacked by packed size
	leastEntry = 32 << 20 // bytes that an entry may always unpack to
	leastWhole = 256 << 20
)

func plausible(packed, unpacked, least uint64) bool {
	return unpacked <= least || unpacked <= uint64(MaxWhole()) && packed > 0 && unpacked/packed <= mostGrowth
}

// Bomb reports that an archive would unpack to more than any log does, and to how many
// bytes.
func (a *InspectArchive) Bomb(size int64) (unpacked int64, bomb bool) {
	total := uint64(0)
	for _, i := range a.Samples {
		if n := a.Zip.File[i].UncompressedSize64; n <= 1<<50 && total <= 1<<50 {
			total += n
		} else {
			return 1 << 50, true
		}
	}
	return int64(total), total > leastWhole && total/uint64(max(1, size)) > mostGrowth
}

// pack implements packing. No edit reaches the archive's own bytes.
func (a *InspectArchive) pack(w io.Writer, d *model.Document, _ []Splice, inner map[int][]Splice) error {
	err := rezip(w, a.Zip, func(i int) ([]byte, error) {
		if len(inner[i]) == 0 {
			return nil, nil
		}
		text, err := a.Unpack(i)
		return spliced(text, inner[i]), err
	})
	if err != nil {
		return err
	}
	return newSourceReader(d).verify()
}

// Rezip writes an archive with another text in one entry.
func Rezip(w io.Writer, z *zip.Reader, entry int, text []byte) error {
	return rezip(w, z, func(i int) ([]byte, error) {
		if i != entry {
			return nil, nil
		}
		return text, nil
	})
}

// rezip copies an archive, entries as they are packed. One with a new text is packed
// anew in the way in which it was.
func rezip(w io.Writer, z *zip.Reader, changed func(i int) ([]byte, error)) error {
	out := zip.NewWriter(w)
	out.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	if err := out.SetComment(z.Comment); err != nil {
		return err
	}
	for i, f := range z.File {
		text, err := changed(i)
		if err == nil {
			err = writeEntry(out, f, text)
		}
		if err != nil {
			return fmt.Errorf("write %s of the archive: %w", f.Name, err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	return nil
}

func writeEntry(out *zip.Writer, f *zip.File, text []byte) error {
	if text == nil {
		return out.Copy(f)
	}
	w, err := out.CreateHeader(&zip.FileHeader{Name: f.Name, Comment: f.Comment, NonUTF8: f.NonUTF8, Method: f.Method,
		Modified: f.Modified, CreatorVersion: f.CreatorVersion, ExternalAttrs: f.ExternalAttrs})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Model is the model of the run, as the header names it.
func (a *InspectArchive) Model() string {
	for i, f := range a.Zip.File {
		switch f.Name {
		case "header.json", "start.json", "_journal/start.json":
			if text, err := a.Unpack(i); err == nil {
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

// ZipMark is how an archive begins.
var ZipMark = []byte("PK\x03\x04")

// IsZip reports whether a source begins as a zip archive does.
func IsZip(head []byte) bool { return bytes.HasPrefix(head, ZipMark) }

// StyleHead is how much of a source is looked at to find how it spells JSON.
const StyleHead = 64 << 10
