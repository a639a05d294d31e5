package steps

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// snapshotJSON is a step history as JSON. A change of its form is a new version.
type snapshotJSON struct {
	Version    int                `json:"version"`
	Settings   Settings           `json:"settings"`
	Lang       summarize.Lang     `json:"lang"` // the one in use
	Total      int                `json:"totalSteps"`
	Layer      []Summary          `json:"summaryHistory"`
	Detail     []Record           `json:"recentDetailedHistory"`
	Summarised int                `json:"summarised"`
	Omitted    int                `json:"omitted"`
	Asked      int                `json:"asked"`
	Fallbacks  int                `json:"fallbacks"`
	Wait       compaction.BackOff `json:"modelWait,omitzero"`
}

const snapshotVersion = 1

// Snapshot is the whole history as JSON: both layers, the settings and the
// counts. A step that is being summarised is still in full. It is of the
// format step-history, which the window and the verbs open.
func (h *History) Snapshot() ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.snapshot()
}

func (h *History) snapshot() ([]byte, error) {
	s := snapshotJSON{Version: snapshotVersion, Settings: h.set, Lang: h.lang, Total: h.total,
		Detail: cloneRecords(h.detail), Layer: cloneSummaries(h.layer),
		Summarised: h.stats.Summarised, Omitted: h.stats.Omitted, Asked: h.stats.Asked, Fallbacks: h.stats.Fallbacks, Wait: h.wait}
	b, err := model.PlainJSON(s)
	if err != nil {
		return nil, fmt.Errorf("step history: %w", err)
	}
	return append(b, '\n'), nil
}

// Restore returns the history of a snapshot. Anything else, or a snapshot of
// another version, is an error: nothing is guessed or left out.
func Restore(snapshot []byte, env Env) (*History, error) {
	if env.Journal != nil {
		return nil, errors.New("step history: one with a journal is opened")
	}
	return restore(snapshot, env)
}

func restore(snapshot []byte, env Env) (*History, error) {
	s, err := readSnapshot(snapshot)
	if err != nil {
		return nil, err
	}
	return s.history(env)
}

func readSnapshot(snapshot []byte) (*snapshotJSON, error) {
	d := json.NewDecoder(bytes.NewReader(snapshot))
	d.DisallowUnknownFields()
	var s snapshotJSON
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("step history: read a snapshot: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("step history: read a snapshot: something follows it")
	}
	switch {
	case s.Version != snapshotVersion:
		return nil, fmt.Errorf("step history: a snapshot of version %d, not %d", s.Version, snapshotVersion)
	case s.Total < len(s.Detail) || min(s.Summarised, s.Omitted, s.Asked, s.Fallbacks) < 0:
		return nil, errors.New("step history: a snapshot whose counts can't be")
	}
	switch s.Lang {
	case summarize.Auto, summarize.English, summarize.Chinese:
	default:
		return nil, fmt.Errorf("step history: a snapshot in language %q", s.Lang)
	}
	return &s, nil
}

// history is the history that was saved.
func (s *snapshotJSON) history(env Env) (*History, error) {
	h, err := newHistory(s.Settings, env)
	if err != nil {
		return nil, err
	}
	h.lang, h.total, h.detail, h.layer, h.wait = cmp.Or(s.Lang, h.lang), s.Total, s.Detail, cloneSummaries(s.Layer), s.Wait
	for i := range h.detail { // lengths are computed from texts, so texts are made anew
		h.detail[i].Text = h.detail[i].format(h.style())
	}
	h.stats = Stats{Summarised: s.Summarised, Omitted: s.Omitted, Asked: s.Asked, Fallbacks: s.Fallbacks}
	return h, nil
}

// Saved is a step history that was saved, to go on from its summaries with other settings:
// its steps in full are appended to it once more. With a fixed window that is what
// [Restore] and [History.SetWindow] lead to. The zero value is one without steps.
type Saved struct{ snapshotJSON }

// ReadSaved reads a snapshot that [Restore] takes. Without a model its strategy is extract.
func ReadSaved(snapshot []byte) (Saved, error) {
	s, err := readSnapshot(snapshot)
	if err != nil {
		return Saved{}, err
	}
	if s.Settings.Strategy == ModelText {
		s.Settings.Strategy = fallback
	}
	_, err = s.history(Env{Clock: func() time.Time { return time.Time{} }})
	return Saved{*s}, err
}

// None reports whether it is the zero value.
func (x *Saved) None() bool { return x.Version == 0 }

// Open is the history without its steps in full, with these settings, but for what they
// say of a single step and its summary.
func (x *Saved) Open(set Settings, env Env) (*History, error) {
	s := x.snapshotJSON
	set.LeastSaving, set.PhaseLimit, set.Lang = s.Settings.LeastSaving, s.Settings.PhaseLimit, s.Settings.Lang
	s.Settings, s.Total, s.Detail = set, s.Total-len(s.Detail), nil
	return s.history(env)
}
