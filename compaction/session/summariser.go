package session

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/steps"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// summariser makes the text of a plan from what the plan takes:
//
//	plan ── entries ──▶ messages and former summaries ─┐
//	     └─ facts ────▶ facts of all that is gone ─────┴─▶ request ──▶ text
type summariser struct {
	s      *Session
	former func(record string) string // summaries of the records that the plan's line names
	pr     Progress
	memory *summarize.Memory // of replays; nil: one text is made
}

type summarise func(context.Context, summarize.Request) (summarize.Result, error)

// write makes the text with a given function by the plan's strategy.
func (w summariser) write(ctx context.Context, pl *compaction.Plan, write summarise) (compaction.Text, error) {
	if pl.Steps != (compaction.StepWindow{}) {
		w.pr.report(PhaseSummarise, 0, 0)
		return w.s.steps.layer(ctx, w.s, pl)
	}
	entries, err := w.withLater(ctx, pl)
	if err != nil {
		return compaction.Text{}, err
	}
	w.pr.report(PhaseSummarise, 0, 0)
	q := summarize.Request{Entries: entries, Strategy: pl.Policy.Strategy, Budget: pl.Budget, Count: w.s.CountText, Memory: w.memory}
	if q.Strategy == model.NoteText {
		if q.Facts, err = w.facts(ctx, pl); err != nil {
			return compaction.Text{}, err
		}
	}
	r, err := write(ctx, q)
	if err != nil {
		return compaction.Text{}, err
	}
	return compaction.Text{Text: r.Text, Tokens: w.s.CountText(r.Text), KeyPoints: r.KeyPoints}, nil
}

// entries decodes what a plan takes.
func (w summariser) entries(ctx context.Context, pl *compaction.Plan) ([]summarize.Entry, error) {
	entries, failed := w.originals(pl)
	told := map[string]bool{}
	for i := range entries {
		told[entries[i].Msg.Preview] = true
	}
	pl.Takes(func(i int) {
		if failed != nil || pl.Line.Copy(i) && told[w.s.thread.Messages[pl.Line.Item(i).Msg].Preview] {
			return
		}
		if len(entries)%64 == 0 {
			failed = ctx.Err()
			w.pr.report(PhaseRead, len(entries), pl.Removed.Messages)
		}
		e, err := w.entry(pl.Line, i)
		if err != nil {
			failed = err
		}
		entries = append(entries, e)
	})
	return entries, failed
}

// originals decodes the messages before a compaction that goes and that only its provider can read.
func (w summariser) originals(pl *compaction.Plan) (list []summarize.Entry, err error) {
	for _, at := range pl.Originals() {
		e, err := w.entryAt(model.Item{Msg: w.s.thread.History[at]}, at)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// withLater decodes what a plan takes, and, for a note, what stays after it: a note says how
// things are at the last moment. The other forms tell of what they replace alone, as those of
// automatic compaction do.
func (w summariser) withLater(ctx context.Context, pl *compaction.Plan) ([]summarize.Entry, error) {
	entries, err := w.entries(ctx, pl)
	if s := pl.Policy.Strategy; s != model.NoteText && s != model.ModelNote {
		return entries, err
	}
	last := 0
	pl.Takes(func(i int) { last = i })
	for i := last + 1; i < pl.Line.Len() && err == nil; i++ {
		if pl.Line.Item(i).Msg < 0 {
			continue
		}
		var e summarize.Entry
		if e, err = w.entry(pl.Line, i); err == nil {
			e.Stays = true
			entries = append(entries, e)
		}
	}
	return entries, err
}

// entry decodes one message that goes. Summaries, ours or found in the file,
// come as former summaries.
func (w summariser) entry(l *compaction.Line, i int) (summarize.Entry, error) {
	e, err := w.entryAt(l.Item(i), placeOf(l, i)) // copies a found compaction kept have no number of their own
	e.Copy = l.History(i) < 0
	return e, err
}

// entryAt decodes an item with the number of a place of the history.
func (w summariser) entryAt(it model.Item, h int) (summarize.Entry, error) {
	e := summarize.Entry{Num: w.s.lineage.numberAt(h), Turn: max(1, turnAt(w.s.CountedThread, h))}
	if it.Msg < 0 {
		e.Former = w.former(it.Record)
		return e, nil
	}
	e.Msg = &w.s.thread.Messages[it.Msg]
	var err error
	if e.Parts, err = w.s.parts(it.Msg); err != nil {
		return e, fmt.Errorf("read message %d: %w", e.Num, err)
	}
	if e.Msg.Kind == model.KindSummary {
		for _, p := range e.Parts {
			if p.Kind == model.PartText {
				e.Former += p.Text
			}
		}
	}
	return e, nil
}

// facts are those that a note in place of what a plan takes may list: of all that was
// ever taken away, not only by this plan.
func (w summariser) facts(ctx context.Context, pl *compaction.Plan) (*summarize.Facts, error) {
	lister, err := w.s.Insight.ledgers(ctx, nil)
	if err != nil {
		return nil, err
	}
	at, left := pl.Line.At(), replay.Leaves(pl)
	f := &summarize.Facts{Lister: lister, At: at, Gone: gaps(left.Kept, at), Kept: left.Kept}
	for _, it := range left.Stands {
		f.Texts = append(f.Texts, w.texts(it)...)
	}
	return f, nil
}

// texts are those of an entry that the history does not hold: a summary, or a copy made
// by a compaction of the file.
func (w summariser) texts(it model.Item) []string {
	if it.Msg < 0 {
		return []string{w.former(it.Record)}
	}
	return w.s.Overlay().texts(it)
}

// gaps is what ascending ranges leave of the history before at.
func gaps(kept []model.Range, at int) []model.Range {
	var out []model.Range
	from := 0
	for _, r := range append(slices.Clip(kept), model.Range{From: at, To: at}) {
		if from < r.From {
			out = append(out, model.Range{From: from, To: r.From})
		}
		from = r.To
	}
	return out
}

// appendNote puts a note of what a plan takes behind words, which lang is the language
// of.
func (w summariser) appendNote(ctx context.Context, pl *compaction.Plan, text string, lang summarize.Lang) (string, error) {
	entries, err := w.withLater(ctx, pl)
	if err != nil {
		return "", err
	}
	q := summarize.Request{Entries: entries, Budget: pl.Budget, Lang: lang, Count: w.s.CountText}
	if q.Facts, err = w.facts(ctx, pl); err != nil {
		return "", err
	}
	return summarize.AppendNote(text, q)
}

// NoteAfter is a text by another hand with a note after it of what a plan takes, of so many
// tokens at most.
func (in *Insight) NoteAfter(ctx context.Context, pl *compaction.Plan, text string, tokens int) (string, error) {
	wider := *pl
	wider.Budget = model.Amount{N: in.s.CountText(text) + tokens, Unit: model.Tokens}
	lang := summarize.HistoryLang([]summarize.Entry{{Former: text}})
	return summariser{s: in.s, former: in.s.Overlay().summary}.appendNote(ctx, &wider, text, lang)
}

// StandIn is the strategy whose words take the place of a model's where many
// summaries are made and no model is asked, as in replays and sweeps; "" for a
// strategy that makes its own.
func StandIn(st model.Strategy) model.Strategy {
	if st.Asks() {
		return model.Extract
	}
	return ""
}

// standIn makes what takes the place of a model's answer to a plan: extract's
// words within the budget that the model's would have, and behind them the note
// where the strategy has one.
func (w summariser) standIn(pl *compaction.Plan) summarise {
	return func(ctx context.Context, q summarize.Request) (summarize.Result, error) {
		asked := q.Strategy
		q.Strategy, q.Budget = StandIn(asked), summarize.WordsBudget(asked, q.Budget)
		r, err := summarize.Make(ctx, q)
		if err == nil && asked == model.ModelNote {
			r.Text, err = w.appendNote(ctx, pl, r.Text, r.Lang)
		}
		return r, err
	}
}

// newStepHistory is the step history of a thread before its first step, which has the
// summaries of one that was saved. With compat it counts as its first authors' program does.
func newStepHistory(t *CountedThread, w compaction.StepWindow, compat bool, now time.Time) (*steps.History, error) {
	set := steps.FixedSettings(w.Window, w.Batch, w.Cap)
	if w.Adaptive {
		set = steps.DefaultSettings()
		set.Cap = w.Cap
	}
	set.Strategy, set.Compat = w.Strategy, t.saved.Settings.Compat
	if compat {
		set.Compat = steps.AllCompat()
	} else if set.Cap > 0 {
		set.Cap = max(set.Cap, steps.LeastCap)
	}
	set.Compat.Adaptive = set.Compat.Adaptive && w.Adaptive
	return t.saved.Open(set, steps.Env{Clock: func() time.Time { return now }})
}

// savedLayer are the summaries that a record adds to a step history that was saved with some,
// each as its snapshot has it, with the settings, and how many of the former stay; nil: it is
// none, or the text is another one.
func savedLayer(t *CountedThread, r *model.Record) (same int, added []json.RawMessage, settings []byte) {
	p, _ := compaction.Normalise(r.Policy)
	w, ok := compaction.StepWindowOf(&p)
	if t.saved.None() || !ok {
		return 0, nil, nil
	}
	h, err := newStepHistory(t, w, false, r.Time)
	if err == nil {
		err = appendSteps(context.Background(), t, h, 0, r.At)
	}
	if err != nil || h.Summaries() != r.Summary {
		return 0, nil, nil
	}
	var x struct {
		Settings       json.RawMessage
		SummaryHistory []json.RawMessage
	}
	if b, err := h.Snapshot(); err != nil || json.Unmarshal(b, &x) != nil {
		return 0, nil, nil
	}
	for layer := h.Layer(); same < min(len(layer), len(t.saved.Layer)) && reflect.DeepEqual(layer[same], t.saved.Layer[same]); {
		same++
	}
	return same, x.SummaryHistory[same:], x.Settings
}

// appendSteps appends the steps that the history has in [from, to).
func appendSteps(ctx context.Context, t *CountedThread, h *steps.History, from, to int) error {
	var list []steps.Input
	last := int32(0)
	for _, stored := range t.thread.History[from:to] {
		m := &t.thread.Messages[stored]
		if m.Step <= 0 {
			continue
		}
		if m.Step != last {
			last = m.Step
			in := steps.Input{Number: m.StepNumber()}
			if full := t.saved.Detail; len(full) > 0 {
				r := &full[int(last)-1-t.saved.Total+len(full)]
				in.Failed, in.Error, in.At = r.Failed, r.Error, time.UnixMilli(r.Timestamp)
			}
			list = append(list, in)
		}
		if err := addPhase(t, &list[len(list)-1], stored, m); err != nil {
			return err
		}
	}
	for _, in := range list {
		if err := h.AppendStep(ctx, in); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// addPhase puts the text of a message into its step.
func addPhase(t *CountedThread, in *steps.Input, stored int32, m *model.Message) error {
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
	if k == nil || k.at > at || insideStep(s.CountedThread, k.at) {
		h, err := newStepHistory(s.CountedThread, pl.Steps, false, time.Time{})
		if err != nil {
			return compaction.Text{}, err
		}
		if x.kept == nil || len(x.kept) >= mostStepLayers {
			x.kept = map[compaction.StepWindow]*keptSteps{}
		}
		k = &keptSteps{history: h}
		x.kept[pl.Steps] = k
	}
	if err := appendSteps(ctx, s.CountedThread, k.history, k.at, at); err != nil {
		delete(x.kept, pl.Steps)
		return compaction.Text{}, err
	}
	k.at = at
	return stepLayerText(k.history, s.CountText), nil
}

// insideStep reports whether a position lies between two messages of a step.
func insideStep(t *CountedThread, at int) bool {
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
