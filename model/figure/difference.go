package figure

// Reasons of figures that this package itself looks at or gives.
const (
	NoFixed      = "noFixed"      // a bound: system prompt and tools are not in the file
	UnlikeBounds = "unlikeBounds" // unknown: the difference of bounds that lack different things
)

// Difference is how much more the second of two figures is than the first, which is
// written with its sign. Only what makes it as certain as they are leaves it unmarked:
//
//   - bounds of sizes that lack the same, as the fixed part of one history (same), differ
//     by what the sizes differ;
//   - other bounds on the same side give an estimate, as what they lack may differ;
//   - of a bound and a number that is none, of bounds on two sides, and of sizes that lack
//     different things, nobody knows it.
//
// It is unknown without a reason where one of the two is.
func Difference(a, b Figure, same bool) Figure {
	f := Figure{Name: "difference", Value: b.Value - a.Value, Unit: a.Unit, Kind: Counted, Scope: b.Scope, At: b.At, Signed: true}
	if a.Unit == Share || a.Unit == Change {
		f.Unit = Points
	}
	if a.Kind == Estimated || b.Kind == Estimated {
		f.Kind = Estimated
	}
	switch {
	case !a.Known() || !b.Known():
		f.Kind = Unknown
	case a.bound() == None && b.bound() == None:
	case a.bound() != b.bound() || a.Reason != b.Reason || !same:
		f.Kind, f.Reason = Unknown, UnlikeBounds
	case a.Reason == NoFixed && a.Unit == Tokens:
		f.Methods = []Method{{Name: "fixed", How: "cancels"}}
	default:
		f.Kind, f.Methods = Estimated, []Method{{Name: "bounds", How: "ofBounds"}}
	}
	return f
}
