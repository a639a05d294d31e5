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

// Retention returns the setting.
func (p preferences) Retention(ctx context.Context) (r Retention, err error) {
	_, err = p.Setting(ctx, retentionSetting, &r)
	return r, err
}

// SetRetention changes the setting; it deletes nothing by itself.
func (p preferences) SetRetention(ctx context.Context, r Retention) error {
	return p.SetSetting(ctx, retentionSetting, r)
}

// Expire deletes what the setting does not keep at the time now, and returns the
// number of records and of stored bytes that went. A record that one which stays
// was made on stays too.
func (u upkeep) Expire(ctx context.Context, now time.Time) (records int, freed int64, err error) {
	keep, err := preferences(u).Retention(ctx)
	if err != nil {
		return 0, 0, err
	}
	return deleting(ctx, u.db, "delete records that are past keeping", func(tx *gorm.DB) ([]int64, error) {
		return expired(tx, keep, now)
	})
}

// WouldExpire measures what [Store.Expire] would delete at the time now if keep
// were the setting, by deleting and taking it back.
func (u upkeep) WouldExpire(ctx context.Context, keep Retention, now time.Time) (records int, freed int64, err error) {
	return dropping(ctx, u.db, u.rehearse, "measure what is past keeping", func(tx *gorm.DB) ([]int64, error) {
		return expired(tx, keep, now)
	})
}

// expired are the numbers of the records that go, the newest first: whether a
// record stays is known of all that were made on it before its turn comes.
func expired(tx *gorm.DB, keep Retention, now time.Time) (nums []int64, err error) {
	if keep == (Retention{}) {
		return nil, nil
	}
	var rows []recordRow
	if err := tx.Select("num", "time", "base").Order("num DESC").Find(&rows).Error; err != nil {
		return nil, err
	}
	needed := map[int64]bool{}
	for i, row := range rows {
		old := keep.Age > 0 && row.Time < now.Add(-keep.Age).UnixMicro() || keep.Records > 0 && i >= keep.Records
		if old && !needed[row.Num] {
			nums = append(nums, row.Num)
			continue
		}
		if base, ok := parseID(row.Base); ok && row.Base != "" {
			needed[base] = true
		}
	}
	return nums, nil
}
