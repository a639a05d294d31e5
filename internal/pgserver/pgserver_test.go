package pgserver

import (
	"database/sql"
	"os"
	"testing"
)

// The server answers as long as its test runs, and its folder is gone afterwards.
func TestStart(t *testing.T) {
	var dir string
	t.Run("server", func(t *testing.T) {
		db, err := sql.Open("pgx", Start(t)+"/postgres")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.QueryRowContext(t.Context(), "SHOW data_directory").Scan(&dir); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	})
	if _, err := os.Stat(dir); dir != "" && !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}
