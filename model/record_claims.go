package model

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Contradiction is what a record says that can't be so, in a few words; "": nothing is
// found. Records that are imported may have been written by anybody.
func (r *Record) Contradiction() string {
	year := r.Time.UTC().Year()
	sizes := []int64{r.SourceSize, int64(r.At), int64(r.Covered), int64(r.Formers), int64(r.Before.Messages), r.Before.Tokens,
		int64(r.After.Messages), r.After.Tokens, int64(r.Duration), r.Compactable}
	switch {
	case year < 2020 || year > 2200:
		return fmt.Sprintf("it was made in the year %d", year)
	case !slices.Contains([]Cause{CauseManual, CauseAutomatic, CauseReplay, CauseFound, CauseRestore, CauseRepair}, r.Cause):
		return fmt.Sprintf("its cause is %q", r.Cause)
	case !slices.Contains([]Outcome{Applied, Refused, Failed, Cancelled}, r.Outcome):
		return fmt.Sprintf("its outcome is %q", r.Outcome)
	case r.Strategy != "" && !slices.Contains(Strategies(), r.Strategy):
		return fmt.Sprintf("its strategy is %q", r.Strategy)
	case strings.ContainsAny(r.UID, "/\\'\";"):
		return fmt.Sprintf("its uid is %q", r.UID)
	case slices.ContainsFunc(sizes, func(n int64) bool { return n < 0 }):
		return "one of its numbers is below zero"
	case r.Range.From < 0, r.Range.To < r.Range.From, r.Range.To > r.At:
		return fmt.Sprintf("it covers messages %d to %d of %d", r.Range.From+1, r.Range.To, r.At)
	case r.Formers > r.Covered:
		return "it covers more former summaries than it covers in all"
	}
	for _, sum := range []string{r.SourceSHA, r.RangeSHA, r.OutputSHA} {
		if b, err := hex.DecodeString(sum); err != nil || len(b) != 32 && len(b) != 0 {
			return fmt.Sprintf("%q is no SHA-256", sum)
		}
	}
	for _, it := range r.Live {
		if it.Msg < 0 && it.Record == "" {
			return "its live list names a summary of no record"
		}
	}
	return ""
}
