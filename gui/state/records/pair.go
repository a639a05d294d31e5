package records

import (
	"context"
	"slices"

	"palimpsest/gui/state"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// RecordPair is two records beside each other.
type RecordPair struct {
	A, B  *model.Record
	OnlyA []model.Range // messages that only one of them covers, in the history that their files were first made from
	OnlyB []model.Range
	Same  bool // they are of one history, so that ranges mean the same
}

// ComparedRecords is the pair that is compared; nil: none, or not yet.
func (d *View) ComparedRecords() *RecordPair { return d.pair }

// CompareRecords sets the two records that are ticked beside each other, the
// older one first.
func (d *View) CompareRecords() {
	ids, s, list := d.table.TickedIDs(), d.histories.Session(), d.table.list
	if d.pair = nil; len(ids) != 2 {
		return
	}
	state.Run(d.core, "compare records", func(ctx context.Context) (*RecordPair, error) {
		var both [2]*model.Record
		for i, id := range ids {
			r, err := d.findRecord(ctx, s, list, id)
			if r == nil || err != nil {
				return nil, err
			}
			both[i] = r
		}
		return newRecordPair(both[0], both[1], session.Linked(ctx, d.records(), both[0], both[1])), nil
	}, func(p *RecordPair) {
		d.pair = p
		d.core.Notify(state.TopicRecords)
	})
}

// Swapped is the pair the other way round.
func (p *RecordPair) Swapped() *RecordPair {
	return &RecordPair{A: p.B, B: p.A, OnlyA: p.OnlyB, OnlyB: p.OnlyA, Same: p.Same}
}

func newRecordPair(a, b *model.Record, same bool) *RecordPair {
	if b.Time.Before(a.Time) {
		a, b = b, a
	}
	p := &RecordPair{A: a, B: b, Same: same}
	ra, rb := coveredRanges(a), coveredRanges(b)
	p.OnlyA, p.OnlyB = without(ra, rb), without(rb, ra)
	return p
}

// coveredRanges are the runs of messages that a record took, in order, in the history
// that its file was first made from.
func coveredRanges(r *model.Record) []model.Range {
	var out []model.Range
	for _, run := range r.Runs {
		if run.From < run.To && run.Taken() {
			out = append(out, model.Range{From: run.First() - 1, To: run.First() - 1 + run.To - run.From})
		}
	}
	slices.SortFunc(out, func(a, b model.Range) int { return a.From - b.From })
	return out
}

// without is what ranges hold that others do not; both in order.
func without(list, other []model.Range) []model.Range {
	var out []model.Range
	for _, r := range list {
		for _, o := range other {
			if o.To <= r.From || o.From >= r.To {
				continue
			}
			if o.From > r.From {
				out = append(out, model.Range{From: r.From, To: o.From})
			}
			r.From = min(o.To, r.To)
		}
		if r.From < r.To {
			out = append(out, r)
		}
	}
	return out
}
