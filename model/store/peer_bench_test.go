package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/internal/bench/cputime"
	"palimpsest/model"
)

// BenchmarkRows puts 100,000 small rows in one transaction: the events of a
// conversation through the store, and the same with a prepared statement of
// database/sql (goal D1).
func BenchmarkRows(b *testing.B) {
	const n = 100_000
	events := make([]model.Event, n)
	for i := range events {
		events[i] = model.Event{Seq: int64(i) + 1, Time: sampleRecord().Time, Kind: model.EventCalled, Agent: "coder", Items: `{"type":"message"}`}
	}
	run := func(name string, put func(s *Store, id string) error) {
		b.Run(name, func(b *testing.B) {
			s := openTemp(b)
			defer cputime.Report(b)()
			for i := 0; b.Loop(); i++ {
				if err := put(s, fmt.Sprint(i)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("store", func(s *Store, id string) error {
		_, err := s.Append(context.Background(), id, 0, model.Entry{Events: events, Stats: model.ConversationStats{}})
		return err
	})
	run("sql", func(s *Store, id string) error {
		db, err := s.writing().DB()
		if err != nil {
			return err
		}
		return rawRows(db, id, events)
	})
}

func rawRows(db *sql.DB, id string, events []model.Event) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing, once committed
	made, err := tx.Exec(`INSERT INTO conversations (id, title, seq, messages, last_content, last_type, last_at, created, changed)
		VALUES (?, '', ?, 0, '', '', 0, 0, 0)`, id, len(events))
	if err != nil {
		return err
	}
	num, err := made.LastInsertId()
	if err != nil {
		return err
	}
	insert, err := tx.Prepare(`INSERT INTO conversation_events (conversation, seq, time, kind, agent, task, caller, covers, items)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i := range events {
		e := newEventRow(num, &events[i])
		if _, err := insert.Exec(e.Conversation, e.Seq, e.Time, e.Kind, e.Agent, e.Task, e.Caller, e.Covers, e.Items); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BenchmarkBodies stores 20 MB that the database has not seen: a record with
// its originals through the store, and the same blocks, hashed and packed the same, with
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
			// Its hash is not known, so that both sides take it once.
			src := model.Originals{Source: bytes.NewReader(content), Size: int64(len(content))}
			if err := s.SaveRecord(b.Context(), sampleRecord(), src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sql", func(b *testing.B) {
		s := openTemp(b)
		db, err := s.writing().DB()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := db.Exec("CREATE TABLE raw (id INTEGER PRIMARY KEY, sha BLOB NOT NULL UNIQUE, body BLOB)"); err != nil {
			b.Fatal(err)
		}
		defer cputime.Report(b)()
		for i := 0; b.Loop(); i++ {
			change(2*i + 1)
			tx, err := db.Begin()
			if err != nil {
				b.Fatal(err)
			}
			whole := sha256.New()
			for at := 0; at < len(content); at += blockSize {
				block := content[at:min(at+blockSize, len(content))]
				whole.Write(block)
				sum := sha256.Sum256(block)
				if _, err := tx.Exec("INSERT INTO raw (sha, body) VALUES (?, ?)", sum[:], packer().EncodeAll(block, nil)); err != nil {
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
	for _, read := range []struct {
		name string
		f    Filter
	}{{"page", Filter{Before: "R-50000"}}, {"search", Filter{Text: "src/123.go"}}} {
		b.Run(read.name, func(b *testing.B) {
			if _, err := s.Records(context.Background(), read.f); err != nil { // the first finds the database cold
				b.Fatal(err)
			}
			defer cputime.Report(b)()
			for b.Loop() {
				if list, err := s.Records(context.Background(), read.f); err != nil || len(list) == 0 {
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

// BenchmarkBody reads a text of 1 MB back: through the store, and its blocks read
// and unpacked the same with database/sql, each hashed once, for who reads wants to
// know that they are those that were stored (goal D2).
func BenchmarkBody(b *testing.B) {
	content := lines(7, 1<<20)
	s := openTemp(b)
	rec := save(b, s, sampleRecord(), content)
	b.Run("store", func(b *testing.B) {
		defer cputime.Report(b)()
		for b.Loop() {
			if err := s.WriteSource(context.Background(), rec.ID, io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sql", func(b *testing.B) {
		db, err := sql.Open("sqlite3", readerDSN(filepath.ToSlash(s.path), time.Second))
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		defer cputime.Report(b)()
		for b.Loop() {
			if n := rawBody(b, s, db); n != len(content) {
				b.Fatal(n)
			}
		}
	})
}

// rawBody unpacks all blocks there are and gives their length.
func rawBody(b *testing.B, s *Store, db *sql.DB) (n int) {
	rows, err := db.Query("SELECT b.data FROM source_blocks sb JOIN blocks b ON b.id = sb.block_id ORDER BY sb.seq")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	buf, sum := make([]byte, 0, blockSize), sha256.New()
	for rows.Next() {
		var data sql.RawBytes
		if err := rows.Scan(&data); err != nil {
			b.Fatal(err)
		}
		plain, err := unpacker().DecodeAll(data, buf[:0])
		if err != nil {
			b.Fatal(err)
		}
		sum.Write(plain)
		n += len(plain)
	}
	return n
}
