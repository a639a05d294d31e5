package store

import (
	"context"
	"errors"
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

// WouldExpire tells what [Store.Expire] would delete at the time now if keep
// were the setting, by deleting and taking it back.
func (s *Store) WouldExpire(ctx context.Context, keep Retention, now time.Time) (records int, freed int64, err error) {
	if keep == (Retention{}) {
		return 0, 0, nil
	}
	err = s.update(ctx, "measure what is past keeping", func(tx *gorm.DB) error {
		if records, freed, err = s.expire(ctx, tx, keep, now); err != nil {
			return err
		}
		return errTakenBack
	})
	if errors.Is(err, errTakenBack) {
		return records, freed, nil
	}
	return 0, 0, err
}

func (s *Store) expire(ctx context.Context, tx *gorm.DB, keep Retention, now time.Time) (records int, freed int64, err error) {
	nums, err := s.expired(ctx, tx, keep, now)
	if err != nil {
		return 0, 0, err
	}
	for _, num := range nums {
		n, err := s.dropRecord(ctx, tx, num)
		if err != nil {
			return 0, 0, err
		}
		freed += n
	}
	return len(nums), freed, nil
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
