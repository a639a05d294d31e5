package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/klauspost/compress/zstd"
	"gorm.io/gorm"
	"io"
	"maps"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/visible"
)

// An export is one JSON object: exchangeHead, then the entries. Every record
// comes after those that it names, and with the first record of an input file
// comes the file itself, so that a reader needs no more than one at a time.
const (
	exchangeKind    = "palimpsest-records"
	exchangeVersion = 1
)

// IsExport reports whether a text begins as an export does.
func IsExport(begin []byte) bool {
	return bytes.HasPrefix(begin, fmt.Appendf(nil, "{\"kind\":%q", exchangeKind))
}

// exchangeEntry is one record as it travels.
type exchangeEntry struct {
	Record model.Record `json:"record"`
	Texts  []string     `json:"texts,omitempty"`  // what it is found by, folded
	Source []byte       `json:"source,omitempty"` // its input file, packed with zstd; left out when it came before
}

// Export writes records with all that they need: the records they were made on or
// whose summaries they cover, and their originals. Without ids that is every
// record. It returns the number of records written. After an error what w got is
// incomplete.
func (r records) Export(ctx context.Context, w io.Writer, ids ...string) (n int, err error) {
	return result(ctx, r.view, "export the records", func(tx *gorm.DB) (int, error) {
		nums, err := closure(tx, ids)
		if err != nil {
			return 0, err
		}
		spelled := visible.JSON(w)
		out := bufio.NewWriterSize(spelled, 1<<16)
		fmt.Fprintf(out, "{\"kind\":%q,\"version\":%d,\"entries\":[", exchangeKind, exchangeVersion)
		sent := map[string]bool{}
		for i, num := range nums {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteByte('\n')
			if err := exportOne(tx, out, num, sent); err != nil {
				return 0, err
			}
		}
		out.WriteString("\n]}\n")
		return len(nums), errors.Join(out.Flush(), spelled.Close())
	})
}

// closure is the numbers of the records and of all they refer to, in the order in
// which they were made, which is one in which nothing comes before its base.
func closure(tx *gorm.DB, ids []string) (nums []int64, err error) {
	if len(ids) == 0 {
		err := tx.Raw("SELECT num FROM records WHERE trashed = 0 ORDER BY num").Scan(&nums).Error
		return nums, err
	}
	open, err := findRecords(tx, ids)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for len(open) > 0 {
		num := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[num] {
			continue
		}
		seen[num] = true
		rec, err := load(tx, num)
		if err != nil {
			return nil, err
		}
		for _, id := range references(&rec) {
			num, err := findRecord(tx, *id)
			switch {
			case err == nil:
				open = append(open, num)
			case !errors.Is(err, ErrNotFound): // it was not deleted
				return nil, err
			}
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// references are the IDs by which a record names others.
func references(r *model.Record) (list []*string) {
	if r.Base != "" {
		list = append(list, &r.Base)
	}
	if r.Again != "" {
		list = append(list, &r.Again)
	}
	for i := range r.Parents {
		list = append(list, &r.Parents[i])
	}
	return list
}

func exportOne(tx *gorm.DB, out *bufio.Writer, num int64, sent map[string]bool) error {
	rec, err := load(tx, num)
	if err != nil {
		return err
	}
	e := exchangeEntry{Record: rec}
	err = tx.Raw(`SELECT t.folded FROM texts t JOIN record_texts r ON r.text_id = t.id
		WHERE r.num = ? ORDER BY t.id`, num).Scan(&e.Texts).Error
	if err != nil {
		return err
	}
	b, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("spell record %s as JSON: %w", rec.ID, err)
	}
	if sent[rec.SourceSHA] {
		_, err := out.Write(b)
		return err
	}
	sent[rec.SourceSHA] = true
	out.Write(b[:len(b)-1]) // open for one member more
	out.WriteString(`,"source":"`)
	text := base64.NewEncoder(base64.StdEncoding, out)
	packed, err := zstd.NewWriter(text)
	if err != nil {
		return err
	}
	if err := errors.Join(writeSource(tx, num, packed), packed.Close(), text.Close()); err != nil {
		return err
	}
	_, err = out.WriteString(`"}`)
	return err
}

// Imported is what an import brought.
type Imported struct {
	Records int      `json:"records"` // new ones
	Known   int      `json:"known"`   // that the database had already
	IDs     []string `json:"ids"`     // of the new ones, in the order of the file
}

// Import reads an export into the database: all of it, or nothing. Records get
// new IDs, and name each other by these; a record that is there already, by its
// UID, is left as it is, and comes out of the trash. Originals are checked against their SHA-256.
func (r records) Import(ctx context.Context, from io.Reader) (Imported, error) {
	return result(ctx, r.update, "import records", r.importer(from))
}

// WouldImport reports what [Store.Import] would bring, by importing and taking it
// back. The IDs are not given.
func (r records) WouldImport(ctx context.Context, from io.Reader) (Imported, error) {
	got, err := result(ctx, r.rehearse, "look through an export", r.importer(from))
	got.IDs = nil
	return got, err
}

func (r records) importer(from io.Reader) func(tx *gorm.DB) (Imported, error) {
	return func(tx *gorm.DB) (Imported, error) {
		in := importer{tx: tx, index: r.index, ids: map[string]string{}}
		err := in.read(json.NewDecoder(from))
		return in.got, err
	}
}

// importer adds the entries of an export, one by one.
type importer struct {
	tx    *gorm.DB
	index textIndex
	ids   map[string]string // IDs of the file to IDs here
	got   Imported
}

func (in *importer) read(dec *json.Decoder) error {
	err := expectTokens(dec, json.Delim('{'), "kind", exchangeKind, "version", float64(exchangeVersion), "entries", json.Delim('['))
	if err != nil {
		return err
	}
	for dec.More() {
		if err := in.tx.Statement.Context.Err(); err != nil {
			return err
		}
		var e exchangeEntry
		if err := dec.Decode(&e); err != nil {
			return notExport(err)
		}
		if err := in.add(&e); err != nil {
			return err
		}
	}
	// Both ends have to be there: a file that was cut short brings nothing.
	return expectTokens(dec, json.Delim(']'), json.Delim('}'))
}

func (in *importer) add(e *exchangeEntry) error {
	rec := &e.Record
	if rec.UID == "" {
		return failure(ErrNotExport, "record %q has no UID", rec.ID)
	}
	if why := rec.Contradiction(); why != "" {
		return failure(ErrNotExport, "record %q contradicts itself: %s", rec.ID, why)
	}
	old := rec.ID
	var known recordRow
	switch ok, err := first(in.tx.Unscoped().Select("num", "trashed").Where("uid = ?", rec.UID), &known); {
	case err != nil:
		return err
	case ok && known.Trashed > 0:
		in.ids[old] = formatID(known.Num)
		in.got.Records++
		in.got.IDs = append(in.got.IDs, in.ids[old])
		return in.tx.Model(&known).Where("num = ?", known.Num).Update("trashed", 0).Error
	case ok:
		in.ids[old] = formatID(known.Num)
		in.got.Known++
		return nil
	}
	for _, id := range references(rec) {
		if now, ok := in.ids[*id]; ok {
			*id = now
		} else {
			*id = "gone " + *id // never the record that has this ID here
		}
	}
	src, err := e.originals()
	if err != nil {
		return err
	}
	if err := insert(in.tx, in.index, rec, src); err != nil {
		return err
	}
	in.ids[old] = rec.ID
	in.got.Records++
	in.got.IDs = append(in.got.IDs, rec.ID)
	return nil
}

// originals unpacks the input file, never to more than the record says it has.
func (e *exchangeEntry) originals() (src model.Originals, err error) {
	sha, err := hex.DecodeString(e.Record.SourceSHA)
	if err != nil || len(sha) != len(src.SHA256) || e.Record.SourceSize < 0 {
		return src, failure(ErrNotExport, "record %s does not name its originals", e.Record.ID)
	}
	src.SHA256, src.Size, src.Texts = [32]byte(sha), e.Record.SourceSize, eachText(e.Texts)
	if e.Source == nil {
		return src, nil // it came before, or is here
	}
	if src.Size > max(64<<20, 1000*int64(len(e.Source))) {
		return src, failure(ErrNotExport, "the originals of record %s would unpack to more than any history does", e.Record.ID)
	}
	unpack, err := zstd.NewReader(bytes.NewReader(e.Source), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return src, err
	}
	defer unpack.Close()
	plain, err := io.ReadAll(io.LimitReader(unpack, src.Size+1))
	if err != nil {
		return src, failure(ErrNotExport, "the originals of record %s can't be unpacked: %v", e.Record.ID, err)
	}
	if int64(len(plain)) != src.Size {
		return src, failure(ErrNotExport, "the originals of record %s have another length than it says", e.Record.ID)
	}
	src.Source = bytes.NewReader(plain)
	return src, nil
}

// expectTokens reads tokens that have to come next.
func expectTokens(dec *json.Decoder, list ...json.Token) error {
	for _, want := range list {
		got, err := dec.Token()
		if err != nil {
			return notExport(err)
		}
		if got != want {
			return failure(ErrNotExport, "it has %q where %q should be", fmt.Sprint(got), fmt.Sprint(want))
		}
	}
	return nil
}

// notExport is what was wrong with the JSON; a reader's own failure stays
// what it is.
func notExport(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var text base64.CorruptInputError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return failure(ErrNotExport, "it ends too early")
	}
	if errors.As(err, &syntax) || errors.As(err, &kind) || errors.As(err, &text) || strings.HasPrefix(err.Error(), "parsing time") {
		return failure(ErrNotExport, "%v", err)
	}
	return err
}
