package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"
	"hash"
	"io"
	"runtime"

	"palimpsest/model"
)

// Originals is the whole input file of a record. Source is read only when the
// database does not hold a file of this SHA-256 yet; it may be nil when it does.
// A zero SHA256 is "not known": the source is read to learn it.
type Originals = model.Originals

// A source is one input file, a list of blocks.
type sourceRow struct {
	ID   int64 `gorm:"primaryKey"`
	SHA  []byte
	Size int64
}

type blockRow struct {
	ID    int64 `gorm:"primaryKey"`
	SHA   []byte
	Size  int
	Codec int
	Data  []byte
}

type sourceBlockRow struct {
	SourceID int64 `gorm:"primaryKey"`
	Seq      int   `gorm:"primaryKey"`
	BlockID  int64
}

func (sourceRow) TableName() string      { return "sources" }
func (blockRow) TableName() string       { return "blocks" }
func (sourceBlockRow) TableName() string { return "source_blocks" }

const (
	batchBlocks = 32  // blocks read, packed and inserted together: 8 MB
	batchRows   = 500 // small rows of one INSERT
)

// putSource stores the originals unless they are there, and gives their row.
func (s *Store) putSource(ctx context.Context, tx *gorm.DB, src Originals) (sourceRow, error) {
	if src.SHA256 != ([32]byte{}) {
		if row, ok, err := findSource(ctx, tx, src.SHA256); ok || err != nil {
			return row, err
		}
	}
	if src.Source == nil {
		return sourceRow{}, failure(ErrNoOriginals, "the database does not hold them and no file was handed over")
	}
	in := intake{pack: s.pack, src: src, whole: sha256.New()}
	if err := in.run(ctx, tx); err != nil {
		return sourceRow{}, err
	}
	sum := [32]byte(in.whole.Sum(nil))
	if src.SHA256 == ([32]byte{}) {
		if row, ok, err := findSource(ctx, tx, sum); ok || err != nil {
			return row, err // all its blocks were known, too
		}
	} else if sum != src.SHA256 {
		return sourceRow{}, failure(ErrChanged, "its SHA-256 is %x now, it was %x", short(sum[:]), short(src.SHA256[:]))
	}
	row := sourceRow{SHA: sum[:], Size: src.Size}
	if err := tx.Create(&row).Error; err != nil {
		return row, err
	}
	list := make([]sourceBlockRow, len(in.ids))
	for i, id := range in.ids {
		list[i] = sourceBlockRow{SourceID: row.ID, Seq: i, BlockID: id}
	}
	if len(list) == 0 { // an empty file
		return row, nil
	}
	return row, tx.CreateInBatches(&list, batchRows).Error
}

func findSource(ctx context.Context, tx *gorm.DB, sha [32]byte) (sourceRow, bool, error) {
	var row sourceRow
	err := tx.Where("sha = ?", sha[:]).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return row, false, nil
	}
	return row, err == nil, err
}

// intake reads a source block by block and stores those that are new.
type intake struct {
	pack  *packer
	src   Originals
	whole hash.Hash
	ids   []int64 // of the blocks, in order
}

func (in *intake) run(ctx context.Context, tx *gorm.DB) error {
	buf := make([]byte, min(in.src.Size, batchBlocks*blockSize))
	for off := int64(0); off < in.src.Size; {
		chunk := buf[:min(int64(len(buf)), in.src.Size-off)]
		if n, err := in.src.Source.ReadAt(chunk, off); n < len(chunk) {
			if err == io.EOF {
				return failure(ErrChanged, "it ends after %d bytes, it had %d", off+int64(n), in.src.Size)
			}
			return fmt.Errorf("read the originals: %w", err)
		}
		if err := in.batch(ctx, tx, chunk); err != nil {
			return err
		}
		off += int64(len(chunk))
	}
	return nil
}

// batch stores the blocks of one chunk. Hashing and packing use all cores; the
// hash of the whole file has to be taken in order and runs beside them.
func (in *intake) batch(ctx context.Context, tx *gorm.DB, chunk []byte) error {
	blocks := make([][]byte, 0, batchBlocks)
	for len(chunk) > 0 {
		n := min(len(chunk), blockSize)
		blocks = append(blocks, chunk[:n])
		chunk = chunk[n:]
	}
	sums := make([][32]byte, len(blocks))
	each(len(blocks), func(i int) { sums[i] = sha256.Sum256(blocks[i]) }, func() {
		for _, b := range blocks {
			in.whole.Write(b)
		}
	})
	known, err := knownBlocks(ctx, tx, sums)
	if err != nil {
		return err
	}
	var fresh []blockRow
	var from []int // fresh[i] is blocks[from[i]]
	for i, sum := range sums {
		if _, ok := known[sum]; !ok {
			known[sum] = 0 // the same block twice in one batch is stored once
			fresh = append(fresh, blockRow{SHA: sums[i][:], Size: len(blocks[i])})
			from = append(from, i)
		}
	}
	each(len(fresh), func(i int) { fresh[i].Codec, fresh[i].Data = in.pack.block(blocks[from[i]]) })
	if len(fresh) > 0 {
		if err := tx.CreateInBatches(&fresh, batchBlocks).Error; err != nil {
			return err
		}
	}
	for _, row := range fresh {
		known[[32]byte(row.SHA)] = row.ID
	}
	for _, sum := range sums {
		in.ids = append(in.ids, known[sum])
	}
	return nil
}

// knownBlocks gives the ids of those blocks that are stored already.
func knownBlocks(ctx context.Context, tx *gorm.DB, sums [][32]byte) (map[[32]byte]int64, error) {
	keys := make([][]byte, len(sums))
	for i := range sums {
		keys[i] = sums[i][:]
	}
	var rows []blockRow
	err := tx.Select("id", "sha").Where("sha IN ?", keys).Find(&rows).Error
	known := make(map[[32]byte]int64, len(sums))
	for _, row := range rows {
		known[[32]byte(row.SHA)] = row.ID
	}
	return known, err
}

// each calls f for 0…n-1 on all cores, and the other functions beside it.
func each(n int, f func(i int), beside ...func()) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, b := range beside {
		g.Go(func() error { b(); return nil })
	}
	for i := range n {
		g.Go(func() error { f(i); return nil })
	}
	g.Wait() // nothing in it can fail
}

// WriteSource writes the whole input file of a record to w, byte for byte. The
// record is named as in [Store.Record]. Each block is verified before it is
// written, the length and SHA-256 of the whole at the end: after an error
// ([ErrCorrupt] when the stored bytes are not what they were) what w got is
// incomplete and must not be used.
func (s *Store) WriteSource(ctx context.Context, recordID string, w io.Writer) error {
	return s.view(ctx, "give back the originals of record "+recordID, func(tx *gorm.DB) error {
		num, err := findRecord(ctx, tx, recordID)
		if err != nil {
			return err
		}
		var src sourceRow
		err = tx.Raw(`SELECT s.* FROM sources s JOIN records r ON r.source_id = s.id WHERE r.num = ?`, num).Take(&src).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return failure(ErrCorrupt, "the record's input file is not in the database")
		}
		if err != nil {
			return err
		}
		return s.writeBlocks(ctx, tx, src, w)
	})
}

func (s *Store) writeBlocks(ctx context.Context, tx *gorm.DB, src sourceRow, w io.Writer) error {
	rows, err := tx.WithContext(ctx).Raw(`SELECT b.sha, b.size, b.codec, b.data FROM source_blocks sb
		JOIN blocks b ON b.id = sb.block_id WHERE sb.source_id = ? ORDER BY sb.seq`, src.ID).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	var (
		b     blockRow
		buf   = make([]byte, 0, blockSize)
		whole = sha256.New()
		size  int64
	)
	for rows.Next() {
		if err := rows.Scan(&b.SHA, &b.Size, &b.Codec, (*sql.RawBytes)(&b.Data)); err != nil {
			return err
		}
		plain, err := s.pack.unpack(&b, buf[:0])
		if err != nil {
			return err
		}
		whole.Write(plain)
		size += int64(len(plain))
		if _, err := w.Write(plain); err != nil {
			return fmt.Errorf("write the originals: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if sum := whole.Sum(nil); size != src.Size || !bytes.Equal(sum, src.SHA) {
		return failure(ErrCorrupt, "the file %x has %d bytes of %d, or they stand in another order", short(src.SHA), size, src.Size)
	}
	return nil
}
