// Package about returns what is known of one message: who called it, its pair, what it
// weighs, what of it was used again, which records took it, what plans make of it.
//
//	#524 assistant · Edit          the call
//	  └ #525 result of Edit        the message
//	      posTable  → #871 #930    a fact in it, and where the agent used it again
//	      R-0004 line 14 → R-0008  the record that took it, and the one that took that
//	      A summarised, B cleared  its fate under two plans
//
// It is computed and not stored: for the window, and for whoever embeds a session.
package about

import (
	"slices"
	"sort"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Message is what is known of one message of a history. Places are history
// positions; −1: there is none.
type Message struct {
	At      int
	Message *model.Message
	// Caller is the call that a result answers.
	Caller int
	// Results are those of the calls that it makes, in their order; −1 where there is
	// none yet.
	Results []int
	// Tokens is what it weighs, and Pair what it weighs with its calls and results.
	Tokens, Pair int
	// Facts are those in it that the agent used again later, the soonest first; Others
	// counts the others, and Indexed says whether facts are known at all.
	Facts   []Fact
	Others  int
	Indexed bool
	// Covers are the records that took it: the one that took the message, then the one
	// that took that one's summary, and so on.
	Covers []Cover
	// Fates are what plans make of it, in their order.
	Fates []Fate
	// Bytes is its size in the source.
	Bytes int64
}

// Together are the places of a call and its results, if the message is one of them.
func (m *Message) Together() (list []int) {
	switch {
	case m.Caller >= 0:
		return []int{m.Caller, m.At}
	case len(m.Results) > 0:
		list = []int{m.At}
		for _, at := range m.Results {
			if at >= 0 {
				list = append(list, at)
			}
		}
	}
	return list
}

// Fact is a fact of the message that was used again.
type Fact struct {
	facts.Fact
	Again []int // where the agent used it again
	// Kept reports whether it is in the summary that the model sees now in place of the
	// message; it says nothing where no record took the message.
	Kept bool
}

// Cover is a record that took the message, or the summary that a record before it had
// made.
type Cover struct {
	Record *model.Record
	// Line is the line of its summary that refers to the message, from 0; −1: none does.
	Line int
}

// Fate is what a plan makes of the message.
type Fate struct {
	Live bool // false: it isn't in the list that the plan is made on
	Fate model.Fate
	Why  compaction.Reason
}

// Of returns what is known of a message. Plans may be nil: their fates are not live.
func Of(s *session.Session, at int, plans ...*compaction.Plan) *Message {
	th := s.Thread()
	stored := th.History[at]
	m := &Message{At: at, Message: &th.Messages[stored], Caller: -1, Tokens: s.Tokens(stored)}
	for _, p := range m.Message.Pieces {
		if !p.Duplicate {
			m.Bytes += p.Span.Len
		}
	}
	m.pair(s)
	m.covers(s, stored)
	m.facts(s)
	for _, pl := range plans {
		m.Fates = append(m.Fates, fateIn(pl, at))
	}
	return m
}

// pair finds the other half of a call or a result.
func (m *Message) pair(s *session.Session) {
	th := s.Thread()
	tokens := func(at int) int { return s.Tokens(th.History[at]) }
	m.Pair = m.Tokens
	for range m.Message.Calls {
		m.Results = append(m.Results, -1)
	}
	callers, stored := session.Callers(th), th.History[m.At]
	for i, other := range th.History {
		result := func(c model.Call) bool { return c.ID == th.Messages[other].Answers }
		switch {
		case other == callers[stored]:
			m.Caller = i
		case callers[other] != stored:
			continue
		default:
			k := slices.IndexFunc(m.Message.Calls, result)
			if m.Results[k] >= 0 {
				continue // a further result
			}
			m.Results[k] = i
		}
		m.Pair += tokens(i)
	}
}

// covers finds the records in force that took the message.
func (m *Message) covers(s *session.Session, stored int32) {
	stack := s.Stack()
	inner := ""
	for i, r := range stack {
		took := slices.ContainsFunc(s.With(stack[:i]).Taken(r), func(it model.Item) bool {
			if inner != "" {
				return it.Record == inner
			}
			return it.Msg == stored
		})
		if !took {
			continue
		}
		inner = r.UID
		m.Covers = append(m.Covers, Cover{Record: r, Line: lineOf(r.Summary, m.At)})
	}
}

// lineOf is the line of a summary that refers to a message most closely: that with
// the fewest messages which hold it; −1: none does.
func lineOf(summary string, at int) int {
	best, least := -1, 0
	for i, line := range strings.Split(summary, "\n") {
		r, ok := Place([]string{line}, 0)
		if ok && r.From <= at && at < r.To && (best < 0 || r.To-r.From < least) {
			best, least = i, r.To-r.From
		}
	}
	return best
}

// facts finds what of the message was used again.
func (m *Message) facts(s *session.Session) {
	x := s.Insight.KnownFacts()
	if x == nil || m.At >= x.Messages() {
		return
	}
	m.Indexed = true
	held := map[facts.ID]bool{}
	if n := len(m.Covers); n > 0 {
		for _, id := range x.FactsIn(m.Covers[n-1].Record.Summary) {
			held[id] = true
		}
	}
	for _, id := range x.In(m.At) {
		f := Fact{Fact: x.Fact(id), Kept: held[id]}
		for _, o := range x.Occurrences(id) {
			if o.Msg > m.At && o.Used() {
				f.Again = append(f.Again, o.Msg)
			}
		}
		if len(f.Again) == 0 {
			m.Others++
			continue
		}
		m.Facts = append(m.Facts, f)
	}
	sort.SliceStable(m.Facts, func(i, k int) bool { return m.Facts[i].Again[0] < m.Facts[k].Again[0] })
}

// fateIn is what a plan makes of a message.
func fateIn(pl *compaction.Plan, at int) Fate {
	if pl == nil {
		return Fate{}
	}
	for _, run := range pl.Runs.All() {
		for i := run.From; i < run.To; i++ {
			if pl.Line.History(i) == at {
				f, why := pl.FateAt(i)
				return Fate{Live: true, Fate: f, Why: why}
			}
		}
	}
	return Fate{}
}
