package store

import (
	"context"

	"gorm.io/gorm"
)

// Writes that come while another is committed are committed together:
//
//	1   begin · f1 · commit ─▶
//	2        waits ·········  begin · f2 · f3 · commit ─▶
//	3           waits ······                            ─▶
//
// A write returns when it is committed, so what was acknowledged is in the
// database. When one of several fails, all are taken back and each is made alone:
// no other write suffers from it.
type queue struct {
	waiting []*waitingWrite
	leading bool // somebody commits
}

type waitingWrite struct {
	ctx  context.Context
	op   string
	f    func(tx *gorm.DB) error
	err  error
	done chan struct{} // it is committed, or failed
	lead chan struct{} // it is its turn to commit those that wait
}

// mostGrouped bounds how much one failure takes back.
const mostGrouped = 100

// group runs f in a write transaction that others may share. f may be run again.
func group(ctx context.Context, d *db, op string, f func(tx *gorm.DB) error) error {
	w := &waitingWrite{ctx: ctx, op: op, f: f, done: make(chan struct{}), lead: make(chan struct{})}
	d.mu.Lock()
	d.queue.waiting = append(d.queue.waiting, w)
	lead := !d.queue.leading
	d.queue.leading = true
	d.mu.Unlock()
	if !lead {
		select {
		case <-w.done:
			return w.err
		case <-w.lead:
		}
	}
	commitWaiting(d)
	return w.err
}

// commitWaiting commits the writes that wait, the caller's first, and hands the
// rest to the next.
func commitWaiting(d *db) {
	d.mu.Lock()
	n := min(len(d.queue.waiting), mostGrouped)
	batch := d.queue.waiting[:n:n]
	d.queue.waiting = d.queue.waiting[n:]
	d.mu.Unlock()
	if n == 1 || together(d, batch) != nil {
		for _, w := range batch {
			w.err = d.update(w.ctx, w.op, w.f)
		}
	}
	for _, w := range batch {
		close(w.done)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.queue.leading = len(d.queue.waiting) > 0; d.queue.leading {
		close(d.queue.waiting[0].lead)
	}
}

// together runs the writes in one transaction. The context of a caller does not end it: SQLite
// takes the whole transaction back when a statement is interrupted.
func together(d *db, batch []*waitingWrite) error {
	return d.locked(context.Background(), func(tx *gorm.DB) error {
		for _, w := range batch {
			if err := w.ctx.Err(); err != nil {
				return err
			}
			if err := w.f(tx); err != nil {
				return err
			}
		}
		return nil
	})
}
