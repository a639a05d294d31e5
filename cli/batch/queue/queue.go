// Package queue hands the files of batches out to workers on any number of machines, over
// the PostgreSQL database that holds the records:
//
//	Put ─▶ palimpsest_batches  what is to be done with the files of a batch
//	       palimpsest_sources  the bytes of a file, until it is done
//	       palimpsest_workers  when each worker was there last: what a dead one had begun is another's
//	       river_job           one job a file ─▶ Work, in any number of processes
//
// River (github.com/riverqueue/river) keeps the jobs: which are taken, by whom, and which
// were left behind by a worker that died. A job may so be done twice; what it does has to
// allow that.
package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"palimpsest/cli/batch"
	"palimpsest/model"
)

// Queue is a connection to the jobs in a database.
type Queue struct {
	pool *pgxpool.Pool
}

var _ batch.Queue = (*Queue)(nil)

const tables = `
CREATE TABLE IF NOT EXISTS palimpsest_batches (key TEXT PRIMARY KEY, call JSONB NOT NULL, made TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS palimpsest_sources (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, data BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS palimpsest_workers (id TEXT PRIMARY KEY, seen TIMESTAMPTZ NOT NULL)`

// changing is the lock of the server under which one program at a time makes the tables.
const changing = 0x70616c71

// Open connects to the server at an address and makes the tables of the queue if there are
// none. Close ends it.
func Open(ctx context.Context, address string) (batch.Queue, error) {
	pool, err := pgxpool.New(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("connect to the queue: %w", err)
	}
	q := &Queue{pool}
	if err := q.migrate(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("make the tables of the queue: %w", err)
	}
	return q, nil
}

func (q *Queue) migrate(ctx context.Context) error {
	m, err := rivermigrate.New(riverpgxv5.New(q.pool), &rivermigrate.Config{Logger: silent})
	if err != nil {
		return err
	}
	conn, err := q.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", changing); err != nil {
		return err
	}
	defer func() {
		// If it fails, the server does it at the end of the connection.
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", changing)
	}()
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, tables)
	return err
}

// Close implements batch.Queue.
func (q *Queue) Close() { q.pool.Close() }

// silent is River's log: what goes wrong with a job is in the job.
var silent = slog.New(slog.DiscardHandler)

// fileJob are the arguments of a job. Two of one batch with the same file of the same bytes
// are one.
type fileJob struct {
	Batch  string `json:"batch" river:"unique"`
	Path   string `json:"path" river:"unique"`
	SHA    string `json:"sha256" river:"unique"`
	Source int64  `json:"source"` // 0: there are no bytes to send, the path says all
}

// Kind implements river.JobArgs.
func (fileJob) Kind() string { return "palimpsest-file" }

// mostTries bounds how often a job is begun again after its worker died or the database
// failed.
const mostTries = 8

// Put implements batch.Queue.
func (q *Queue) Put(ctx context.Context, b batch.Call, next func() (batch.File, error), added func(f batch.File, isNew bool)) error {
	client, err := river.NewClient(riverpgxv5.New(q.pool), &river.Config{Logger: silent})
	if err != nil {
		return err
	}
	const store = "INSERT INTO palimpsest_batches (key, call) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET call = $2"
	_, err = q.pool.Exec(ctx, store, b.Key, b.Text)
	if err != nil {
		return fmt.Errorf("store the batch: %w", err)
	}
	for {
		f, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		isNew, err := q.put(ctx, client, b.Key, f)
		if err != nil {
			return fmt.Errorf("put %s into the queue: %w", f.Path, err)
		}
		added(f, isNew)
	}
}

// errThere rolls back what was stored for a job that there is already.
var errThere = errors.New("the job is there")

func (q *Queue) put(ctx context.Context, client *river.Client[pgx.Tx], key string, f batch.File) (isNew bool, err error) {
	err = pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		job := fileJob{Batch: key, Path: f.Path, SHA: f.SHA256}
		if f.Data != nil {
			row := tx.QueryRow(ctx, "INSERT INTO palimpsest_sources (data) VALUES ($1) RETURNING id", f.Data)
			if err := row.Scan(&job.Source); err != nil {
				return err
			}
		}
		in, err := client.InsertTx(ctx, tx, job, &river.InsertOpts{MaxAttempts: mostTries, UniqueOpts: river.UniqueOpts{ByArgs: true}})
		if err == nil && in.UniqueSkippedAsDuplicate {
			return errThere
		}
		return err
	})
	if errors.Is(err, errThere) {
		return false, nil
	}
	return err == nil, err
}

// Work implements batch.Queue.
func (q *Queue) Work(ctx context.Context, w batch.Worker, drain bool) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{q: q, w: w})
	client, err := river.NewClient(riverpgxv5.New(q.pool), &river.Config{
		Queues:     map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: w.Jobs}},
		Workers:    workers,
		JobTimeout: w.Limit, RescueStuckJobsAfter: w.Limit,
		RetryPolicy: soon{}, Logger: silent,
	})
	if err != nil {
		return err
	}
	begun := context.WithoutCancel(ctx) // what has begun is not cancelled: it is waited for
	q.beat(begun, client.ID())
	defer batch.Every(begun, beatEvery, func(ctx context.Context) { q.beat(ctx, client.ID()) })()
	if err := client.Start(begun); err != nil {
		return err
	}
	if drain {
		err = q.Wait(ctx, func(batch.Counts) {})
	} else {
		<-ctx.Done()
	}
	return errors.Join(err, client.Stop(begun))
}

// A worker says every beatEvery that it is there. What one that was silent for silentFor had
// begun is given to others. It may live all the same: a job may be done twice.
const (
	beatEvery = 2 * time.Second
	silentFor = 15 * time.Second

	beats = `WITH gone AS (DELETE FROM palimpsest_workers WHERE seen < now() - interval '1 day')
		INSERT INTO palimpsest_workers VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET seen = now()`
	frees = `UPDATE river_job SET scheduled_at = now(),
			state = (CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END)::river_job_state,
			finalized_at = CASE WHEN attempt < max_attempts THEN NULL ELSE now() END
		WHERE kind = $1 AND state = 'running' AND attempted_by[array_upper(attempted_by, 1)] IN
			(SELECT id FROM palimpsest_workers WHERE seen < now() - make_interval(secs => $2))`
)

// beat says that a worker is there, and frees what dead ones had begun. A server that does not
// answer hears of it the next time.
func (q *Queue) beat(ctx context.Context, id string) {
	if _, err := q.pool.Exec(ctx, beats, id); err == nil {
		_, _ = q.pool.Exec(ctx, frees, fileJob{}.Kind(), silentFor.Seconds())
	}
}

// soon is when a job is tried again.
type soon struct{}

// NextRetry implements river.ClientRetryPolicy.
func (soon) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(time.Duration(len(job.Errors)) * time.Second)
}

// worker does jobs for River.
type worker struct {
	river.WorkerDefaults[fileJob]
	q *Queue
	w batch.Worker
}

// Work implements river.Worker.
func (r *worker) Work(ctx context.Context, job *river.Job[fileJob]) error {
	a := job.Args
	j := batch.Job{File: batch.File{Path: a.Path, SHA256: a.SHA}}
	if err := r.q.pool.QueryRow(ctx, "SELECT call FROM palimpsest_batches WHERE key = $1", a.Batch).Scan(&j.Call); err != nil {
		return err
	}
	if a.Source != 0 {
		err := r.q.pool.QueryRow(ctx, "SELECT data FROM palimpsest_sources WHERE id = $1", a.Source).Scan(&j.Data)
		if errors.Is(err, pgx.ErrNoRows) {
			// Another worker did it, and was gone before River knew.
			return river.RecordOutput(ctx, batch.Already)
		}
		if err != nil {
			return err
		}
	}
	outcome, err := r.w.Do(ctx, j)
	if bad := (batch.Bad{}); errors.As(err, &bad) {
		err = river.JobCancel(err)
	} else if err == nil {
		err = river.RecordOutput(ctx, outcome)
	}
	if over := (*rivertype.JobCancelError)(nil); err == nil || errors.As(err, &over) {
		if _, err := r.q.pool.Exec(ctx, "DELETE FROM palimpsest_sources WHERE id = $1", a.Source); err != nil {
			return err
		}
	}
	return err
}

// Counts implements batch.Queue.
func (q *Queue) Counts(ctx context.Context) (batch.Counts, error) {
	all := batch.Counts{Done: map[string]int{}}
	by, err := q.ByBatch(ctx)
	for _, c := range by {
		all.Waiting, all.Running, all.Failed = all.Waiting+c.Waiting, all.Running+c.Running, all.Failed+c.Failed
		for outcome, n := range c.Done {
			all.Done[outcome] += n
		}
	}
	return all, err
}

// ByBatch implements batch.Queue.
func (q *Queue) ByBatch(ctx context.Context) (map[string]batch.Counts, error) {
	rows, err := q.pool.Query(ctx, `SELECT args->>'batch', state::text, coalesce(metadata->>'output', ''), count(*) FROM river_job
		WHERE kind = $1 GROUP BY 1, 2, 3`, fileJob{}.Kind())
	if err != nil {
		return nil, err
	}
	by := map[string]batch.Counts{}
	var key, state, outcome string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&key, &state, &outcome, &n}, func() error {
		c, there := by[key]
		if !there {
			c.Done = map[string]int{}
		}
		switch rivertype.JobState(state) {
		case rivertype.JobStateRunning:
			c.Running += n
		case rivertype.JobStateCompleted:
			c.Done[outcome] += n
		case rivertype.JobStateCancelled, rivertype.JobStateDiscarded:
			c.Failed += n
		default:
			c.Waiting += n
		}
		by[key] = c
		return nil
	})
	return by, err
}

// Drop implements batch.Queue. A job that a worker takes at the same moment is done.
func (q *Queue) Drop(ctx context.Context, key string) error {
	_, err := q.pool.Exec(ctx, `WITH gone AS (DELETE FROM river_job WHERE kind = $1 AND args->>'batch' = $2
			AND state IN ('available', 'pending', 'retryable', 'scheduled') RETURNING (args->>'source')::bigint AS id)
		DELETE FROM palimpsest_sources WHERE id IN (SELECT id FROM gone)`, fileJob{}.Kind(), key)
	return err
}

// lookEvery is how often the jobs are counted by who waits for them, and lookFor how long they
// go on where the server does not answer: it may be started again.
const (
	lookEvery = 500 * time.Millisecond
	lookFor   = 2 * time.Minute
)

// Wait implements batch.Queue.
func (q *Queue) Wait(ctx context.Context, seen func(batch.Counts)) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	answered := time.Now()
	for {
		c, err := q.Counts(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			answered = time.Now()
			if seen(c); c.Left() == 0 {
				return nil
			}
		case time.Since(answered) > lookFor:
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Failures implements batch.Queue.
func (q *Queue) Failures(ctx context.Context, key string, most int) ([]model.BatchFailure, error) {
	rows, err := q.pool.Query(ctx, `SELECT args->>'path', coalesce(errors[array_upper(errors, 1)]->>'error', '') FROM river_job
		WHERE kind = $1 AND state IN ('cancelled', 'discarded') AND (args->>'batch' = $2 OR $2 = '')
		ORDER BY id DESC LIMIT $3`, fileJob{}.Kind(), key, most)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[model.BatchFailure])
	for i := range list {
		list[i].Why = strings.TrimPrefix(list[i].Why, "JobCancelError: ") // River's word for one that is not tried again
	}
	return list, err
}
