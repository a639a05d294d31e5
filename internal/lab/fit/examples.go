package main

import (
	"math"

	"palimpsest/compaction/facts"
)

// example is a fact that a firing took away.
type example struct {
	Steps  facts.Steps
	Needed Outcome
	Weight float32 // how many facts it represents
}

// Outcome is what became of a fact between a firing and the next.
type Outcome uint8

// The outcomes.
const (
	unused Outcome = iota
	needed         // the agent used it and nothing had brought it back: a need of the measure
	shown          // the agent used it after something had brought it back
)

// mostUnused bounds the facts of one session that were not used, which are nearly
// all: some represent the others.
const mostUnused = 6000

// mostFirings bounds the firings of one setting that are looked at, spread evenly.
const mostFirings = 10

// examples are the facts that the firings of some settings removed, and that the
// context did not hold afterwards.
func (s *session) examples() []example {
	var out []example
	unusedFacts := 0
	series := s.series()
	for _, firings := range series {
		s.outcomes(firings, func(_ facts.ID, _ *facts.Evidence, o Outcome, _ int) {
			if o == unused {
				unusedFacts++
			}
		})
	}
	oneOf := max(1, unusedFacts/mostUnused)
	at := 0
	for _, firings := range series {
		s.outcomes(firings, func(id facts.ID, e *facts.Evidence, o Outcome, firing int) {
			if o != unused {
				out = append(out, example{e.Steps(), o, 1})
				return
			}
			if at++; (int(id)*7919+firing*31)%oneOf == 0 {
				out = append(out, example{e.Steps(), o, float32(oneOf)})
			}
		})
	}
	return out
}

// series are the firings that examples are taken from: replays of some settings, and the
// compactions that the file records, once with what their summaries hold and once without.
func (s *session) series() (out [][]facts.Change) {
	for _, set := range s.settings() {
		out = append(out, s.replay(set, 1000, nothing))
	}
	if len(s.cuts) > 0 {
		out = append(out, s.asRecorded(false), s.asRecorded(true))
	}
	return out
}

// outcomes calls yield with every fact that firings removed.
func (s *session) outcomes(firings []facts.Change, yield func(facts.ID, *facts.Evidence, Outcome, int)) {
	every := 1 + len(firings)/mostFirings
	for k := 0; k < len(firings); k += every {
		became := map[facts.ID]Outcome{}
		for _, u := range s.index.UsedAfter(firings, k) {
			if became[u.ID] = shown; u.Strict() {
				became[u.ID] = needed
			}
		}
		s.index.Taken(firings[k], func(id facts.ID, e facts.Evidence) { yield(id, &e, became[id], k) })
	}
}

// settings are those that examples of a session are taken from: the measured one and
// others that cut it at other places; one like those of real engines, which fire late
// and keep next to nothing; of a short session, in proportion.
func (s *session) settings() []setting {
	if s.total <= leastTokens {
		window := s.total / windowShare
		return []setting{{window * 8 / 10, window / 5}, {window * 5 / 10, window / 8}}
	}
	out := []setting{measured, {24000, 6000}}
	if s.total > 130000 {
		out = append(out, setting{110000, 2000})
	}
	return out
}

// scene is one firing of the measured setting, to try a forest on without the text.
type scene struct {
	Facts []candidate
}

// candidate is a fact of a scene.
type candidate struct {
	Steps  facts.Steps
	Needed Outcome
	First  bool // the agent had never used it
	Cost   uint16
}

// scenes are some firings of the measured setting.
func (s *session) scenes() []scene {
	if s.total <= leastTokens {
		return nil
	}
	var out []scene
	last := -1
	s.outcomes(s.replay(measured, 1000, nothing), func(id facts.ID, e *facts.Evidence, o Outcome, k int) {
		if k != last {
			out, last = append(out, scene{}), k
		}
		f := s.index.Fact(id)
		in := &out[len(out)-1]
		in.Facts = append(in.Facts, candidate{e.Steps(), o, e[facts.Used] == 0, uint16(min(math.MaxUint16, count(" "+f.Text)))})
	})
	return out
}
