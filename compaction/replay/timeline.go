package replay

import (
	"sort"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// State is the outcome of the check before a call.
type State uint8

const (
	Waits     State = iota // no clause fires
	Fired                  // it compacted
	Refused                // a clause fires, but nothing can or should be taken
	BackedOff              // a clause fires, but an attempt before did not help
	Failed                 // the summary could not be made
	Truncated              // at the hard limit messages were left out unsummarised
)

var stateNames = [...]string{"waits", "fired", "refused", "backed off", "failed", "truncated"}

func (s State) String() string { return stateNames[s] }

// Call is one model call.
type Call struct {
	At     int32 // history position of its answer
	State  State
	Clause int16 // the one that fires or is nearest to it; -1: none can fire

	Tokens   int64 // sent, after any compaction; the fixed part included
	Recorded int64 // input tokens that the file reports; 0: not reported
	// Missing is how much must be added in the clause's unit until it fires, 0 or less
	// when it does; while it backs off, how many messages must still come.
	Missing int64
}

// Firing is one compaction; [Timeline.Why] says why.
type Firing struct {
	Call        int `json:"call"`    // index into the calls
	At          int `json:"message"` // history position of the call
	model.Range     // of the history that it takes
	Passes      int `json:"passes"`

	Before  model.Size `json:"before"`
	After   model.Size `json:"after"`
	Removed model.Size `json:"removed"`
	Formers int        `json:"former_summaries"` // of what was removed, summaries of firings or of the file before
	Cleared int        `json:"cleared"`          // results that were replaced by a note
	Summary int        `json:"summary_tokens"`   // 0: none was made
	Record  string     `json:"-"`                // name of the summary in this timeline; "": none
	Text    string     `json:"summary"`          // where a summariser made one

	// AtLimit says that the list did not fit the context window less its reserve:
	// the tail was shortened if need be (see [compaction.Planner.PlanToFit]). LeftOut
	// of the messages that went have no summary.
	AtLimit bool `json:"at_limit,omitempty"`
	Again   bool `json:"again"` // within [Soon] calls of the firing before
	LeftOut int  `json:"left_out,omitempty"`

	Resent int64 `json:"resent"` // kept tokens that are written to the prompt cache again

	Context *Context `json:"-"` // if it was asked for
}

// Compacts reports whether the firing is one of [Totals].Firings. Where messages were left
// out without a summary, since the list did not fit the context window, it is none.
func (f *Firing) Compacts() bool { return f.LeftOut == 0 }

// Context is what a firing takes and leaves, in history positions.
type Context struct {
	Gone    []model.Range // summarised or dropped by this firing
	Cleared []model.Range // cleared by this firing
	Kept    []model.Range // live word for word, without cleared results
	Merged  []model.Item  // former summaries, and copies without a position, that are gone
	Stands  []model.Item  // those that are live, the new summary included
}

// Soon is how few calls after a firing another one is called thrash.
const Soon = compaction.Soon

// Refusal is a check that fired but did not compact.
type Refusal struct {
	Call int
	Why  compaction.Reason
	Err  error // of a summary that failed
}

// Totals are the sums of a replay.
type Totals struct {
	Calls int   `json:"calls"`
	Input int64 `json:"input"` // tokens sent by all calls: the area under the curve
	// Uncompacted is what all calls would have sent if nothing had been compacted.
	Uncompacted int64 `json:"uncompacted"`
	Largest     int64 `json:"largest"` // tokens of the largest call

	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
	Resent     int64 `json:"resent"` // part of CacheWrite that compactions caused
	// Expired is the part of CacheRead that is not in the cache any more because the
	// agent was idle; see [compaction.History.Pauses].
	Expired int64 `json:"cache_expired,omitempty"`

	Firings   int `json:"firings"`
	Refused   int `json:"refused"`
	BackedOff int `json:"backed_off"`
	Failed    int `json:"failed"`
	Thrash    int `json:"thrash"` // firings within [Soon] calls of the one before
	Over      int `json:"over"`   // calls larger than the context window, whatever is left out

	Truncations int `json:"truncations,omitempty"` // calls before which messages were left out at the hard limit
	LeftOut     int `json:"left_out,omitempty"`    // those messages

	Summaries     int   `json:"summaries"`              // summaries that were made, or would have been
	SummaryInput  int64 `json:"summary_input"`          // tokens they were made from
	SummaryOutput int64 `json:"summary_output"`         // tokens of the texts
	ModelInput    int64 `json:"model_input,omitempty"`  // of these two what a model is sent
	ModelOutput   int64 `json:"model_output,omitempty"` // and writes

	After model.Size `json:"after"` // what a request after the last message would send
}

// Saved is the share of the uncompacted input that was not sent, at most 1; below 0
// if compacting sent more.
func (t Totals) Saved() float64 {
	if t.Uncompacted == 0 {
		return 0
	}
	return 1 - float64(t.Input)/float64(t.Uncompacted)
}

// Timeline is a history replayed under a policy. It is immutable.
type Timeline struct {
	Policy   model.Policy // in its legal form
	Calls    []Call
	Firings  []Firing
	Refusals []Refusal
	Totals   Totals
	Warnings []compaction.Reason
	Texts    bool // summaries have real texts; else the size that a plan expects of them

	// Live is the list of a request after the last message, if it was asked for. A
	// summary in it is that of the firing whose Record it names.
	Live []model.Item

	prepared *compaction.PreparedPolicy
	history  *compaction.History
}

// Why is one line of the decision log.
type Why struct {
	Call
	Reason compaction.Reason // the clause for a call that waits or fires, else why nothing was done
	Firing *Firing           // of a call that fired
	Err    error             // of a summary that failed
}

// Why is the line of the decision log for the check before a call.
func (t *Timeline) Why(call int) Why {
	c := t.Calls[call]
	w := Why{Call: c}
	switch c.State {
	case Waits, Fired, Truncated:
		near := compaction.Nearest{Clause: int(c.Clause), Missing: c.Missing}
		w.Reason = t.prepared.Reason(near, int(c.At), t.history.Steps(int(c.At)))
		if len(t.Policy.Triggers) == 0 && c.Clause < 0 {
			w.Reason = compaction.Reason{Code: "no-trigger"}
		}
		if c.State != Waits {
			k := sort.Search(len(t.Firings), func(k int) bool { return t.Firings[k].Call >= call })
			if w.Firing = &t.Firings[k]; w.Firing.AtLimit {
				w.Reason = compaction.Reason{Code: "over-limit", N: w.Firing.Before.Tokens, M: int64(t.Policy.Window - t.Policy.Reserve)}
			}
		}
	case BackedOff:
		w.Reason = compaction.Reason{Code: "back-off", N: c.Missing}
	default:
		k := sort.Search(len(t.Refusals), func(k int) bool { return t.Refusals[k].Call >= call })
		w.Reason, w.Err = t.Refusals[k].Why, t.Refusals[k].Err
	}
	return w
}

// String is the line in English: the clause, measured, and what was done.
func (w Why) String() string { return w.Text(compaction.Sizes{}) }

// Text is String with the marks of sizes that are not exact.
func (w Why) Text(z compaction.Sizes) string {
	p := message.NewPrinter(language.English)
	reason := w.Reason.Text(z)
	size := func(n int64) string { return z.Write(n, compaction.WholeContext) }
	switch {
	case w.Firing != nil:
		f := w.Firing
		text := "fires: " + reason
		if f.LeftOut > 0 {
			text += "; leaves out " + figure.Plural(int64(f.LeftOut), "message") + " unsummarised"
		} else if f.Range.To > f.Range.From {
			text += p.Sprintf("; takes messages %d–%d", f.Range.From+1, f.Range.To)
		}
		if f.Cleared > 0 {
			text += p.Sprintf("; results cleared: %d", f.Cleared)
		}
		text += "; " + size(f.Before.Tokens) + " → " + size(f.After.Tokens) + " tokens"
		if f.Again {
			text += p.Sprintf("; within %d calls of the firing before", Soon)
		}
		return text
	case w.State == Waits && w.Clause >= 0:
		return "no: " + reason + "; " + w.MissingText(z) + " more until it fires"
	case w.State == Waits:
		return "no: " + reason
	}
	return reason
}

// MissingText is how much is missing until the clause fires.
func (w Why) MissingText(z compaction.Sizes) string {
	if n, _ := w.Reason.Measured(); n != compaction.Given {
		return z.Write(w.Missing, compaction.PartSize)
	}
	return figure.Int(w.Missing)
}

// LogStart is the call at which a reader of the log should begin: the last firing at
// or before a history position, else the first one; without firings the last call
// at which a clause fired and nothing was done; else the largest call. Position −1
// is the end of the history. It returns −1 if there are no calls.
func (t *Timeline) LogStart(at int) int {
	if n := len(t.Firings); n > 0 {
		k := n
		if at >= 0 {
			k = sort.Search(n, func(i int) bool { return t.Firings[i].At > at })
		}
		return t.Firings[max(0, k-1)].Call
	}
	if n := len(t.Refusals); n > 0 {
		return t.Refusals[n-1].Call
	}
	best := -1
	for i := range t.Calls {
		if best < 0 || t.Calls[i].Tokens > t.Calls[best].Tokens {
			best = i
		}
	}
	return best
}
