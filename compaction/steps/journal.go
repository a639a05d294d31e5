package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/model"
)

// A journal gets each step with what became of the history:
//
//	event 1   step 1
//	event 2   step 2 … and after a pass the snapshot
//
// A snapshot has a bounded size, so that a step costs the same however long the
// history is; steps that left it are in the events before.

// ErrElsewhere is the error of a history that another program writes, too: it
// has steps that this one does not know. Open it again.
var ErrElsewhere = errors.New("step history: another program has written to it")

// entryJSON is one event.
type entryJSON struct {
	Steps    []Record        `json:"steps,omitempty"`
	Snapshot json.RawMessage `json:"snapshot,omitempty"` // the whole history, with those steps
}

// written is what a journal has of a history, and what it lacks besides its steps.
type written struct {
	id      string
	seq     int64
	changed bool              // more than steps has changed: a snapshot is due
	fresh   []Record          // steps that it lacks
	made    []model.Compacted // compactions that it lacks
}

// Open returns the step history that a journal keeps under an ID, as it was left.
// An unknown one is new and has these settings; else they are those it
// was left with. Each Append returns when the step is written. A history that
// can't be read is an error, and is not written to.
func Open(ctx context.Context, id string, s Settings, env Env) (*History, error) {
	switch {
	case env.Journal == nil:
		return nil, errors.New("step history: no journal")
	case id == "":
		return nil, errors.New("step history: no id")
	}
	h, err := newHistory(s, env)
	if err != nil {
		return nil, err
	}
	last := int64(0)
	for e, err := range model.EventsOf(ctx, env.Journal.Events, id, 0) {
		if err == nil {
			h, err = h.fold(e)
		}
		if err != nil {
			return nil, fmt.Errorf("step history %s: %w", id, err)
		}
		last = e.Seq
	}
	h.written = written{id: id, seq: last, changed: last == 0}
	return h, nil
}

// SnapshotOf is the snapshot that the events of a journal lead to. No model is asked for it.
func SnapshotOf(events []model.Event) ([]byte, error) {
	h, err := newHistory(DefaultSettings(), Env{Clock: func() time.Time { return time.Time{} },
		Summarise: func(context.Context, Batch) (string, error) { return "", errors.ErrUnsupported }})
	if err != nil {
		return nil, err
	}
	for i := range events {
		if h, err = h.fold(&events[i]); err != nil {
			return nil, err
		}
	}
	return h.Snapshot()
}

// fold is the history after an event.
func (h *History) fold(e *model.Event) (*History, error) {
	damaged := func(why any) error { return fmt.Errorf("event %d of the journal: %v", e.Seq, why) }
	if e.Kind != model.EventSteps {
		return nil, damaged(fmt.Sprintf("%q is none of a step history", e.Kind))
	}
	d := json.NewDecoder(strings.NewReader(e.Items))
	d.DisallowUnknownFields()
	var in entryJSON
	if err := d.Decode(&in); err != nil {
		return nil, damaged(err)
	}
	if in.Snapshot != nil {
		next, err := restore(in.Snapshot, h.env)
		if err != nil {
			return nil, damaged(err)
		}
		return next, nil
	}
	for _, r := range in.Steps {
		h.detectLang(Input{Analysis: r.Analysis, Execution: r.Execution, Supervision: r.Supervision})
		r.Text = r.format(h.style())
		h.detail, h.total = append(h.detail, r), h.total+1
		h.adapt()
	}
	return h, nil
}

// save writes what the journal lacks. The lock is held on entry and on return, and
// released while the journal works; a caller at a time writes, for all.
func (h *History) save(ctx context.Context) error {
	w := &h.written
	if h.env.Journal == nil {
		return nil
	}
	h.mu.Unlock()
	h.writing.Lock()
	defer h.writing.Unlock()
	h.mu.Lock()
	if len(w.fresh) == 0 && !w.changed && len(w.made) == 0 {
		return nil // another caller wrote it
	}
	in := entryJSON{Steps: w.fresh}
	if w.changed {
		snapshot, err := h.snapshot()
		if err != nil {
			return err
		}
		in.Snapshot = bytes.TrimSpace(snapshot)
	}
	e, err := h.entry(&in)
	if err != nil {
		return err
	}
	before := *w
	w.fresh, w.made, w.changed = nil, nil, false
	h.mu.Unlock()
	missed, err := h.env.Journal.Append(context.WithoutCancel(ctx), before.id, before.seq, e)
	h.mu.Lock()
	if err == nil && len(missed) > 0 {
		err = ErrElsewhere
	}
	if err != nil { // the next entry has it
		w.fresh, w.made = append(before.fresh, w.fresh...), append(before.made, w.made...)
		w.changed = w.changed || before.changed
		return fmt.Errorf("step history %s: %w", before.id, err)
	}
	w.seq++
	return nil
}

// entry is the next entry of the journal.
func (h *History) entry(in *entryJSON) (model.Entry, error) {
	items, err := model.PlainJSON(in)
	if err != nil {
		return model.Entry{}, fmt.Errorf("step history: %w", err)
	}
	w, now := &h.written, h.env.Clock().UTC()
	stats := model.HistoryStats{Messages: h.total, LastType: "step", LastAt: now}
	if n := len(h.detail); n > 0 {
		stats.LastContent = h.detail[n-1].Text
	}
	state := fmt.Sprintf("%d of %d steps in full, %d summaries", len(h.detail), h.total, len(h.layer))
	return model.Entry{
		Events: []model.Event{{Seq: w.seq + 1, Time: now, Kind: model.EventSteps, Items: string(items)}},
		Stats: model.ConversationStats{Title: w.id, History: stats, Agents: []model.AgentStats{{Agent: w.id, State: state,
			Interactions: h.total, LastType: "step", LastAt: now}}},
		Compacted: w.made,
	}, nil
}

// Policy are the settings in the engine's terms.
func (s Settings) Policy() model.Policy {
	id := "sliding-fixed"
	if s.Adaptive {
		id = "sliding-adaptive"
	}
	preset, _ := compaction.PresetByID(id)
	p := preset.Policy
	p.Tail.N = s.Window
	p.Triggers = []model.Clause{{At: p.Tail}}
	p.Batch.N, p.LayerBudget.N, p.Strategy = s.Batch, s.Cap, s.Strategy
	return p
}

// compacted notes a pass: before is the snapshot before it, with so many summaries
// and steps that it took, and sent the text that the agent would have got then.
func (h *History) compacted(before []byte, sent string, layer []Summary, n int, began time.Time) {
	w := &h.written
	w.changed = true
	same := 0 // summaries that the pass left as they were
	for same < len(layer) && same < len(h.layer) && layer[same].Summary == h.layer[same].Summary {
		same++
	}
	now, made := h.env.Clock(), view{layer: h.layer[same:]}
	c := model.Compacted{Document: before, Format: model.FormatStepHistory, Take: model.Range{From: same, To: len(layer) + n},
		Summary: made.layerText(), Time: now, Cause: model.CauseAutomatic, Policy: h.set.Policy(),
		Duration: now.Sub(began), Outcome: model.Applied}
	v := h.held()
	c.SentBefore, c.SentAfter = sent, v.text(v.detail)
	if newest := &h.layer[len(h.layer)-1]; newest.Strategy == ModelText {
		c.Model = string(ModelText)
	} else if h.set.Strategy == ModelText {
		c.Reason = "the model gave no summary"
	}
	w.made = append(w.made, c)
}
