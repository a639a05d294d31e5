package store

import (
	"context"
	"slices"

	"palimpsest/model"
)

// SourceRecords gives the whole records that were made on the file with this
// SHA-256 (in hexadecimal), oldest first, whatever their outcome.
func (s *Store) SourceRecords(ctx context.Context, sha256 string) ([]model.Record, error) {
	if sha256 == "" {
		return nil, nil
	}
	list, err := s.Records(ctx, Filter{SourceSHA: sha256, Limit: -1, Full: true})
	slices.Reverse(list)
	return list, err
}

// PathRecords gives the whole records that were made on whatever file stood at
// this path at the time, oldest first, whatever their outcome.
func (s *Store) PathRecords(ctx context.Context, path string) ([]model.Record, error) {
	if path == "" {
		return nil, nil
	}
	list, err := s.Records(ctx, Filter{Path: path, Limit: -1, Full: true})
	slices.Reverse(list)
	return list, err
}
