package facts

import "palimpsest/model"

// Change is a compaction as far as facts are concerned. Runs are half-open
// ranges of history positions, ascending and disjoint.
type Change struct {
	At      int           // history position at which it happens: the messages before it have been
	Removed []model.Range // what goes: summarised, dropped, and results that are cleared
	Away    []string      // texts that go with them: former summaries that are merged
	Kept    []model.Range // what stands word for word
	Stands  []string      // texts that stand: summaries, system text outside the history, what is left of cleared results
}

// Tally counts the facts of one kind.
type Tally struct {
	Gone     int // different facts in what goes
	Standing int // of these, how many stand afterwards
}

// Survival says what a change leaves standing.
type Survival struct {
	Kinds [Kinds]Tally
	lost  []ID
	at    int
	index *Index
}

// Lost is a fact that no longer stands, with the places that held it.
type Lost struct {
	ID
	Fact
	Weight float64
	At     []int // history positions before the change, ascending, the last 16 at most
}

// Firing is one compaction of a history that went on. Firings are ordered by
// At; several may share one position.
type Firing = Change

// Recall counts needs. Add those of several histories to pool them.
type Recall struct {
	Needs, Met int
}

// Needs is what an agent needed after compactions.
type Needs struct {
	Recall
	Kinds   [Kinds]Recall
	Firings []Recall // by firing
	Misses  []Miss   // needs not met, in the order of their uses
}

// Miss is a need that was not met.
type Miss struct {
	ID
	Firing int // index of the firing that the use came after
	Use    int // history position of the use
	Last   int // last history position before the firing that held the fact
}
