package store

// Exec lets a test do to the database what no method does.
func (s *Store) Exec(sql string, args ...any) error { return s.write.Exec(sql, args...).Error }

// Column reads one text.
func (s *Store) Column(sql string) (text string, err error) {
	err = s.read.Raw(sql).Row().Scan(&text)
	return text, err
}
