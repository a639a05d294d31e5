package agents

import (
	"context"
	"slices"
	"sync"

	"palimpsest/model"
)

// memoryJournal keeps the events of one conversation in memory.
type memoryJournal struct {
	mu     sync.Mutex
	events []model.Event
}

func (j *memoryJournal) Events(ctx context.Context, _ string, after int64) ([]model.Event, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.events[after:]), ctx.Err()
}

func (j *memoryJournal) Append(ctx context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.events = append(j.events, e.Events...)
	return nil, nil
}
