package facts

import "math"

// Feature is one thing that is known of a fact when a compaction takes it away,
// and that may predict whether the agent will need it.
type Feature int

// The features. Numbers of messages and ages count as log(1 + n): the tenth
// message says less than the second. Ages are in content blocks, as in
// [Index.Weight].
const (
	Times       Feature = iota // messages that hold it
	Used                       // of these, in which the agent used it
	Asked                      // of these, a person's
	Returns                    // uses after it had not been seen for 30 blocks: it was needed late before
	Age                        // since it was last seen
	AgeOfUse                   // since the agent last used it
	Fresh                      // log(1 + Σ e^(−age/480)) over its messages
	Near                       // how much the message that holds it and is nearest to the tail in content has in common with it
	Parts                      // share of the words it is made of that are in names of the tail
	FromPerson                 // a person said it first
	FromAgent                  // the agent said it first
	LastRequest                // it is in the last message of a person
	Length                     // log(1 + code points)
	OfPath                     // kinds; identifiers have none
	OfURL
	OfNumber
	OfCommand
	OfError
	OfQuoted
	OfInstruction
	OfDecision
	Burst       // log(1 + Σ e^(−age/60)) over its messages
	ByTools     // messages of tools that hold it
	FirstAge    // since it was first seen
	Hot         // share of the facts of its last message that the agent used afterwards
	HotMost     // the same, of the message of its where that is largest
	Density     // log(1 + facts) of its last message
	Place       // where in its last message it is, from 0 to 1
	BesideUsed  // share of the facts next to it there that the agent has used
	BesideStays // share of those that what stays holds
	LastShows   // by what that message showed it: a [Shows]
	LastAgent   // that message is the agent's
	LastFailed  // that message is the result of a call that failed
	EditedTimes // messages in which the agent edited the file
	PlannedNow  // it is in the last to-do list
	Kin         // log(1 + uses of its folder or family, fresh ones more)
	BaseStays   // what stays holds its last segment
	Segments    // slashes, dots, underscores in it
	Figures     // share of figures in it
	Capitals    // share of capitals in it
	SinceAsked  // content blocks since the last message of a person
	Different   // log(1 + different facts before the change)
	NearLast    // Near of its last message
	Features    // how many there are
)

var featureNames = [Features]string{"times", "used", "asked", "returns", "age", "age of use", "fresh", "near", "parts",
	"from person", "from agent",
	"last request", "length", "path", "url", "number", "command", "error", "quoted", "instruction", "decision",
	"burst", "by tools", "first age", "hot", "hot most", "density", "place", "beside used", "beside stays", "last shows", "last agent",
	"last failed", "edited", "planned now", "kin", "base stays", "segments", "figures", "capitals", "since asked", "different",
	"near last"}

func (f Feature) String() string { return featureNames[f] }

// kindFeature is the feature that says which kind a fact is.
var kindFeature = [Kinds]Feature{Path: OfPath, URL: OfURL, Number: OfNumber, Identifier: -1, Command: OfCommand, Error: OfError,
	Quoted: OfQuoted, Instruction: OfInstruction, Decision: OfDecision}

// Evidence is a number for each feature.
type Evidence [Features]float64

const (
	burstBlocks  = 60   // the same in Burst
	freshBlocks  = 480  // age at which an occurrence counts 1/e in Fresh
	returnBlocks = 30   // blocks without a fact after which its next use is a return
	oldest       = 3000 // ages above count as this
)

// Taken calls yield with each fact that a change removes, and that is nowhere
// afterwards, to yield, with what is known of it at that time.
func (x *Index) Taken(c Change, yield func(ID, Evidence)) {
	o := x.outlook(&c)
	after := x.after(&c)
	x.gone(&c, x.set(), func(id ID) {
		if !after.has(id) {
			var e Evidence
			o.evidence(id, &e)
			yield(id, e)
		}
	})
}

// evidence gathers what is known of a fact into e, which is empty.
func (o *outlook) evidence(id ID, e *Evidence) {
	x, n := o.index, &o.names.of[id]
	end, _ := x.between(id, o.at, o.at+1)
	age, ageOfUse := float64(oldest), float64(oldest)
	seen := math.Inf(1) // blocks before the last message that held it
	for k := x.starts[id]; k < end; k++ {
		m := x.msgs[k]
		here := x.occurrence(k)
		when := float64(x.blocks[m])
		age = min(oldest, o.now-when)
		e[Times]++
		e[Fresh] += o.fresh[m]
		e[Burst] += o.burst[m]
		e[HotMost] = max(e[HotMost], float64(o.hot[m]))
		if here.Author == Tool {
			e[ByTools]++
		}
		if here.Where&Edited != 0 {
			e[EditedTimes]++
		}
		if int(m) == o.plan && here.Where&Planned != 0 {
			e[PlannedNow] = 1
		}
		e[Near] = max(e[Near], float64(o.near[m]))
		switch {
		case here.Used():
			e[Used]++
			ageOfUse = age
			if when-seen > returnBlocks {
				e[Returns]++
			}
		case here.Author == User:
			e[Asked]++
		}
		if k == x.starts[id] {
			e[FromAgent], e[FromPerson] = e[Used], e[Asked]
		}
		if int(m) == o.request {
			e[LastRequest] = 1
		}
		seen = when
	}
	for _, f := range [...]Feature{Times, Used, Asked, Returns, Fresh, Burst, ByTools, EditedTimes} {
		e[f] = log1p(e[f])
	}
	e[Age], e[AgeOfUse] = log1p(age), log1p(ageOfUse)
	e[Length] = log1p(float64(n.runes))
	e[Parts] = o.known(id)
	if k := kindFeature[x.facts[id].Kind]; k >= 0 {
		e[k] = 1
	}
	o.lastEvidence(id, e)
	o.nameEvidence(id, e)
}

// lastEvidence gathers what the last message that held a fact says of it.
func (o *outlook) lastEvidence(id ID, e *Evidence) {
	x := o.index
	e[Different] = o.gone
	e[SinceAsked] = log1p(o.now)
	if o.request >= 0 {
		e[SinceAsked] = log1p(o.now - float64(x.blocks[o.request]))
	}
	e[FirstAge] = log1p(oldest)
	if o.last[id] == 0 {
		return // only a text that went held it
	}
	end, _ := x.between(id, o.at, o.at+1)
	m, place := x.msgs[end-1], o.last[id]-1
	e[FirstAge] = log1p(min(oldest, o.now-float64(x.blocks[x.msgs[x.starts[id]]])))
	e[Hot], e[NearLast] = float64(o.hot[m]), float64(o.near[m])
	n := float64(x.from[m+1] - x.from[m])
	e[Density], e[Place] = log1p(n), float64(place-x.from[m])/n
	e[BesideUsed], e[BesideStays] = o.beside(m, place)
	e[LastShows] = float64(x.shows[m])
	if x.author(m, x.marks[place]) == Agent {
		e[LastAgent] = 1
	}
	if x.failed[m] {
		e[LastFailed] = 1
	}
}

// nameEvidence gathers what a fact's text says of it.
func (o *outlook) nameEvidence(id ID, e *Evidence) {
	n := &o.names.of[id]
	if n.kin >= 0 {
		e[Kin] = math.Log1p(o.kin[n.kin])
	}
	size := float64(len(o.index.facts[id].Text))
	e[Segments], e[Figures], e[Capitals] = float64(n.joints), float64(n.figures)/size, float64(n.capitals)/size
	if n.base >= 0 && o.stays.has(n.base) {
		e[BaseStays] = 1
	}
}
