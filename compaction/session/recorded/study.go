package recorded

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// Study gathers what the compactions of many sessions come to. The same
// compaction in two files (a session that was copied, or is carried on in another
// file) counts once. The zero value is an empty study; it is for one goroutine.
type Study struct {
	seen     map[uint64]bool
	sessions []studied
	states   map[State]int
	tools    map[string]bool
	projects map[string]bool
}

// Of says what a file is, for a study.
type Of struct {
	Session string // its name, for the table
	Tool    string // the program that wrote it: its format
	Project string // the folder it worked in; "": unknown
}

// studied are the pages of one session that count.
type studied struct {
	Of
	pages []Page
}

// Add takes the pages of a file into the study.
func (st *Study) Add(of Of, f *File) {
	if st.seen == nil {
		st.seen, st.states = map[uint64]bool{}, map[State]int{}
		st.tools, st.projects = map[string]bool{}, map[string]bool{}
	}
	s := studied{Of: of}
	for i := range f.Pages {
		p := f.Pages[i]
		h := fnv.New64a()
		h.Write([]byte(p.Columns[Theirs].Text))
		if key := h.Sum64(); p.State == Readable {
			if st.seen[key] {
				continue
			}
			st.seen[key] = true
		}
		st.states[p.State]++
		if p.State == Readable && len(p.Rows) >= FewRows {
			s.pages = append(s.pages, p)
		}
	}
	if len(s.pages) > 0 {
		st.sessions = append(st.sessions, s)
		st.tools[of.Tool] = true
		if of.Project != "" {
			st.projects[of.Project] = true
		}
	}
}

// Result is what a study comes to. Means are over compactions that can be read and
// have [FewRows] rows or more.
type Result struct {
	Compactions, Sessions, Tools, Projects int
	States                                 map[State]int // of all compactions that were looked at
	All                                    Tally         // pooled
	Columns                                [Columns]Spread
	Wins                                   [Columns]Wins // against theirs
	By                                     []Group       // tools and projects, by name
}

// Group is a tool or a project in a study.
type Group struct {
	Tool, Project string // one of them is empty
	Compactions   int
	Sessions      int
	Columns       [Columns]Spread
}

// Spread is a mean over compactions, their standard deviation, and an interval
// that holds the mean in 95 of 100 drawings of the sessions with replacement.
type Spread struct {
	N          int     `json:"n"`
	Mean       float64 `json:"mean"`
	SD         float64 `json:"deviation"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Difference float64 `json:"difference"`     // mean distance to theirs
	DiffLow    float64 `json:"difference_low"` // its interval
	DiffHigh   float64 `json:"difference_high"`
}

// Wins counts the compactions in which a column has a larger, an equal and a
// smaller share than theirs.
type Wins struct{ Won, Tied, Lost int }

// draws is how many drawings an interval rests on.
const draws = 2000

// Result sums the study up. The same seed gives the same intervals.
func (st *Study) Result(seed uint64) Result {
	r := Result{Sessions: len(st.sessions), Tools: len(st.tools), Projects: len(st.projects), States: st.states}
	for i := range st.sessions {
		for k := range st.sessions[i].pages {
			r.Compactions++
			r.All.Add(&st.sessions[i].pages[k].Tally)
		}
	}
	r.Columns = spreads(st.sessions, seed)
	r.Wins = wins(st.sessions)
	r.By = st.groups(seed)
	return r
}

// groups are the tools, then the projects.
func (st *Study) groups(seed uint64) []Group {
	var out []Group
	of := func(names map[string]bool, name func(*Of) string, group func(string) Group) {
		var list []string
		for n := range names {
			list = append(list, n)
		}
		slices.Sort(list)
		for _, n := range list {
			var in []studied
			for i := range st.sessions {
				if name(&st.sessions[i].Of) == n {
					in = append(in, st.sessions[i])
				}
			}
			g := group(n)
			g.Sessions, g.Columns = len(in), spreads(in, seed)
			for i := range in {
				g.Compactions += len(in[i].pages)
			}
			out = append(out, g)
		}
	}
	of(st.tools, func(o *Of) string { return o.Tool }, func(n string) Group { return Group{Tool: n} })
	of(st.projects, func(o *Of) string { return o.Project }, func(n string) Group { return Group{Project: n} })
	return out
}

// spreads measures the columns over sessions.
func spreads(sessions []studied, seed uint64) (out [Columns]Spread) {
	for c := range out {
		out[c] = spread(sessions, Column(c), seed)
	}
	return out
}

// sums are those of one session.
type sums struct{ n, share, square, difference float64 }

func (s *sums) add(o sums) {
	s.n, s.share, s.square, s.difference = s.n+o.n, s.share+o.share, s.square+o.square, s.difference+o.difference
}

func spread(sessions []studied, c Column, seed uint64) (out Spread) {
	var list []sums
	var all sums
	for i := range sessions {
		var s sums
		for k := range sessions[i].pages {
			t := &sessions[i].pages[k].Tally
			if share, ok := t.Of[c].Share(); ok {
				theirs, _ := t.Of[Theirs].Share()
				s.add(sums{1, share, share * share, share - theirs})
			}
		}
		if s.n > 0 {
			list = append(list, s)
			all.add(s)
		}
	}
	if all.n == 0 {
		return out
	}
	out.N, out.Mean, out.Difference = int(all.n), all.share/all.n, all.difference/all.n
	out.SD = math.Sqrt(max(0, all.square/all.n-out.Mean*out.Mean))
	random := rand.New(rand.NewPCG(seed, uint64(c)<<8))
	means, differences := make([]float64, draws), make([]float64, draws)
	for d := range draws {
		var s sums
		for range list {
			s.add(list[random.IntN(len(list))])
		}
		means[d], differences[d] = s.share/s.n, s.difference/s.n
	}
	out.Low, out.High = interval(means)
	out.DiffLow, out.DiffHigh = interval(differences)
	return out
}

// interval is what 95 of 100 of the figures are within.
func interval(of []float64) (low, high float64) {
	slices.Sort(of)
	return of[len(of)*25/1000], of[len(of)*975/1000]
}

func wins(sessions []studied) (out [Columns]Wins) {
	for i := range sessions {
		for k := range sessions[i].pages {
			t := &sessions[i].pages[k].Tally
			theirs, ok := t.Of[Theirs].Share()
			if !ok {
				continue
			}
			for c := range out {
				ours, _ := t.Of[c].Share()
				switch w := &out[c]; {
				case ours > theirs:
					w.Won++
				case ours < theirs:
					w.Lost++
				default:
					w.Tied++
				}
			}
		}
	}
	return out
}
