package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"strings"
	"time"

	"palimpsest/model"
)

// Preset is a named policy.
type Preset struct {
	Name   string
	Policy model.Policy
	Time   time.Time // when it was saved last
}

type presetRow struct {
	Name   string `gorm:"primaryKey"`
	Policy string
	Time   int64
}

func (presetRow) TableName() string { return "presets" }

func (row *presetRow) preset() (Preset, error) {
	p := Preset{Name: row.Name, Time: time.UnixMicro(row.Time).UTC()}
	if err := json.Unmarshal([]byte(row.Policy), &p.Policy); err != nil {
		return p, &Error{Kind: ErrCorrupt, Detail: fmt.Sprintf("the preset %q can't be read", row.Name), Err: err}
	}
	return p, nil
}

// SavePreset stores a preset under its name and replaces one that is there. A
// zero time becomes now.
func (s *Store) SavePreset(ctx context.Context, p Preset) error {
	if strings.TrimSpace(p.Name) == "" {
		return errors.New("save the preset: it has no name; give it one")
	}
	if p.Time.IsZero() {
		p.Time = time.Now()
	}
	policy, err := json.Marshal(p.Policy)
	if err != nil {
		return fmt.Errorf("save the preset %q: %w", p.Name, err)
	}
	row := presetRow{Name: p.Name, Policy: string(policy), Time: p.Time.UnixMicro()}
	return s.update(ctx, "save the preset", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
}

// Presets lists the presets by name.
func (s *Store) Presets(ctx context.Context) (list []Preset, err error) {
	err = s.view(ctx, "list the presets", func(tx *gorm.DB) error {
		var rows []presetRow
		err := tx.Order("name").Find(&rows).Error
		if err != nil {
			return err
		}
		for i := range rows {
			p, err := rows[i].preset()
			if err != nil {
				return err
			}
			list = append(list, p)
		}
		return nil
	})
	return list, err
}

// Preset gives the preset of a name; if there is none the error is [ErrNotFound].
func (s *Store) Preset(ctx context.Context, name string) (p Preset, err error) {
	err = s.view(ctx, "read the preset", func(tx *gorm.DB) error {
		var row presetRow
		err := tx.Where("name = ?", name).Take(&row).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return noPreset(name)
		}
		if err != nil {
			return err
		}
		p, err = row.preset()
		return err
	})
	return p, err
}

// RenamePreset gives a preset another name; [ErrExists] when it is taken.
func (s *Store) RenamePreset(ctx context.Context, from, to string) error {
	if strings.TrimSpace(to) == "" {
		return errors.New("rename the preset: the new name is empty; give it one")
	}
	return s.update(ctx, "rename the preset", func(tx *gorm.DB) error {
		done := tx.Model(&presetRow{}).Where("name = ?", from).Update("name", to)
		if errors.Is(done.Error, gorm.ErrDuplicatedKey) {
			return failure(ErrExists, "there is a preset %q already", to)
		}
		if done.Error == nil && done.RowsAffected == 0 {
			return noPreset(from)
		}
		return done.Error
	})
}

// DeletePreset removes a preset; if there is none the error is [ErrNotFound].
func (s *Store) DeletePreset(ctx context.Context, name string) error {
	return s.update(ctx, "delete the preset", func(tx *gorm.DB) error {
		done := tx.Where("name = ?", name).Delete(&presetRow{})
		if done.Error == nil && done.RowsAffected == 0 {
			return noPreset(name)
		}
		return done.Error
	})
}

func noPreset(name string) error { return failure(ErrNotFound, "there is no preset %q", name) }
