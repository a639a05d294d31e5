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
	"slices"
	"strings"

	"palimpsest/model"
)

// An export is one JSON object: exchangeHead, then the entries. Every record
// comes after those that it names, and with the first record of an input file
// comes the file itself, so that a reader needs no more than one at a time.
const (
	exchangeKind    = "palimpsest-records"
	exchangeVersion = 1
)

// exchangeEntry is one record as it travels.
type exchangeEntry struct {
	Record model.Record `json:"record"`
	Texts  []string     `json:"texts,omitempty"`  // what it is found by, folded
	Source []byte       `json:"source,omitempty"` // its input file, packed with zstd; left out when it came before
}

// Export writes records with all that they need: the records they stand on or
// whose summaries they cover, and their originals. Without ids that is every
// record. It gives the number of records written. After an error what w got is
// incomplete.
func (s *Store) Export(ctx context.Context, w io.Writer, ids ...string) (n int, err error) {
	err = s.view(ctx, "export the records", func(tx *gorm.DB) error {
		nums, err := s.closure(ctx, tx, ids)
		if err != nil {
			return err
		}
		n = len(nums)
		out := bufio.NewWriterSize(w, 1<<16)
		fmt.Fprintf(out, "{\"kind\":%q,\"version\":%d,\"entries\":[", exchangeKind, exchangeVersion)
		sent := map[string]bool{}
		for i, num := range nums {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteByte('\n')
			if err := s.exportOne(ctx, tx, out, num, sent); err != nil {
				return err
			}
		}
		out.WriteString("\n]}\n")
		return out.Flush()
	})
	return n, err
}

// closure is the numbers of the records and of all they refer to, in the order in
// which they were made, which is one in which nothing comes before its base.
func (s *Store) closure(ctx context.Context, tx *gorm.DB, ids []string) (nums []int64, err error) {
	if len(ids) == 0 {
		err := tx.Raw("SELECT num FROM records ORDER BY num").Scan(&nums).Error
		return nums, err
	}
	in := map[int64]bool{}
	var take func(id string, asked bool) error
	take = func(id string, asked bool) error {
		num, err := findRecord(ctx, tx, id)
		if errors.Is(err, ErrNotFound) && !asked {
			return nil // it was deleted
		}
		if err != nil || in[num] {
			return err
		}
		in[num] = true
		nums = append(nums, num)
		rec, err := s.load(ctx, tx, num)
		if err != nil {
			return err
		}
		for _, id := range references(&rec) {
			if err := take(*id, false); err != nil {
				return err
			}
		}
		return nil
	}
	for _, id := range ids {
		if err := take(id, true); err != nil {
			return nil, err
		}
	}
	slices.Sort(nums)
	return nums, nil
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

func (s *Store) exportOne(ctx context.Context, tx *gorm.DB, out *bufio.Writer, num int64, sent map[string]bool) error {
	rec, err := s.load(ctx, tx, num)
	if err != nil {
		return err
	}
	e := exchangeEntry{Record: rec}
	err = tx.Raw("SELECT t.folded FROM texts t JOIN record_texts r ON r.text_id = t.id WHERE r.num = ? ORDER BY t.id", num).Scan(&e.Texts).Error
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
	var src sourceRow
	if err := tx.Raw("SELECT s.* FROM sources s JOIN records r ON r.source_id = s.id WHERE r.num = ?", num).Take(&src).Error; err != nil {
		return err
	}
	if err := errors.Join(s.writeBlocks(ctx, tx, src, packed), packed.Close(), text.Close()); err != nil {
		return err
	}
	_, err = out.WriteString(`"}`)
	return err
}

// Imported is what an import brought.
type Imported struct {
	Records int      // new ones
	Known   int      // that the database had already
	IDs     []string // of the new ones, in the order of the file
}

// Import reads an export into the database: all of it, or nothing. Records get
// new IDs, and name each other by these; a record that is there already, by its
// UID, is left as it is. Originals are checked against their SHA-256.
func (s *Store) Import(ctx context.Context, r io.Reader) (got Imported, err error) {
	err = s.update(ctx, "import records", func(tx *gorm.DB) error {
		in := importer{s: s, tx: tx, ids: map[string]string{}}
		err := in.read(ctx, json.NewDecoder(r))
		got = in.got
		return err
	})
	if err != nil {
		return Imported{}, err
	}
	return got, nil
}

// WouldImport tells what [Store.Import] would bring, by importing and taking it
// back. The IDs are not given.
func (s *Store) WouldImport(ctx context.Context, r io.Reader) (got Imported, err error) {
	err = s.update(ctx, "look through an export", func(tx *gorm.DB) error {
		in := importer{s: s, tx: tx, ids: map[string]string{}}
		if err := in.read(ctx, json.NewDecoder(r)); err != nil {
			return err
		}
		got = in.got
		return errTakenBack
	})
	if errors.Is(err, errTakenBack) {
		got.IDs = nil
		return got, nil
	}
	return Imported{}, err
}

type importer struct {
	s   *Store
	tx  *gorm.DB
	ids map[string]string // IDs of the file to IDs here
	got Imported
}

func (in *importer) read(ctx context.Context, dec *json.Decoder) error {
	var kind string
	var version int
	if err := expectDelim(dec, '{'); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return notExport(err)
		}
		switch key {
		case "kind":
			err = dec.Decode(&kind)
		case "version":
			err = dec.Decode(&version)
		case "entries":
			switch {
			case kind != exchangeKind:
				return failure(ErrNotExport, "it does not say that it is one")
			case version != exchangeVersion:
				return failure(ErrNotExport, "it is of version %d, this program knows version %d", version, exchangeVersion)
			}
			return in.entries(ctx, dec)
		default:
			return failure(ErrNotExport, "it has %q", fmt.Sprint(key))
		}
		if err != nil {
			return notExport(err)
		}
	}
	return failure(ErrNotExport, "it has no entries")
}

func (in *importer) entries(ctx context.Context, dec *json.Decoder) error {
	if err := expectDelim(dec, '['); err != nil {
		return err
	}
	for dec.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var e exchangeEntry
		if err := dec.Decode(&e); err != nil {
			return notExport(err)
		}
		if err := in.add(ctx, &e); err != nil {
			return err
		}
	}
	// Both ends have to be there: a file that was cut short brings nothing.
	return errors.Join(expectDelim(dec, ']'), expectDelim(dec, '}'))
}

func (in *importer) add(ctx context.Context, e *exchangeEntry) error {
	rec := &e.Record
	if rec.UID == "" {
		return failure(ErrNotExport, "record %q has no UID", rec.ID)
	}
	old := rec.ID
	var known recordRow
	err := in.tx.Select("num").Where("uid = ?", rec.UID).Take(&known).Error
	if err == nil {
		in.ids[old] = formatID(known.Num)
		in.got.Known++
		return nil
	}
	if !errors.Is(err, gorm.ErrRecordNotFound) {
		return err
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
	if err := in.s.insert(ctx, in.tx, rec, src); err != nil {
		return err
	}
	in.ids[old] = rec.ID
	in.got.Records++
	in.got.IDs = append(in.got.IDs, rec.ID)
	return nil
}

// originals unpacks the input file, never to more than the record says it has.
func (e *exchangeEntry) originals() (src Originals, err error) {
	sha, err := hex.DecodeString(e.Record.SourceSHA)
	if err != nil || len(sha) != len(src.SHA256) || e.Record.SourceSize < 0 {
		return src, failure(ErrNotExport, "record %s does not name its originals", e.Record.ID)
	}
	src.SHA256, src.Size, src.Texts = [32]byte(sha), e.Record.SourceSize, sliceTexts(e.Texts)
	if e.Source == nil {
		return src, nil // it came before, or is here
	}
	unpack, err := zstd.NewReader(bytes.NewReader(e.Source), zstd.WithDecoderConcurrency(1))
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

func sliceTexts(list []string) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		for _, text := range list {
			if !yield(text, nil) {
				return
			}
		}
	}
}

func expectDelim(dec *json.Decoder, want json.Delim) error {
	got, err := dec.Token()
	if err != nil {
		return notExport(err)
	}
	if got != want {
		return failure(ErrNotExport, "it has %q where %q should stand", fmt.Sprint(got), want.String())
	}
	return nil
}

// notExport tells what was wrong with the JSON; a reader's own failure stays
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
