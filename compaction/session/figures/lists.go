package figures

import (
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// Record is the figures of a stored compaction.
type Record struct {
	Before, After, Survives figure.Figure
	Saved                   figure.Figure // the share that it saved of the whole context
}

// Saved is the name of that share.
const Saved = "savedHere"

// OfRecord makes the figures that a record holds of itself; those that it does not
// hold are unknown, with the reason. They need no more of it than a list of records has.
// What was counted without a fixed part is a bound.
func OfRecord(r *model.Record) Record {
	size := func(name string, tokens int64) figure.Figure {
		f := figure.Figure{Name: name, Value: float64(tokens), Kind: figure.Estimated, Methods: []figure.Method{
			{Name: "messages", How: "named", Text: r.Counted}}}
		switch {
		case r.Counted == "reported":
			f.Kind, f.Methods[0] = figure.Reported, figure.Method{Name: "usage", How: "provider"}
		case r.Exact():
			f.Kind = figure.Counted
		}
		if tokens <= 0 || r.Counted == "" {
			f.Kind, f.Reason, f.Methods = figure.Unknown, NotRecorded, nil
			return f
		}
		if f.Kind == figure.Reported {
			return f // all that was sent
		}
		return AtLeast(f, r.Policy.Fixed)
	}
	out := Record{Before: size(Before, r.Before.Tokens), After: size(After, r.After.Tokens)}
	out.Saved = figure.Ratio(Saved, r.Before.Tokens-r.After.Tokens, r.Before.Tokens, NotRecorded)
	out.Saved.Parts = changeParts(r.Before.Tokens, r.After.Tokens, r.CouldGo())
	all := r.AllFacts()
	out.Survives = figure.Ratio(string(replay.MetricSurvives), int64(all.Standing), int64(all.Gone), NotRecorded)
	out.Survives.Methods = []figure.Method{{Name: "facts", How: "literal"}}
	switch {
	case r.Outcome != model.Applied:
		for _, f := range []*figure.Figure{&out.After, &out.Saved, &out.Survives} {
			f.Kind, f.Bound, f.Reason, f.Parts = figure.Unknown, figure.None, NotApplied, nil
		}
	case r.Cause == model.CauseRestore || !out.After.Known() || !out.Before.Known():
		out.Saved.Kind, out.Saved.Reason, out.Saved.Parts = figure.Unknown, NotRecorded, nil
	}
	for _, f := range []*figure.Figure{&out.Before, &out.After, &out.Saved, &out.Survives} {
		f.Scope, f.At = figure.OfRecord, r.At
	}
	return out
}

// Message is the name of the tokens of a row of the ledger.
const Message = "message"

// OfRow is the tokens of a row of the ledger; drafted: the text of its summary is there.
// False where a row has none.
func OfRow(s *session.Session, r session.Row, drafted bool) (figure.Figure, bool) {
	if r.Kind == session.RowFound || r.Kind == session.RowDamaged {
		return figure.Figure{}, false
	}
	f := figure.Figure{Name: Message, Value: float64(r.Tokens), Kind: kindOf(s),
		Methods: []figure.Method{{Name: "messages", How: "counter"}}}
	if r.Kind == session.RowSummary {
		f.Name = Summary
		if !drafted {
			f.Kind, f.Methods = figure.Estimated, []figure.Method{{Name: "summary", How: "expected"}}
		}
	}
	return f, true
}

// OfTotal is how full the context is up to a row of the ledger and with it, counting a
// fixed part of so many tokens, 0 where it is not known; false where the row is in no
// request that is planned.
func OfTotal(s *session.Session, r session.Row, fixed int) (figure.Figure, bool) {
	f := figure.Figure{Name: "upTo", Value: float64(r.Total), Kind: kindOf(s),
		Methods: []figure.Method{{Name: "messages", How: "counter"}}}
	return AtLeast(f, fixed), r.Total >= 0
}

// OfAgent is the context of the last call of an agent, in tokens and as a share of its
// context window, 0 where that is not known.
func OfAgent(a *session.Agent, window int) (size, share figure.Figure) {
	size = figure.Figure{Name: "live", Kind: figure.Counted, Scope: figure.OfCall}
	last, ok := a.Last()
	switch size.Value = float64(last.Tokens); {
	case !ok:
		size.Kind, size.Reason = figure.Unknown, NoCalls
	case last.Reported:
		size.Kind, size.Methods = figure.Reported, []figure.Method{{Name: "usage", How: "provider"}}
	case a.Estimated:
		size.Kind = figure.Estimated
	}
	size.At = last.History
	share = figure.Ratio("full", last.Tokens, int64(window), NoWindow)
	if !size.Known() {
		share.Kind, share.Reason = size.Kind, size.Reason
	} else if share.Known() {
		share.Kind, share.Methods, share.Scope, share.At = size.Kind, size.Methods, size.Scope, size.At
	}
	return size, share
}

// OfAgentPart is a part of what fills the context of an agent, in tokens and as a share
// of all parts. What no message holds is never counted, only worked out from usage.
func OfAgentPart(a *session.Agent, tokens int64, inMessages bool) (size, share figure.Figure) {
	all := a.System + a.Unseen
	for _, w := range a.KindWeights {
		all += w.Tokens
	}
	last, _ := a.Last()
	size = figure.Figure{Name: "agentPart", Value: float64(tokens), Kind: figure.Counted, Scope: figure.OfCall, At: last.History}
	if size.Methods = []figure.Method{{Name: "messages", How: "counter"}}; !inMessages {
		size.Methods = []figure.Method{{Name: "fixed", How: "beyond"}}
	}
	if a.Estimated || !inMessages {
		size.Kind = figure.Estimated
	}
	share = figure.Ratio(size.Name, tokens, all, NoCalls)
	if share.Known() {
		share.Kind, share.Methods, share.Scope, share.At = size.Kind, size.Methods, size.Scope, size.At
	}
	return size, share
}

// Peak is the name of the share of the context window that the largest call filled.
const Peak = "peak"

// OfPeak is that share, from what a file reports of its calls; both in tokens, 0 where
// it is not known.
func OfPeak(call, window int64) figure.Figure {
	f := figure.Ratio(Peak, call, window, NoWindow)
	if call == 0 {
		f.Kind, f.Reason = figure.Unknown, NotReported
	}
	if f.Known() {
		f.Kind, f.Methods = figure.Reported, []figure.Method{{Name: "usage", How: "provider"}}
	}
	return f
}
