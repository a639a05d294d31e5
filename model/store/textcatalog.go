package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"palimpsest/model"
)

// catalog is the index of the texts of histories, wherever they are: tables of bits
// that say which blocks of which files may hold a text. The caller defines the bits.
type catalog struct{ *db }

// textTables: extents say what the columns of a group stand for. A file that changed
// loses its extents; its columns in a group are then nobody's.
var textTables = []string{
	`CREATE TABLE text_files (
		id      INTEGER PRIMARY KEY,
		path    TEXT NOT NULL UNIQUE,
		size    INTEGER NOT NULL,
		changed INTEGER NOT NULL, -- Unix nanoseconds
		stamp   BLOB NOT NULL,
		decoded INTEGER NOT NULL,
		none    INTEGER NOT NULL)`,
	`CREATE TABLE text_groups (
		id   INTEGER PRIMARY KEY,
		wild BLOB NOT NULL)`,
	`CREATE TABLE text_extents (
		grp  INTEGER NOT NULL REFERENCES text_groups(id) ON DELETE CASCADE,
		col  INTEGER NOT NULL,
		file INTEGER NOT NULL REFERENCES text_files(id) ON DELETE CASCADE,
		off  INTEGER NOT NULL,
		len  INTEGER NOT NULL,
		PRIMARY KEY (grp, col, file, off)) WITHOUT ROWID`,
	`CREATE INDEX text_extents_file ON text_extents(file)`,
	`CREATE TABLE text_slices (
		id   INTEGER PRIMARY KEY, -- the group's, times textSlices, and the number of the slice
		bits BLOB NOT NULL)`,
}

// textSlices is how many slices a group can have.
const textSlices = 1024

type textFileRow struct {
	ID      int64 `gorm:"primaryKey"`
	Path    string
	Size    int64
	Changed int64
	Stamp   []byte
	Decoded bool
	None    bool
}

type textGroupRow struct {
	ID   int64 `gorm:"primaryKey"`
	Wild []byte
}

type textExtentRow struct {
	Grp  int64 `gorm:"primaryKey;autoIncrement:false"`
	Col  int   `gorm:"primaryKey;autoIncrement:false"`
	File int64 `gorm:"primaryKey;autoIncrement:false"`
	Off  int64 `gorm:"primaryKey;autoIncrement:false"`
	Len  int64
}

type textSliceRow struct {
	ID   int64 `gorm:"primaryKey;autoIncrement:false"`
	Bits []byte
}

func (textFileRow) TableName() string   { return "text_files" }
func (textGroupRow) TableName() string  { return "text_groups" }
func (textExtentRow) TableName() string { return "text_extents" }
func (textSliceRow) TableName() string  { return "text_slices" }

// TextFiles lists the files that the index knows.
func (c catalog) TextFiles(ctx context.Context) ([]model.TextFile, error) {
	return result(ctx, c.view, "list the indexed files", func(tx *gorm.DB) ([]model.TextFile, error) {
		var rows []textFileRow
		err := tx.Order("id").Find(&rows).Error
		list := make([]model.TextFile, len(rows))
		for i, r := range rows {
			list[i] = model.TextFile(r)
		}
		return list, err
	})
}

// SaveText stores a group with the files that it is of, in one transaction; a file
// with an ID of 0 is new. The group is nil where only files are noted.
func (c catalog) SaveText(ctx context.Context, files []model.TextFile, g *model.TextGroup) error {
	return c.update(ctx, "store the index of texts", func(tx *gorm.DB) error {
		ids := make([]int64, len(files))
		for i, f := range files {
			row := textFileRow(f)
			if err := tx.Save(&row).Error; err != nil {
				return err
			}
			ids[i] = row.ID
		}
		if g == nil {
			return nil
		}
		group := textGroupRow{Wild: g.Wild}
		if err := tx.Create(&group).Error; err != nil {
			return err
		}
		extents := make([]textExtentRow, len(g.Extents))
		for i, x := range g.Extents {
			extents[i] = textExtentRow{group.ID, x.Column, ids[x.File], x.Off, x.Len}
		}
		var rows []textSliceRow
		for i, bits := range g.Slices {
			if bits != nil {
				rows = append(rows, textSliceRow{group.ID*textSlices + int64(i), bits})
			}
		}
		if len(extents) == 0 {
			return nil
		}
		if err := tx.CreateInBatches(&extents, batchRows).Error; err != nil {
			return err
		}
		return tx.CreateInBatches(&rows, batchRows).Error
	})
}

// ForgetText removes files from the index, and groups of which no file is left.
func (c catalog) ForgetText(ctx context.Context, ids ...int64) error {
	return c.update(ctx, "forget texts of the index", func(tx *gorm.DB) error {
		if err := tx.Exec("DELETE FROM text_extents WHERE file IN ?", ids).Error; err != nil {
			return err
		}
		if err := tx.Exec("DELETE FROM text_files WHERE id IN ?", ids).Error; err != nil {
			return err
		}
		var empty []int64
		err := tx.Raw(`SELECT id FROM text_groups WHERE NOT EXISTS
			(SELECT 1 FROM text_extents WHERE grp = text_groups.id)`).Scan(&empty).Error
		if err != nil {
			return err
		}
		for _, g := range empty {
			if err := tx.Exec("DELETE FROM text_slices WHERE id >= ? AND id < ?", g*textSlices, (g+1)*textSlices).Error; err != nil {
				return err
			}
			if err := tx.Exec("DELETE FROM text_groups WHERE id = ?", g).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

// TextGroups calls f with every group's columns that may hold anything.
func (c catalog) TextGroups(ctx context.Context, f func(group int64, wild []byte)) error {
	return c.view(ctx, "read the index of texts", func(tx *gorm.DB) error {
		var rows []textGroupRow
		err := tx.Find(&rows).Error
		for _, r := range rows {
			f(r.ID, r.Wild)
		}
		return err
	})
}

// TextBits calls f with parts of slices, of every group; part is the index in the
// list. The bits are gone when f returns.
func (c catalog) TextBits(ctx context.Context, parts []model.TextPart, f func(group int64, part int, bits []byte)) error {
	if len(parts) == 0 {
		return nil
	}
	at := make([]string, len(parts))
	for i, p := range parts {
		at[i] = fmt.Sprintf("(%d, %d, %d, %d)", i, p.Slice, p.Off+1, p.Len)
	}
	var group int64
	var part int
	var bits sql.RawBytes
	return c.each(ctx, fmt.Sprintf(`SELECT g.id, p.column1, substr(s.bits, p.column3, p.column4) FROM text_groups g
		CROSS JOIN (VALUES %s) p CROSS JOIN text_slices s WHERE s.id = g.id * %d + p.column2`,
		strings.Join(at, ", "), textSlices), func() { f(group, part, bits) }, &group, &part, &bits)
}

// TextExtents calls f with what columns stand for, which are listed by group.
func (c catalog) TextExtents(ctx context.Context, columns map[int64][]int, f func(model.TextExtent)) error {
	var at []string
	for group, list := range columns {
		for _, col := range list {
			at = append(at, fmt.Sprintf("(%d, %d)", group, col))
		}
	}
	var x model.TextExtent
	for batch := range slices.Chunk(at, batchRows) {
		err := c.each(ctx, fmt.Sprintf(`SELECT x.file, x.col, x.off, x.len FROM (VALUES %s) p CROSS JOIN text_extents x
			WHERE x.grp = p.column1 AND x.col = p.column2`, strings.Join(batch, ", ")),
			func() { f(x) }, &x.File, &x.Column, &x.Off, &x.Len)
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls f after every row of a query has been scanned into the values.
func (c catalog) each(ctx context.Context, query string, f func(), into ...any) error {
	return c.view(ctx, "read the index of texts", func(tx *gorm.DB) error {
		rows, err := tx.Raw(query).Rows()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
			f()
		}
		return rows.Err()
	})
}
