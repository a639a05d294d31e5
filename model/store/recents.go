package store

import (
	"context"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"time"

	"palimpsest/model"
)

// RecentCap is how many files without a bookmark are remembered.
const RecentCap = 50

// Recent is a file that was opened. A bookmarked one stays in the list until it
// is removed.
type Recent struct {
	Path       string
	Format     model.Format
	Title      string
	Opened     time.Time
	Bookmarked bool
}

type recentRow struct {
	Path       string `gorm:"primaryKey"`
	Format     model.Format
	Title      string
	Opened     int64
	Bookmarked bool
}

func (recentRow) TableName() string { return "recents" }

// AddRecent notes that a file was opened; a zero time becomes now. A file that
// is in the list moves up and keeps its bookmark, whatever r says of it. The
// oldest files without a bookmark beyond [RecentCap] are forgotten.
func (s *Store) AddRecent(ctx context.Context, r Recent) error {
	if r.Opened.IsZero() {
		r.Opened = time.Now()
	}
	row := recentRow{Path: r.Path, Format: r.Format, Title: r.Title, Opened: r.Opened.UnixMicro(), Bookmarked: r.Bookmarked}
	return s.update(ctx, "note the file as opened", func(tx *gorm.DB) error {
		upsert := clause.OnConflict{
			Columns:   []clause.Column{{Name: "path"}},
			DoUpdates: clause.AssignmentColumns([]string{"format", "title", "opened"}),
		}
		if err := tx.Clauses(upsert).Create(&row).Error; err != nil {
			return err
		}
		return tx.Exec(`DELETE FROM recents WHERE NOT bookmarked AND path NOT IN
			(SELECT path FROM recents WHERE NOT bookmarked ORDER BY opened DESC, path LIMIT ?)`, RecentCap).Error
	})
}

// Recents lists the files that were opened, the latest first.
func (s *Store) Recents(ctx context.Context) (list []Recent, err error) {
	err = s.view(ctx, "list the recent files", func(tx *gorm.DB) error {
		var rows []recentRow
		err := tx.Order("opened DESC, path").Find(&rows).Error
		for _, row := range rows {
			list = append(list, Recent{row.Path, row.Format, row.Title, time.UnixMicro(row.Opened).UTC(), row.Bookmarked})
		}
		return err
	})
	return list, err
}

// SetBookmark sets or takes away a file's bookmark; [ErrNotFound] when the file
// is not in the list.
func (s *Store) SetBookmark(ctx context.Context, path string, on bool) error {
	return s.update(ctx, "bookmark the file", func(tx *gorm.DB) error {
		done := tx.Model(&recentRow{}).Where("path = ?", path).Update("bookmarked", on)
		if done.Error == nil && done.RowsAffected == 0 {
			return failure(ErrNotFound, "%s is not among the recent files", path)
		}
		return done.Error
	})
}

// RemoveRecent takes a file out of the list; the file itself is not touched.
func (s *Store) RemoveRecent(ctx context.Context, path string) error {
	return s.update(ctx, "forget the file", func(tx *gorm.DB) error {
		return tx.Where("path = ?", path).Delete(&recentRow{}).Error
	})
}
