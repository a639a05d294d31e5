package store

import (
	"context"
	"gorm.io/gorm"
	"time"
)

// Retention says how long records are kept. Its zero value keeps everything, and
// that is what holds until a person sets another.
type Retention struct {
	Age     time.Duration `json:"age,omitempty"`     // older records go; 0: however old
	Records int           `json:"records,omitempty"` // only so many of the newest stay; 0: however many
}

const retentionSetting = "retention"

// Retention gives the setting.
func (s *Store) Retention(ctx context.Context) (r Retention, err error) {
	_, err = s.Setting(ctx, retentionSetting, &r)
	return r, err
}

// SetRetention changes the setting; it deletes nothing by itself.
func (s *Store) SetRetention(ctx context.Context, r Retention) error {
	return s.SetSetting(ctx, retentionSetting, r)
}

// Expire deletes what the setting does not keep at the time now, and gives the
// number of records and of stored bytes that went. A record on which one stands
// that stays, stays too.
func (s *Store) Expire(ctx context.Context, now time.Time) (records int, freed int64, err error) {
	keep, err := s.Retention(ctx)
	if err != nil || keep == (Retention{}) {
		return 0, 0, err
	}
	err = s.update(ctx, "delete records that are past keeping", func(tx *gorm.DB) error {
		records, freed, err = s.expire(ctx, tx, keep, now)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	if records > 0 {
		s.engine.shrink(ctx, s)
	}
	return records, freed, nil
}

// expired are the numbers of the records that go, the newest first: whether a
// record stays is known of all that were made on it before its turn comes.
func (s *Store) expired(ctx context.Context, tx *gorm.DB, keep Retention, now time.Time) (out []int64, err error) {
	var rows []recordRow
	if err := tx.Select("num", "time", "base").Order("num DESC").Find(&rows).Error; err != nil {
		return nil, err
	}
	needed := map[int64]bool{}
	for i, row := range rows {
		old := keep.Age > 0 && row.Time < now.Add(-keep.Age).UnixMicro() || keep.Records > 0 && i >= keep.Records
		if old && !needed[row.Num] {
			out = append(out, row.Num)
			continue
		}
		if base, ok := parseID(row.Base); ok && row.Base != "" {
			needed[base] = true
		}
	}
	return out, nil
}
