package batch

import (
	"context"
	"encoding/json"
	"time"

	"palimpsest/model"
)

// Queue hands the files of batches out to workers on any number of machines. Its methods
// may be called by any goroutine.
type Queue interface {
	// Put stores a call and makes a job of each file that next returns, until it returns
	// io.EOF. A file that has a job already, waiting or done, gets none; added is called with
	// whether the job is new.
	Put(ctx context.Context, c Call, next func() (File, error), added func(f File, isNew bool)) error
	// Work does jobs until the context ends, and then those that it has begun. With drain it
	// also returns when no job waits or is being done anywhere.
	Work(ctx context.Context, w Worker, drain bool) error
	// Counts counts the jobs.
	Counts(ctx context.Context) (Counts, error)
	// ByBatch counts the jobs of each batch, by its key.
	ByBatch(ctx context.Context) (map[string]Counts, error)
	// Drop takes the jobs of a batch out that nobody has begun. They can be put in again.
	Drop(ctx context.Context, key string) error
	// Wait returns when no job waits or is being done, or when the context ends. Each time
	// the jobs were counted it calls seen.
	Wait(ctx context.Context, seen func(Counts)) error
	// Failures lists files of a batch that could not be done, the newest first; without a
	// key those of all batches.
	Failures(ctx context.Context, key string, most int) ([]model.BatchFailure, error)
	// Close ends the connections.
	Close()
}

// Call is what is to be done with the files of a batch: Text is for whoever does it, Key
// names it. Equal calls have equal keys.
type Call struct {
	Key  string
	Text json.RawMessage
}

// File is one file of a batch.
type File struct {
	Path, SHA256 string
	Data         []byte // nil: the path says all
}

// Job is a file of a batch that a worker was given.
type Job struct {
	File
	Call json.RawMessage // the text of its call
}

// Already is the outcome of a file that has a record of the same call.
const Already = "already"

// Bad is an error of the file itself: nobody tries it again.
type Bad struct{ Err error }

func (b Bad) Error() string { return b.Err.Error() }

// Unwrap returns the error of the file.
func (b Bad) Unwrap() error { return b.Err }

// Worker says how jobs are done.
type Worker struct {
	Jobs int // at a time

	// Limit is how long a job may take. One that has been running for longer was left by a
	// worker that died, and is given to another.
	Limit time.Duration

	// Do does a job and returns how it ended in one word. It may be called again for a job
	// that another worker has done. An error that is no Bad is tried again later.
	Do func(ctx context.Context, j Job) (outcome string, err error)
}

// Counts are the jobs by what became of them. Those that were done are forgotten after a
// day, and counted as long.
type Counts struct {
	Waiting int            `json:"waiting"`
	Running int            `json:"running"`
	Done    map[string]int `json:"done"` // by their outcome
	Failed  int            `json:"failed"`
}

// Left is how many are not done yet.
func (c Counts) Left() int { return c.Waiting + c.Running }

// All is how many there are.
func (c Counts) All() int {
	n := c.Left() + c.Failed
	for _, k := range c.Done {
		n += k
	}
	return n
}
