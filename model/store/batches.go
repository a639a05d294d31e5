package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"palimpsest/model"
)

// batches are how far batches of files are. A run and the wish to end it are two
// settings, as two processes write them.
type batches struct{ *db }

// BatchCap is how many runs are remembered; the oldest are forgotten.
const BatchCap = 20

const (
	batchPrefix = "batch:"
	stopPrefix  = "batchstop:"
)

// NoteBatch stores how far a run is and reports whether somebody asked for its end.
func (b batches) NoteBatch(ctx context.Context, r model.BatchRun) (stop bool, err error) {
	const op = "note how far a batch is"
	body, err := json.Marshal(r)
	if err != nil {
		return false, fmt.Errorf("%s: %w", op, err)
	}
	err = b.update(ctx, op, func(tx *gorm.DB) error {
		row := settingRow{Name: batchPrefix + r.ID, Value: string(body)}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		stop, err = first(tx.Where("name = ?", stopPrefix+r.ID), &settingRow{})
		return err
	})
	return stop, err
}

// BeginBatch stores a run that begins, takes back the wish to end one of the same ID, and
// forgets the oldest.
func (b batches) BeginBatch(ctx context.Context, r model.BatchRun) error {
	old, err := b.Batches(ctx)
	if err != nil {
		return err
	}
	for _, o := range old[min(len(old), BatchCap-1):] {
		if err := b.ForgetBatch(ctx, o.ID); err != nil {
			return err
		}
	}
	if err := b.ForgetBatch(ctx, r.ID); err != nil {
		return err
	}
	_, err = b.NoteBatch(ctx, r)
	return err
}

// Batches lists the runs, the one that began last first.
func (b batches) Batches(ctx context.Context) ([]model.BatchRun, error) {
	return result(ctx, b.view, "list the batches", func(tx *gorm.DB) (list []model.BatchRun, err error) {
		var rows []settingRow
		err = tx.Where("name LIKE ? OR name LIKE ?", batchPrefix+"%", stopPrefix+"%").Order("name").Find(&rows).Error
		stopping := map[string]bool{}
		for _, row := range rows {
			if id, ok := strings.CutPrefix(row.Name, stopPrefix); ok {
				stopping[id] = true
				continue
			}
			r := model.BatchRun{}
			if err := json.Unmarshal([]byte(row.Value), &r); err != nil {
				return nil, &Error{Kind: ErrCorrupt, Detail: "how far a batch is can't be read", Err: err}
			}
			list = append(list, r)
		}
		for i := range list {
			list[i].Stopping = stopping[list[i].ID]
		}
		slices.SortStableFunc(list, func(a, b model.BatchRun) int { return b.Began.Compare(a.Began) })
		return list, err
	})
}

// StopBatch asks for the end of a run: what has begun is done, nothing else is begun. Who
// works on it hears of it with the next note.
func (b batches) StopBatch(ctx context.Context, id string) error {
	at, err := json.Marshal(time.Now().UTC())
	if err != nil {
		return err
	}
	return b.replace(ctx, "ask for the end of a batch", &settingRow{Name: stopPrefix + id, Value: string(at)})
}

// ForgetBatch takes a run from the list. Its records stay.
func (b batches) ForgetBatch(ctx context.Context, id string) error {
	return b.update(ctx, "forget a batch", func(tx *gorm.DB) error {
		return tx.Where("name IN ?", []string{batchPrefix + id, stopPrefix + id}).Delete(&settingRow{}).Error
	})
}
