package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model/tokens"
)

// ErrBatch says that a batch below zero was needed, which only [Compat] allows:
// the first authors' program raised an exception there.
var ErrBatch = errors.New("step history: the batch is below zero")

// shrink summarises the oldest steps while the detail layer is larger than its
// window. The lock is held on entry and on return, and released while a model or
// the archive works. Only the caller at work removes steps from the head, so the
// steps it is summarising are still the head when it is done.
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

// pass summarises the oldest n steps. They are removed only when the archive has
// them and their summary exists; the archive comes first, since no
// model need be asked about steps that have to stay.
func (h *History) pass(ctx context.Context, n int) error {
	batch := cloneRecords(h.detail[:n])
	var began time.Time
	if h.env.Journal != nil {
		began = h.env.Clock()
	}
	if err := h.archive(ctx, batch); err != nil {
		return err
	}
	sum, err := h.summary(ctx, batch)
	if err != nil {
		return err
	}
	var before []byte
	var sent string
	layer := h.layer
	if h.env.Journal != nil {
		if before, err = h.snapshot(); err != nil {
			return err
		}
		v := h.held()
		layer, sent = v.layer, v.text(v.detail)
	}
	h.layer = append(h.layer, sum)
	h.detail = slices.Delete(h.detail, 0, n)
	h.stats.Summarised += n
	h.env.Log.InfoContext(ctx, "steps summarised", "first", sum.StartStep, "last", sum.EndStep, "strategy", sum.Strategy,
		"before", textSize(batch), "after", textLen(sum.Summary))
	h.fitLayer(ctx)
	if h.env.Journal != nil {
		h.compacted(before, sent, layer, n, began)
	}
	return nil
}

// archive gives the originals to the archive, without the lock.
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

// summary returns the summary of steps, which is never longer than they are.
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
			s.Strategy = fallback
		}
	}
	form := s.Strategy
	if form == ModelText {
		form = fallback // for the key points, which a model is not asked for
	}
	text, points, err := summarize.SummariseSteps(steps, form, h.lang, h.set.Compat.reading())
	if err != nil {
		return s, fmt.Errorf("step history: %w", err)
	}
	s.Summary, s.KeyPoints, s.Timestamp = text, points, h.env.Clock().UnixMilli()
	if model != "" {
		s.Summary = model
	}
	if !h.set.Compat.Overflow && !h.saves(s.Summary, batch) {
		h.rewrite(ctx, &s, textSize(batch)-len(summaryGap)) // which has room for a line for each step
	}
	return s, nil
}

// saves reports whether a summary saves the least share of its steps, in code points and in
// tokens, of which a table has more for its length than prose.
func (h *History) saves(summary string, batch []Record) bool {
	share, all := 100-h.set.LeastSaving, ""
	for i := range batch {
		all += batch[i].Text[:min(len(batch[i].Text), 16*len(summary))] // as far into a long one as can matter
	}
	return textLen(summary) <= (textSize(batch)-len(summaryGap))*share/100 &&
		tokens.Count(tokens.O200k, summary) <= tokens.Count(tokens.O200k, all)*share/100
}

// textSize is the length of steps in the text of the history, in code points.
func textSize(list []Record) int {
	n := 0
	for i := range list {
		n += textLen(list[i].Text) + len("\n")
	}
	return n
}
