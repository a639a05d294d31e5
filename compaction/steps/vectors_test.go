package steps

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/compaction/summarize"
	"palimpsest/internal/vectors"
)

// historyCase is a case of a_history_adaptive and a_history_fixed.
type historyCase struct {
	ID   string
	Ctor struct {
		Kind          string
		Window, Batch int
		MaxSummary    int `json:"max_summary"`
	}
	Steps []struct {
		N       int
		A, E, S *string
	}
	Expect []struct {
		I, Window, Batch int
		Detail           []int
		Sums             [][3]int
		SumTotal         int     `json:"sum_total"`
		HistLen          int     `json:"hist_len"`
		Hash             string  `json:"hist_sha256"`
		History          *string `json:"history"`
		Exception        string
	}
}

func TestA7A12A22I13VectorHistoryAdaptive(t *testing.T) {
	checkHistoryVectors(t, "a_history_adaptive", AllCompat())
}

// The fixed vectors come from the same program without its adjustment call.
func TestA7A12A22I13VectorHistoryFixed(t *testing.T) {
	compat := AllCompat()
	compat.Adaptive = false
	checkHistoryVectors(t, "a_history_fixed", compat)
}

func checkHistoryVectors(t *testing.T, file string, compat Compat) {
	for _, c := range vectors.Cases[historyCase](t, file) {
		set := FixedSettings(5, 3, 5000)
		if c.Ctor.Kind == "args" {
			set = FixedSettings(c.Ctor.Window, c.Ctor.Batch, c.Ctor.MaxSummary)
		}
		set.Compat = compat
		h, err := New(set, Env{Clock: tick()})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		done := 0
		for _, e := range c.Expect {
			var failed error
			for ; done < e.I; done++ {
				s := c.Steps[done]
				failed = h.AppendStep(context.Background(), Input{Number: s.N, Analysis: s.A, Execution: s.E, Supervision: s.S})
			}
			if e.Exception != "" {
				if failed == nil {
					t.Errorf("%s, step %d: no error, want %s", c.ID, e.I, e.Exception)
				}
				break
			}
			if failed != nil {
				t.Fatalf("%s, step %d: %v", c.ID, e.I, failed)
			}
			text := h.Text()
			hash := sha256.Sum256([]byte(text))
			var detail []int
			for _, r := range h.Steps() {
				detail = append(detail, r.Number)
			}
			var sums [][3]int
			total := 0
			for _, s := range h.Layer() {
				n := summarize.UTF16Len(s.Summary)
				sums = append(sums, [3]int{s.StartStep, s.EndStep, n})
				total += n
			}
			st := h.Stats()
			if st.Window != e.Window || st.Batch != e.Batch || !slices.Equal(detail, e.Detail) || !slices.Equal(sums, e.Sums) ||
				total != e.SumTotal || summarize.UTF16Len(text) != e.HistLen || hex.EncodeToString(hash[:]) != e.Hash {
				t.Errorf("%s after step %d: window %d, batch %d, detail %v, sums %v\n%s\nwant %+v", c.ID, e.I, st.Window, st.Batch, detail, sums, text, e)
				break
			}
			if e.History != nil && text != *e.History {
				t.Errorf("%s after step %d: text\n%s\nwant\n%s", c.ID, e.I, text, *e.History)
			}
		}
	}
}

func TestA24VectorEfficiency(t *testing.T) {
	type efficiency struct {
		Kind, ID    string
		MaxSteps    int `json:"max_steps"`
		ActualSteps int `json:"actual_steps"`
		Completed   bool
		Expect      any
	}
	n := 0
	for _, c := range vectors.Cases[efficiency](t, "a_units") {
		if c.Kind != "efficiency" {
			continue
		}
		if c.Completed || c.MaxSteps <= 0 { // theirs is no share of the steps then (F11)
			continue
		}
		n++
		r := Report{c.MaxSteps, c.ActualSteps, c.Completed}
		if got, want := strconv.FormatFloat(r.Used(), 'f', -1, 64), fmt.Sprint(c.Expect.(map[string]any)["efficiency"]); got != strings.TrimSuffix(want, ".0") {
			t.Errorf("%s: %+v uses %s %%, want %s", c.ID, r, got, want)
		}
	}
	if n == 0 {
		t.Error("no case of an efficiency")
	}
}
