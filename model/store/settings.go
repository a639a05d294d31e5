package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type settingRow struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

func (settingRow) TableName() string { return "settings" }

// Setting reads a setting into the value that into points to. It reports false,
// and leaves the value as it is, when the setting was never set.
func (s *Store) Setting(ctx context.Context, name string, into any) (ok bool, err error) {
	err = s.view(ctx, "read the setting "+name, func(tx *gorm.DB) error {
		var row settingRow
		err := tx.Where("name = ?", name).Take(&row).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		ok = true
		return json.Unmarshal([]byte(row.Value), into)
	})
	return ok && err == nil, err
}

// SetSetting stores a setting as JSON.
func (s *Store) SetSetting(ctx context.Context, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("store the setting %s: %w", name, err)
	}
	row := settingRow{Name: name, Value: string(text)}
	return s.update(ctx, "store the setting "+name, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
}
