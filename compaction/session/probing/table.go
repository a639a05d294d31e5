package probing

import (
	"math/rand/v2"
	"slices"

	"palimpsest/compaction/probe"
)

// A difference is told of so many sessions and questions, and not of fewer.
const (
	LeastSessions  = 10
	LeastQuestions = 200
)

// Tally counts marks.
type Tally struct {
	Right   int `json:"right"`
	Wrong   int `json:"wrong"`
	Unknown int `json:"unknown"`
}

func (t *Tally) add(m probe.Mark) {
	switch m {
	case probe.Right:
		t.Right++
	case probe.Wrong:
		t.Wrong++
	default:
		t.Unknown++
	}
}

// All is how many there are.
func (t Tally) All() int { return t.Right + t.Wrong + t.Unknown }

// Share is the share that was right; 0 of none.
func (t Tally) Share() float64 { return float64(t.Right) / float64(max(1, t.All())) }

// Interval is a difference of shares, each kind counting the same, with its 95 % interval over
// sessions.
type Interval struct {
	Mean      float64 `json:"mean"`
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Questions int     `json:"questions"`
	Sessions  int     `json:"sessions"`
}

// Row is one side over all sessions.
type Row struct {
	Side   string               `json:"side"`
	Cuts   int                  `json:"cuts"`
	Tokens int                  `json:"tokens"` // of its text, on average
	Share  float64              `json:"share"`  // of right answers, each kind counting the same
	Points float64              `json:"points"` // likewise: 1 for a right answer, −½ for a wrong one
	Of     Tally                `json:"answered"`
	Kinds  map[probe.Kind]Tally `json:"kinds"`
	Kept   Tally                `json:"kept_window"` // questions that the kept window answers by itself; not in the others
	Less   *Interval            `json:"difference"`  // to the first setting, question by question; nil: too few, or it is that one
}

// Table compares the sides of several sessions; first is the setting that the others are
// compared with.
func Table(list []*Probe, first string) []Row {
	var rows []Row
	for _, p := range list {
		for i := range p.Cuts {
			for _, s := range p.Cuts[i].Sides {
				if s.Why != "" {
					continue
				}
				k := slices.IndexFunc(rows, func(r Row) bool { return r.Side == s.Name })
				if k < 0 {
					k = len(rows)
					rows = append(rows, Row{Side: s.Name, Kinds: map[probe.Kind]Tally{}})
				}
				rows[k].Cuts++
				rows[k].Tokens += s.Tokens
				rows[k].count(&p.Cuts[i])
			}
		}
	}
	for k := range rows {
		r := &rows[k]
		r.Tokens /= r.Cuts
		for _, kind := range probe.Kinds { // in order: sums of fractions are the same each time
			if t := r.Kinds[kind]; t.All() > 0 {
				r.Share += t.Share() / float64(len(r.Kinds))
				r.Points += (float64(t.Right) - float64(t.Wrong)/2) / float64(t.All()) / float64(len(r.Kinds))
			}
		}
		if r.Side != first {
			r.Less = compared(list, r.Side, first)
		}
	}
	return rows
}

// count adds the answers of the side at a cut.
func (r *Row) count(c *Cut) {
	for k := range c.Questions {
		q := &c.Questions[k]
		reply, ok := q.Replies[r.Side]
		switch {
		case !ok:
		case q.Kept:
			r.Kept.add(reply.Mark)
		default:
			r.Of.add(reply.Mark)
			of := r.Kinds[q.Kind]
			of.add(reply.Mark)
			r.Kinds[q.Kind] = of
		}
	}
}

// sum is how many more right answers one side has than another, of so many questions.
type sum struct{ more, all float64 }

// compared is by how much a side has more right answers than another one, over the questions
// that both were asked. Sessions are drawn again and again for the interval.
func compared(list []*Probe, side, other string) *Interval {
	var of []map[probe.Kind]sum // by session
	x := &Interval{}
	for _, p := range list {
		s := map[probe.Kind]sum{}
		for i := range p.Cuts {
			for _, q := range p.Cuts[i].Questions {
				one, there := q.Replies[side]
				two, too := q.Replies[other]
				if !there || !too || q.Kept {
					continue
				}
				t := s[q.Kind]
				t.all++
				x.Questions++
				if one.Mark == probe.Right {
					t.more++
				}
				if two.Mark == probe.Right {
					t.more--
				}
				s[q.Kind] = t
			}
		}
		if len(s) > 0 {
			of = append(of, s)
		}
	}
	if x.Sessions = len(of); x.Sessions < LeastSessions || x.Questions < LeastQuestions {
		return nil
	}
	x.Mean = mean(of)
	const draws = 2000
	r := rand.New(rand.NewPCG(1, 2)) // the same table each time
	means := make([]float64, draws)
	picked := make([]map[probe.Kind]sum, len(of))
	for i := range means {
		for k := range picked {
			picked[k] = of[r.IntN(len(of))]
		}
		means[i] = mean(picked)
	}
	slices.Sort(means)
	x.From, x.To = means[draws/40], means[draws-1-draws/40]
	return x
}

// mean is the mean over the kinds of what sessions come to.
func mean(of []map[probe.Kind]sum) (all float64) {
	kinds := 0.0
	for _, kind := range probe.Kinds {
		var s sum
		for i := range of {
			s.more, s.all = s.more+of[i][kind].more, s.all+of[i][kind].all
		}
		if s.all > 0 {
			all, kinds = all+s.more/s.all, kinds+1
		}
	}
	return all / kinds
}
