package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/steps"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Replay walks the whole history under a policy: what every call would have
// sent, and when it would have been compacted. Compactions that the file holds
// and applied records are left out. texts asks for the real summaries, made
// offline (see [Insight.Summarise]), else they are taken for the size that a
// plan expects of them.
func (in *Insight) Replay(ctx context.Context, p model.Policy, texts bool) (*replay.Timeline, error) {
	o := replay.Options{}
	if texts {
		o.Summarise, o.Context = in.Summarise, true
	}
	return replay.Run(ctx, in.s.History(), p, o)
}

// Summarise makes the real text of a firing of a replay, offline whatever the
// session's summaries are made with: for a model's words those of [StandIn]. It
// is a [replay.Summariser].
func (in *Insight) Summarise(ctx context.Context, pl *compaction.Plan, former func(record string) string) (compaction.Text, error) {
	w, write := summariser{s: in.s, former: former, memory: &in.memory}, summarise(summarize.Make)
	if pl.Policy.Strategy.Asks() {
		write = w.standIn(pl)
	}
	return w.write(ctx, pl, write)
}

// Subject is the session as one of a sweep's histories.
func (in *Insight) Subject(p model.Policy, texts bool) replay.Subject {
	sub := replay.Subject{Name: in.s.file.Title(in.s.ref.Conversation), History: in.s.History(), Policy: p,
		Rates: tokens.RatesFor(in.s.Model())}
	if texts {
		sub.Summarise = in.Summarise
	}
	return sub
}

// Subjects are several sessions as the histories of a sweep, each with its own
// policy; beside them what judges their facts.
func Subjects(sessions []*Session, policies []model.Policy, texts bool) ([]replay.Subject, replay.SweepOptions) {
	subjects := make([]replay.Subject, len(sessions))
	for i, s := range sessions {
		subjects[i] = s.Insight.Subject(policies[i], texts)
	}
	return subjects, replay.SweepOptions{Judge: func(ctx context.Context, subject int, firings []replay.Firing) (replay.Judged, error) {
		return sessions[subject].Insight.Judge(ctx, firings)
	}}
}

// Suggest tries settings around the policies of several sessions, one each, with
// real summaries and without a model, and returns those that are better. progress,
// if not nil, gets how many replays of how many are done; it is called from
// several goroutines, one at a time.
func Suggest(ctx context.Context, sessions []*Session, policies []model.Policy, progress func(done, total int)) (*replay.Advice, error) {
	subjects, o := Subjects(sessions, policies, true)
	o.Progress = progress
	return replay.Suggest(ctx, subjects, o)
}

// ResultOf is a replay of the session as a sweep has it; needed is nil where it is not known.
func ResultOf(s *Session, tl *replay.Timeline, needed *Needed) replay.Result {
	r := replay.Result{Totals: tl.Totals, Cost: tl.Totals.CostAt(tokens.RatesFor(s.Model()))}
	if needed != nil {
		r.Facts, r.Judged = true, replay.Judged{Needs: needed.Needs.Needs, Met: needed.Met}
	}
	return r
}

// Side is one of two things that are compared: a policy, a draft, or the run as the file
// holds it.
type Side struct {
	Plan     *compaction.Plan // what it would do to the live list now
	Timeline *replay.Timeline // what it would have done all along, with real summaries
	Needed   *Needed          // what was needed later; nil where the facts are not indexed

	Draft    *Draft          // with the text of the plan's summary; nil: a model is to write it, or there is none
	Survival *facts.Survival // of the plan, with that text if it is there; nil as Needed
	After    *Needed         // what was needed after it; nil as Needed, or where nothing follows
	Recorded bool            // it is what the file holds: what was sent again is not known
}

// FateChange is an entry of the live list that two plans treat differently.
type FateChange struct {
	Entry   int   // of the plans' lines
	History int   // history position; -1: a summary or a copy, which has none
	Stored  int32 // index into the thread's messages; -1: the summary of a record
	A, B    model.Fate
	Tokens  int
}

// Comparison is two policies on one session.
type Comparison struct {
	A, B Side
	Rows []FateChange // in the order of the live list
}

// CompareSides compares two sides at the same place of one session.
func CompareSides(a, b Side) *Comparison {
	return &Comparison{A: a, B: b, Rows: fateChanges(a.Plan, b.Plan)}
}

// Side is a policy as a side, with the text of its summary unless a model is to write it.
// A plan that does not apply keeps everything. The index of facts is built if need be.
func (in *Insight) Side(ctx context.Context, p model.Policy, o compaction.Options) (Side, error) {
	if p.Strategy.Asks() {
		return in.side(ctx, p, in.s.Plan(p, o), nil)
	}
	dr, err := in.s.Draft(ctx, p, o, nil)
	if err != nil {
		return Side{}, err
	}
	return in.side(ctx, p, dr.Plan, dr)
}

// DraftSide is a draft as a side: now its plan and text, all along the policy that it was
// made with.
func (in *Insight) DraftSide(ctx context.Context, dr *Draft) (Side, error) {
	return in.side(ctx, dr.Plan.Policy, dr.Plan, dr)
}

func (in *Insight) side(ctx context.Context, p model.Policy, pl *compaction.Plan, dr *Draft) (x Side, err error) {
	x.Plan, x.Draft = pl, dr
	if x.Timeline, x.Needed, err = in.Live(ctx, p, true); err != nil {
		return Side{}, err
	}
	text := ""
	if dr != nil {
		text = dr.Text.Text
	}
	x.Survival, x.After = in.Survive(pl, text), in.NeededAfter(pl, text)
	return x, nil
}

// fateChanges walks the runs of two plans of the same live list side by side.
func fateChanges(a, b *compaction.Plan) []FateChange {
	var out []FateChange
	l := a.Line
	for i, j, at := 0, 0, 0; at < l.Len() && at < b.Line.Len(); {
		ra, rb := a.Runs.At(i), b.Runs.At(j)
		to := min(ra.To, rb.To)
		fa, fb := effective(a, ra.Fate), effective(b, rb.Fate)
		for ; at < to; at++ {
			if fa != fb {
				out = append(out, FateChange{at, l.History(at), l.Item(at).Msg, fa, fb, l.Tokens(at)})
			}
		}
		if ra.To == to {
			i++
		}
		if rb.To == to {
			j++
		}
	}
	return out
}

// effective is a fate under a plan: all is to stay when nothing is done.
func effective(p *compaction.Plan, f model.Fate) model.Fate {
	if p.Outcome == compaction.WouldApply || f == model.Pinned {
		return f
	}
	return model.Kept
}

// Prompt is what the history part of a request would hold under a policy: the
// text of a step history, or a list of messages.
type Prompt struct {
	Text    string // of a step history; else of the list, one message after the other
	Steps   bool   // it is a step history
	Entries []PromptEntry
	Firings int // compactions so far
	Last    int // history position of the last of them; -1: there was none

	history *steps.History // of a step history
	count   func(string) int
}

// PromptView is a part of a prompt. The zero value is all of it; of
// several fields the first that is set holds.
type PromptView struct {
	Summaries bool // the summaries alone
	Last      int  // the last so many steps or messages; 0: all
	Within    int  // as much as goes into so many tokens; 0: any number. Of step histories only.
}

// ErrViewOfSteps says that only a step history has such a view.
var ErrViewOfSteps = errors.New("only a step history is written within a number of tokens; a list of messages is kept short by the policy")

// View is a part of the prompt as text. A step that is not kept in full any more has a
// line in it.
func (p *Prompt) View(v PromptView) (string, error) {
	switch {
	case p.Steps && v.Summaries:
		return p.history.Summaries(), nil
	case p.Steps && v.Last > 0:
		return p.history.Last(v.Last), nil
	case p.Steps && v.Within > 0:
		return p.history.Within(v.Within, p.count)
	case v.Summaries:
		return listText(slices.DeleteFunc(slices.Clone(p.Entries), func(e PromptEntry) bool { return e.Number > 0 })), nil
	case v.Last > 0:
		return listText(p.Entries[max(0, len(p.Entries)-v.Last):]), nil
	case v.Within > 0:
		return "", ErrViewOfSteps
	}
	return p.Text, nil
}

// Report is the report of a run at its end: most is the number of steps that
// it was allowed, done whether its task was. ok is false where the prompt is no step
// history.
func (p *Prompt) Report(most int, done bool) (text string, ok bool) {
	if !p.Steps {
		return "", false
	}
	s := p.history.Stats()
	r := steps.Report{MaxSteps: most, ActualSteps: s.Summarised + s.Detail, Completed: done}
	return strings.TrimLeft(r.Text(p.history.Lang()), "\n"), true
}

func listText(entries []PromptEntry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "[%s]\n%s", e.Role, e.Text)
	}
	return b.String()
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
// compat matters to step histories only: see [newStepHistory].
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
		e.Changed = last != nil && (it.Msg < 0 && it.Record == last.Record || it.Cleared && pinned(last.Context.Cleared, e.Number-1))
		out.Entries = append(out.Entries, e)
	}
	out.Text = listText(out.Entries)
	return out, nil
}

// promptEntry is one message of the list.
func (in *Insight) promptEntry(it model.Item, texts map[string]string) (PromptEntry, error) {
	if it.Msg < 0 {
		return PromptEntry{Role: "system", Text: texts[it.Record]}, nil
	}
	m := &in.s.thread.Messages[it.Msg]
	e := PromptEntry{Role: m.Role.String()}
	if it.Cleared {
		e.Text = compaction.ClearedNote(in.s.Tokens(it.Msg))
		return e, nil
	}
	parts, err := in.s.parts(it.Msg)
	if err != nil {
		return e, fmt.Errorf("read a message: %w", err)
	}
	var lines []string
	for _, p := range parts {
		if p.Kind == model.PartCall {
			p.Text = p.Name + " " + p.Text
		}
		lines = append(lines, p.Text)
	}
	e.Text = strings.Join(lines, "\n")
	return e, nil
}

// stepPrompt is the prompt of a step history.
func (in *Insight) stepPrompt(ctx context.Context, w compaction.StepWindow, at int, compat bool) (*Prompt, error) {
	h, err := newStepHistory(in.s.CountedThread, w, compat, time.Time{})
	if err != nil {
		return nil, err
	}
	out := &Prompt{Steps: true, Last: -1, history: h, count: in.s.CountText}
	var before, layer []steps.Summary // at the last compaction
	from := 0
	for to := range at + 1 {
		if to < at && (to == 0 || insideStep(in.s.CountedThread, to)) {
			continue
		}
		if err := appendSteps(ctx, in.s.CountedThread, h, from, to); err != nil {
			return nil, err
		}
		from = to
		now := h.Layer()
		if !slices.EqualFunc(now, layer, func(x, y steps.Summary) bool { return x.Summary == y.Summary }) {
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
