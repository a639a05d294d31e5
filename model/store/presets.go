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
		return gorm.G[presetRow](tx, clause.OnConflict{UpdateAll: true}).Create(ctx, &row)
	})
}

// Presets lists the presets by name.
func (s *Store) Presets(ctx context.Context) (list []Preset, err error) {
	err = s.view(ctx, "list the presets", func(tx *gorm.DB) error {
		rows, err := gorm.G[presetRow](tx).Order("name").Find(ctx)
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
		row, err := gorm.G[presetRow](tx).Where("name = ?", name).Take(ctx)
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
		n, err := gorm.G[presetRow](tx).Where("name = ?", from).Update(ctx, "name", to)
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return failure(ErrExists, "there is a preset %q already", to)
		}
		if err == nil && n == 0 {
			return noPreset(from)
		}
		return err
	})
}

// DeletePreset removes a preset; if there is none the error is [ErrNotFound].
func (s *Store) DeletePreset(ctx context.Context, name string) error {
	return s.update(ctx, "delete the preset", func(tx *gorm.DB) error {
		n, err := gorm.G[presetRow](tx).Where("name = ?", name).Delete(ctx)
		if err == nil && n == 0 {
			return noPreset(name)
		}
		return err
	})
}

func noPreset(name string) error { return failure(ErrNotFound, "there is no preset %q", name) }
