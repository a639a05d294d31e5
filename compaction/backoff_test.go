package compaction

import (
	"errors"
	"math"
	"pgregory.net/rapid"
	"testing"
)

func TestBackOffDoublesAfterFailures(t *testing.T) {
	b, at := BackOff{}, 100
	for _, want := range []int{5, 10, 20, 40} {
		b = b.After(nil, errors.New("no model"), at, 5)
		if got := b.Left(at); got != want {
			t.Fatalf("waits %d messages, want %d", got, want)
		}
		if got := b.Left(at + want - 1); got != 1 {
			t.Fatalf("one message before the end %d are left", got)
		}
		if at += want; b.Left(at) != 0 {
			t.Fatalf("still waits at its end: %+v at %d", b, at)
		}
	}
	if got := b.Left(50); got != 0 {
		t.Errorf("a history that was taken back waits %d", got)
	}
}

func TestBackOffOfADraft(t *testing.T) {
	done := &Draft{Plan: &Plan{Outcome: WouldApply, left: measures{messages: 3}}}
	again := &Draft{Plan: &Plan{Outcome: WouldApply, left: measures{messages: 4}, stillFires: true}}
	waits := &Draft{Plan: &Plan{Outcome: WouldWait}}
	refused := &Draft{Plan: &Plan{Outcome: WouldRefuse}}
	vain := &Draft{Plan: &Plan{Outcome: WouldRefuse}, Text: Text{Text: "as long as the range", Tokens: 900}}
	had := BackOff{From: 80, Wait: 10}
	for _, c := range []struct {
		name string
		d    *Draft
		want BackOff
	}{
		{"applied", done, BackOff{}},
		{"applied, still fires", again, BackOff{From: 100, Wait: 5}},
		{"waits", waits, had},
		{"refused before a text was made", refused, had},
		{"refused with the text", vain, BackOff{From: 100, Wait: 20}},
	} {
		if got := had.After(c.d, nil, 100, 5); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// However long a model fails: the attempts over n messages are of the order of
// log n (spec I7), and no number overflows.
func TestBackOffIsLogarithmic(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		k, n := rapid.IntRange(1, 50).Draw(t, "k"), rapid.IntRange(0, 20000).Draw(t, "messages")
		attempts, b := 0, BackOff{}
		for at := range n {
			if b.Left(at) == 0 {
				attempts++
				b = b.Failed(at, k)
			}
		}
		if most := 2 + int(math.Log2(float64(n)/float64(k)+1)); attempts > most {
			t.Fatalf("%d attempts over %d messages, at most %d", attempts, n, most)
		}
	})
	b := BackOff{Wait: math.MaxInt/2 + 1}.Failed(7, 5)
	if b.Wait != math.MaxInt || b.Left(8) != math.MaxInt-1 {
		t.Errorf("%+v", b)
	}
	for _, k := range []int{0, -3} {
		if b := (BackOff{}).Failed(9, k); b.Left(9) != 0 {
			t.Errorf("back-off %d waits: %+v", k, b)
		}
	}
}
