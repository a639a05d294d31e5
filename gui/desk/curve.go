package desk

import "palimpsest/compaction/session"

// curve is the context usage of a session with one fixed part.
type curve struct {
	of     *session.Session
	fixed  int
	points []session.Point
}

// Curve is the context usage of every call of the history looked at. The slice
// is the same until history or fixed part change, and must not be written to.
func (d *study) Curve() []session.Point {
	s := d.desk.Session()
	if s == nil {
		return nil
	}
	if d.curve.of != s || d.curve.fixed != d.desk.params.Fixed {
		d.curve = curve{s, d.desk.params.Fixed, s.Curve(d.desk.params.Fixed)}
	}
	return d.curve.points
}
