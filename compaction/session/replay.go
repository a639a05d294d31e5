package session

import (
	"context"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
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
	w, write := summariser{s: in.s, former: former}, summarise(summarize.Make)
	if pl.Policy.Strategy.Asks() {
		write = w.standIn(pl)
	}
	return w.write(ctx, pl, write)
}

// Subject is the session as one of a sweep's histories.
func (in *Insight) Subject(p model.Policy, texts bool) replay.Subject {
	sub := replay.Subject{Name: in.s.file.Title(in.s.ref.Conversation), History: in.s.History(), Policy: p}
	if texts {
		sub.Summarise = in.Summarise
	}
	return sub
}

// Side is one of two policies that are compared.
type Side struct {
	Plan     *compaction.Plan // what it would do to the live list now
	Timeline *replay.Timeline // what it would have done all along, with real summaries
	Needed   *Needed          // what was needed later; nil while the facts are not indexed
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

// Compare plans and replays two policies. The plans are made with the options,
// on the live list of now; the replays walk the whole history. A plan that does
// not apply keeps everything.
func (in *Insight) Compare(ctx context.Context, a, b model.Policy, o compaction.Options) (*Comparison, error) {
	var sides [2]Side
	for i, p := range [2]model.Policy{a, b} {
		tl, err := in.Replay(ctx, p, true)
		if err != nil {
			return nil, err
		}
		sides[i] = Side{Plan: in.s.Plan(p, o), Timeline: tl, Needed: in.NeededLater(tl)}
	}
	return &Comparison{A: sides[0], B: sides[1], Rows: fateChanges(sides[0].Plan, sides[1].Plan)}, nil
}

// fateChanges walks the runs of two plans of the same live list side by side.
func fateChanges(a, b *compaction.Plan) []FateChange {
	var out []FateChange
	l := a.Line
	for i, j, at := 0, 0, 0; at < l.Len() && at < b.Line.Len(); {
		for a.Runs[i].To <= at {
			i++
		}
		for b.Runs[j].To <= at {
			j++
		}
		to := min(a.Runs[i].To, b.Runs[j].To)
		fa, fb := effective(a, i), effective(b, j)
		for ; at < to; at++ {
			if fa != fb {
				out = append(out, FateChange{at, l.History(at), l.Item(at).Msg, fa, fb, l.Tokens(at)})
			}
		}
	}
	return out
}

// effective is the fate of a run, which is to stay when nothing is done.
func effective(p *compaction.Plan, run int) model.Fate {
	if f := p.Runs[run].Fate; p.Outcome == compaction.WouldApply || f == model.Pinned {
		return f
	}
	return model.Kept
}
