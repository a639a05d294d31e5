package floor

import "testing"

func history(n int) (tokens []int32, kinds []Kind, sums []int64) {
	sums = []int64{0}
	for i := range n {
		k := Assistant
		switch {
		case i == 0:
			k = System
		case i%20 == 1:
			k = User
		case i%2 == 1:
			k = Result
		}
		kinds, tokens = append(kinds, k), append(tokens, int32(40+i*7919%460))
		sums = append(sums, sums[i]+int64(tokens[i]))
	}
	return
}

func TestDecideKeepsTheBudget(t *testing.T) {
	tokens, kinds, sums := history(10_000)
	fates := make([]Fate, len(tokens))
	for _, budget := range []int64{0, 100, 50_000, sums[len(tokens)] / 2, 1 << 40} {
		left := Decide(fates, tokens, kinds, budget, 5)
		sum := int64(0)
		for i, f := range fates {
			switch f {
			case Kept:
				sum += int64(tokens[i])
			case Shrunk:
				sum += note
			}
		}
		if sum != left || left > budget && left > int64(tokens[0]) {
			t.Errorf("budget %d: %d left, the fates say %d", budget, left, sum)
		}
	}
}

func TestTailIsTheShortestThatIsLongEnough(t *testing.T) {
	_, _, sums := history(1000)
	for _, keep := range []int64{1, 500, 77_777, sums[1000]} {
		at := Tail(sums, keep)
		if sums[1000]-sums[at] < keep || sums[1000]-sums[at+1] >= keep {
			t.Errorf("a tail of %d begins at %d", keep, at)
		}
	}
}

func TestReplayStaysBelowTheTrigger(t *testing.T) {
	_, kinds, sums := history(20_000)
	n, input := Replay(sums, kinds, 160_000, 20_000, 4_000)
	if n < 20 || input > 160_000*20_000/2 {
		t.Errorf("%d compactions, %d tokens", n, input)
	}
	if n, _ := Replay(sums, kinds, 1<<40, 20_000, 4_000); n != 0 {
		t.Errorf("%d compactions without need", n)
	}
}
