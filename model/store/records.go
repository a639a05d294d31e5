package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"strconv"
	"strings"

	"palimpsest/model"
)

func formatID(num int64) string { return fmt.Sprintf("R-%04d", num) }

// parseID reads "R-0007", "r-7" and "7".
func parseID(id string) (num int64, ok bool) {
	if len(id) > 2 && (id[0] == 'R' || id[0] == 'r') && id[1] == '-' {
		id = id[2:]
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	num, err := strconv.ParseInt(id, 10, 64)
	return num, err == nil
}

// findRecord returns the number of the record that a person or program names.
func findRecord(tx *gorm.DB, id string) (int64, error) {
	id = strings.TrimSpace(id)
	var row recordRow
	if num, ok := parseID(id); ok {
		if ok, err := first(tx.Select("num").Where("num = ?", num), &row); ok || err != nil {
			return row.Num, err
		}
	}
	ok, err := first(tx.Select("num").Where("uid = ?", id), &row)
	if err == nil && !ok {
		err = failure(ErrNotFound, "there is no record %q", id)
	}
	return row.Num, err
}

// findRecords is findRecord for several.
func findRecords(tx *gorm.DB, ids []string) ([]int64, error) {
	nums := make([]int64, len(ids))
	for i, id := range ids {
		num, err := findRecord(tx, id)
		if err != nil {
			return nil, err
		}
		nums[i] = num
	}
	return nums, nil
}

// records are the compactions that were stored, with their originals.
type records struct{ *db }

// SaveRecord stores a record and its originals in one transaction and sets the
// record's ID, the next number of the database (on a server a number that a failed
// save took is not used again). An empty UID is filled in, so are SourceSHA and
// SourceSize; if they are set and the originals are others, the error is
// [ErrChanged]. On any error nothing is stored and rec is as it was.
func (r records) SaveRecord(ctx context.Context, rec *model.Record, src model.Originals) error {
	return r.saveRestore(ctx, rec, src)
}

// saveRestore is SaveRecord for the record of a restore: the records that it
// undoes are switched off in the same transaction.
func (r records) saveRestore(ctx context.Context, rec *model.Record, src model.Originals, undone ...string) error {
	return r.SaveRecords(ctx, []*model.Record{rec}, func(int) model.Originals { return src }, undone...)
}

// SaveRecords is SaveRestore for several: all are stored in one transaction, or none.
// One by one, 100,000 take minutes. src returns the originals of a record.
func (r records) SaveRecords(ctx context.Context, recs []*model.Record, src func(i int) model.Originals, undone ...string) error {
	out := make([]model.Record, len(recs))
	err := r.update(ctx, "save the record", func(tx *gorm.DB) error {
		for i, rec := range recs {
			out[i] = stamped(rec)
			if err := insert(tx, r.index, &out[i], src(i)); err != nil {
				return err
			}
		}
		return switchOff(tx, undone)
	})
	if err != nil {
		return err
	}
	for i, rec := range recs {
		*rec = out[i]
	}
	return nil
}

// stamped is a copy of a record as it is stored: with a UID, and with a time that a
// list and a reload return, too.
func stamped(rec *model.Record) model.Record {
	out := *rec
	out.Time = out.Time.Round(0).UTC()
	if out.UID == "" {
		out.UID = newUID()
	}
	return out
}

// insert stores a record with its originals and texts, and sets its ID.
func insert(tx *gorm.DB, index textIndex, rec *model.Record, src model.Originals) error {
	source, err := putSource(tx, src)
	if err != nil {
		return err
	}
	if err := bind(rec, source); err != nil {
		return err
	}
	if rec.Levels, err = levelsOf(tx, rec); err != nil {
		return err
	}
	row := newRecordRow(rec, source.ID)
	if err := tx.Create(&row).Error; err != nil {
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return failure(ErrExists, "a record with the UID %s is stored already", rec.UID)
		}
		return err
	}
	rec.ID = formatID(row.Num)
	body, err := packBody(rec)
	if err != nil {
		return err
	}
	if err := tx.Create(&bodyRow{Num: row.Num, Body: body}).Error; err != nil {
		return err
	}
	if err := putTexts(tx, index, row.Num, ownTexts(rec)); err != nil {
		return err
	}
	return putTexts(tx, index, row.Num, src.Texts)
}

// bind makes sure that the record speaks of the source that was stored.
func bind(rec *model.Record, source sourceRow) error {
	sha := hex.EncodeToString(source.SHA)
	if rec.SourceSHA != "" && !strings.EqualFold(rec.SourceSHA, sha) {
		return failure(ErrChanged, "the record is about SHA-256 %.12s, the originals have %.12s", rec.SourceSHA, sha)
	}
	if rec.SourceSize != 0 && rec.SourceSize != source.Size {
		return failure(ErrChanged, "the record is about %d bytes, the originals have %d", rec.SourceSize, source.Size)
	}
	rec.SourceSHA, rec.SourceSize = sha, source.Size
	return nil
}

func newUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Record returns a whole record. id is its ID ("R-0007", "r-7", "7") or its UID.
// If there is none the error is [ErrNotFound].
func (r records) Record(ctx context.Context, id string) (*model.Record, error) {
	return result(ctx, r.view, "read record "+id, func(tx *gorm.DB) (*model.Record, error) {
		num, err := findRecord(tx, id)
		if err != nil {
			return nil, err
		}
		rec, err := load(tx, num)
		return &rec, err
	})
}

// ByOutput returns the newest record whose compacted file has this SHA-256 (in
// hexadecimal): the parent of a file that is our own output.
func (r records) ByOutput(ctx context.Context, sha256 string) (rec *model.Record, ok bool, err error) {
	if sha256 == "" {
		return nil, false, nil
	}
	rec, err = result(ctx, r.view, "look up the record of a compacted file", func(tx *gorm.DB) (*model.Record, error) {
		var row recordRow
		ok, err := first(writtenAs(tx, sha256), &row)
		if !ok {
			return nil, err
		}
		rec, err := row.whole(tx)
		return &rec, err
	})
	return rec, rec != nil, err
}

// writtenAs are the records of a compacted file, the newest first. The second condition
// is that of the index, which SQLite can't see in a bound value.
func writtenAs(tx *gorm.DB, sha256 string) *gorm.DB {
	return tx.Where("output_sha = ? AND output_sha <> ''", strings.ToLower(sha256)).Order("num DESC")
}

// load returns the whole record with this number.
func load(tx *gorm.DB, num int64) (model.Record, error) {
	var row recordRow
	if err := tx.Where("num = ?", num).Take(&row).Error; err != nil {
		return model.Record{}, err
	}
	return row.whole(tx)
}

// whole returns the record of a row with its body.
func (row *recordRow) whole(tx *gorm.DB) (model.Record, error) {
	var body bodyRow
	ok, err := first(tx.Where("num = ?", row.Num), &body)
	if err == nil && !ok {
		err = failure(ErrCorrupt, "record %s has no content", formatID(row.Num))
	}
	if err != nil {
		return model.Record{}, err
	}
	return row.record(body.Body)
}

// switchOff marks records as switched off by a restore.
func switchOff(tx *gorm.DB, ids []string) error {
	nums, err := findRecords(tx, ids)
	if err != nil || len(nums) == 0 {
		return err
	}
	return tx.Model(&recordRow{}).Where("num IN ?", nums).Update("switched_off", true).Error
}

// MoveRecords notes that the file of records is at another place.
func (r records) MoveRecords(ctx context.Context, from, to string) error {
	return r.update(ctx, "note the place of a file", func(tx *gorm.DB) error {
		return tx.Model(&recordRow{}).Where("path = ?", r.engine.text(from)).Update("path", r.engine.text(to)).Error
	})
}

// SetOutput notes the compacted file that was written from a record: its path
// and SHA-256 in hexadecimal. An earlier one is forgotten.
func (r records) SetOutput(ctx context.Context, id, path, sha256 string) error {
	return r.update(ctx, "note the compacted file of record "+id, func(tx *gorm.DB) error {
		num, err := findRecord(tx, id)
		if err != nil {
			return err
		}
		return tx.Model(&recordRow{}).Where("num = ?", num).Select("output", "output_sha").
			Updates(&recordRow{Output: path, OutputSHA: strings.ToLower(sha256)}).Error
	})
}
