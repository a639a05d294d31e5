package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/steps"
	"palimpsest/model"
)

// Prompt is what the history part of a request would hold under a policy: the
// text of a step history, or a list of messages.
type Prompt struct {
	Text    string // of a step history; else of the list, one message after the other
	Steps   bool   // it is a step history
	Entries []PromptEntry
	Firings int // compactions so far
	Last    int // history position of the last of them; -1: there was none
}

// PromptEntry is a message of a prompt, or a summary or step of a step history.
type PromptEntry struct {
	Role    string
	Text    string
	Number  int  // of the message in the history, or of the step, from 1; 0: a summary
	To      int  // of a step history's summary: it covers the steps Number to To
	Changed bool // by the last compaction
}

// Prompt is the prompt of a request that follows the messages before a history
// position, after the compactions that the policy would have made until then.
// Those that the file holds are left out, and no model is asked, as in a replay.
// compat matters to step histories only: see [Insight.StepHistory].
func (in *Insight) Prompt(ctx context.Context, p model.Policy, at int, compat bool) (*Prompt, error) {
	legal, _ := compaction.Normalise(p)
	if w, ok := compaction.StepWindowOf(&legal); ok && compaction.IsStepRecords(in.s.thread) {
		return in.stepPrompt(ctx, w, at, compat)
	}
	th := *in.s.thread
	th.History = th.History[:at]
	h := compaction.NewHistory(&th, func(stored int32) int32 { return int32(in.s.Tokens(stored)) })
	tl, err := replay.Run(ctx, h, p, replay.Options{Summarise: in.Summarise, Context: true, Live: true})
	if err != nil {
		return nil, err
	}
	out := &Prompt{Firings: len(tl.Firings), Last: -1}
	texts, last := map[string]string{}, (*replay.Firing)(nil)
	for i := range tl.Firings {
		last = &tl.Firings[i]
		texts[last.Record], out.Last = last.Text, last.At
	}
	place := map[int32]int{}
	for i, stored := range th.History {
		place[stored] = i
	}
	for _, it := range tl.Live {
		e, err := in.promptEntry(it, texts)
		if err != nil {
			return nil, err
		}
		if it.Msg >= 0 {
			e.Number = place[it.Msg] + 1
		}
		e.Changed = last != nil && (it.Msg < 0 && it.Record == last.Record || it.Cleared && holds(last.Context.Cleared, e.Number-1))
		out.Entries = append(out.Entries, e)
	}
	var b strings.Builder
	for i, e := range out.Entries {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "[%s]\n%s", e.Role, e.Text)
	}
	out.Text = b.String()
	return out, nil
}

func holds(ranges []model.Range, at int) bool {
	return slices.ContainsFunc(ranges, func(r model.Range) bool { return at >= r.From && at < r.To })
}

// promptEntry is one message of the list.
func (in *Insight) promptEntry(it model.Item, texts map[string]string) (PromptEntry, error) {
	if it.Msg < 0 {
		return PromptEntry{Role: "system", Text: texts[it.Record]}, nil
	}
	m := &in.s.thread.Messages[it.Msg]
	e := PromptEntry{Role: string(m.Role)}
	if it.Cleared {
		e.Text = compaction.ClearedNote(in.s.Tokens(it.Msg))
		return e, nil
	}
	parts, err := in.s.parts(it.Msg)
	if err != nil {
		return e, fmt.Errorf("read a message: %w", err)
	}
	var lines []string
	for i := range parts {
		lines = append(lines, partText(&parts[i]))
	}
	e.Text = strings.Join(lines, "\n")
	return e, nil
}

// partText is a part as a prompt in words shows it.
func partText(p *model.Part) string {
	if p.Kind == model.PartCall {
		return p.Name + " " + p.Text
	}
	return p.Text
}

// stepPrompt is the prompt of a step history.
func (in *Insight) stepPrompt(ctx context.Context, w compaction.StepWindow, at int, compat bool) (*Prompt, error) {
	h, err := newStepHistory(w, compat)
	if err != nil {
		return nil, err
	}
	out := &Prompt{Steps: true, Last: -1}
	var before, layer []steps.Summary // at the last compaction
	from := 0
	for _, to := range append(in.s.stepEnds(at), at) {
		if err := in.s.appendSteps(ctx, h, from, to); err != nil {
			return nil, err
		}
		from = to
		if now := h.Layer(); !sameLayer(now, layer) {
			before, layer = layer, now
			out.Firings, out.Last = out.Firings+1, to
		}
	}
	out.Text = h.Text()
	for _, s := range layer {
		e := PromptEntry{Role: "summary", Text: s.Summary, Number: s.StartStep, To: s.EndStep}
		e.Changed = !slices.ContainsFunc(before, func(o steps.Summary) bool { return o.Summary == s.Summary })
		out.Entries = append(out.Entries, e)
	}
	for _, r := range h.Steps() {
		out.Entries = append(out.Entries, PromptEntry{Role: "step", Text: strings.TrimRight(r.Text, "\n"), Number: r.Number})
	}
	return out, nil
}

func sameLayer(a, b []steps.Summary) bool {
	return slices.EqualFunc(a, b, func(x, y steps.Summary) bool { return x.Summary == y.Summary })
}

// stepEnds are the positions before at at which a step is over.
func (t *CountedThread) stepEnds(at int) []int {
	var out []int
	for i := 1; i < at; i++ {
		if !t.insideStep(i) {
			out = append(out, i)
		}
	}
	return out
}
