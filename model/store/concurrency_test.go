package store

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Two handles on one file represent two processes: locks are between
// connections. Every record gets an ID of its own, none is lost, and those that
// read meanwhile see only whole ones.
func TestConcurrency(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	// The race detector slows the machine down; the wait is not what is tested.
	handles := []*Store{openAt(t, path, BusyTimeout(time.Minute)), openAt(t, path, BusyTimeout(time.Minute))}
	const writers, each = 8, 6
	ctx := context.Background()
	shared := noise(1, 2*blockSize)
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		saved = map[string][]byte{}
	)
	for w := range writers {
		wg.Go(func() {
			s := handles[w%len(handles)]
			for i := range each {
				content := append(bytes.Clone(shared), noise(uint64(100+w*each+i), 5000)...)
				if i%2 == 0 {
					content = shared
				}
				rec := sampleRecord()
				if err := s.SaveRecord(ctx, rec, originals(content)); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if _, taken := saved[rec.ID]; taken {
					t.Errorf("%s was given twice", rec.ID)
				}
				saved[rec.ID] = content
				mu.Unlock()
				if err := s.SetOutput(ctx, rec.ID, "/out/"+rec.ID, rec.UID); err != nil {
					t.Error(err)
				}
				if err := s.PutAnswer(ctx, [32]byte{byte(w), byte(i)}, []byte{1}); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			s := handles[w%len(handles)]
			for range each {
				list, err := s.Records(ctx, Filter{Limit: 3, Full: true})
				if err != nil {
					t.Error(err)
				}
				for _, rec := range list {
					if err := s.WriteSource(ctx, rec.ID, io.Discard); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if len(saved) != writers*each {
		t.Errorf("%d records were saved", len(saved))
	}
	for n := 1; n <= writers*each; n++ {
		id := formatID(int64(n))
		if want, ok := saved[id]; !ok || !bytes.Equal(giveBack(t, handles[n%2], strconv.Itoa(n)), want) {
			t.Errorf("%s is not what was saved", id)
		}
		if rec, err := handles[n%2].Record(ctx, id); err != nil || rec.Output != "/out/"+id {
			t.Errorf("%s: %+v, %v", id, rec, err)
		}
	}
}
