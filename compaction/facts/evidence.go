package facts

import (
	"math"
	"unicode/utf8"
)

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
	Features // how many there are
)

var featureNames = [Features]string{"times", "used", "asked", "returns", "age", "age of use", "fresh", "near", "parts",
	"from person", "from agent",
	"last request", "length", "path", "url", "number", "command", "error", "quoted", "instruction", "decision"}

func (f Feature) String() string { return featureNames[f] }

// kindFeature is the feature that says which kind a fact is.
var kindFeature = [Kinds]Feature{Path: OfPath, URL: OfURL, Number: OfNumber, Identifier: -1, Command: OfCommand, Error: OfError,
	Quoted: OfQuoted, Instruction: OfInstruction, Decision: OfDecision}

// Evidence is a number for each feature.
type Evidence [Features]float64

const (
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
			yield(id, o.evidence(id))
		}
	})
}

// evidence gathers what is known of a fact.
func (o *outlook) evidence(id ID) (e Evidence) {
	x := o.index
	end, _ := x.between(id, o.at, o.at+1)
	age, ageOfUse := float64(oldest), float64(oldest)
	seen := math.Inf(1) // blocks before the last message that held it
	for k := x.starts[id]; k < end; k++ {
		m := x.msgs[k]
		here := x.occurrence(k)
		when := float64(x.blocks[m])
		age = min(oldest, o.now-when)
		e[Times]++
		e[Fresh] += math.Exp((when - o.now) / freshBlocks)
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
	for _, f := range []Feature{Times, Used, Asked, Returns, Fresh} {
		e[f] = math.Log1p(e[f])
	}
	e[Age], e[AgeOfUse] = math.Log1p(age), math.Log1p(ageOfUse)
	f := x.facts[id]
	e[Length] = math.Log1p(float64(utf8.RuneCountInString(f.Text)))
	e[Parts] = o.known(f)
	if k := kindFeature[f.Kind]; k >= 0 {
		e[k] = 1
	}
	return e
}
