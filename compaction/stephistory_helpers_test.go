package compaction

import (
	"context"
	"testing"
	"time"
)

// tick is a clock that goes on by a second each time it is looked at.
func tick() func() time.Time {
	at := time.UnixMilli(1735862400000)
	return func() time.Time {
		at = at.Add(time.Second)
		return at
	}
}

func newSteps(t testing.TB, s StepSettings) *StepHistory {
	t.Helper()
	return newStepsWith(t, s, StepEnv{})
}

func newStepsWith(t testing.TB, s StepSettings, env StepEnv) *StepHistory {
	t.Helper()
	if env.Clock == nil {
		env.Clock = tick()
	}
	h, err := NewStepHistory(s, env)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func add(t testing.TB, h *StepHistory, in StepInput) {
	t.Helper()
	if err := h.AppendStep(context.Background(), in); err != nil {
		t.Fatal(err)
	}
}
