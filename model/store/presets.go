package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"gorm.io/gorm"
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

// presetRow is a preset with its policy as JSON.
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
func (p preferences) SavePreset(ctx context.Context, preset Preset) error {
	if strings.TrimSpace(preset.Name) == "" {
		return errors.New("save the preset: it has no name; give it one")
	}
	if preset.Time.IsZero() {
		preset.Time = time.Now()
	}
	policy, err := json.Marshal(preset.Policy)
	if err != nil {
		return fmt.Errorf("save the preset %q: %w", preset.Name, err)
	}
	return p.replace(ctx, "save the preset", &presetRow{preset.Name, string(policy), preset.Time.UnixMicro()})
}

// Presets lists the presets by name.
func (p preferences) Presets(ctx context.Context) ([]Preset, error) {
	return result(ctx, p.view, "list the presets", func(tx *gorm.DB) ([]Preset, error) {
		var rows []presetRow
		err := tx.Order("name").Find(&rows).Error
		var list []Preset
		for i := range rows {
			preset, err := rows[i].preset()
			if err != nil {
				return nil, err
			}
			list = append(list, preset)
		}
		return list, err
	})
}

// Preset returns the preset of a name; if there is none the error is [ErrNotFound].
func (p preferences) Preset(ctx context.Context, name string) (Preset, error) {
	return result(ctx, p.view, "read the preset", func(tx *gorm.DB) (Preset, error) {
		var row presetRow
		ok, err := first(tx.Where("name = ?", name), &row)
		switch {
		case err != nil:
			return Preset{}, err
		case !ok:
			return Preset{}, noPreset(name)
		}
		return row.preset()
	})
}

// DeletePreset removes a preset; if there is none the error is [ErrNotFound].
func (p preferences) DeletePreset(ctx context.Context, name string) error {
	return p.update(ctx, "delete the preset", func(tx *gorm.DB) error {
		return changed(tx.Where("name = ?", name).Delete(&presetRow{}), noPreset(name))
	})
}

func noPreset(name string) error { return failure(ErrNotFound, "there is no preset %q", name) }
