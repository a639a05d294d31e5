package store

import (
	"context"
	"database/sql"
	"io"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/model"
)

// Saving a record of a file of 20 MB that the database has not seen, one that
// it has, and one that grew by a block.
func BenchmarkSave20MB(b *testing.B) {
	content := lines(1, 20<<20)
	b.Run("new", func(b *testing.B) {
		s := openTemp(b)
		b.SetBytes(int64(len(content)))
		for i := 0; b.Loop(); i++ {
			b.StopTimer() // other bytes in every block
			for at := 0; at < len(content); at += blockSize {
				content[at], content[at+1] = byte(i), byte(i>>8)
			}
			b.StartTimer()
			save(b, s, sampleRecord(), content)
		}
	})
	b.Run("grown", func(b *testing.B) {
		s := openTemp(b)
		save(b, s, sampleRecord(), content)
		b.SetBytes(int64(len(content)))
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			content = append(content[:20<<20], noise(uint64(i), 1000)...)
			b.StartTimer()
			save(b, s, sampleRecord(), content)
		}
	})
	b.Run("known", func(b *testing.B) {
		s := openTemp(b)
		src := originals(content)
		for b.Loop() {
			if err := s.SaveRecord(context.Background(), sampleRecord(), src); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkWriteSource20MB(b *testing.B) {
	content := lines(1, 20<<20)
	s := openTemp(b)
	id := save(b, s, sampleRecord(), content).ID
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if err := s.WriteSource(context.Background(), id, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// many is a database of 10,000 records, filled in one transaction.
func many(b *testing.B) *Store {
	s := openTemp(b)
	first := save(b, s, sampleRecord(), lines(1, 1000))
	tx := s.write.Begin()
	rows := make([]recordRow, 9999)
	bodies := make([]bodyRow, len(rows))
	body, err := s.pack.body(first)
	if err != nil {
		b.Fatal(err)
	}
	for i := range rows {
		rows[i] = newRecordRow(first, 1)
		rows[i].UID = newUID()
		bodies[i] = bodyRow{Num: int64(i) + 2, Body: body}
	}
	tx.CreateInBatches(&rows, batchRows)
	tx.CreateInBatches(&bodies, batchRows)
	if err := tx.Commit().Error; err != nil {
		b.Fatal(err)
	}
	return s
}

// A page of 50 from the middle of 10,000 records: through the store, and the
// same columns through database/sql alone.
func BenchmarkPageOf50(b *testing.B) {
	s := many(b)
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			list, err := s.Records(context.Background(), Filter{Before: "R-5000"})
			if err != nil || len(list) != 50 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("store full", func(b *testing.B) {
		for b.Loop() {
			list, err := s.Records(context.Background(), Filter{Before: "R-5000", Full: true})
			if err != nil || len(list) != 50 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("store text filter", func(b *testing.B) {
		for b.Loop() {
			list, err := s.Records(context.Background(), Filter{Text: "no such words"})
			if err != nil || len(list) != 0 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("sql", func(b *testing.B) {
		db, err := sql.Open("sqlite3", readerDSN(filepath.ToSlash(s.path), time.Second))
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		for b.Loop() {
			if list := rawPage(b, db); len(list) != 50 {
				b.Fatal(len(list))
			}
		}
	})
}

func rawPage(b *testing.B, db *sql.DB) []model.Record {
	rows, err := db.Query("SELECT * FROM records WHERE num < ? ORDER BY num DESC LIMIT 50", 5000)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	var list []model.Record
	for rows.Next() {
		var r recordRow
		if err := rows.Scan(&r.Num, &r.UID, &r.Time, &r.Session, &r.Path, &r.Format, &r.SourceID, &r.SourceSHA, &r.SourceSize,
			&r.Conversation, &r.Thread, &r.Agent, &r.Cause, &r.Preset, &r.Strategy, &r.Model, &r.Position, &r.RangeFrom, &r.RangeTo,
			&r.RangeSHA, &r.Covered, &r.Edited, &r.BeforeMessages, &r.BeforeTokens, &r.AfterMessages, &r.AfterTokens, &r.Counted,
			&r.Duration, &r.Outcome, &r.Reason, &r.Base, &r.SwitchedOff, &r.Output, &r.OutputSHA); err != nil {
			b.Fatal(err)
		}
		list = append(list, r.summary())
	}
	return list
}

// 5,000 token counts, the messages of a long session.
func BenchmarkTokenCounts(b *testing.B) {
	s := openTemp(b)
	counts := map[TextHash]int{}
	var keys []TextHash
	for i := range 5000 {
		h := TextHash(noise(uint64(i), 16))
		counts[h] = i
		keys = append(keys, h)
	}
	b.Run("put", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s.write.Exec("DELETE FROM token_counts")
			b.StartTimer()
			if err := s.PutTokenCounts(context.Background(), "o200k", counts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			if got, err := s.TokenCounts(context.Background(), "o200k", keys); err != nil || len(got) != 5000 {
				b.Fatal(len(got), err)
			}
		}
	})
}
