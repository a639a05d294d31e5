package session

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Fit is how the file's own usage figures relate to our counts (design §9):
//
//	usage of a call = Factor · counted + Fixed + what the file does not hold
//
//	tokens              reported ──  . . counted + Fixed
//	  |        __                    the gap is Unseen: it is fitted between the
//	  |     __/. '                   recorded compactions, where the context was
//	  |  __/. '    |  __/            made anew
//	  | / . '      |_/. '
//	  |/' Fixed    |  Fixed
//	  +------------+---------- calls
type Fit struct {
	Factor float64  // 0: too few calls to fit one, the family's is used
	Fixed  int      // tokens of system prompt and tools; 0: unknown
	Calls  int      // reported calls it rests on; 0: nothing is reported
	Unseen []Unseen // by phase, in order
	// Split says how Fixed was distinguished from earlier history that is not in the file.
	Split Split

	from string // the record that the file was written from and that knew it; "": the file itself
}

// Unseen is context that no message of the file holds and that is not the fixed
// part: history before the file's beginning, files that were shown again after a
// compaction, hidden reasoning. Below 0 less was sent than the file holds.
type Unseen struct {
	From   int // history position
	Tokens int64
}

// Split is the evidence by which system prompt and tools were distinguished from earlier
// history.
type Split string

// The evidence.
const (
	SplitNone       Split = ""           // nothing was distinguished: the history is whole
	SplitCompaction Split = "compaction" // what was left behind a compaction of the file
	SplitUsual      Split = "usual"      // the usual size for the program that wrote the file
	SplitUnknown    Split = "unknown"    // both are in Unseen
)

const (
	fitCalls  = 5   // fewer reported calls prove no factor
	fitStep   = 400 // counted tokens between two calls for their slope to mean something
	fitLowest = 0.4 // factors outside are a sign that the figures mean something else
	fitMost   = 3.0

	// plausibleFixed is more than system prompt and tools take in any session that
	// was measured from its beginning.
	plausibleFixed = 64_000
)

// usualFixed is what the first call of whole sessions holds beyond its messages: the
// medians of the table in docs/tokens.md.
var usualFixed = map[model.Format]int{model.FormatClaudeCode: 40_000, model.FormatCodex: 10_000}

// call is one reported request: what we count of it and what was reported.
type call struct {
	at       int  // history position of the answer
	phase    int  // number of resets and clearings before it
	cleared  bool // results before it were cleared, and the file does not say which
	counted  int64
	reported int64
}

// reportedCalls are the calls of a thread whose usage the file reports; what was in the
// context is summed up where raw, the counts of the messages, is given. Calls behind one
// of our own summaries are left out unless they are known to be later than its record:
// what they report was measured before the messages in front of them were taken away. In
// a file that a record left without a summary, so are those of its live list.
func reportedCalls(t *model.Thread, raw []int32, l *lineage) iter.Seq[call] {
	return func(yield func(call) bool) {
		sum, phase, clearings := int64(0), 0, 0
		cleared := false
		const never = math.MinInt64
		rewritten := int64(never) // when the last summary of ours in the context was made
		see := func(m int32) {
			if raw != nil {
				sum += int64(raw[m])
			}
			if rec := l.made(m); rec != nil {
				rewritten = max(rewritten, rec.Time.UnixMilli())
			} else if ownSummary(&t.Messages[m]) {
				rewritten = math.MaxInt64 // nobody knows
			}
		}
		cut := len(t.History)
		if l.cut {
			cut = t.LiveFrom(cut)
		}
		for i, m := range t.History {
			for ; clearings < len(t.Found) && t.Found[clearings].At <= i; clearings++ {
				cleared = cleared || t.Found[clearings].Clearing
			}
			for ; phase < len(t.Resets) && t.Resets[phase].At <= i; phase++ {
				sum, rewritten, cleared = 0, never, false
				for _, b := range t.Resets[phase].Base {
					see(b)
				}
			}
			if i == cut {
				rewritten = max(rewritten, l.parent.Time.UnixMilli())
			}
			fresh := rewritten == never || t.Messages[m].Time > rewritten
			if u := t.Messages[m].Usage; u != nil && u.Input > 0 && fresh {
				if !yield(call{i, phase + clearings, cleared, sum, int64(u.Input)}) {
					return
				}
			}
			see(m)
		}
	}
}

// callsOf are the reported calls as a list, which has no room behind it.
func callsOf(t *model.Thread, raw []int32, l *lineage) []call {
	n := 0
	for i := range t.Messages {
		if t.Messages[i].Usage != nil {
			n++
		}
	}
	return slices.AppendSeq(make([]call, 0, n), reportedCalls(t, raw, l))
}

func ownSummary(m *model.Message) bool {
	return m.Kind == model.KindSummary && summarize.IsSummary(m.Preview)
}

// fit takes the factor from differences between calls of one phase, and what no
// message holds from the residuals of each phase.
func fit(calls []call, t *model.Thread, c tokens.Counter, format model.Format) Fit {
	f := Fit{Calls: len(calls)}
	if len(calls) == 0 {
		return f
	}
	f.Factor = slope(calls)
	a := cmp.Or(f.Factor, c.Factor())
	var phases []fitted
	for from := 0; from < len(calls); {
		to := from
		for to < len(calls) && calls[to].phase == calls[from].phase {
			to++
		}
		phases = append(phases, fitted{calls[from], residual(calls[from:to], a)})
		from = to
	}
	f.Fixed, f.Split = fixedPart(phases, a, t, usualFixed[format])
	for i, p := range phases {
		u := Unseen{From: startOf(t, p.first), Tokens: max(0, p.residual) - int64(f.Fixed)}
		if i == 0 || u.Tokens != f.Unseen[len(f.Unseen)-1].Tokens {
			f.Unseen = append(f.Unseen, u)
		}
	}
	f.Unseen[0].From = 0
	return f
}

// fitted is a phase: its first call, and what its calls hold beyond our counts.
type fitted struct {
	first    call
	residual int64
}

// slope is the reported tokens for a counted one: the median of the slopes between
// calls that follow each other, each weighing as much as the text between them.
// Small steps hold more framing than text. 0: there are too few.
func slope(calls []call) float64 {
	type step struct{ slope, weight float64 }
	steps := make([]step, 0, len(calls))
	sum := 0.0
	for i := range calls {
		for j := i + 1; j < len(calls) && calls[j].phase == calls[i].phase; j++ {
			dc, dr := calls[j].counted-calls[i].counted, calls[j].reported-calls[i].reported
			if dc < fitStep {
				continue
			}
			if dr > 0 {
				steps = append(steps, step{float64(dr) / float64(dc), float64(dc)})
				sum += float64(dc)
			}
			break
		}
	}
	if len(calls) < fitCalls || len(steps) < fitCalls-1 {
		return 0
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.slope, b.slope) })
	at := 0.0
	for _, s := range steps {
		if at += s.weight; at >= sum/2 {
			if s.slope < fitLowest || s.slope > fitMost {
				return 0
			}
			return s.slope
		}
	}
	return 0
}

// residual is the median of what calls report beyond our counts.
func residual(calls []call, factor float64) int64 {
	all := make([]float64, len(calls))
	for i, c := range calls {
		all[i] = beyond(c, factor)
	}
	return int64(median(all))
}

func beyond(c call, factor float64) float64 { return float64(c.reported) - factor*float64(c.counted) }

// fixedPart is the size of system prompt and tools. Where the history is whole, it
// is what the first call holds beyond its messages, which are few. Where earlier
// history is missing, it is the least that was left behind a compaction of the
// file, else the usual size.
func fixedPart(phases []fitted, factor float64, t *model.Thread, usual int) (int, Split) {
	first := int(beyond(phases[0].first, factor))
	if startOf(t, phases[0].first) > 0 {
		return max(0, int(phases[0].residual)), SplitNone // nothing is reported of the time before the first compaction
	}
	if !t.Midway && first <= plausibleFixed {
		return max(0, first), SplitNone
	}
	least := 0
	for _, p := range phases {
		if r := int(p.residual); startOf(t, p.first) > 0 && !p.first.cleared && r > 0 && (least == 0 || r < least) {
			least = r
		}
	}
	switch {
	case least > 0 && least < first:
		return least, SplitCompaction
	case usual > 0 && usual < first:
		return usual, SplitUsual
	case first <= plausibleFixed:
		return max(0, first), SplitNone
	}
	return 0, SplitUnknown
}

// startOf is the history position at which the phase of a call begins.
func startOf(t *model.Thread, c call) int {
	start := 0
	for _, r := range t.Resets {
		if r.At <= c.at {
			start = max(start, r.At)
		}
	}
	for _, f := range t.Found {
		if f.At <= c.at {
			start = max(start, f.At)
		}
	}
	return start
}

// UnseenAt is the context before a history position that no message of the file
// holds, beside the fixed part: see [Unseen].
func (f Fit) UnseenAt(at int) int64 {
	k := sort.Search(len(f.Unseen), func(k int) bool { return f.Unseen[k].From > at })
	if k == 0 {
		return 0
	}
	return f.Unseen[k-1].Tokens
}

// Beyond is what a context at a history position holds beyond its messages, with a
// fixed part taken as given.
func (f Fit) Beyond(at, fixed int) int64 { return max(0, int64(fixed)+f.UnseenAt(at)) }

// Outside lists what contexts hold beyond their messages, each value from its history
// position on, in order: those of [Fit.Beyond]. The first is at 0.
func (f Fit) Outside(fixed int) []Unseen {
	out := []Unseen{{Tokens: f.Beyond(0, fixed)}}
	for _, u := range f.Unseen {
		if n := f.Beyond(u.From, fixed); n != out[len(out)-1].Tokens {
			out = append(out, Unseen{u.From, n})
		}
	}
	return out
}

func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}

// fitOf is the fit of the file that a record was made of, for one that was written
// from it: the usage that it rests on is gone. nil: there is none.
func fitOf(rec *model.Record, in tokens.Encoding) Fit {
	switch {
	case rec == nil || !strings.HasPrefix(rec.Counted, string(in)):
		return Fit{}
	case rec.Fitted == nil:
		return Fit{Fixed: rec.Policy.Fixed}
	}
	return Fit{Factor: rec.Fitted.Factor, Fixed: rec.Policy.Fixed, Calls: rec.Fitted.Calls,
		Unseen: []Unseen{{Tokens: rec.Fitted.Unseen}}, from: rec.ID}
}

// Source is where the factor is from, in a few words.
func (f Fit) Source() string {
	if f.from != "" {
		return fmt.Sprintf("fitted to %d calls before %s", f.Calls, f.from)
	}
	return fmt.Sprintf("fitted to %d calls", f.Calls)
}

// FactorsSetting is the name under which the factors that a person set are kept
// among the settings of a database.
const FactorsSetting = "factors"

// LimitsSetting is the name under which the model limits that a person gave are kept.
const LimitsSetting = "limits"

// Factors are those the file's sessions are opened with.
func (f *File) Factors() tokens.Factors { return f.opt.Factors }

// WithFactors is the file with other factors. Sessions are carried over by
// [File.Continue], which counts nothing again.
func (f *File) WithFactors(x tokens.Factors) *File {
	g := *f
	g.opt.Factors = x
	return &g
}

// AffectedBy reports whether these factors would change the token numbers of the
// thread: its vocabulary is not public, and nothing was fitted to what the file
// reports.
func (t *CountedThread) AffectedBy(x tokens.Factors) bool {
	return t.fit.Factor == 0 && x.ForModel(t.Model()) != t.counter
}
