package facts

import "math"

// ageBlocks is how weight fades with age: an occurrence ageBlocks content blocks
// back counts 1/e of a fresh one. A content block is a part of a message: a text, a call, a
// result.
const ageBlocks = 60

// authorWeight is what an occurrence counts by who wrote it.
var authorWeight = [...]float64{Tool: 1, Agent: 3, User: 4}

// kindWeight is what a fact of a kind counts.
func kindWeight(k Kind) float64 {
	if k == Path {
		return 1.5
	}
	return 1
}

// Weight is how likely an agent is to need a fact again, seen from history
// position at: Σ w(author)·e^(−age/60 content blocks)·w(kind) over the messages
// before it that hold the fact, with w = 4 for a person, 3 for the agent, 1 for
// tools, and 1.5 for paths. The formula and its numbers are those of the pilot
// measurement; it has no unit and orders facts.
func (x *Index) Weight(id ID, at int) float64 {
	at = min(max(0, at), x.Messages())
	now := float64(x.blocks[at])
	end, _ := x.between(id, at, at+1)
	sum := 0.0
	for k := int(end) - 1; k >= int(x.starts[id]); k-- {
		age := now - float64(x.blocks[x.msgs[k]])
		if age > 20*ageBlocks { // below 1e-8 of a fresh one
			break
		}
		sum += authorWeight[x.author(x.msgs[k], x.wheres[k])] * math.Exp(-age/ageBlocks)
	}
	return sum * kindWeight(x.facts[id].Kind)
}
