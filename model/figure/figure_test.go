package figure

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestNotation(t *testing.T) {
	share := func(v float64, k Kind, b Bound) Figure { return Figure{Value: v, Unit: Share, Kind: k, Bound: b} }
	for _, c := range []struct {
		f           Figure
		short, full string
	}{
		{Figure{Value: 158_912, Kind: Reported}, "158.9K", "158,912"},
		{Figure{Value: 47_183, Kind: Estimated}, "~47.2K", "~47,183"},
		{Figure{Value: 633_900, Kind: Estimated, Bound: AtLeast}, "≥ ~633.9K", "≥ ~633,900"},
		{Figure{Kind: Estimated}, "0", "0"},
		{Figure{Kind: Estimated, Bound: AtLeast}, "–", "–"},
		{Figure{Reason: "why"}, "–", "–"},
		{share(.62, Counted, None), "62 %", "62 %"},
		{share(.6235, Estimated, None), "~62 %", "~62.4 %"},
		{share(.18, Counted, AtLeast), "≥ 18 %", "≥ 18 %"},
		{share(0, Counted, AtLeast), "–", "–"},
		{share(1, Counted, AtLeast), "100 %", "100 %"},
		{share(1, Counted, AtMost), "–", "–"},
		{share(105.64, Counted, None), "106 ×", "106 ×"},
		{Figure{Value: -.68, Unit: Change, Kind: Estimated}, "−68 %", "−68 %"},
		{Figure{Value: -.9972, Unit: Change, Kind: Estimated}, "−99.7 %", "−99.7 %"},
		{Figure{Value: -.99999, Unit: Change, Kind: Estimated}, "−99.9 %", "−99.9 %"},
		{Figure{Value: .001, Unit: Change, Kind: Estimated}, "+0.1 %", "+0.1 %"},
		{Figure{Value: -.0001, Unit: Change, Kind: Estimated}, "<0.1 %", "<0.1 %"},
		{Figure{Value: 71.4, Unit: Change, Kind: Estimated}, "72 ×", "72 ×"},
		{Figure{Value: 14, Unit: Count, Kind: Counted, Bound: AtMost}, "≤ 14", "≤ 14"},
		{Figure{Value: 2.5, Unit: Average, Kind: Counted}, "2.5", "2.5"},
		{Ratio("x", 3, 0, "none"), "–", "–"},
		{Relative("x", 100, 32, Counted), "−68 %", "−68 %"},
		{Relative("x", 0, 32, Counted), "–", "–"},
		{Relative("x", 80, 40, Counted), "−50 %", "−50 %"},
	} {
		if s, full := c.f.String(), c.f.Full(); s != c.short || full != c.full {
			t.Errorf("%+v: %q, %q; want %q, %q", c.f, s, full, c.short, c.full)
		}
	}
	for _, c := range []struct{ got, want string }{{Plural(1, "token"), "1 token"}, {Plural(1162, "message"), "1,162 messages"},
		{Plural(2, "summary"), "2 summaries"}, {Times(3.42), "3.4 ×"}, {Times(105.6), "106 ×"}} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// No figure of any value, kind and bound breaks the rule, and what is known has a
// number.
func TestNoFigureIsAbsurd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Figure{
			Value: rapid.OneOf(rapid.Float64Range(-1, 2), rapid.Float64(), rapid.SampledFrom([]float64{0, 1, -1, math.Inf(1), math.NaN()})).Draw(t, "value"),
			Unit:  Unit(rapid.IntRange(0, int(Average)).Draw(t, "unit")),
			Kind:  Kind(rapid.IntRange(0, int(Estimated)).Draw(t, "kind")),
			Bound: Bound(rapid.IntRange(-1, 1).Draw(t, "bound")),
		}
		if f.Value < 0 && f.Unit != Change {
			f.Value = -f.Value // nothing but a change is below nothing
		}
		if f.Unit == Change && f.Value <= -1 {
			f.Value = math.Nextafter(-1, 0) // something is left of every context
		}
		if f.Unit == Share {
			f.Value = min(f.Value, 1)
		}
		for _, s := range []string{f.String(), f.Full()} {
			if bad := Absurd(s); bad != "" {
				t.Fatalf("%+v is written %q", f, s)
			}
			if !f.Known() != (s == Missing) {
				t.Fatalf("%+v, known %v: %q", f, f.Known(), s)
			}
		}
	})
}

func TestAbsurdFindsWhatIsAbsurd(t *testing.T) {
	for _, s := range []string{"survives ≥ 0 %", "≥ 0", "≤ 100 %", "−100 %", "10564 % of 80 %", "7,241 % above", "it frees 1 tokens", "1 steps", "NaN %", "must stay below the trigger = −6,201."} {
		if Absurd(s) == "" {
			t.Errorf("%q passes", s)
		}
	}
	for _, s := range []string{"≥ 0.9K", "100 %", "199 %", "−99.9 %", "11 tokens", "2.1 steps", "1 token", "≥ ~1.2K", "0 %"} {
		if bad := Absurd(s); bad != "" {
			t.Errorf("%q: %q", s, bad)
		}
	}
}

// A difference is as certain as the two figures make it.
func TestDifference(t *testing.T) {
	size := func(v float64, k Kind, b Bound, reason string) Figure {
		return Figure{Value: v, Kind: k, Bound: b, Reason: reason}
	}
	share := func(v float64, b Bound, reason string) Figure {
		return Figure{Value: v, Unit: Share, Kind: Counted, Bound: b, Reason: reason}
	}
	for _, c := range []struct {
		name string
		a, b Figure
		same bool
		want string
	}{
		{"counted", size(888, Counted, None, ""), size(774, Counted, None, ""), true, "−114"},
		{"more", size(774, Reported, None, ""), size(12774, Counted, None, ""), false, "+12.0K"},
		{"estimated", size(888, Counted, None, ""), size(774, Estimated, None, ""), true, "−~114"},
		{"equal", size(774, Estimated, None, ""), size(774, Estimated, None, ""), true, "0"},
		{"both without their fixed part", size(888, Counted, AtLeast, NoFixed), size(774, Counted, AtLeast, NoFixed), true, "−114"},
		{"of two histories", size(888, Counted, AtLeast, NoFixed), size(774, Counted, AtLeast, NoFixed), false, Missing},
		{"one bound", size(888, Counted, AtLeast, NoFixed), size(774, Counted, None, ""), true, Missing},
		{"two sides", share(.8, AtLeast, "x"), share(.9, AtMost, "x"), true, Missing},
		{"shares", share(.62, None, ""), share(.7, None, ""), true, "+8"},
		{"shares that lack something", share(.62, AtLeast, "x"), share(.7, AtLeast, "x"), true, "+~8"},
		{"shares without the fixed part", share(.62, AtMost, NoFixed), share(.5, AtMost, NoFixed), true, "−~12"},
		{"unknown", size(888, Unknown, None, "x"), size(774, Counted, None, ""), true, Missing},
	} {
		if got := Difference(c.a, c.b, c.same).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if f := Difference(size(888, Unknown, None, "x"), size(774, Counted, None, ""), true); f.Reason != "" {
		t.Errorf("of something unknown: reason %q", f.Reason)
	}
}
