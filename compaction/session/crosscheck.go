package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// CrossCheck compares what we make of the last call whose usage the file reports
// with that report.
//
//	tokens       . estimated           From is the first call of the stretch in
//	  |       . '  |                   which both differ, At the last one
//	  |   _.-'     | Estimated − Reported
//	  | _/  \______| reported
//	  +-----|------|---- calls
//	      From    At
type CrossCheck struct {
	At        int // history position of the call's answer; -1: nothing is reported
	Reported  int64
	Estimated int64

	// The rest is known where the check is Loud.
	From   int     // history position from which both differ
	Before float64 // median difference of the calls before From, as a share; -1: there are too few
	Cause  Cause
	More   int // other causes that may have a part in it
}

// Cause is what a difference is likely to come from.
type Cause struct {
	Code   CauseCode
	At     int    // history position where it began; 0: it is of no place
	To     int    // history position of the last message concerned; 0: none
	N      int    // how many images or calls it is about
	Tokens int64  // what it explains of the difference
	Record string // that made it; "": none
}

// CauseCode is a kind of cause.
type CauseCode string

// The causes.
const (
	CauseGateway   CauseCode = "gateway"    // a gateway sends it compacted, which the file does not show
	CauseFixedSet  CauseCode = "fixed-set"  // the fixed part was set by hand
	CauseCleared   CauseCode = "cleared"    // results were cleared, and the file does not say which
	CauseFell      CauseCode = "fell"       // context went that the file still holds
	CauseRose      CauseCode = "rose"       // context came that the file does not hold
	CauseMedia     CauseCode = "media"      // images and the like are counted by a rough size
	CauseHidden    CauseCode = "hidden"     // reasoning is hidden, and not counted
	CauseFewCalls  CauseCode = "few-calls"  // too few calls report usage to fit the count to them
	CauseForeign   CauseCode = "foreign"    // what is reported is far below any count of this text
	CauseUnfitting CauseCode = "no-pattern" // none of these
)

const (
	// loudShare is the difference from which it is said aloud.
	loudShare = 0.2
	// strayShare is the difference from which a call belongs to the stretch.
	strayShare = 0.1
	// partOfCause is the share of a difference that a cause explains at least.
	partOfCause = 0.25
)

// Off is the difference as a share of what is reported: 0.26 is 26 % too much.
func (c CrossCheck) Off() float64 {
	if c.At < 0 || c.Reported <= 0 {
		return 0
	}
	return float64(c.Estimated-c.Reported) / float64(c.Reported)
}

// Loud reports whether both differ so much that it must be said.
func (c CrossCheck) Loud() bool { return math.Abs(c.Off()) > loudShare }

// CrossCheck compares the last reported call with its estimate under a fixed part.
func (t *CountedThread) CrossCheck(fixed int) CrossCheck {
	if c, known := t.checker.known.Load(fixed); known {
		return c.(CrossCheck)
	}
	c := t.checker.check(t, fixed)
	t.checker.known.Store(fixed, c)
	return c
}

// crossChecker keeps what the checks of a thread have in common.
type crossChecker struct {
	known   sync.Map // by fixed part: CrossCheck
	reading sync.Once
	rough   [2]Cause // media and hidden reasoning, see roughParts
}

func (k *crossChecker) check(t *CountedThread, fixed int) CrossCheck {
	if len(t.calls) == 0 || t.sketch {
		return CrossCheck{At: -1, Before: -1}
	}
	last := t.calls[len(t.calls)-1]
	if t.lineage.from() != nil && last.at < t.thread.LiveFrom(len(t.thread.History)) {
		return CrossCheck{At: -1, Before: -1} // nothing that is live was reported, and the fit is of other calls
	}
	c := CrossCheck{At: last.at, Reported: last.reported, Estimated: estimate(t, last, fixed), Before: -1}
	if !c.Loud() {
		return c
	}
	from := len(t.calls) - 1
	var before []float64
	for i := len(t.calls) - 1; i >= 0; i-- {
		off := float64(estimate(t, t.calls[i], fixed)-t.calls[i].reported) / float64(t.calls[i].reported)
		if len(before) == 0 && math.Abs(off) > strayShare && (off > 0) == (c.Off() > 0) {
			from = i
			continue
		}
		before = append(before, math.Abs(off))
	}
	c.From = t.calls[from].at
	if len(before) >= fitCalls {
		c.Before = median(before)
	}
	k.explain(t, &c, from, fixed)
	return c
}

// estimate is the size of a call as we make it.
func estimate(t *CountedThread, c call, fixed int) int64 {
	return int64(math.Round(t.counter.Factor()*float64(c.counted))) + t.fit.Beyond(c.at, fixed)
}

// explain finds the likely causes of a difference whose stretch begins at a call, and
// takes the one that explains most of it.
func (k *crossChecker) explain(t *CountedThread, c *CrossCheck, from, fixed int) {
	diff := c.Estimated - c.Reported
	var causes []Cause
	add := func(x Cause) {
		if x.Tokens > 0 && float64(x.Tokens) >= partOfCause*math.Abs(float64(diff)) {
			causes = append(causes, x)
		}
	}
	if diff > 0 {
		if rec := t.file.gateway(); rec != "" {
			add(Cause{Code: CauseGateway, Tokens: diff, Record: rec})
		}
	}
	if given := int64(fixed - t.fit.Fixed); given != 0 && (given > 0) == (diff > 0) {
		add(Cause{Code: CauseFixedSet, Tokens: max(given, -given)})
	}
	if last := t.calls[len(t.calls)-1]; diff > 0 && last.counted > 2*last.reported {
		add(Cause{Code: CauseForeign, Tokens: diff})
	}
	for _, f := range t.thread.Found {
		if f.Clearing && f.At <= c.At && diff > 0 && f.At >= t.thread.LiveFrom(c.At) {
			add(Cause{Code: CauseCleared, At: f.At, Tokens: diff})
			break
		}
	}
	add(largestStep(t, diff, from))
	media, hidden := k.roughParts(t, c.At)
	if add(media); diff < 0 && hidden.N > 0 {
		hidden.Tokens = -diff
		add(hidden)
	}
	if t.fit.Factor == 0 && len(causes) == 0 {
		add(Cause{Code: CauseFewCalls, N: len(t.calls), Tokens: max(diff, -diff)})
	}
	if len(causes) == 0 {
		causes = []Cause{{Code: CauseUnfitting}}
	}
	best := slices.IndexFunc(causes, func(x Cause) bool {
		return !slices.ContainsFunc(causes, func(y Cause) bool { return y.Tokens > x.Tokens })
	})
	c.Cause, c.More = causes[best], len(causes)-1
}

// gatewayRecord is the last record by which a gateway sent the history that it wrote to a
// path; "": it sent the messages themselves, or where records are looked up nothing is known
// of sessions that run.
func gatewayRecord(known Lookup, path string) string {
	st, ok := known.(interface {
		Live(ctx context.Context, since time.Time) ([]model.LiveSession, error)
	})
	if !ok {
		return ""
	}
	list, _ := st.Live(context.Background(), time.Time{}) // what can't be read names no cause
	for i := range list {
		if list[i].Record != "" && model.AbsolutePath(list[i].Path) == path {
			return list[i].Record
		}
	}
	return ""
}

// largestStep is the largest change between two calls near the beginning of the stretch
// that our count has no part in: context that went without a word, or came.
func largestStep(t *CountedThread, diff int64, from int) (best Cause) {
	a := t.counter.Factor()
	for i := max(1, from-1); i < len(t.calls); i++ {
		p, q := t.calls[i-1], t.calls[i]
		if p.phase != q.phase {
			continue
		}
		came := float64(q.reported-p.reported) - a*float64(q.counted-p.counted)
		if came = -came; diff < 0 {
			came = -came
		}
		if n := int64(came); n > best.Tokens {
			best = Cause{Code: CauseFell, At: q.at, Tokens: n}
			if diff < 0 {
				best.Code = CauseRose
			}
		}
	}
	return best
}

// roughParts is what the live context of the last reported call holds that can't be
// counted: images and the like, and messages with reasoning that can't be read.
func (k *crossChecker) roughParts(t *CountedThread, at int) (media, hidden Cause) {
	k.reading.Do(func() {
		media, hidden := Cause{Code: CauseMedia}, Cause{Code: CauseHidden}
		eachPart(t, at, func(history int, p model.Part) {
			switch {
			case p.Kind == model.PartOpaque && p.Bytes > 0:
				hidden.N++
			case p.Kind == model.PartMedia:
				if media.N++; history >= 0 && media.At == 0 {
					media.At = history
				}
				media.To = max(media.To, history)
				media.Tokens += int64(t.counter.Scale(tokens.Media(p.Bytes, p.Name, p.Pixels)))
			}
		})
		k.rough = [2]Cause{media, hidden}
	})
	return k.rough[0], k.rough[1]
}

// eachPart reads the parts of the live context before a position.
func eachPart(t *CountedThread, at int, see func(history int, p model.Part)) {
	from := t.thread.LiveFrom(at)
	live := t.thread.Live(at)
	own := len(live) - (at - from)
	for i, stored := range live {
		parts, err := t.parts(stored)
		if err != nil {
			continue // it was read when it was counted; the file has gone since
		}
		history := -1
		if i >= own {
			history = from + i - own
		}
		for _, p := range parts {
			see(history, p)
		}
	}
}

// said is the check as a warning that plans repeat.
func (c CrossCheck) said() []compaction.Reason {
	if !c.Loud() {
		return nil
	}
	return []compaction.Reason{{Code: EstimateOff, N: c.Estimated, M: c.Reported}}
}

// EstimateOff is the code of the warning of plans that the [CrossCheck] is loud.
const EstimateOff = "estimate-off"

// String is the check in an English sentence or two, for the verbs; "" where there
// is nothing to say aloud.
func (c CrossCheck) String() string {
	if !c.Loud() {
		return ""
	}
	s := english.Sprintf("the last call is estimated at ~%d tokens, reported at %d (%s). Likely cause: %s",
		c.Estimated, c.Reported, signed(c.Off()), c.Cause)
	if c.More > 0 {
		s += fmt.Sprintf(", and %d more", c.More)
	}
	if c.Before >= 0 {
		s += english.Sprintf(". Before message %d: ±%.0f %%", c.From+1, math.Ceil(100*c.Before))
	}
	return s
}

// String is the cause in English words.
func (x Cause) String() string {
	switch x.Code {
	case CauseGateway:
		return "the gateway sends it compacted (" + x.Record + ")"
	case CauseFixedSet:
		return "the fixed part that was set by hand"
	case CauseCleared:
		return english.Sprintf("tool results were cleared at message %d, and the file does not say which", x.At+1)
	case CauseFell:
		return english.Sprintf("~%d tokens left the context before message %d, and the file does not say what", x.Tokens, x.At+1)
	case CauseRose:
		return english.Sprintf("~%d tokens came into the context before message %d that the file does not hold", x.Tokens, x.At+1)
	case CauseMedia:
		return fmt.Sprintf("images and files (%d), counted by size", x.N)
	case CauseHidden:
		return "reasoning that the file holds only encrypted, which is not counted"
	case CauseFewCalls:
		return fmt.Sprintf("too few calls report usage (%d) to fit the count to them", x.N)
	case CauseForeign:
		return "the reported usage is far below any count of this text: it is not that of this history"
	}
	return "not known"
}

func signed(share float64) string {
	if share > loudest {
		return fmt.Sprintf("%.0f × what is reported", share+1)
	}
	return fmt.Sprintf("%+.0f %%", 100*share)
}

// english writes numbers with separators of thousands.
var english = message.NewPrinter(language.English)

// loudest is the share from which a difference is said as a multiple.
const loudest = 2.0
