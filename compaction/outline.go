package compaction

import (
	"palimpsest/model"
)

// outline is what the engine needs to know of a message: small, so that a
// history of a hundred thousand messages fits the processor's cache.
type outline struct {
	kind    model.Kind
	typed   bool
	loads   bool
	sealed  bool
	step    int32 // number of its step record; 0: none
	answers int32 // number of the call id a result answers; -1: no result
	calls   int32 // where its calls begin in the list of call ids, and behind them its links
	called  int32 // how many calls it makes that get a result of their own
	linked  int32 // how many calls of others it links to
}

// ids are the numbers of the ids of its calls and links, in the list of all.
func (o *outline) ids(list []int32) []int32 { return list[o.calls : o.calls+o.called+o.linked] }

// summaryOutline is that of a record's summary.
var summaryOutline = outline{kind: model.KindSummary, answers: -1}

// outliner gives call ids numbers, so that matching results is arithmetic.
type outliner struct {
	names model.NamedPairing
	calls []int32 // numbers of the ids of all calls and links, message by message
}

// outline of a message. Calls the provider ran itself carry no id and get no result of
// their own; a result without one belongs to no call.
func (o *outliner) outline(m *model.Message) outline {
	out := outline{kind: m.Kind, typed: m.Typed(), loads: m.Loads, sealed: m.Sealed, step: m.Step,
		answers: -1, calls: int32(len(o.calls)), linked: int32(len(m.Links))}
	if m.Kind == model.KindResult && m.Answers != "" {
		out.answers = o.names.ID(m.Answers)
	}
	for _, c := range m.Calls {
		if c.ID != "" {
			o.calls = append(o.calls, o.names.ID(c.ID))
			out.called++
		}
	}
	for _, l := range m.Links {
		o.calls = append(o.calls, linkNumber(o.names.ID(l.ID), l.Result))
	}
	return out
}

// linkNumber tells a link that is a result from one that is not, in one number.
func linkNumber(id int32, result bool) int32 {
	if result {
		return ^id
	}
	return id
}

func linkOf(number int32) (id int32, result bool) {
	if number < 0 {
		return ^number, true
	}
	return number, false
}
