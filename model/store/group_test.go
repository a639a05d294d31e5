package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"palimpsest/model"
)

// journalWord lets a child of the tests journal many histories at once.
const journalWord = "journal"

// journalAll appends to eight histories at once, every fifth entry with a record,
// and prints each event that was acknowledged.
func journalAll(path string) error {
	s, err := Open(path, BusyTimeout(time.Minute))
	if err != nil {
		return err
	}
	var g sync.WaitGroup
	var mu sync.Mutex
	for k := range 8 {
		g.Go(func() {
			id := fmt.Sprintf("%d-%d", os.Getpid(), k)
			for seq := int64(0); ; seq++ {
				e := model.Entry{Events: []model.Event{event(seq+1, "A")}}
				rec := sampleRecord()
				rec.UID = fmt.Sprintf("%s-%d", id, seq+1)
				if seq%5 == 0 {
					e.Records = []model.Recording{{Record: rec, Originals: originals([]byte(rec.UID))}}
				}
				_, err := s.Append(context.Background(), id, seq, e)
				mu.Lock()
				if err != nil {
					fmt.Println("error", err)
					os.Exit(1)
				}
				fmt.Println(id, seq+1)
				mu.Unlock()
			}
		})
	}
	g.Wait()
	return nil
}

// Programs that journal under load are killed: what they had acknowledged is
// there, with its records, and every entry is whole.
func TestKilledWhileJournaling(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	openAt(t, path).Close()
	acknowledged := map[string]int64{}
	for kill := range 6 {
		cmd := applier(path, 0)
		cmd.Env[len(cmd.Env)-1] = applierVar + "=" + path + "\n" + journalWord
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			var id string
			var seq int64
			if _, err := fmt.Sscan(lines.Text(), &id, &seq); err != nil {
				t.Fatal(lines.Text())
			}
			acknowledged[id] = max(acknowledged[id], seq)
			if n == 40+30*kill {
				cmd.Process.Kill()
			}
		}
		cmd.Wait()
	}
	s := openAt(t, path)
	all, entries := maps.Clone(acknowledged), 0
	for id, last := range all {
		list := eventsOf(t, s, id)
		if int64(len(list)) < last {
			t.Errorf("%s ends at %d, %d was acknowledged", id, len(list), last)
		}
		entries += len(list)
		for seq := 1; seq <= len(list); seq += 5 {
			if _, err := s.Record(t.Context(), fmt.Sprintf("%s-%d", id, seq)); err != nil {
				t.Errorf("entry %d of %s has no record: %v", seq, id, err)
			}
		}
	}
	if found, err := integrityCheck(t.Context(), s.read); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
	t.Logf("%d histories, %d entries", len(all), entries)
}

func eventsOf(t *testing.T, s *Store, id string) (all []model.Event) {
	t.Helper()
	for {
		list, err := s.Events(t.Context(), id, int64(len(all)))
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			return all
		}
		all = append(all, list...)
	}
}

// What waits while another write is committed shares one transaction; one that
// fails, or is cancelled, takes no other with it.
func TestWritesThatWaitShareACommit(t *testing.T) {
	for _, bad := range []bool{false, true} {
		s := openAt(t, filepath.Join(t.TempDir(), "p.db"))
		begun, goOn := make(chan struct{}), make(chan struct{})
		var g sync.WaitGroup
		var mu sync.Mutex
		pools := map[gorm.ConnPool]bool{}
		g.Go(func() {
			_ = group(t.Context(), s.db, "wait", func(*gorm.DB) error { close(begun); <-goOn; return nil })
		})
		<-begun
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		const many = 30
		errs := make([]error, many)
		for i := range many {
			g.Go(func() {
				ctx := t.Context()
				if bad && i == 7 {
					ctx = cancelled
				}
				errs[i] = group(ctx, s.db, "write", func(tx *gorm.DB) error {
					if bad && i == 3 {
						return failure(ErrChanged, "it is bad")
					}
					mu.Lock()
					pools[tx.Statement.ConnPool] = true
					mu.Unlock()
					return appendEvents(tx, &conversationRow{ID: fmt.Sprint(i)}, []model.Event{event(1, "A")}, &model.ConversationStats{})
				})
			})
		}
		for waiting := 0; waiting < many; {
			s.records.mu.Lock()
			waiting = len(s.records.queue.waiting)
			s.records.mu.Unlock()
		}
		close(goOn)
		g.Wait()
		for i, err := range errs {
			want := 1
			if bad && i == 3 && !errors.Is(err, ErrChanged) || bad && i == 7 && !errors.Is(err, context.Canceled) {
				t.Errorf("write %d: %v", i, err)
			}
			if bad && (i == 3 || i == 7) {
				want = 0
			} else if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
			if n := len(eventsOf(t, s, fmt.Sprint(i))); n != want {
				t.Errorf("write %d: %d events", i, n)
			}
		}
		if !bad && len(pools) != 1 {
			t.Errorf("%d transactions", len(pools))
		}
	}
}

// An entry stores its records and events together: neither without the other.
func TestAnEntryIsWhole(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "p.db"))
	rec, src := sampleRecord(), originals([]byte(strings.Repeat("what was there ", 9)))
	e := model.Entry{Events: []model.Event{event(1, "A")}, Records: []model.Recording{{Record: rec, Originals: src}}}
	if _, err := s.Append(t.Context(), "c", 0, e); err != nil || rec.ID != "R-0001" {
		t.Fatalf("%q, %v", rec.ID, err)
	}
	again := sampleRecord()
	again.UID = rec.UID
	e = model.Entry{Events: []model.Event{event(2, "A")}, Records: []model.Recording{{Record: again, Originals: src}}}
	if _, err := s.Append(t.Context(), "c", 1, e); !errors.Is(err, ErrExists) || len(eventsOf(t, s, "c")) != 1 {
		t.Errorf("%v, %d events", err, len(eventsOf(t, s, "c")))
	}
	missed, err := s.Append(t.Context(), "c", 0, e)
	if err != nil || len(missed) != 1 || again.ID != "" {
		t.Errorf("%v, %v, %q", missed, err, again.ID)
	}
	var b bytes.Buffer
	if err := s.WriteSource(t.Context(), rec.ID, &b); err != nil || !strings.HasPrefix(b.String(), "what was there") {
		t.Errorf("%q, %v", b.String(), err)
	}
}
