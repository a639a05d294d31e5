package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Summariser is a model that writes the summary of steps. It is called without a
// lock, by one goroutine at a time, with copies; [compaction.Asker] says what
// becomes of one that panics or does not return when ctx is done. After an
// answer that is blank or longer than [Batch.Limit], an error or a panic the
// history extracts the summary from the same steps, and waits longer from
// failure to failure until it asks again.
type Summariser func(ctx context.Context, b Batch) (string, error)

// Batch is what a model is asked to summarise.
type Batch struct {
	Steps []Record // oldest first
	Lang  summarize.Lang
	Limit int // code points of a usable answer
}

// fallback is the strategy when the model fails.
const fallback = model.Extract

// patience is how many steps a failing model is left alone for; after each
// further failure twice as many as before, so that a million steps cost some
// twenty calls.
const patience = 5

// ask has the model write the text; "" when it fails or is left alone. The lock
// is released meanwhile.
func (h *History) ask(ctx context.Context, batch []Record) string {
	if h.wait.Left(h.total) > 0 {
		h.stats.Fallbacks++
		return ""
	}
	span := summarize.StepRange{From: batch[0].Number, To: batch[0].Number}
	for i := range batch {
		span = span.Include(batch[i].Number)
	}
	title := summarize.StepsTitle(span.From, span.To, h.lang)
	frame := textLen(title) + len("\n")
	limit := textSize(batch) - len(summaryGap) - frame
	if h.set.Cap > 0 && !h.set.Compat.Overflow {
		limit = min(limit, h.set.Cap/2-frame) // more would not stay
	}
	h.stats.Asked++
	text, err := h.answer(ctx, Batch{Steps: cloneRecords(batch), Lang: h.lang, Limit: limit})
	text = summarize.Trim(valid(text))
	switch n := textLen(text); {
	case err != nil:
	case text == "":
		err = compaction.ErrEmpty
	case n > limit:
		err = fmt.Errorf("the summary has %d characters, more than %d", n, limit)
	default:
		h.wait = compaction.BackOff{}
		if strings.HasPrefix(text, title) {
			return text
		}
		return title + "\n" + text // so that the text names the range of every step
	}
	if !errors.Is(err, context.Canceled) { // which says nothing about the model
		h.wait = h.wait.Failed(h.total, patience)
	}
	h.stats.Fallbacks++
	h.env.Log.WarnContext(ctx, "the model made no summary of steps", "first", batch[0].Number, "last", batch[len(batch)-1].Number,
		"error", err, "steps until it is asked again", h.wait.Wait)
	return ""
}

// answer calls the model without the lock.
func (h *History) answer(ctx context.Context, b Batch) (string, error) {
	h.mu.Unlock()
	defer h.mu.Lock()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if b.Limit <= 0 {
		return "", errors.New("the steps are shorter than any summary")
	}
	text, err := h.asker.Ask(ctx, false, func(ctx context.Context) (string, error) { return h.env.Summarise(ctx, b) })
	if broke, ok := errors.AsType[*compaction.PanicError](err); ok {
		err = fmt.Errorf("the summariser panicked: %w", broke)
	}
	return text, err
}
