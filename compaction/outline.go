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
	calls   int32 // where its calls begin in the list of call ids
	called  int32 // how many calls it makes
	awaited int32 // how many of them will get a result of their own
}

// summaryOutline is that of a record's summary.
var summaryOutline = outline{kind: model.KindSummary, answers: -1}

// outliner gives call ids numbers, so that matching results is arithmetic.
type outliner struct {
	number map[string]int32
	calls  []int32 // numbers of the ids of all calls, message by message
}

func newOutliner() *outliner { return &outliner{number: map[string]int32{}} }

func (o *outliner) id(s string) int32 {
	n, ok := o.number[s]
	if !ok {
		n = int32(len(o.number))
		o.number[s] = n
	}
	return n
}

// outline of a message. Calls the provider ran itself carry no id and get no
// result of their own.
func (o *outliner) outline(m *model.Message) outline {
	out := outline{kind: m.Kind, typed: m.Typed(), loads: m.Loads, sealed: m.Sealed, step: m.Step,
		answers: -1, calls: int32(len(o.calls)), called: int32(len(m.Calls))}
	if m.Kind == model.KindResult {
		out.answers = o.id(m.Answers)
	}
	for _, c := range m.Calls {
		o.calls = append(o.calls, o.id(c.ID))
	}
	out.awaited = int32(awaited(m))
	return out
}
