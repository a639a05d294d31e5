package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"palimpsest/model"
	"palimpsest/model/pattern"
	"palimpsest/model/transcript/jspan"
)

// histories are how names of files end that may hold a history.
var histories = []string{".json", ".jsonl", ".ndjson", ".af", ".md", ".db", ".sqlite", ".vscdb", ".traj", ".eval"}

// exports are the files of an export that hold its conversations.
var exports = []string{"conversations.json", "conversations.jsonl"}

// choose finds the entry of an archive that is wanted: the one that was named, the one
// with the conversations of an export, or the only one that can be a history.
func (s *state) choose(names []string) (int, error) {
	var list []string
	at := -1
	for i, name := range names {
		base := path.Base(name)
		if s.entry == "" && name != "" && strings.HasSuffix(filepathOf(s.path), "/"+name) {
			return i, nil // a record knows what it was made of by its path
		}
		if s.entry != "" && (name == s.entry || strings.HasPrefix(s.entry, name+"/")) {
			return i, nil
		}
		if strings.Contains(name, "__MACOSX/") || strings.HasPrefix(base, "._") || !mayBeHistory(base) {
			continue
		}
		if s.entry == "" && slices.Contains(exports, base) {
			return i, nil
		}
		list, at = append(list, name), i
	}
	switch {
	case s.entry != "":
		return -1, &model.Problem{Code: "no-entry", What: fmt.Sprintf("%s is not in %s.", s.entry, s.path),
			Why:  fmt.Sprintf("It holds %d files that may be histories.", len(list)),
			Next: "Name one of: " + strings.Join(list[:min(len(list), 8)], ", ") + "."}
	case len(list) == 1:
		return at, nil
	case len(list) == 0:
		return -1, &model.Problem{Code: "no-entry", What: fmt.Sprintf("%s holds no history.", s.path),
			Why: "No file in it has a name like .json, .jsonl, .md or .db.", Next: "Open another file."}
	}
	slices.Sort(list)
	return -1, &model.Problem{Code: "choose-entry", What: fmt.Sprintf("%s holds %d files that may be histories.", s.path, len(list)),
		Why:  "They are: " + strings.Join(list[:min(len(list), 12)], ", ") + more(len(list)-12) + ".",
		Next: fmt.Sprintf("Open one of them: %s/%s.", s.path, list[0])}
}

func filepathOf(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// beside are files that an archive has beside its histories.
var beside = []string{"readme", "license", "changelog"}

// packings are how names of packed files end.
var packings = []string{".gz", ".zst", ".xz", ".bz2"}

func mayBeHistory(base string) bool {
	if slices.ContainsFunc(beside, func(name string) bool { return strings.HasPrefix(strings.ToLower(base), name+".") }) {
		return false
	}
	for _, packed := range packings {
		base = strings.TrimSuffix(base, packed)
	}
	return slices.ContainsFunc(histories, func(end string) bool { return strings.HasSuffix(base, end) })
}

// ZipMark is how a zip archive begins.
var ZipMark = []byte("PK\x03\x04")

func zipped(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, ZipMark) {
		return nil, nil
	}
	z, err := zip.NewReader(s.src, s.size)
	if err != nil {
		return nil, nil // it only begins like one, or is cut off
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	names := entriesOf(z)
	if list := samples(names); len(list) > 0 {
		return s.evaluation(z, list)
	}
	if list := s.split(names); len(list) > 1 {
		return s.joined(z, list)
	}
	i, err := s.choose(names)
	if err != nil {
		return nil, err
	}
	f := z.File[i]
	b, err := s.entryOf(f)
	if err != nil {
		return nil, err
	}
	return &Text{Bytes: b, Packed: &model.Packed{Kind: "zip", Inner: f.Name, Pack: func(w io.Writer, text []byte) error {
		return rezip(w, z, i, text)
	}}}, nil
}

// entryOf unpacks a file of an archive.
func (s *state) entryOf(f *zip.File) ([]byte, error) {
	return s.unpacked(func() (io.Reader, error) { return f.Open() }, int64(f.CompressedSize64))
}

// entriesOf are the names of the files in an archive; "" for a folder.
func entriesOf(z *zip.Reader) []string {
	names := make([]string, len(z.File))
	for i, f := range z.File {
		if !f.FileInfo().IsDir() {
			names[i] = f.Name
		}
	}
	return names
}

// rezip copies an archive with another text in one entry; the others are copied as they are packed.
func rezip(w io.Writer, z *zip.Reader, entry int, text []byte) error {
	out := zip.NewWriter(w)
	out.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	err := out.SetComment(z.Comment)
	for i, f := range z.File {
		switch {
		case err != nil:
			return fmt.Errorf("write the archive: %w", err)
		case i != entry:
			err = out.Copy(f)
			continue
		}
		var e io.Writer
		if e, err = out.CreateHeader(&zip.FileHeader{Name: f.Name, Comment: f.Comment, NonUTF8: f.NonUTF8, Method: f.Method,
			Modified: f.Modified, CreatorVersion: f.CreatorVersion, ExternalAttrs: f.ExternalAttrs}); err == nil {
			_, err = e.Write(text)
		}
	}
	return errors.Join(err, out.Close())
}

// sampleEntry matches the entry of a sample in a log that Inspect packs (.eval): its id and its
// epoch. Other entries say something of the whole run.
var sampleEntry = pattern.New(`^samples/(.+)_epoch_(\d+)\.json$`)

// runEntries are the entries that name the model of a run, the best one first.
var runEntries = []string{"header.json", "start.json", "_journal/start.json"}

// samples are the entries of samples by epoch, then by id: numbers by their value and before
// words. Of a name that was written again the last entry counts.
func samples(names []string) []int {
	named := map[string]int{}
	for i, name := range names {
		if sampleEntry.MatchString(name) {
			named[name] = i
		}
	}
	number := func(s string) int {
		if n, err := strconv.Atoi(s); err == nil {
			return n
		}
		return math.MaxInt
	}
	return slices.SortedFunc(maps.Values(named), func(i, j int) int {
		x, y := sampleEntry.FindStringSubmatch(names[i]), sampleEntry.FindStringSubmatch(names[j])
		return cmp.Or(cmp.Compare(number(x[2]), number(y[2])), cmp.Compare(number(x[1]), number(y[1])), cmp.Compare(x[1], y[1]))
	})
}

// evaluation reads a packed log as the JSON log with the same samples. Damaged ones are left out.
func (s *state) evaluation(z *zip.Reader, list []int) (*Text, error) {
	t := &Text{Packed: &model.Packed{Kind: "log of an evaluation", Why: "A log of Inspect is read, and not written."}}
	run := "{}"
	for _, name := range runEntries {
		if i := slices.IndexFunc(z.File, func(f *zip.File) bool { return f.Name == name }); i >= 0 && run == "{}" {
			if v, _, err := s.valueOf(z.File[i]); err == nil && v.Get("eval").Exists() {
				run = string(v.Get("eval").Raw())
			}
		}
	}
	all := fmt.Appendf(nil, `{"version": 2, "eval": %s, "samples": [`, run)
	for k, i := range list {
		v, tooLarge, err := s.valueOf(z.File[i])
		switch {
		case tooLarge:
			return nil, err
		case err != nil:
			t.Notes = append(t.Notes, model.Note{Code: "bad-entry", Reason: fmt.Sprintf("%s: %v; it is left out", z.File[i].Name, err)})
			continue
		case k > 0 && all[len(all)-1] != '[':
			all = append(all, ",\n"...)
		}
		if all = append(all, v.Raw()...); int64(len(all)) > budget(s.file) {
			return nil, problem(s.path, "its samples are longer together than those of any log of its size")
		}
	}
	t.Bytes = append(all, "]}"...)
	return t, nil
}

// valueOf is the JSON value in an entry, and whether there is none because it is too large.
func (s *state) valueOf(f *zip.File) (v jspan.Value, tooLarge bool, err error) {
	text, err := s.entryOf(f)
	if err != nil {
		var p *model.Problem
		return v, errors.As(err, &p) && p.Code == "too-large", err
	}
	v, err = jspan.Parse(text, jspan.Space(text, 0))
	if err == nil && jspan.Space(text, v.End) != len(text) {
		err = errors.New("there is more text behind its value")
	}
	return v, false, err
}

// numbered matches a part of an export whose conversations are in several files.
var numbered = pattern.New(`^(?:.*/)?conversations-(\d+)\.json$`)

// split are the parts of such an export, in their order; none where an entry is named.
func (s *state) split(names []string) (list []int) {
	for i, name := range names {
		if s.entry == "" && numbered.MatchString(name) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	return list
}

// joined reads the parts of an export as one list.
func (s *state) joined(z *zip.Reader, list []int) (*Text, error) {
	var all []byte
	for _, i := range list {
		b, err := s.entryOf(z.File[i])
		if err != nil {
			return nil, err
		}
		b = bytes.TrimSpace(b)
		if len(b) < 2 || b[0] != '[' || b[len(b)-1] != ']' {
			return nil, problem(s.path, z.File[i].Name+" is no list of conversations")
		}
		if b = bytes.TrimSpace(b[1 : len(b)-1]); len(b) > 0 && len(all) > 0 {
			all = append(all, ",\n"...)
		}
		if all = append(all, b...); int64(len(all)) > budget(s.file) {
			return nil, problem(s.path, "its parts are longer together than those of any export of its size")
		}
	}
	return &Text{Bytes: fmt.Appendf(nil, "[%s]", all), Packed: &model.Packed{Kind: "zip",
		Why: fmt.Sprintf("Its conversations are in %d files, which are read as one list.", len(list))}}, nil
}

// tarMark is where the header of a tar archive says that it is one.
const tarMark = 257

func tarred(s *state) (*Text, error) {
	if len(s.head) < tarMark+5 || !bytes.Equal(s.head[tarMark:tarMark+5], []byte("ustar")) {
		return nil, nil
	}
	var names []string
	err := eachEntry(s.all(), func(h *tar.Header, _ io.Reader) error {
		name := h.Name
		if h.Typeflag != tar.TypeReg {
			name = ""
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, problem(s.path, err.Error())
	}
	want, err := s.choose(names)
	if err != nil {
		return nil, err
	}
	var text []byte
	i := 0
	err = eachEntry(s.all(), func(h *tar.Header, r io.Reader) error {
		if i == want {
			if h.Size > s.size { // only GNU's way to leave zeros out gets there
				return problem(s.path, h.Name+" is longer than the archive it is in")
			}
			text, err = io.ReadAll(r)
		}
		i++
		return err
	})
	if err != nil {
		return nil, err
	}
	src, size := s.src, s.size
	return &Text{Bytes: text, Packed: &model.Packed{Kind: "tar", Inner: names[want], Pack: func(w io.Writer, text []byte) error {
		out := tar.NewWriter(w)
		k := 0
		err := eachEntry(io.NewSectionReader(src, 0, size), func(h *tar.Header, r io.Reader) error {
			if k == want {
				h.Size, r = int64(len(text)), bytes.NewReader(text)
			}
			k++
			if err := out.WriteHeader(h); err != nil {
				return err
			}
			_, err := io.Copy(out, r)
			return err
		})
		return errors.Join(err, out.Close())
	}}}, nil
}

func eachEntry(r io.Reader, f func(h *tar.Header, r io.Reader) error) error {
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(h, t); err != nil {
			return err
		}
	}
}
