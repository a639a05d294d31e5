package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/steps"
	"palimpsest/model"
)

// ErrNoSteps says that a thread is no run of step records, or that the policy is
// no step history.
var ErrNoSteps = errors.New("there is no step history: it takes step records, and a policy that slides over steps")

// StepHistory is the history that package steps gives an agent which has appended
// the steps before a history position, under a policy that is a step history. It
// is the same text that previews, replays and records of such a policy hold.
// compat makes it what its first authors' program gave.
func (in *Insight) StepHistory(ctx context.Context, p model.Policy, at int, compat bool) (*steps.History, error) {
	p, _ = compaction.Normalise(p)
	w, ok := compaction.StepWindowOf(&p)
	if !ok || !compaction.IsStepRecords(in.s.thread) {
		return nil, ErrNoSteps
	}
	h, err := newStepHistory(w, compat)
	if err != nil {
		return nil, err
	}
	return h, in.s.appendSteps(ctx, h, 0, at)
}

func newStepHistory(w compaction.StepWindow, compat bool) (*steps.History, error) {
	set := steps.FixedSettings(w.Window, w.Batch, w.Cap)
	if w.Adaptive {
		set = steps.DefaultSettings()
		set.Cap = w.Cap
	}
	if set.Strategy = w.Strategy; compat {
		set.Compat = steps.AllCompat()
		set.Compat.Adaptive = w.Adaptive
	} else if set.Cap > 0 {
		set.Cap = max(set.Cap, steps.LeastCap)
	}
	return steps.New(set, steps.Env{Clock: func() time.Time { return time.Time{} }})
}

// appendSteps appends the steps that the history has in [from, to).
func (t *CountedThread) appendSteps(ctx context.Context, h *steps.History, from, to int) error {
	var in steps.Input
	last := int32(0)
	for i := from; i < to; i++ {
		stored := t.thread.History[i]
		m := &t.thread.Messages[stored]
		if m.Step <= 0 {
			continue
		}
		if m.Step != last {
			if last > 0 {
				if err := h.AppendStep(ctx, in); err != nil {
					return err
				}
			}
			last, in = m.Step, steps.Input{Number: stepNumber(m)}
		}
		if err := t.addPhase(&in, stored, m); err != nil {
			return err
		}
	}
	if last > 0 {
		if err := h.AppendStep(ctx, in); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func stepNumber(m *model.Message) int {
	if n, err := strconv.Atoi(m.ID); err == nil {
		return n
	}
	return int(m.Step)
}

// addPhase puts the text of a message into its step.
func (t *CountedThread) addPhase(in *steps.Input, stored int32, m *model.Message) error {
	parts, err := t.parts(stored)
	if err != nil {
		return fmt.Errorf("read step %d: %w", in.Number, err)
	}
	var texts []string
	for i := range parts {
		texts = append(texts, parts[i].Text)
	}
	text := strings.Join(texts, "\n")
	switch in.Failed = in.Failed || m.Error; m.Name {
	case "analysis":
		in.Analysis = &text
	case "execution":
		in.Execution = &text
	default:
		in.Supervision = &text
	}
	return nil
}

// stepLayers keeps step histories that replays and sweeps go through, so that
// each step is appended once to each.
type stepLayers struct {
	mu   sync.Mutex
	kept map[compaction.StepWindow]*keptSteps
}

type keptSteps struct {
	history *steps.History
	at      int // history position up to which the steps are appended
}

// mostStepLayers bounds how many are kept.
const mostStepLayers = 32

// layer is the summary of a plan by a step history: the whole layer that is left
// after the steps so far.
func (x *stepLayers) layer(ctx context.Context, s *Session, pl *compaction.Plan) (compaction.Text, error) {
	at := pl.Line.At()
	x.mu.Lock()
	defer x.mu.Unlock()
	k := x.kept[pl.Steps]
	if k == nil || k.at > at || s.insideStep(k.at) {
		h, err := newStepHistory(pl.Steps, false)
		if err != nil {
			return compaction.Text{}, err
		}
		if x.kept == nil || len(x.kept) >= mostStepLayers {
			x.kept = map[compaction.StepWindow]*keptSteps{}
		}
		k = &keptSteps{history: h}
		x.kept[pl.Steps] = k
	}
	if err := s.appendSteps(ctx, k.history, k.at, at); err != nil {
		delete(x.kept, pl.Steps)
		return compaction.Text{}, err
	}
	k.at = at
	return stepLayerText(k.history, s.CountText), nil
}

// insideStep reports whether a position lies between two messages of a step.
func (t *CountedThread) insideStep(at int) bool {
	if at == 0 || at >= len(t.thread.History) {
		return false
	}
	before, next := &t.thread.Messages[t.thread.History[at-1]], &t.thread.Messages[t.thread.History[at]]
	return next.Step > 0 && before.Step == next.Step
}

func stepLayerText(h *steps.History, count func(string) int) compaction.Text {
	text := compaction.Text{Text: h.Summaries()}
	text.Tokens = count(text.Text)
	for _, l := range h.Layer() {
		for _, p := range l.KeyPoints {
			text.KeyPoints = append(text.KeyPoints, p.Line(h.Lang()))
		}
	}
	return text
}
