package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// mostAdvised bounds the sessions: each is replayed about two hundred times. Those
// with the lowest hashes of their names take part.
const mostAdvised = 64

// against is how the suggestions did beside one preset.
type against struct {
	name    string
	policy  model.Policy
	points  []float64 // recall over the preset's on needs not seen, a session each
	input   []float64 // total input over the preset's
	none    int       // sessions with no suggestion
	thrash  int       // the preset fires again at once
	forgets int       // the preset loses a standing order
}

// advice has the person of each session use a preset and ask for suggestions. They
// are chosen on one half of the session's facts; the one that keeps the most
// for no more input than the preset sends is judged on the other half.
func advice(ctx context.Context, root string) (string, error) {
	rows := []*against{{name: "Balanced", policy: compaction.Default()}}
	for _, l := range compaction.LookAlikes() {
		rows = append(rows, &against{name: l.Title, policy: l.Policy})
	}
	chosen, err := advisable(ctx, root)
	if err != nil {
		return "", err
	}
	n, projects := 0, map[string]bool{}
	err = each(ctx, root, func(t *model.Thread) bool { return t.Kind == model.ThreadMain && len(t.History) > 20 },
		func(name, project string, s *session.Session) error {
			if !chosen[name] {
				return nil
			}
			took, err := oneBeside(ctx, s, rows)
			if took {
				n++
				projects[project] = true
			}
			fmt.Fprintln(os.Stderr, name, took)
			return err
		})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d sessions of %d projects with %s tokens or more, context window %s.\n\n", n, len(projects),
		thousands(leastSize), thousands(halfWindow))
	b.WriteString("| in use | sessions | Safer over it: needed later, on facts not seen (mean, 95 % interval) | total input (median) " +
		"| at least as good | nothing suggested | it fires again at once | it loses a standing order |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		b.WriteString(r.row())
	}
	return b.String(), nil
}

// advisable names the files of the sessions that take part.
func advisable(ctx context.Context, root string) (map[string]bool, error) {
	type file struct {
		name string
		hash uint64
	}
	var list []file
	err := each(ctx, root, func(t *model.Thread) bool { return t.Kind == model.ThreadMain && len(t.History) > 20 },
		func(name, _ string, s *session.Session) error {
			if h := s.History(); h.Before(h.Len()) >= leastSize {
				f := fnv.New64a()
				f.Write([]byte(name))
				list = append(list, file{name, f.Sum64()})
			}
			return nil
		})
	slices.SortFunc(list, func(a, b file) int {
		return strings.Compare(fmt.Sprintf("%016x", a.hash), fmt.Sprintf("%016x", b.hash))
	})
	out := map[string]bool{}
	for _, f := range list[:min(mostAdvised, len(list))] {
		out[f.name] = true
	}
	return out, err
}

// oneBeside adds one session to the rows; false where too little was needed again.
func oneBeside(ctx context.Context, s *session.Session, rows []*against) (bool, error) {
	if _, err := s.Insight.Facts(ctx, nil); err != nil {
		return false, err
	}
	var others [][]model.Policy
	for _, r := range rows {
		p := s.Adapt(r.policy)
		p.Window, p.Fixed, p.Reserve = halfWindow, 0, 0
		others = append(others, []model.Policy{p})
	}
	found, err := replay.SuggestBeside(ctx, []replay.Subject{s.Insight.Subject(others[0][0], true)}, others[1:], replay.SweepOptions{
		Judge: func(ctx context.Context, _ int, firings []replay.Firing) (replay.Judged, error) {
			j, err := s.Insight.Judge(ctx, firings)
			seen := j.Halves[0]
			j.Needs, j.Met, j.Halves = 2*seen.Needs, 2*seen.Met, [2]replay.Met{seen, seen}
			return j, err
		}})
	if err != nil {
		return false, err
	}
	took := false
	for i, a := range found {
		theirs, err := replayed(ctx, s, a.Now.Policy[0])
		if err != nil {
			return false, err
		}
		const least = replay.NeedsToCount / 2
		if theirs.Halves[1].Needs < least {
			continue
		}
		took = true
		if len(a.Suggestions) == 0 || a.Suggestions[0].Aim != replay.Safer {
			rows[i].none++
			continue
		}
		ours, err := replayed(ctx, s, a.Suggestions[0].Policy[0])
		if err != nil {
			return false, err
		}
		if ours.Halves[1].Needs >= least {
			rows[i].add(ours, theirs)
		}
	}
	return took, nil
}

// replayed is a session under a policy, judged on all of its facts.
func replayed(ctx context.Context, s *session.Session, p model.Policy) (r replay.Result, err error) {
	tl, err := s.Insight.Replay(ctx, p, true)
	if err != nil {
		return r, err
	}
	r.Totals = tl.Totals
	r.Judged, err = s.Insight.Judge(ctx, tl.Firings)
	return r, err
}

func (r *against) add(ours, theirs replay.Result) {
	r.points = append(r.points, ours.Halves[1].Share()-theirs.Halves[1].Share())
	r.input = append(r.input, float64(ours.Input)/float64(theirs.Input))
	if theirs.Thrash > 0 {
		r.thrash++
	}
	if theirs.LastingKept < theirs.Lasting {
		r.forgets++
	}
}

func (r *against) row() string {
	n := len(r.points)
	if n == 0 {
		return fmt.Sprintf("| %s | 0 | – | – | – | %d | – | – |\n", r.name, r.none)
	}
	average := func(v []float64) (m float64) {
		for _, x := range v {
			m += x / float64(len(v))
		}
		return m
	}
	rnd := rand.New(rand.NewPCG(8, 2026))
	var means []float64
	for range splits {
		drawn := make([]float64, n)
		for i := range drawn {
			drawn[i] = r.points[rnd.IntN(n)]
		}
		means = append(means, average(drawn))
	}
	good := 0
	for _, x := range r.points {
		if x >= 0 {
			good++
		}
	}
	return fmt.Sprintf("| %s | %d | %+.1f points (%+.1f … %+.1f) | %+.0f %% | %d | %d | %d | %d |\n", r.name, n, 100*average(r.points),
		100*quantile(means, .025), 100*quantile(means, .975), math.Round(100*quantile(r.input, .5)-100), good, r.none, r.thrash, r.forgets)
}
