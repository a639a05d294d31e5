package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"gorm.io/gorm"
	"io"

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

// batchRows is how many small rows one INSERT writes.
const batchRows = 500

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
	ids, sum, err := putBlocks(tx, src)
	if err != nil {
		return row, err
	}
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
	list := make([]sourceBlockRow, len(ids))
	for i, id := range ids {
		list[i] = sourceBlockRow{SourceID: row.ID, Seq: i, BlockID: id}
	}
	if len(list) > 0 { // no empty file
		err = tx.CreateInBatches(&list, batchRows).Error
	}
	return row, err
}

// putBlocks stores the blocks of a source that are new. It returns the ids of all its
// blocks in order, and the SHA-256 of the whole.
func putBlocks(tx *gorm.DB, src model.Originals) (ids []int64, sum []byte, err error) {
	whole, buf := sha256.New(), make([]byte, min(src.Size, blockSize))
	for off := int64(0); off < src.Size; off += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), src.Size-off)]
		if n, err := src.Source.ReadAt(buf, off); n < len(buf) {
			if err == io.EOF {
				return nil, nil, failure(ErrChanged, "it ends after %d bytes, it had %d", off+int64(n), src.Size)
			}
			return nil, nil, fmt.Errorf("read the originals: %w", err)
		}
		whole.Write(buf)
		id, err := putBlock(tx, buf)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, id)
	}
	return ids, whole.Sum(nil), nil
}

// putBlock stores a block unless it is there, and returns its id.
func putBlock(tx *gorm.DB, plain []byte) (int64, error) {
	sum := sha256.Sum256(plain)
	var row blockRow
	if ok, err := first(tx.Select("id").Where("sha = ?", sum[:]), &row); ok || err != nil {
		return row.ID, err
	}
	row = blockRow{SHA: sum[:], Size: len(plain)}
	row.Codec, row.Data = packBlock(plain)
	err := tx.Create(&row).Error
	return row.ID, err
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
