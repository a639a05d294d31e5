package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"strings"
)

// FieldMap is a named field map: where generic JSON holds its messages, as
// transcript.ParseMap reads it. It lies among the settings, a row of its own.
type FieldMap struct {
	Name string
	Map  string
}

const fieldMapPrefix = "fieldmap:"

// SaveFieldMap stores a map under its name and replaces one that is there.
func (s *Store) SaveFieldMap(ctx context.Context, m FieldMap) error {
	if strings.TrimSpace(m.Name) == "" {
		return errors.New("save the field map: it has no name; give it one")
	}
	value, err := json.Marshal(m.Map)
	if err != nil {
		return fmt.Errorf("save the field map %q: %w", m.Name, err)
	}
	row := settingRow{Name: fieldMapPrefix + m.Name, Value: string(value)}
	return s.update(ctx, "save the field map", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
}

// FieldMaps lists the maps by name.
func (s *Store) FieldMaps(ctx context.Context) (list []FieldMap, err error) {
	err = s.view(ctx, "list the field maps", func(tx *gorm.DB) error {
		var rows []settingRow
		err := tx.Where("name LIKE ?", fieldMapPrefix+"%").Order("name").Find(&rows).Error
		if err != nil {
			return err
		}
		for i := range rows {
			m, err := rows[i].fieldMap()
			if err != nil {
				return err
			}
			list = append(list, m)
		}
		return nil
	})
	return list, err
}

func (row *settingRow) fieldMap() (FieldMap, error) {
	m := FieldMap{Name: strings.TrimPrefix(row.Name, fieldMapPrefix)}
	if err := json.Unmarshal([]byte(row.Value), &m.Map); err != nil {
		return m, &Error{Kind: ErrCorrupt, Detail: fmt.Sprintf("the field map %q can't be read", m.Name), Err: err}
	}
	return m, nil
}

// FieldMap gives the map of a name; if there is none the error is [ErrNotFound].
func (s *Store) FieldMap(ctx context.Context, name string) (FieldMap, error) {
	m := FieldMap{Name: name}
	ok, err := s.Setting(ctx, fieldMapPrefix+name, &m.Map)
	if err == nil && !ok {
		err = failure(ErrNotFound, "there is no field map %q", name)
	}
	return m, err
}

// DeleteFieldMap removes a map; if there is none the error is [ErrNotFound].
func (s *Store) DeleteFieldMap(ctx context.Context, name string) error {
	return s.update(ctx, "delete the field map", func(tx *gorm.DB) error {
		done := tx.Where("name = ?", fieldMapPrefix+name).Delete(&settingRow{})
		if done.Error == nil && done.RowsAffected == 0 {
			return failure(ErrNotFound, "there is no field map %q", name)
		}
		return done.Error
	})
}
