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

// findRecord gives the number of the record that a person or program names.
func findRecord(ctx context.Context, tx *gorm.DB, id string) (int64, error) {
	id = strings.TrimSpace(id)
	var row recordRow
	if num, ok := parseID(id); ok {
		err := tx.Select("num").Where("num = ?", num).Take(&row).Error
		if !errors.Is(err, gorm.ErrRecordNotFound) {
			return row.Num, err
		}
	}
	err := tx.Select("num").Where("uid = ?", id).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return 0, failure(ErrNotFound, "there is no record %q", id)
	}
	return row.Num, err
}

// numberOf is findRecord for places where the record itself need not be there
// any more.
func numberOf(ctx context.Context, tx *gorm.DB, id string) (int64, error) {
	if num, ok := parseID(strings.TrimSpace(id)); ok {
		return num, nil
	}
	return findRecord(ctx, tx, id)
}

// SaveRecord stores a record and its originals in one transaction and gives the
// record its ID, the next number of the database (on a
// server a number that a failed save took is not given again). An empty UID is filled in, so
// are SourceSHA and SourceSize; if they are set and the originals are others,
// the error is [ErrChanged]. On any error nothing is stored and rec is as it was.
func (s *Store) SaveRecord(ctx context.Context, rec *model.Record, src Originals) error {
	return s.SaveRestore(ctx, rec, src)
}

// SaveRestore is SaveRecord for the record of a restore: the records that it
// undoes are switched off in the same transaction.
func (s *Store) SaveRestore(ctx context.Context, rec *model.Record, src Originals, undone ...string) error {
	out := *rec
	out.Time = out.Time.Round(0).UTC() // what a list and a reload give, too
	if out.UID == "" {
		out.UID = newUID()
	}
	err := s.update(ctx, "save the record", func(tx *gorm.DB) error {
		if err := s.insert(ctx, tx, &out, src); err != nil {
			return err
		}
		return switchOff(ctx, tx, undone)
	})
	if err == nil {
		*rec = out
	}
	return err
}

func (s *Store) insert(ctx context.Context, tx *gorm.DB, rec *model.Record, src Originals) error {
	source, err := s.putSource(ctx, tx, src)
	if err != nil {
		return err
	}
	if err := bind(rec, source); err != nil {
		return err
	}
	if rec.Levels, err = levelsAbove(ctx, tx, rec.Parents); err != nil {
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
	body, err := s.pack.body(rec)
	if err != nil {
		return err
	}
	if err := tx.Create(&bodyRow{Num: row.Num, Body: body}).Error; err != nil {
		return err
	}
	if err := putTexts(ctx, tx, s.index, row.Num, ownTexts(rec)); err != nil {
		return err
	}
	return putTexts(ctx, tx, s.index, row.Num, src.Texts)
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

// Record gives a whole record. id is its ID ("R-0007", "r-7", "7") or its UID.
// If there is none the error is [ErrNotFound].
func (s *Store) Record(ctx context.Context, id string) (*model.Record, error) {
	var rec model.Record
	err := s.view(ctx, "read record "+id, func(tx *gorm.DB) error {
		num, err := findRecord(ctx, tx, id)
		if err != nil {
			return err
		}
		rec, err = s.load(ctx, tx, num)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &rec, nil
}

// ByOutput gives the newest record whose compacted file has this SHA-256 (in
// hexadecimal): the parent of a file that is our own output.
func (s *Store) ByOutput(ctx context.Context, sha256 string) (rec *model.Record, ok bool, err error) {
	if sha256 == "" {
		return nil, false, nil
	}
	err = s.view(ctx, "look up the record of a compacted file", func(tx *gorm.DB) error {
		var row []recordRow
		err := tx.Select("num").Where("output_sha = ?", strings.ToLower(sha256)).
			Order("num DESC").Limit(1).Find(&row).Error
		if err != nil || len(row) == 0 {
			return err
		}
		r, err := s.load(ctx, tx, row[0].Num)
		rec, ok = &r, err == nil
		return err
	})
	return rec, ok, err
}

func (s *Store) load(ctx context.Context, tx *gorm.DB, num int64) (model.Record, error) {
	var row recordRow
	if err := tx.Where("num = ?", num).Take(&row).Error; err != nil {
		return model.Record{}, err
	}
	var body bodyRow
	err := tx.Where("num = ?", num).Take(&body).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return model.Record{}, failure(ErrCorrupt, "record %s has no content", formatID(num))
	}
	if err != nil {
		return model.Record{}, err
	}
	return row.record(s.pack, body.Body)
}

// SwitchOff marks records as switched off by a restore: all of them, or none
// when one is not there.
func (s *Store) SwitchOff(ctx context.Context, ids ...string) error {
	return s.update(ctx, "switch records off", func(tx *gorm.DB) error { return switchOff(ctx, tx, ids) })
}

func switchOff(ctx context.Context, tx *gorm.DB, ids []string) error {
	for _, id := range ids {
		num, err := findRecord(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := tx.Model(&recordRow{}).Where("num = ?", num).Update("switched_off", true).Error; err != nil {
			return err
		}
	}
	return nil
}

// SetOutput notes the compacted file that was written from a record: its path
// and SHA-256 in hexadecimal. An earlier one is forgotten.
func (s *Store) SetOutput(ctx context.Context, id, path, sha256 string) error {
	return s.update(ctx, "note the compacted file of record "+id, func(tx *gorm.DB) error {
		num, err := findRecord(ctx, tx, id)
		if err != nil {
			return err
		}
		return tx.Model(&recordRow{}).Where("num = ?", num).Select("output", "output_sha").
			Updates(&recordRow{Output: path, OutputSHA: strings.ToLower(sha256)}).Error
	})
}
