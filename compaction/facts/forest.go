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
		s[f] = uint8(min(255, math.Round(max(0, e[f]*steps[f]))))
	}
	return s
}

// Chance is how likely the agent is to need a fact. The answers are computed without a
// branch: they are as good as random, and a processor guesses them wrongly half of the time.
func (f *Forest) Chance(s *Steps) float64 {
	var of [64]uint8 // as long as the mask below, so that no index is checked
	copy(of[:], s[:])
	z := f.base
	for i := range f.tables {
		t := &f.tables[i]
		entry := above(of[t.feature[0]&63], t.above[0]) |
			above(of[t.feature[1]&63], t.above[1])<<1 |
			above(of[t.feature[2]&63], t.above[2])<<2
		z += float64(t.entries[entry])
	}
	return 1 / (1 + math.Exp(-z))
}

// above is 1 where a is more than b.
func above(a, b uint8) uint8 { return uint8((uint32(b) - uint32(a)) >> 31) }

// Score makes a score of a forest.
func (f *Forest) Score() Score {
	return Score{Chances: true, Of: func(x *Index, c Change) func(ID) float64 {
		o := x.outlook(&c)
		return func(id ID) float64 {
			var e Evidence
			o.evidence(id, &e)
			s := e.Steps()
			return f.Chance(&s)
		}
	}}
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
	return t, nil
}

//go:embed forest.txt
var forestFile string

// Fitted is the forest that the ledger uses, which compaction/facts/fit learned. It is read
// when first asked for: most verbs need none.
var Fitted = sync.OnceValue(func() *Forest {
	f, err := ParseForest(forestFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return f
})
