package store

import (
	"context"
	"os"

	"gorm.io/gorm"
)

// Stats measures a database. All sizes are in bytes.
type Stats struct {
	Version int   // of the schema
	Size    int64 // of the database file and its write-ahead log
	Records int64
	Sources int64 // different input files
	Blocks  int64 // different blocks of them
	Logical int64 // the input files, each counted once
	Stored  int64 // their blocks as they lie in the database
}

// Stats measures the database.
func (s *Store) Stats(ctx context.Context) (st Stats, err error) {
	err = s.view(ctx, "measure the database", func(tx *gorm.DB) error {
		row := tx.Raw(`SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM records),
			(SELECT count(*) FROM sources), (SELECT coalesce(sum(size), 0) FROM sources),
			(SELECT count(*) FROM blocks), (SELECT coalesce(sum(length(data)), 0) FROM blocks)`).Row()
		return row.Scan(&st.Version, &st.Records, &st.Sources, &st.Logical, &st.Blocks, &st.Stored)
	})
	if err != nil {
		return Stats{}, err
	}
	for _, name := range []string{s.path, s.path + "-wal"} {
		if info, err := os.Stat(name); err == nil { // the log comes and goes
			st.Size += info.Size()
		}
	}
	return st, nil
}
