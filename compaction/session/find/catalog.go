package find

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/query"
)

// Catalog keeps an index of texts. The store is one.
type Catalog interface {
	// TextFiles lists what is indexed.
	TextFiles(ctx context.Context) ([]model.TextFile, error)
	// SaveText stores a group with the files that it is of, in one transaction; a
	// file with an ID of 0 is new. The group is nil where only files are noted.
	SaveText(ctx context.Context, files []model.TextFile, g *model.TextGroup) error
	// ForgetText removes files from the index.
	ForgetText(ctx context.Context, ids ...int64) error
	// TextBits calls f with parts of slices, of every group; part is the index in the list.
	TextBits(ctx context.Context, parts []model.TextPart, f func(group int64, part int, bits []byte)) error
	// TextGroups calls f with every group's columns that may hold anything.
	TextGroups(ctx context.Context, f func(group int64, wild []byte)) error
	// TextExtents calls f with what columns stand for, which are listed by group.
	TextExtents(ctx context.Context, columns map[int64][]int, f func(model.TextExtent)) error
}

// indexed is what the index says of a file for one search.
type indexed struct {
	model.TextFile
	parts []span // that may hold the needle
	wild  bool   // some part may hold anything
}

// span is a part of a file to be read.
type span struct {
	model.Span
	tame bool // the index knows that it can't hide anything
}

// spans are the parts of a file that have to be read: those that may hold it, and what
// is not indexed. st is the file as it is now.
func (x *indexed) spans(st os.FileInfo) []span {
	switch {
	case st.ModTime().UnixNano() == x.Changed && st.Size() == x.Size:
		if x.None {
			return nil
		}
		return x.parts
	case st.Size() > x.Size && !x.Decoded && !x.None && x.grew():
		from := max(0, x.Size-most)
		return append(slices.Clone(x.parts), span{Span: model.Span{Off: from, Len: st.Size() - from}})
	}
	x.Decoded, x.wild = false, false // the bytes say whether it has to be opened, if they are its text
	return []span{{Span: model.Span{Len: st.Size()}}}
}

// grew reports whether the file still begins as it was indexed.
func (x *indexed) grew() bool {
	f, err := os.Open(x.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	s, err := stamp(f, x.Size)
	return err == nil && bytes.Equal(s, x.Stamp)
}

// stampBytes of the begin and the end of a file say whether it only grew.
const stampBytes = 4 << 10

func stamp(src io.ReaderAt, size int64) ([]byte, error) {
	h, buf := sha256.New(), make([]byte, stampBytes)
	for _, off := range []int64{0, max(0, size-stampBytes)} {
		n, err := src.ReadAt(buf[:min(size-off, stampBytes)], off)
		if err != nil && err != io.EOF {
			return nil, err
		}
		h.Write(buf[:n])
	}
	return h.Sum(nil)[:16], nil
}

// candidates asks the index where needles may be: by path, the parts of every indexed
// file that may hold the first of them that is rarest, or none where a file does not
// have all. An index that can't be read knows no file.
func candidates(ctx context.Context, c Catalog, needles []query.Needle) map[string]indexed {
	files, err := c.TextFiles(ctx)
	if err != nil || len(files) == 0 {
		return nil
	}
	byID := make(map[int64]*indexed, len(files))
	for _, f := range files {
		byID[f.ID] = &indexed{TextFile: f}
	}
	best := 0
	for i, n := range needles {
		if len(n[0]) > len(needles[best][0]) {
			best = i
		}
	}
	longest := int64(overlap)
	for _, alt := range needles[best] {
		longest = max(longest, int64(len(alt)))
	}
	may, wild, err := columnsOf(ctx, c, needles[best])
	if err != nil {
		return nil
	}
	add := func(columns map[int64][]int, wild bool) error {
		return c.TextExtents(ctx, columns, func(x model.TextExtent) {
			if f := byID[x.File]; f != nil {
				f.parts = append(f.parts, span{model.Span{Off: x.Off, Len: x.Len + longest}, !wild})
				f.wild = f.wild || wild
			}
		})
	}
	if errors.Join(add(may, false), add(wild, true)) != nil {
		return nil
	}
	out := make(map[string]indexed, len(files))
	for _, f := range byID {
		slices.SortFunc(f.parts, func(a, b span) int { return int(a.Off - b.Off) })
		out[f.Path] = *f
	}
	return out
}

// errOlder is an index of an older form. It is made again by the next run.
var errOlder = errors.New("the index is of an older form")

// columnsOf lists by group the columns that may hold a needle, and those that may hold
// anything.
func columnsOf(ctx context.Context, c Catalog, n query.Needle) (may, wild map[int64][]int, err error) {
	var parts []model.TextPart
	at := map[uint32]int{} // in parts, by row
	var alts [][]uint32
	all := false
	for _, alt := range n {
		list := asked(alt)
		all = all || len(list) == 0
		alts = append(alts, list)
		for _, r := range list {
			if _, ok := at[r]; !ok {
				at[r] = len(parts)
				parts = append(parts, model.TextPart{Slice: int(r / sliceRows), Off: int(r % sliceRows * rowBytes), Len: rowBytes})
			}
		}
	}
	if all {
		parts = nil
	}
	wilds, got := map[int64][]byte{}, map[int64][]byte{} // by group: a bit a column, and the rows of all parts
	older := false
	err = c.TextGroups(ctx, func(g int64, w []byte) {
		older = older || len(w) != rowBytes
		wilds[g], got[g] = slices.Clone(w), make([]byte, len(parts)*rowBytes)
	})
	if older {
		err = errOlder
	}
	if err != nil {
		return nil, nil, err
	}
	err = c.TextBits(ctx, parts, func(g int64, part int, bits []byte) {
		if rows := got[g]; rows != nil {
			copy(rows[part*rowBytes:], bits)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	may, wild = map[int64][]int{}, map[int64][]int{}
	for g, w := range wilds {
		held := make([]byte, rowBytes)
		for _, list := range alts {
			or(held, and(got[g], at, list, all))
		}
		for k := range columns {
			switch bit := byte(1) << (k & 7); {
			case w[k>>3]&bit != 0:
				wild[g] = append(wild[g], k)
			case held[k>>3]&bit != 0:
				may[g] = append(may[g], k)
			}
		}
	}
	return may, wild, nil
}

// and are the columns that have all of the rows, which are at places in got.
func and(got []byte, at map[uint32]int, list []uint32, all bool) []byte {
	out := bytes.Repeat([]byte{0xff}, rowBytes)
	if all {
		return out
	}
	for _, r := range list {
		row := got[at[r]*rowBytes:]
		for i := range out {
			out[i] &= row[i]
		}
	}
	return out
}

func or(into, b []byte) {
	for i := range into {
		into[i] |= b[i]
	}
}

// Indexer brings an index up to date.
type Indexer struct {
	Catalog Catalog
	Open    func(ctx context.Context, path string) (*session.File, error)
	// Progress is called with how many of the files are done, and how many bytes of
	// them were indexed now; nil: nobody is notified.
	Progress func(done, total int, bytes int64)

	group *group
	files []model.TextFile // that have text in the group
	at    map[string]int   // in files
	bytes int64
}

// leastGroup is how much text is stored at the end of a run: less waits for more, and
// is read where it is.
const leastGroup = 1 << 20

// Run indexes what is new or has changed of the files. What was stored stays when it
// is stopped, and the next run goes on there. A file that is gone is forgotten.
// An index of an older form is forgotten first.
func (x *Indexer) Run(ctx context.Context, paths []string) error {
	known, err := x.known(ctx)
	if err != nil {
		return err
	}
	x.group, x.at = new(group), map[string]int{}
	by := make(map[string]model.TextFile, len(known))
	for _, f := range known {
		by[f.Path] = f
	}
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := model.AbsolutePath(path)
		if err := x.file(ctx, path, by[path]); err != nil && !errors.Is(err, errUnread) {
			return err
		}
		if x.Progress != nil {
			x.Progress(i+1, len(paths), x.bytes)
		}
	}
	var gone []int64
	for _, f := range known {
		if _, err := os.Stat(f.Path); errors.Is(err, os.ErrNotExist) {
			gone = append(gone, f.ID)
		}
	}
	if len(gone) > 0 {
		if err := x.Catalog.ForgetText(ctx, gone...); err != nil {
			return err
		}
	}
	if int64(x.group.used)*blockBytes-x.group.room < leastGroup && len(known) > 0 {
		return nil
	}
	return x.save(ctx)
}

// known lists what is indexed, in the present form.
func (x *Indexer) known(ctx context.Context) ([]model.TextFile, error) {
	older := false
	err := x.Catalog.TextGroups(ctx, func(_ int64, wild []byte) { older = older || len(wild) != rowBytes })
	if err != nil {
		return nil, err
	}
	files, err := x.Catalog.TextFiles(ctx)
	if err != nil || !older {
		return files, err
	}
	for some := range slices.Chunk(files, 1000) {
		ids := make([]int64, len(some))
		for i, f := range some {
			ids[i] = f.ID
		}
		if err := x.Catalog.ForgetText(ctx, ids...); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// errUnread is a file that can't be read now; it is not indexed.
var errUnread = errors.New("unread")

// file indexes one file, unless it is already.
func (x *Indexer) file(ctx context.Context, path string, was model.TextFile) error {
	f, err := os.Open(path)
	if err != nil {
		return errUnread
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return errUnread
	}
	now := model.TextFile{ID: was.ID, Path: path, Size: st.Size(), Changed: st.ModTime().UnixNano()}
	if was.ID > 0 && was.Changed == now.Changed && was.Size == now.Size {
		return nil
	}
	from := int64(0)
	if was.ID > 0 {
		old := indexed{TextFile: was}
		if was.Size < now.Size && !was.Decoded && !was.None && old.grew() {
			from = was.Size
		} else if err := x.Catalog.ForgetText(ctx, was.ID); err != nil {
			return err
		} else {
			now.ID = 0
		}
	}
	if now.Stamp, err = stamp(f, now.Size); err != nil {
		return errUnread
	}
	head := make([]byte, min(now.Size, 4096))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return errUnread
	}
	if !plain(head) {
		return x.decoded(ctx, now)
	}
	return x.raw(ctx, f, now, from)
}

// raw indexes the bytes of a file from an offset on.
func (x *Indexer) raw(ctx context.Context, src io.ReaderAt, file model.TextFile, from int64) error {
	buf := make([]byte, 1<<20)
	end := file.Size
	for off := max(0, from-overlap); off < end; {
		n, err := src.ReadAt(buf[:min(int64(len(buf)), end-off)], off)
		if err != nil && err != io.EOF || n == 0 {
			return errUnread
		}
		low := buf[:n]
		query.Lower(low, low)
		if composes(low) {
			return x.decoded(ctx, file)
		}
		take := n
		if off+int64(n) < end {
			take -= overlap // the end is looked at again with what is behind it
		}
		for at := 0; at < take; {
			file.Size = off + int64(at)
			k := x.group.add(x.index(file), off+int64(at), low[at:], take-at)
			if k == 0 {
				if file.Stamp, err = stamp(src, file.Size); err != nil {
					return errUnread
				}
				x.files[x.index(file)] = file // as far as it is
				if err := x.save(ctx); err != nil {
					return err
				}
				if file.ID, err = x.idOf(ctx, file.Path); err != nil {
					return err
				}
				continue
			}
			at += k
			x.bytes += int64(k)
		}
		off += int64(take)
	}
	file.Size = end
	var err error
	if file.Stamp, err = stamp(src, end); err != nil {
		return errUnread
	}
	x.files[x.index(file)] = file
	return nil
}

// index is the place of a file in the group's list.
func (x *Indexer) index(f model.TextFile) int {
	i, ok := x.at[f.Path]
	if !ok {
		i = len(x.files)
		x.at[f.Path] = i
		x.files = append(x.files, f)
	}
	return i
}

// decoded indexes the text of a file whose bytes do not hold it.
func (x *Indexer) decoded(ctx context.Context, file model.TextFile) error {
	file.Decoded = true
	f, err := x.Open(ctx, file.Path)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		file.None = true
		x.index(file)
		return nil
	}
	defer f.Close()
	var b strings.Builder
	for m := range f.Doc.Messages {
		parts, err := f.Doc.Parts(m)
		if err != nil {
			return errUnread
		}
		for k := range parts {
			b.WriteString(query.TextOf(&parts[k]))
			b.WriteByte('\n')
		}
	}
	low := []byte(b.String())
	query.Lower(low, low)
	for at := 0; at < len(low); {
		if k := x.group.add(x.index(file), int64(at), low[at:], len(low)-at); k > 0 {
			at += k
			x.bytes += int64(k)
			continue
		}
		part := file
		part.Changed = 0 // it is not done
		x.files[x.index(file)] = part
		if err := x.save(ctx); err != nil {
			return err
		}
		if file.ID, err = x.idOf(ctx, file.Path); err != nil {
			return err
		}
	}
	x.files[x.index(file)] = file
	return nil
}

// save stores the group and begins another one.
func (x *Indexer) save(ctx context.Context) error {
	if len(x.files) == 0 {
		return nil
	}
	var t *model.TextGroup
	if x.group.used > 0 {
		t = x.group.table()
	}
	if err := x.Catalog.SaveText(ctx, x.files, t); err != nil {
		return err
	}
	x.group.reset()
	x.files = nil
	clear(x.at)
	return nil
}

// idOf is the ID that a file was given when it was stored.
func (x *Indexer) idOf(ctx context.Context, path string) (int64, error) {
	files, err := x.Catalog.TextFiles(ctx)
	for _, f := range files {
		if f.Path == path {
			return f.ID, err
		}
	}
	return 0, err
}
