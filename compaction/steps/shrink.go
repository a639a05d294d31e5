package steps

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/compaction/summarize"
)

// ErrBatch says that a batch below zero was needed, which only [Compat]
// lets in: its first authors' program raised an exception there.
var ErrBatch = errors.New("step history: the batch is below zero")

// shrink summarises the oldest steps while the detail layer is larger than its
// window. The lock is held on entry and on return, and let go where a model or
// the archive works. Only the caller at work takes steps from the head, so what
// it is summarising is still the head when it has done.
func (h *History) shrink(ctx context.Context) error {
	if h.busy {
		return nil
	}
	h.busy = true
	defer func() { h.busy = false }()
	for len(h.detail) > h.set.Window {
		n := min(h.set.Batch, len(h.detail))
		if n < 0 {
			return fmt.Errorf("%w: %d", ErrBatch, h.set.Batch)
		}
		if n == 0 {
			return nil
		}
		if err := h.pass(ctx, n); err != nil {
			return err
		}
		if h.set.Compat.Passes {
			return nil
		}
	}
	return nil
}

// pass summarises the oldest n steps. They go only when the archive has them and
// their summary exists (spec K3); the archive comes first, since no model need be
// asked about steps that have to stay.
func (h *History) pass(ctx context.Context, n int) error {
	batch := cloneRecords(h.detail[:n])
	if err := h.archive(ctx, batch); err != nil {
		return err
	}
	sum, err := h.summary(ctx, batch)
	if err != nil {
		return err
	}
	h.layer = append(h.layer, sum)
	rest := copy(h.detail, h.detail[n:])
	clear(h.detail[rest:])
	h.detail = h.detail[:rest]
	h.stats.Summarised += n
	h.env.Log.InfoContext(ctx, "steps summarised", "first", sum.StartStep, "last", sum.EndStep, "strategy", sum.Strategy,
		"before", told(batch), "after", textLen(sum.Summary))
	h.fitLayer(ctx)
	return nil
}

// archive hands the originals out, without the lock.
func (h *History) archive(ctx context.Context, batch []Record) error {
	if h.env.Archive == nil {
		return nil
	}
	h.mu.Unlock()
	defer h.mu.Lock()
	if err := h.env.Archive(ctx, cloneRecords(batch)); err != nil {
		return fmt.Errorf("step history: archive steps %d to %d: %w", batch[0].Number, batch[len(batch)-1].Number, err)
	}
	return nil
}

// summary makes the summary of steps and takes its measure: it is never longer
// than the steps it stands for.
func (h *History) summary(ctx context.Context, batch []Record) (Summary, error) {
	first, last := &batch[0], &batch[len(batch)-1]
	steps := make([]summarize.Step, len(batch))
	for i := range batch {
		steps[i] = batch[i].step()
	}
	s := Summary{StartStep: first.Number, EndStep: last.Number, FirstAt: first.Timestamp, LastAt: last.Timestamp, Strategy: h.set.Strategy}
	model := ""
	if s.Strategy == ModelText {
		if model = h.ask(ctx, batch); model == "" {
			s.Strategy = standIn
		}
	}
	form := s.Strategy
	if form == ModelText {
		form = standIn // for the key points, which no model is trusted with
	}
	text, points, err := summarize.SummariseSteps(steps, form, h.lang, h.set.Compat.reading())
	if err != nil {
		return s, fmt.Errorf("step history: %w", err)
	}
	s.Summary, s.KeyPoints, s.Timestamp = text, points, h.env.Clock().UnixMilli()
	if model != "" {
		s.Summary = model
	}
	most := told(batch) - len(summaryGap)
	if !h.set.Compat.Overflow && textLen(s.Summary) > most*(100-h.set.LeastSaving)/100 {
		h.rewrite(ctx, &s, most) // where a line a step always has room
	}
	return s, nil
}

// told is what steps take in the text of the history, in code points.
func told(list []Record) int {
	n := 0
	for i := range list {
		n += textLen(list[i].Text) + len("\n")
	}
	return n
}
