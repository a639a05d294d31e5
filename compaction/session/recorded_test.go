package session

import (
	"context"
	"fmt"
	"path/filepath"
	"pgregory.net/rapid"
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/internal/realdata"
)

// Pairs worked out by hand: positions of two lists, and the partner of each of
// the first.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want []int
	}{
		{nil, []int{3}, []int{}},
		{[]int{5}, nil, []int{-1}},
		{[]int{100}, []int{40, 97, 150}, []int{1}},
		{[]int{10, 100}, []int{99}, []int{-1, 0}},
		{[]int{10, 20, 300}, []int{12, 290}, []int{0, -1, 1}}, // 20 is farther from 12 than 10 is
		{[]int{355, 623}, []int{340, 577, 820}, []int{0, 1}},
	} {
		got := pairs(len(c.a), len(c.b), func(i, j int) int { return abs(c.a[i] - c.b[j]) })
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v beside %v: %v, by hand %v", c.a, c.b, got, c.want)
		}
	}
}

// No other pairing in order with as many pairs is nearer.
func TestPairsAreTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.IntRange(0, 50), 0, 5).Draw(t, "a")
		b := rapid.SliceOfN(rapid.IntRange(0, 50), 0, 5).Draw(t, "b")
		distance := func(i, j int) int { return abs(a[i] - b[j]) }
		sum, count, last := 0, 0, -1
		for i, j := range pairs(len(a), len(b), distance) {
			if j < 0 {
				continue
			}
			if j <= last {
				t.Fatalf("the order is lost: %d after %d", j, last)
			}
			sum, count, last = sum+distance(i, j), count+1, j
		}
		if count != min(len(a), len(b)) {
			t.Fatalf("%d pairs of %d and %d", count, len(a), len(b))
		}
		var best func(i, j, left int) int
		best = func(i, j, left int) int {
			if left == 0 {
				return 0
			}
			least := 1 << 30
			for x := i; x <= len(a)-left; x++ {
				for y := j; y <= len(b)-left; y++ {
					least = min(least, distance(x, y)+best(x+1, y+1, left-1))
				}
			}
			return least
		}
		if want := best(0, 0, count); sum != want {
			t.Fatalf("distance %d, the nearest has %d", sum, want)
		}
	})
}

// Real sessions with recorded compactions: what their engines' look-alikes do
// stands near what they did, and sizes are taken from the record or from usage.
func TestBesideRecordedCompactions(t *testing.T) {
	want := map[string][]string{ // before message: size before, where it is recorded, farthest distance of the firing
		"entire_cli_b8e923_2compacts_summaries.jsonl": {"195 156912 boundary 21", "377 155454 boundary none"},
		"agentv_f4771e_2compacted.jsonl":              {"201 187751 usage 32", "348 240512 usage 42"},
		"pi_before_compaction.jsonl":                  {"351 175004 boundary 50", "610 185014 boundary 60"},
	}
	for _, path := range realdata.Sources(t) {
		rows, wanted := want[filepath.Base(path)]
		if !wanted {
			continue
		}
		delete(want, filepath.Base(path))
		s, err := openReal(t, path).Session(context.Background(), Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		like, known := s.LookAlike()
		if !known {
			t.Fatalf("%s: no look-alike", path)
		}
		tl, err := s.Insight.Replay(context.Background(), s.Adapt(like.Policy), false)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range s.PairRecorded(tl) {
			var at, size int
			var from, far string
			if _, err := fmt.Sscan(rows[i], &at, &size, &from, &far); err != nil {
				t.Fatal(err)
			}
			if r.At != at || r.Before != (Figure{int64(size), FigureSource(from)}) {
				t.Errorf("%s: at %d, %v before; the file has %s", path, r.At, r.Before, rows[i])
			}
			if far == "none" {
				if r.Firing >= 0 {
					t.Errorf("%s: the one at %d has a counterpart at %d", path, r.At, tl.Firings[r.Firing].At)
				}
				continue
			}
			var most int
			if _, err := fmt.Sscan(far, &most); err != nil {
				t.Fatal(err)
			}
			if r.Firing < 0 || abs(tl.Firings[r.Firing].At-r.At) > most {
				t.Errorf("%s: none of %d firings is within %d messages of %d: %v", path, len(tl.Firings), most, r.At, tl.Firings[max(0, r.Firing)].At)
			}
		}
		if got := s.PairRecorded(&replay.Timeline{}); len(got) != len(s.Thread().Found) || got[0].Firing != -1 {
			t.Errorf("%s: beside nothing: %+v", path, got)
		}
	}
	for name := range want {
		t.Logf("%s is not here", name)
	}
}

func abs(n int) int { return max(n, -n) }

// A clearing's record says how large the results were. What the list of records shows is
// the context before and after, as it does of a compaction.
func TestTheRecordOfAClearingHasTheSizeOfTheContext(t *testing.T) {
	source := resumed("claude-sonnet-4-20250514", "null", 8, 20_000, 1500, 0)
	at := strings.Index(source, `{"parentUuid":"a4"`)
	source = source[:at] + `{"parentUuid":"a4","type":"system","subtype":"microcompact_boundary","uuid":"M","sessionId":"s","isSidechain":false,` +
		`"microcompactMetadata":{"trigger":"auto","preTokens":9000,"tokensSaved":4000}}` + "\n" +
		strings.Replace(source[at:], `"parentUuid":"a4"`, `"parentUuid":"M"`, 1)
	s := sessionOf(t, source)
	records, told := s.FoundRecords(), s.PairRecorded(&replay.Timeline{})
	if len(records) != 1 || len(told) != 1 {
		t.Fatalf("%+v, %+v", records, told)
	}
	if r, f := records[0], told[0]; r.Before.Tokens != 26_000 || r.After.Tokens != 27_500 ||
		r.Before.Tokens != f.Before.Tokens || r.After.Tokens != f.After.Tokens {
		t.Errorf("the list has %+v → %+v, the replay %+v → %+v", r.Before, r.After, f.Before, f.After)
	}
}
