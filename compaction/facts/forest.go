package facts

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Forest is the chance that an agent needs a fact, learned from sessions that are
// over: a sum of small tables. A table asks some questions, the same of every fact
// (is the share of facts beside it that were used above 0.2?); the answers are the
// number of its entry, which is added to the sum z. The chance is 1 / (1 + e^−z).
//
//	questions of a table    used > 1.4   age > 3.2   beside used > 0.2
//	answers                      1           0              1           → entry 5
//	entries                 -0.31 … +0.42 …
//
// It is data, read from forest.txt, and can be read by people: a line a table.
type Forest struct {
	base   float64
	tables []table
}

// questions is how many each table asks.
const questions = 3

// table is one term of the sum.
type table struct {
	feature [questions]uint8
	above   [questions]uint8 // in steps of the feature
	entries [1 << questions]float32

	add [questions]uint64 // what is added to the steps of some facts, see chances
}

// steps is how many steps of a feature are one: evidence is compared in whole
// steps, from 0 to 255.
var steps = [Features]float64{
	Times: 30, Used: 40, Asked: 60, Returns: 60, Age: 30, AgeOfUse: 30, Fresh: 50, Near: 100, Parts: 100, FromPerson: 1, FromAgent: 1,
	LastRequest: 1, Length: 30, OfPath: 1, OfURL: 1, OfNumber: 1, OfCommand: 1, OfError: 1, OfQuoted: 1, OfInstruction: 1, OfDecision: 1,
	Burst: 60, ByTools: 30, FirstAge: 30, Hot: 200, HotMost: 200, Density: 25, Place: 100, BesideUsed: 24, BesideStays: 24, LastShows: 1,
	LastAgent: 1, LastFailed: 1, EditedTimes: 60, PlannedNow: 1, Kin: 40, BaseStays: 1, Segments: 10, Figures: 100, Capitals: 100,
	SinceAsked: 25, Different: 20, NearLast: 100,
}

// Steps is evidence in whole steps.
type Steps [Features]uint8

// Steps rounds evidence as tables compare it.
func (e *Evidence) Steps() (s Steps) {
	for f := range e {
		s[f] = uint8(min(255, max(0, e[f]*steps[f])+.5))
	}
	return s
}

// Chance is how likely the agent is to need a fact.
func (f *Forest) Chance(s *Steps) float64 {
	return f.chances(&[lanes]Steps{*s})[0]
}

// lanes is how many facts are asked at once: each has 16 bits of a number.
//
//	a step x         0 … 255
//	x + 0x7fff − a   the highest bit is set where x is above a
const lanes = 4

// eachLane is a one in each of them.
const eachLane = 1 | 1<<16 | 1<<32 | 1<<48

// ask prepares the questions of a table.
func (t *table) ask() {
	for q, a := range t.above {
		t.add[q] = (0x7fff - uint64(a)) * eachLane
	}
}

// chances are those of some facts. The answers are computed without a branch: they are as
// good as random, and a processor guesses them wrongly half of the time.
func (f *Forest) chances(s *[lanes]Steps) (z [lanes]float64) {
	var of [64]uint64 // as long as the mask below, so that no index is checked
	for k := range s[0] {
		of[k] = uint64(s[0][k]) | uint64(s[1][k])<<16 | uint64(s[2][k])<<32 | uint64(s[3][k])<<48
	}
	z0, z1, z2, z3 := f.base, f.base, f.base, f.base
	for i := range f.tables {
		t := &f.tables[i]
		entry := (of[t.feature[0]&63]+t.add[0])>>15&eachLane |
			(of[t.feature[1]&63]+t.add[1])>>14&(eachLane<<1) |
			(of[t.feature[2]&63]+t.add[2])>>13&(eachLane<<2)
		z0 += float64(t.entries[entry&7])
		z1 += float64(t.entries[entry>>16&7])
		z2 += float64(t.entries[entry>>32&7])
		z3 += float64(t.entries[entry>>48&7])
	}
	z = [lanes]float64{z0, z1, z2, z3}
	for i := range z {
		z[i] = 1 / (1 + math.Exp(-z[i]))
	}
	return z
}

// Score makes a score of a forest.
func (f *Forest) Score() Score { return scoreOf(func() *Forest { return f }) }

func scoreOf(forest func() *Forest) Score {
	return Score{Chances: true, forest: forest, Of: func(x *Index, c Change) func(ID) float64 {
		o, f := x.outlook(&c), forest()
		return func(id ID) float64 {
			s := o.steps(id)
			return f.Chance(&s)
		}
	}}
}

// steps is what is known of a fact.
func (o *outlook) steps(id ID) Steps {
	var e Evidence
	o.evidence(id, &e)
	return e.Steps()
}

// all scores facts that a change takes away.
func (s *Score) all(x *Index, c *Change, ids []ID) []float64 {
	out := make([]float64, len(ids))
	if s.forest == nil {
		of := s.Of(x, *c)
		for i, id := range ids {
			out[i] = of(id)
		}
		return out
	}
	o, f := x.outlook(c), s.forest()
	var list [lanes]Steps
	for i := 0; i < len(ids); i += lanes {
		for k, id := range ids[i:min(i+lanes, len(ids))] {
			list[k] = o.steps(id)
		}
		chances := f.chances(&list)
		copy(out[i:], chances[:])
	}
	return out
}

// Table is one term of a forest as it is learned.
type Table struct {
	Features [questions]Feature
	Above    [questions]uint8
	Entries  [1 << questions]float64
}

// Questions is how many a [Table] asks.
const Questions = questions

// NewForest makes a forest of tables.
func NewForest(base float64, tables []Table) *Forest {
	f := &Forest{base: base, tables: make([]table, len(tables))}
	for i, t := range tables {
		for q := range questions {
			f.tables[i].feature[q], f.tables[i].above[q] = uint8(t.Features[q]), t.Above[q]
		}
		for k, v := range t.Entries {
			f.tables[i].entries[k] = float32(math.Round(v*1e4) / 1e4)
		}
		f.tables[i].ask()
	}
	return f
}

// String writes a forest, a line a table: its questions, then its entries.
func (f *Forest) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "base %.4f\n", f.base)
	for i := range f.tables {
		t := &f.tables[i]
		for q := range questions {
			name := strings.ReplaceAll(Feature(t.feature[q]).String(), " ", "-")
			fmt.Fprintf(&b, "%s>%.4g ", name, (float64(t.above[q])+.5)/steps[t.feature[q]])
		}
		b.WriteString(":")
		for _, v := range t.entries {
			fmt.Fprintf(&b, " %.4g", v)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ParseForest reads what [Forest.String] writes.
func ParseForest(text string) (*Forest, error) {
	f := &Forest{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case len(fields) == 2 && fields[0] == "base":
			v, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				return nil, fmt.Errorf("facts: base of a forest: %w", err)
			}
			f.base = v
		default:
			t, err := parseTable(fields)
			if err != nil {
				return nil, fmt.Errorf("facts: table %d of a forest: %w", len(f.tables)+1, err)
			}
			f.tables = append(f.tables, t)
		}
	}
	return f, nil
}

// featureNamed finds features by their names in a forest.
var featureNamed = func() map[string]Feature {
	out := map[string]Feature{}
	for f, n := range featureNames {
		out[strings.ReplaceAll(n, " ", "-")] = Feature(f)
	}
	return out
}()

func parseTable(fields []string) (t table, err error) {
	if len(fields) != questions+1+1<<questions || fields[questions] != ":" {
		return t, fmt.Errorf("%d fields", len(fields))
	}
	for q := range questions {
		name, above, _ := strings.Cut(fields[q], ">")
		feature, ok := featureNamed[name]
		if !ok {
			return t, fmt.Errorf("there is no feature %q", name)
		}
		v, err := strconv.ParseFloat(above, 64)
		if err != nil {
			return t, err
		}
		t.feature[q], t.above[q] = uint8(feature), uint8(math.Round(v*steps[feature]-.5))
	}
	for k := range t.entries {
		v, err := strconv.ParseFloat(fields[questions+1+k], 32)
		if err != nil {
			return t, err
		}
		t.entries[k] = float32(v)
	}
	t.ask()
	return t, nil
}

//go:embed forest.txt
var forestFile string

// Fitted is the forest that the ledger uses, which internal/lab/fit learned. It is read
// when first asked for: most verbs need none.
var Fitted = sync.OnceValue(func() *Forest {
	f, err := ParseForest(forestFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return f
})
