package model

import (
	"slices"
	"time"
)

// BatchRun is how far a batch of files is, as those who work on it note in their database.
type BatchRun struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"` // what is done, as it was called
	Host    string    `json:"host"`  // the machine it was begun on
	Queued  bool      `json:"queued"`
	Began   time.Time `json:"began"`
	Changed time.Time `json:"changed"` // when it was last noted
	Ended   time.Time `json:"ended"`   // zero: it has not ended

	Total    int            `json:"total"`
	Running  int            `json:"running"`
	Done     map[string]int `json:"done"` // by their outcome
	Failed   int            `json:"failed"`
	Failures []BatchFailure `json:"failures,omitempty"` // the newest first, at most [BatchFailures]
	Course   []BatchMark    `json:"course,omitempty"`   // how far it was lately, at most [BatchCourse]

	Stopping bool `json:"-"` // somebody asked for its end
}

// BatchFailure is a file that could not be done, and why.
type BatchFailure struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// BatchMark is how many files had been done at a time.
type BatchMark struct {
	At time.Time `json:"at"`
	N  int       `json:"n"`
}

// The bounds of what a batch's run remembers.
const (
	BatchFailures = 100
	BatchCourse   = 30
)

// batchMarks is how far the marks of a course are apart at least: several may write them.
const batchMarks = 900 * time.Millisecond

// BatchSilent is after what time without a note nobody is taken to work on a batch.
const BatchSilent = 15 * time.Second

// Note is called when the figures of the run are those of now.
func (b *BatchRun) Note(now time.Time) {
	b.Changed = now
	if n := len(b.Course); n == 0 || now.Sub(b.Course[n-1].At) >= batchMarks {
		b.Course = append(b.Course, BatchMark{now, b.Finished()})
		b.Course = b.Course[max(0, len(b.Course)-BatchCourse):]
	}
	b.Failures = b.Failures[:min(len(b.Failures), BatchFailures)]
}

// Fail counts a file that could not be done.
func (b *BatchRun) Fail(path, why string) {
	b.Failed++
	b.Failures = slices.Insert(b.Failures, 0, BatchFailure{path, why})
}

// Finished is how many files need nothing more: they are done or failed.
func (b *BatchRun) Finished() int {
	n := b.Failed
	for _, k := range b.Done {
		n += k
	}
	return n
}

// Left is how many files wait or are being done.
func (b *BatchRun) Left() int { return max(0, b.Total-b.Finished()) }

// Share is how much of it is done, of 1.
func (b *BatchRun) Share() float64 { return float64(b.Finished()) / float64(max(1, b.Total)) }

// Works reports whether somebody works on it.
func (b *BatchRun) Works(now time.Time) bool {
	return b.Ended.IsZero() && now.Sub(b.Changed) <= BatchSilent
}

// Shown reports whether a run concerns a person now: it goes on, has just ended, or has
// been left half done for less than a day.
func (b *BatchRun) Shown(now time.Time) bool {
	if !b.Ended.IsZero() {
		return now.Sub(b.Ended) <= LiveFor
	}
	return now.Sub(b.Changed) <= 24*time.Hour
}

// Rate is how many files a second are done, at the mean of the last notes. It is not
// known before there are two, and while none is done.
func (b *BatchRun) Rate() (rate float64, known bool) {
	if len(b.Course) < 2 {
		return 0, false
	}
	first, last := b.Course[0], b.Course[len(b.Course)-1]
	n, took := last.N-first.N, last.At.Sub(first.At).Seconds()
	if n <= 0 || took <= 0 {
		return 0, false
	}
	return float64(n) / took, true
}

// Remaining is in about what time all is done, at that rate.
func (b *BatchRun) Remaining() (left time.Duration, known bool) {
	rate, known := b.Rate()
	if !known || b.Left() == 0 {
		return 0, false
	}
	return time.Duration(float64(b.Left()) / rate * float64(time.Second)), true
}
