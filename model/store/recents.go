package store

import (
	"context"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"time"

	"palimpsest/model"
)

// RecentCap is how many files are remembered.
const RecentCap = 50

// Recent is a file that was opened.
type Recent struct {
	Path   string
	Format model.Format
	Title  string
	Opened time.Time
}

type recentRow struct {
	Path       string `gorm:"primaryKey"`
	Format     model.Format
	Title      string
	Opened     int64
	Bookmarked bool // set by nothing; a bookmarked file stays in the list
}

func (recentRow) TableName() string { return "recents" }

// AddRecent notes that a file was opened; a zero time becomes now. A file that
// is in the list moves up. The oldest files beyond [RecentCap] are forgotten.
func (p preferences) AddRecent(ctx context.Context, r Recent) error {
	if r.Opened.IsZero() {
		r.Opened = time.Now()
	}
	row := recentRow{Path: r.Path, Format: r.Format, Title: r.Title, Opened: r.Opened.UnixMicro()}
	return p.update(ctx, "note the file as opened", func(tx *gorm.DB) error {
		known := clause.OnConflict{
			Columns:   []clause.Column{{Name: "path"}},
			DoUpdates: clause.AssignmentColumns([]string{"format", "title", "opened"}),
		}
		if err := tx.Clauses(known).Create(&row).Error; err != nil {
			return err
		}
		return tx.Exec(`DELETE FROM recents WHERE NOT bookmarked AND path NOT IN
			(SELECT path FROM recents WHERE NOT bookmarked ORDER BY opened DESC, path LIMIT ?)`, RecentCap).Error
	})
}

// Recents lists the files that were opened, the latest first.
func (p preferences) Recents(ctx context.Context) (list []Recent, err error) {
	err = p.view(ctx, "list the recent files", func(tx *gorm.DB) error {
		var rows []recentRow
		err := tx.Order("opened DESC, path").Find(&rows).Error
		for _, row := range rows {
			list = append(list, Recent{row.Path, row.Format, row.Title, time.UnixMicro(row.Opened).UTC()})
		}
		return err
	})
	return list, err
}
