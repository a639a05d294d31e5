package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"strings"
)

// preferences are what a person has set or saved: settings, field maps, presets
// and the recent files.
type preferences struct{ *db }

// settingRow is one setting: Value is JSON.
type settingRow struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

func (settingRow) TableName() string { return "settings" }

// Setting reads a setting into the value that into points to. It reports false,
// and leaves the value as it is, when the setting was never set.
func (p preferences) Setting(ctx context.Context, name string, into any) (ok bool, err error) {
	err = p.view(ctx, "read the setting "+name, func(tx *gorm.DB) error {
		var row settingRow
		if ok, err = first(tx.Where("name = ?", name), &row); !ok {
			return err
		}
		return json.Unmarshal([]byte(row.Value), into)
	})
	return ok && err == nil, err
}

// SetSetting stores a setting as JSON.
func (p preferences) SetSetting(ctx context.Context, name string, value any) error {
	return p.setSetting(ctx, "store the setting "+name, name, value)
}

func (p preferences) setSetting(ctx context.Context, op, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return p.replace(ctx, op, &settingRow{Name: name, Value: string(text)})
}

// FieldMap is a named field map: where generic JSON holds its messages, as
// transcript.ParseMap reads it. It is stored as a setting.
type FieldMap struct {
	Name string `json:"name"`
	Map  string `json:"map"`
}

// fieldMapPrefix begins the names of the settings that are field maps.
const fieldMapPrefix = "fieldmap:"

// SaveFieldMap stores a map under its name and replaces one that is there.
func (p preferences) SaveFieldMap(ctx context.Context, m FieldMap) error {
	if strings.TrimSpace(m.Name) == "" {
		return errors.New("save the field map: it has no name; give it one")
	}
	return p.setSetting(ctx, "save the field map", fieldMapPrefix+m.Name, m.Map)
}

// FieldMaps lists the maps by name.
func (p preferences) FieldMaps(ctx context.Context) ([]FieldMap, error) {
	return result(ctx, p.view, "list the field maps", func(tx *gorm.DB) ([]FieldMap, error) {
		var rows []settingRow
		err := tx.Where("name LIKE ?", fieldMapPrefix+"%").Order("name").Find(&rows).Error
		var list []FieldMap
		for _, row := range rows {
			m := FieldMap{Name: strings.TrimPrefix(row.Name, fieldMapPrefix)}
			if err := json.Unmarshal([]byte(row.Value), &m.Map); err != nil {
				return nil, &Error{Kind: ErrCorrupt, Detail: fmt.Sprintf("the field map %q can't be read", m.Name), Err: err}
			}
			list = append(list, m)
		}
		return list, err
	})
}

// FieldMap returns the map of a name; if there is none the error is [ErrNotFound].
func (p preferences) FieldMap(ctx context.Context, name string) (FieldMap, error) {
	m := FieldMap{Name: name}
	ok, err := p.Setting(ctx, fieldMapPrefix+name, &m.Map)
	if err == nil && !ok {
		err = noFieldMap(name)
	}
	return m, err
}

// DeleteFieldMap removes a map; if there is none the error is [ErrNotFound].
func (p preferences) DeleteFieldMap(ctx context.Context, name string) error {
	return p.update(ctx, "delete the field map", func(tx *gorm.DB) error {
		return changed(tx.Where("name = ?", fieldMapPrefix+name).Delete(&settingRow{}), noFieldMap(name))
	})
}

func noFieldMap(name string) error { return failure(ErrNotFound, "there is no field map %q", name) }
