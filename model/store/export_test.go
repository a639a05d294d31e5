package store

import (
	"context"

	"gorm.io/gorm"
)

// Exec lets a test do to the database what no method does.
func (s *Store) Exec(sql string, args ...any) error { return s.writing().Exec(sql, args...).Error }

// writing is the connection that writes; tests that break a database need it at once.
func (s *Store) writing() *gorm.DB {
	w, err := s.writer(context.Background())
	if err != nil {
		panic(err)
	}
	return w
}

// Column reads one text.
func (s *Store) Column(sql string) (text string, err error) {
	err = s.read.Raw(sql).Row().Scan(&text)
	return text, err
}
