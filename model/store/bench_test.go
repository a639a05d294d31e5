package store

import (
	"context"
	"database/sql"
	"fmt"
	"gorm.io/gorm"
	"io"
	rand "math/rand/v2"
	"path/filepath"
	"reflect"
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

// many is a database of 100,000 records, filled in one transaction. They differ
// in what lists are filtered and sorted by, and in their texts.
const manyRecords = 100_000

func many(b *testing.B) *Store {
	s := openTemp(b)
	first := save(b, s, sampleRecord(), lines(1, 1000))
	body, err := packBody(first)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	outcomes := []model.Outcome{model.Applied, model.Applied, model.Applied, model.Refused, model.Failed, model.Cancelled}
	causes := []model.Cause{model.CauseManual, model.CauseAutomatic, model.CauseReplay, model.CauseFound}
	rows := make([]recordRow, manyRecords-1)
	bodies := make([]bodyRow, len(rows))
	for i := range rows {
		rec := *first
		rec.UID, rec.Time = newUID(), first.Time.Add(time.Duration(r.IntN(1e6))*time.Second)
		rec.Session, rec.Path = fmt.Sprintf("Session %03d", r.IntN(400)), fmt.Sprintf("/home/ada/run-%03d.jsonl", r.IntN(400))
		rec.Outcome, rec.Cause = outcomes[r.IntN(len(outcomes))], causes[r.IntN(len(causes))]
		rec.Before.Tokens, rec.After.Tokens = int64(100_000+r.IntN(100_000)), int64(10_000+r.IntN(90_000))
		rec.Duration = time.Duration(r.IntN(30_000)) * time.Millisecond
		rows[i] = newRecordRow(&rec, 1)
		bodies[i] = bodyRow{Num: int64(i) + 2, Body: body}
	}
	err = s.writing().Transaction(func(tx *gorm.DB) error {
		if err := tx.CreateInBatches(&rows, batchRows).Error; err != nil {
			return err
		}
		if err := tx.CreateInBatches(&bodies, batchRows).Error; err != nil {
			return err
		}
		for i := range rows {
			text := fmt.Sprintf("step %d 解析器 %s 压缩 file src/%d.go", i, string(rune(0x4e00+r.IntN(5000))), r.IntN(9999))
			if err := putTexts(tx, s.index, rows[i].Num, yieldAll(text)); err != nil {
				return err
			}
		}
		return tx.Exec("ANALYZE").Error
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// A page of 50 of 100,000 records: through the store, and the same columns
// through database/sql alone.
func BenchmarkPageOf50(b *testing.B) {
	s := many(b)
	for _, c := range []struct {
		name string
		f    Filter
		want int
	}{
		{"newest", Filter{}, 50},
		{"offset to the middle", Filter{Offset: 50_000}, 50},
		{"sorted by saved, middle", Filter{Sort: SortSaved, Offset: 50_000}, 50},
		{"failed by duration", Filter{Sort: SortDuration, Outcomes: []model.Outcome{model.Failed}}, 50},
		{"one session by time", Filter{Session: "Session 123", Sort: SortTime}, 50},
		{"one session and cause by saved", Filter{Session: "Session 123", Causes: []model.Cause{model.CauseFound}, Sort: SortSaved}, 50},
		{"full", Filter{Offset: 50000, Full: true}, 50},
		{"rare words", Filter{Text: "src/123.go"}, -1},
		{"two characters in all", Filter{Text: "压缩"}, 50},
		{"no such words", Filter{Text: "nowhere"}, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				list, err := s.Records(context.Background(), c.f)
				if err != nil || c.want >= 0 && len(list) != c.want {
					b.Fatal(len(list), err)
				}
			}
		})
		b.Run("count "+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.CountRecords(context.Background(), c.f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("sql before the middle", func(b *testing.B) {
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
	rows, err := db.Query("SELECT * FROM records WHERE num < ? ORDER BY num DESC LIMIT 50", 50_000)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	var r recordRow // its fields are the table's columns, in this order
	fields := reflect.ValueOf(&r).Elem()
	into := make([]any, fields.NumField())
	for i := range into {
		into[i] = fields.Field(i).Addr().Interface()
	}
	var list []model.Record
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			b.Fatal(err)
		}
		list = append(list, r.summary())
	}
	return list
}
