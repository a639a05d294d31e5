package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/internal/bench/cputime"
)

// BenchmarkRows puts 100,000 small rows in one transaction: through the store,
// and with a prepared statement of database/sql (goal D1).
func BenchmarkRows(b *testing.B) {
	const n = 100_000
	key := func(i int) (h TextHash) { binary.LittleEndian.PutUint64(h[:], uint64(i)*0x9E3779B97F4A7C15); return h }
	counts := make(map[TextHash]int, n)
	for i := range n {
		counts[key(i)] = i
	}
	b.Run("store", func(b *testing.B) {
		s := openTemp(b)
		defer cputime.Report(b)()
		for i := 0; b.Loop(); i++ {
			if err := s.PutTokenCounts(context.Background(), fmt.Sprint(i), counts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sql", func(b *testing.B) {
		s := openTemp(b)
		db, err := s.write.DB()
		if err != nil {
			b.Fatal(err)
		}
		defer cputime.Report(b)()
		for i := 0; b.Loop(); i++ {
			if err := rawRows(db, fmt.Sprint(i), counts); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func rawRows(db *sql.DB, encoding string, counts map[TextHash]int) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing, once committed
	insert, err := tx.Prepare("INSERT INTO token_counts (hash, encoding, count) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
	if err != nil {
		return err
	}
	defer insert.Close()
	for h, n := range counts {
		if _, err := insert.Exec(h[:], encoding, n); err != nil {
			return err
		}
	}
	if _, err := tx.Exec("DELETE FROM token_counts WHERE seq <= (SELECT max(seq) FROM token_counts) - ?", TokenCountCap); err != nil {
		return err
	}
	return tx.Commit()
}

// BenchmarkBodies stores 20 MB that the database has not seen: a record with
// its originals through the store, and the same blocks, packed the same, with
// database/sql (goal D1).
func BenchmarkBodies(b *testing.B) {
	content := lines(1, 20<<20)
	change := func(i int) { // other bytes in every block
		for at := 0; at < len(content); at += blockSize {
			binary.LittleEndian.PutUint32(content[at:], uint32(i))
		}
	}
	b.Run("store", func(b *testing.B) {
		s := openTemp(b)
		defer cputime.Report(b)()
		for i := 0; b.Loop(); i++ {
			change(2 * i)
			save(b, s, sampleRecord(), content)
		}
	})
	b.Run("sql", func(b *testing.B) {
		s := openTemp(b)
		db, err := s.write.DB()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := db.Exec("CREATE TABLE raw (body BLOB)"); err != nil {
			b.Fatal(err)
		}
		defer cputime.Report(b)()
		for i := 0; b.Loop(); i++ {
			change(2*i + 1)
			tx, err := db.Begin()
			if err != nil {
				b.Fatal(err)
			}
			for at := 0; at < len(content); at += blockSize {
				packed := s.pack.enc.EncodeAll(content[at:min(at+blockSize, len(content))], nil)
				if _, err := tx.Exec("INSERT INTO raw (body) VALUES (?)", packed); err != nil {
					b.Fatal(err)
				}
			}
			if err := tx.Commit(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkReads is what a screen reads of 100,000 records: a page of 50 through
// the store and through database/sql, and the best hits of a search (goal D2).
func BenchmarkReads(b *testing.B) {
	s := many(b)
	for name, f := range map[string]Filter{"page": {Before: "R-50000"}, "search": {Text: "src/123.go"}} {
		b.Run(name, func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				if list, err := s.Records(context.Background(), f); err != nil || len(list) == 0 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
	b.Run("sql", func(b *testing.B) {
		db, err := sql.Open("sqlite3", readerDSN(filepath.ToSlash(s.path), time.Second))
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		defer cputime.Report(b)()
		for b.Loop() {
			if list := rawPage(b, db); len(list) != 50 {
				b.Fatal(len(list))
			}
		}
	})
}
