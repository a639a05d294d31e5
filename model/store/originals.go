package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"gorm.io/gorm"
	"hash"
	"io"
	"slices"
	"sync"

	"palimpsest/model"
)

// A source is one input file, a list of blocks that sources share:
//
//	records ── sources ── source_blocks (in order) ── blocks
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

// putSource stores the originals unless they are there, and returns their row.
func putSource(tx *gorm.DB, src model.Originals) (row sourceRow, err error) {
	if src.SHA256 != ([32]byte{}) {
		if ok, err := first(tx.Where("sha = ?", src.SHA256[:]), &row); ok || err != nil {
			return row, err
		}
	}
	if src.Source == nil {
		return row, failure(ErrNoOriginals, "the database does not hold them and no file was handed over")
	}
	in := intake{src: src, whole: sha256.New()}
	if err := in.run(tx); err != nil {
		return row, err
	}
	sum := in.whole.Sum(nil)
	if src.SHA256 == ([32]byte{}) {
		if ok, err := first(tx.Where("sha = ?", sum), &row); ok || err != nil {
			return row, err // all its blocks were known, too
		}
	} else if !bytes.Equal(sum, src.SHA256[:]) {
		return row, failure(ErrChanged, "its SHA-256 is %x now, it was %x", short(sum), short(src.SHA256[:]))
	}
	row = sourceRow{SHA: sum, Size: src.Size}
	if err := tx.Create(&row).Error; err != nil {
		return row, err
	}
	list := make([]sourceBlockRow, len(in.ids))
	for i, id := range in.ids {
		list[i] = sourceBlockRow{SourceID: row.ID, Seq: i, BlockID: id}
	}
	if len(list) > 0 { // no empty file
		err = tx.CreateInBatches(&list, batchRows).Error
	}
	return row, err
}

// intake reads a source block by block and stores those that are new.
type intake struct {
	src   model.Originals
	whole hash.Hash
	ids   []int64 // of the blocks, in order
}

func (in *intake) run(tx *gorm.DB) error {
	buf := make([]byte, min(in.src.Size, batchBlocks*blockSize))
	for off := int64(0); off < in.src.Size; {
		chunk := buf[:min(int64(len(buf)), in.src.Size-off)]
		if n, err := in.src.Source.ReadAt(chunk, off); n < len(chunk) {
			if err == io.EOF {
				return failure(ErrChanged, "it ends after %d bytes, it had %d", off+int64(n), in.src.Size)
			}
			return fmt.Errorf("read the originals: %w", err)
		}
		if err := in.batch(tx, chunk); err != nil {
			return err
		}
		off += int64(len(chunk))
	}
	return nil
}

// batch stores the blocks of one chunk. Hashing and packing use all cores; the
// hash of the whole file has to be taken in order and runs beside them.
func (in *intake) batch(tx *gorm.DB, chunk []byte) error {
	blocks := slices.Collect(slices.Chunk(chunk, blockSize))
	sums := make([][32]byte, len(blocks))
	var whole sync.WaitGroup
	whole.Go(func() { in.whole.Write(chunk) })
	each(len(blocks), func(i int) { sums[i] = sha256.Sum256(blocks[i]) })
	whole.Wait()
	known, err := knownBlocks(tx, sums)
	if err != nil {
		return err
	}
	var fresh []blockRow
	for i, sum := range sums {
		if _, ok := known[sum]; !ok {
			known[sum] = 0 // the same block twice in one batch is stored once
			fresh = append(fresh, blockRow{SHA: sums[i][:], Size: len(blocks[i]), Data: blocks[i]})
		}
	}
	each(len(fresh), func(i int) { fresh[i].Codec, fresh[i].Data = packBlock(fresh[i].Data) })
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

// knownBlocks returns the ids of those blocks that are stored already.
func knownBlocks(tx *gorm.DB, sums [][32]byte) (map[[32]byte]int64, error) {
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

// each calls f for 0…n-1 on all cores.
func each(n int, f func(i int)) {
	var g sync.WaitGroup
	for i := range n {
		g.Go(func() { f(i) })
	}
	g.Wait()
}

// WriteSource writes the whole input file of a record to w, byte for byte. The
// record is named as in [Store.Record]. Each block is verified before it is
// written, the length and SHA-256 of the whole at the end: after an error
// ([ErrCorrupt] when the stored bytes are not what they were) what w got is
// incomplete and must not be used.
func (r records) WriteSource(ctx context.Context, recordID string, w io.Writer) error {
	return r.view(ctx, "give back the originals of record "+recordID, func(tx *gorm.DB) error {
		num, err := findRecord(tx, recordID)
		if err != nil {
			return err
		}
		return writeSource(tx, num, w)
	})
}

// writeSource writes the input file of the record with this number.
func writeSource(tx *gorm.DB, num int64, w io.Writer) error {
	var src sourceRow
	ok, err := first(tx.Raw("SELECT s.* FROM sources s JOIN records r ON r.source_id = s.id WHERE r.num = ?", num), &src)
	if err == nil && !ok {
		err = failure(ErrCorrupt, "the record's input file is not in the database")
	}
	if err != nil {
		return err
	}
	return writeBlocks(tx, src, w)
}

func writeBlocks(tx *gorm.DB, src sourceRow, w io.Writer) error {
	var (
		buf   = make([]byte, 0, blockSize)
		whole = sha256.New()
		size  int64
	)
	err := eachBlock(tx, src, func(b *blockRow) error {
		plain, err := unpackBlock(b, buf)
		if err != nil {
			return err
		}
		whole.Write(plain)
		size += int64(len(plain))
		if _, err := w.Write(plain); err != nil {
			return fmt.Errorf("write the originals: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if sum := whole.Sum(nil); size != src.Size || !bytes.Equal(sum, src.SHA) {
		return failure(ErrCorrupt, "the file %x has %d bytes of %d, or they are in another order", short(src.SHA), size, src.Size)
	}
	return nil
}

// eachBlock calls f with each block of a source, in order. Its data are valid until
// f returns.
func eachBlock(tx *gorm.DB, src sourceRow, f func(b *blockRow) error) error {
	rows, err := tx.Raw(`SELECT b.sha, b.size, b.codec, b.data FROM source_blocks sb
		JOIN blocks b ON b.id = sb.block_id WHERE sb.source_id = ? ORDER BY sb.seq`, src.ID).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	var b blockRow
	for rows.Next() {
		if err := rows.Scan(&b.SHA, &b.Size, &b.Codec, (*sql.RawBytes)(&b.Data)); err != nil {
			return err
		}
		if err := f(&b); err != nil {
			return err
		}
	}
	return rows.Err()
}
