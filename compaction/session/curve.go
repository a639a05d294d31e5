package session

import "palimpsest/model"

// Point is the context usage of one call: the request that gave an assistant
// message.
type Point struct {
	History  int   // history position of the answer
	Recorded int64 // input tokens the file reports of this context; 0: not reported
	Counted  int64 // the size of the live view, fixed part included
}

// Curve is the context usage of every call of the thread, in order, with the
// fixed part taken as given. What the file does not hold is added as it was fitted.
func (t *CountedThread) Curve(fixed int) []Point {
	resets, calls := t.thread.Resets, t.calls
	var out []Point
	sum, phase := int64(0), 0
	for i, stored := range t.thread.History {
		for ; phase < len(resets) && resets[phase].At <= i; phase++ {
			sum = 0
			for _, b := range resets[phase].Base {
				sum += int64(t.Tokens(b))
			}
		}
		m := &t.thread.Messages[stored]
		if m.Kind == model.KindAssistant {
			p := Point{History: i, Counted: sum + t.fit.Beyond(i, fixed)}
			for len(calls) > 0 && calls[0].at < i {
				calls = calls[1:]
			}
			if len(calls) > 0 && calls[0].at == i {
				p.Recorded = calls[0].reported
			}
			out = append(out, p)
		}
		sum += int64(t.Tokens(stored))
	}
	return out
}

// LargestReported is the largest input that the file reports of a call whose context is
// still as it was, in tokens; 0: none.
func LargestReported(s *Session) int64 {
	most := int64(0)
	for _, c := range s.calls {
		most = max(most, c.reported)
	}
	return most
}
