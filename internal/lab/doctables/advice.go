package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Each session has a context window that suits it, so that it is compacted a few times
// and single messages fill little of the window.
const (
	leastAdvised = 100_000 // tokens of a session from which it takes part
	windowShare  = 3       // a window holds a third of the session,
	windowHolds  = 4       // but at least so many messages of the size of its largest one;
	mostWindow   = 2       // where that is more than half of the session, it takes no part
	windowStep   = 10_000  // tokens to which a window is rounded up
)

// windowOf is the context window for a session; 0: it takes no part.
func windowOf(h *compaction.History) int {
	total, largest := h.Before(h.Len()), int64(0)
	for i := range h.Len() {
		largest = max(largest, h.Before(i+1)-h.Before(i))
	}
	w := (max(total/windowShare, windowHolds*largest) + windowStep - 1) / windowStep * windowStep
	if total < leastAdvised || w > total/mostWindow {
		return 0
	}
	return int(w)
}

// against is how the suggestions did beside one preset.
type against struct {
	name    string
	policy  model.Policy
	points  []float64               // recall over the preset's on needs not seen, a session each
	input   []float64               // total input over the preset's
	cost    []float64               // and the cost
	often   []float64               // how many calls lie between two firings
	none    map[replay.NoAdvice]int // sessions with no suggestion, by reason
	thrash  int                     // the preset fires again at once
	forgets int                     // the preset loses a standing order
}

// advice has the person of each session use a preset and ask for suggestions. They
// are chosen on one half of the session's facts; the one that keeps the most
// for no more input than the preset sends is judged on the other half.
func advice(ctx context.Context, root string) (string, error) {
	rows := []*against{{name: "Balanced", policy: compaction.Default()}}
	for _, l := range compaction.LookAlikes() {
		rows = append(rows, &against{name: l.Title, policy: l.Policy})
	}
	paths, names, err := allFiles(root)
	if err != nil {
		return "", err
	}
	n, projects := 0, map[string]bool{}
	err = eachOf(ctx, paths, names, func(t *model.Thread) bool { return t.Kind == model.ThreadMain && len(t.History) > 20 },
		func(name, project string, s *session.Session) error {
			window := windowOf(s.History())
			if window == 0 {
				return nil
			}
			took, err := oneBeside(ctx, s, window, rows)
			if took {
				n++
				projects[project] = true
			}
			fmt.Fprintln(os.Stderr, n, name)
			return err
		})
	if err != nil {
		return "", err
	}
	return adviceTable(rows, n, len(projects)), nil
}

func adviceTable(rows []*against, n, projects int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d sessions of %d projects with %s tokens or more, each with a model limit of a third of it, or of %d times its "+
		"largest message where that is more.\n\n", n, projects, thousands(leastAdvised), windowHolds)
	b.WriteString("| in use | sessions | Safer over it: needed later, on facts not seen (mean, 95 % interval) | total input (median) " +
		"| cost (median) | calls a firing (median) | at least as good | " +
		"nothing suggested: all fire again at once or overflow | all lose a standing order | none better " +
		"| too few needs " +
		"| it fires again at once | it loses a standing order |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		b.WriteString(r.row())
	}
	return b.String()
}

// oneBeside adds one session to the rows; false where too little was needed again.
func oneBeside(ctx context.Context, s *session.Session, window int, rows []*against) (bool, error) {
	if _, err := s.Insight.Facts(ctx, nil); err != nil {
		return false, err
	}
	var others [][]model.Policy
	for _, r := range rows {
		p := s.Adapt(r.policy)
		p.Window, p.Fixed, p.Reserve = window, 0, 0
		others = append(others, []model.Policy{p})
	}
	found, err := replay.SuggestBeside(ctx, []replay.Subject{s.Insight.Subject(others[0][0], true)}, others[1:], replay.SweepOptions{
		Judge: func(ctx context.Context, _ int, firings []replay.Firing) (replay.Judged, error) {
			j, err := s.Insight.Judge(ctx, firings)
			seen, held := j.Halves[0], j.Halves[1]
			j.Needs, j.Met, j.Halves = 2*seen.Needs, 2*seen.Met, [2]replay.Met{seen, seen}
			j.Gone, j.Standing = held.Needs, held.Met // no choice asks for these: see held
			return j, err
		}})
	if err != nil {
		return false, err
	}
	took := false
	for i, a := range found {
		theirs := &a.Now.Results[0]
		const least = replay.NeedsToCount / 2
		if held(theirs).Needs < least {
			continue
		}
		took = true
		if len(a.Suggestions) == 0 || a.Suggestions[0].Aim != replay.Safer {
			if rows[i].none == nil {
				rows[i].none = map[replay.NoAdvice]int{}
			}
			rows[i].none[a.Why]++
		} else if ours := &a.Suggestions[0].Results[0]; held(ours).Needs >= least {
			rows[i].add(ours, theirs)
		}
	}
	return took, nil
}

// held is the half of the needs that no suggestion was chosen by.
func held(r *replay.Result) replay.Met { return replay.Met{Needs: r.Gone, Met: r.Standing} }

func (r *against) add(ours, theirs *replay.Result) {
	r.points = append(r.points, held(ours).Share()-held(theirs).Share())
	r.input = append(r.input, float64(ours.Input)/float64(theirs.Input))
	r.cost = append(r.cost, ours.Cost/theirs.Cost)
	r.often = append(r.often, float64(ours.Calls)/float64(ours.Firings))
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
		return fmt.Sprintf("| %s | 0 | – | – | – | – | – | %s | – | – |\n", r.name, r.refused())
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
	return fmt.Sprintf("| %s | %d | %+.1f points (%+.1f … %+.1f) | %+.0f %% | %+.0f %% | %.0f | %d | %s | %d | %d |\n", r.name, n,
		100*average(r.points), 100*quantile(means, .025), 100*quantile(means, .975),
		math.Round(100*quantile(r.input, .5)-100), math.Round(100*quantile(r.cost, .5)-100),
		quantile(r.often, .5), good,
		r.refused(), r.thrash, r.forgets)
}

// refused counts the sessions without a suggestion, by reason.
func (r *against) refused() string {
	few := r.none[replay.FewNeeds] + r.none[replay.NeverFires]
	return fmt.Sprintf("%d | %d | %d | %d", r.none[replay.NoneRests], r.none[replay.NoneKeeps], r.none[replay.NoBetter], few)
}
