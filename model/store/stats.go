package store

import (
	"context"
	"gorm.io/gorm"
)

// Stats measures a database. All sizes are in bytes.
type Stats struct {
	Version int   // of the schema
	Size    int64 // of the database file and its write-ahead log, or on the server
	Records int64
	Sources int64 // different input files
	Blocks  int64 // different blocks of them
	Logical int64 // the input files, each counted once
	Stored  int64 // their blocks as they lie in the database
	Texts   int64 // different texts that records are found by
}

// Stats measures the database.
func (s *Store) Stats(ctx context.Context) (st Stats, err error) {
	err = s.view(ctx, "measure the database", func(tx *gorm.DB) error {
		if st.Version, err = s.engine.version(tx); err != nil {
			return err
		}
		row := tx.Raw(`SELECT (SELECT count(*) FROM records),
			(SELECT count(*) FROM sources), (SELECT coalesce(sum(size), 0) FROM sources),
			(SELECT count(*) FROM blocks), (SELECT coalesce(sum(length(data)), 0) FROM blocks),
			(SELECT count(*) FROM texts)`).Row()
		return row.Scan(&st.Records, &st.Sources, &st.Logical, &st.Blocks, &st.Stored, &st.Texts)
	})
	if err != nil {
		return Stats{}, err
	}
	if st.Size, err = s.engine.size(ctx, s); err != nil {
		return Stats{}, s.explain(ctx, "measure the database", err)
	}
	return st, nil
}
