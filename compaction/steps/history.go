package steps

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// History is the history of an agent that works in steps (analyse, execute,
// supervise), kept short as it grows: the newest steps are kept in full (the
// detail layer), older ones as summaries (the summary layer). Its
// document calls it ExecutionHistoryManager. It is meant to be embedded: append every step, put
// [History.Text] into the next prompt.
//
// No step is lost silently: the text has it in full, in a summary, or in a range
// that it announces as omitted.
//
// All methods may be called from any goroutine; what they return is a copy.
// No lock is held while a model is asked or originals are archived. One caller
// at a time does that, for all; a step appended meanwhile is added at once, and
// the caller at work goes on until the detail layer is back in its window. Only
// until then can it be longer.
type History struct {
	env   Env
	asker compaction.Asker

	mu     sync.Mutex
	set    Settings // with the sizes of the adaptive tier in force
	lang   summarize.Lang
	total  int // steps ever appended
	detail []Record
	layer  []Summary
	busy   bool               // a caller is summarising
	wait   compaction.BackOff // after failures of the model, in steps ever appended
	stats  Stats              // its counters

	written written    // what the journal has
	writing sync.Mutex // held while a caller writes it, and taken before mu
}

// Env is what a step history is handed from outside.
type Env struct {
	// Clock returns the time of a record. It is required, and must not call the
	// history.
	Clock func() time.Time

	// Log gets a line for each summary made, each failure of the model and each
	// range that is omitted: numbers and the model's error, no text of a step. nil:
	// none.
	Log *slog.Logger

	// Summarise is the model of the strategy [ModelText].
	Summarise Summariser

	// Archive is given the steps that are about to leave the detail layer. When
	// it fails they stay, and Append returns its error. nil: they are not kept.
	Archive func(ctx context.Context, steps []Record) error

	// Journal keeps the history, for [Open]; nil: it lives in memory, and the caller
	// saves its snapshot.
	Journal model.Journal
}

// New returns an empty history. Settings that are not legal are refused;
// [Settings.Legal] returns the nearest that are. One with a journal is made by
// [Open].
func New(s Settings, env Env) (*History, error) {
	if env.Journal != nil {
		return nil, errors.New("step history: one with a journal is opened")
	}
	return newHistory(s, env)
}

func newHistory(s Settings, env Env) (*History, error) {
	if _, err := s.Legal(); err != nil {
		return nil, err
	}
	switch {
	case env.Clock == nil:
		return nil, errors.New("step history: no clock")
	case s.Strategy == ModelText && env.Summarise == nil:
		return nil, errors.New("step history: the strategy asks a model, and none is given")
	}
	if env.Log == nil {
		env.Log = slog.New(slog.DiscardHandler)
	}
	h := &History{env: env, asker: compaction.NewAsker(), set: s, lang: s.Lang}
	if s.Compat.Markers {
		h.lang = summarize.Chinese
	}
	return h, nil
}

// Append adds a step whose phases have these texts; "" is a phase without one. It is
// appendStep of the document, and does compressHistory when it is time to.
// See [History.AppendStep].
func (h *History) Append(ctx context.Context, number int, analysis, execution, supervision string) error {
	return h.AppendStep(ctx, Input{Number: number, Analysis: &analysis, Execution: &execution, Supervision: &supervision})
}

// AppendStep adds a step, sets window and batch to the length so far if they
// are adaptive, and while there are more steps than the window has room for
// summarises the oldest.
//
// The number is the caller's: it may repeat, skip or start anywhere. The step is
// always added. An error is that of the archive, returned to the caller at work,
// that of the journal, which gets the step with the next one then, or one that
// [Compat] asks for. ctx bounds the model and the archive only: when
// the model fails or runs out of time, the summary is an extract, which takes
// next to no time.
func (h *History) AppendStep(ctx context.Context, in Input) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.detectLang(in)
	r := newRecord(in, h.env.Clock(), h.style())
	h.detail = append(h.detail, r)
	h.total++
	h.adapt()
	if h.env.Journal != nil {
		h.written.fresh = append(h.written.fresh, r)
	}
	return errors.Join(h.shrink(ctx), h.save(ctx))
}

// adapt sets window and batch to the length so far, if they follow it.
func (h *History) adapt() {
	if h.set.Adaptive || h.set.Compat.Adaptive {
		t := compaction.TierOf(h.total)
		h.set.Window, h.set.Batch = t.Window, t.Batch
	}
}

// SetWindow sets how many steps stay in full and how many one summary takes,
// and ends adaptive sizes. Steps that no longer have room are summarised now.
func (h *History) SetWindow(ctx context.Context, window, batch int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.set
	s.Window, s.Batch, s.Adaptive = window, batch, false
	if _, err := s.Legal(); err != nil {
		return err
	}
	h.set = s
	h.written.changed = true
	return errors.Join(h.shrink(ctx), h.save(ctx))
}

// detectLang sets the language of the history to that of the first step that has
// one, and writes the steps before it again.
func (h *History) detectLang(in Input) {
	if h.lang != summarize.Auto {
		return
	}
	if h.lang = summarize.LangOf(deref(in.Analysis), deref(in.Execution), deref(in.Supervision)); h.lang == summarize.Auto {
		return
	}
	for i := range h.detail {
		h.detail[i].Text = h.detail[i].format(h.style())
	}
}

func (h *History) style() recordStyle {
	return recordStyle{lang: h.lang, phase: h.set.PhaseLimit, null: h.set.Compat.NullText}
}
