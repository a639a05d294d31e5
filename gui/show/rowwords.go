package show

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/state/drafts"
	"palimpsest/gui/state/plan"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

func FateWord(f model.Fate) string { return words.T("fate." + f.String()) }

// Tuned is the history looked at, with the parameters on the screen.
type Tuned interface {
	Session() *session.Session
	Params() model.Policy
}

// Ledger is the history looked at as its rows are put into words.
type Ledger interface {
	Measured
	Tuned
	Draft() *session.Draft // nil: it is to come
	Writing() bool         // a model writes it
	Note(history int) string
	RowFigure(r session.Row, total bool) (figure.Figure, bool)
}

// Of is the history looked at in a window.
func Of(d *desk.Desk) Ledger { return ledger{d, d.Planning, d.DraftSet} }

type (
	ledger struct {
		*desk.Desk
		*planned
		*draftSet
	}
	planned  = plan.Plan
	draftSet = drafts.Set
)

// ReasonWords says why something is so in the history looked at. Numbers are whole
// ones with separators, sizes with the marks of estimates and bounds.
func ReasonWords(d Tuned, r compaction.Reason) string { return reasonWords(r, Sizes(d)) }

// RecordReason is why nothing came of a record, or what ended it; as it was written down
// where it is no reason that there are words for.
func RecordReason(rec *model.Record) string {
	if r, sizes, ok := compaction.ReasonIn(rec.Reason); ok {
		return reasonWords(r, sizes)
	}
	if rec.Cause == model.CauseFound {
		return fileCause(rec.Reason)
	}
	reason := strings.TrimPrefix(rec.Reason, "summarise: ")
	if f := remote.FailureIn(reason); f != nil {
		return FailureWords(f)
	}
	return reason
}

// fileCause is in words what a file gives as the cause of a compaction.
func fileCause(cause string) string {
	switch cause {
	case "auto", "automatic":
		return words.T("cause.automatic")
	case "manual":
		return words.T("cause.manual")
	}
	return cause
}

func reasonWords(r compaction.Reason, sizes compaction.Sizes) string {
	byN, byM := r.Measured()
	n, m := sizes.Write(r.N, byN), sizes.Write(r.M, byM)
	unit, ok := clauseUnits[r.Code]
	if !ok {
		unit = model.Messages
	}
	return words.T("reason."+r.Code, "n", n, "m", m, "count", r.N, "nTokens", words.T("count.tokens", "count", r.N, "tokens", n),
		"mTokens", words.T("count.tokens", "count", r.M, "tokens", m),
		"mUnits", CountedWords(r.M, unit), "soon", replay.Soon)
}

// Sizes says how the sizes of the history looked at are known.
func Sizes(d Tuned) compaction.Sizes {
	s := d.Session()
	if s == nil {
		return compaction.Sizes{}
	}
	p := d.Params()
	return compaction.SizesOf(s.Estimated(), &p)
}

// clauseUnits are the units of the reasons that measure a clause of the trigger.
var clauseUnits = map[string]model.Unit{"clause-messages": model.Messages, "clause-groups": model.Groups, "clause-turns": model.Turns}

// TokensInWords is a number of tokens with its noun: "1 token".
func TokensInWords(n int64) string { return words.T("count.tokens", "count", n, "tokens", n) }

// FateReason is a fate with its reason: "kept: in the window".
func FateReason(d *desk.Desk, r session.Row) string {
	if pl := d.Planning.Plan(); r.Kind == session.RowSummary && pl != nil {
		return words.T("row.added", "what", Went(session.Went(pl)))
	}
	if !r.Live {
		if r.Kind == session.RowFound || r.Kind == session.RowDamaged {
			return ""
		}
		said := PastWords(d, r.Num-1)
		if r.Pinned {
			said += " · " + words.T("reason.pinned")
		}
		return said
	}
	return FateBecause(Of(d), r.Fate, r.Why)
}

// PastWords say why a message of the history is not in the list that is planned on.
func PastWords(d Measured, history int) string {
	s := d.Session()
	if s == nil || history < 0 {
		return words.T("row.past")
	}
	switch g := s.Gone(history); {
	case g.Later:
		return words.T("row.later", "n", s.At())
	case g.Record != nil:
		return words.T("row.pastRecord", "record", g.Record.ID)
	case g.Found > 0:
		return words.T("row.pastOf", "n", g.Found)
	}
	return words.T("row.past")
}

// FateBecause is a fate with its reason, which may name the fate itself.
func FateBecause(d Tuned, f model.Fate, why compaction.Reason) string {
	switch why.Code {
	case "":
		return FateWord(f)
	case "range", "pinned", "cleared", "cleared-before":
		return ReasonWords(d, why)
	}
	return words.T("row.why", "fate", FateWord(f), "reason", ReasonWords(d, why))
}

// TokenCount writes a number of tokens in the way of the history looked at:
// with a tilde if such numbers are estimates there.
func TokenCount(d Measured, n int64) string { return words.Figure(tokenFigure(d, n)) }

// TokenCountFull is TokenCount with all digits, beside a limit that has all of its own.
func TokenCountFull(d Measured, n int64) string { return words.FigureFull(tokenFigure(d, n)) }

// ContextTokens writes a whole context in tokens in the same way; without a fixed part,
// which is 0 where it is not known, it is a bound.
func ContextTokens(d Measured, n int64, fixed int) string {
	return words.Figure(contextFigure(d, n, fixed))
}

func contextFigure(d Measured, n int64, fixed int) figure.Figure {
	return figures.AtLeast(tokenFigure(d, n), fixed)
}

// TokensApart writes how many tokens more b is than a, with its sign, in the history
// looked at.
func TokensApart(d Measured, a, b int64) string {
	return words.Figure(figure.Difference(tokenFigure(d, a), tokenFigure(d, b), true))
}

// ContextsApart writes the same of two contexts, whose fixed parts are so large, 0 where
// one is not known.
func ContextsApart(d Measured, a, b int64, fixedA, fixedB int) string {
	return words.Figure(figure.Difference(contextFigure(d, a, fixedA), contextFigure(d, b, fixedB), true))
}

func tokenFigure(d Measured, n int64) figure.Figure {
	f := figure.Figure{Value: float64(n), Kind: figure.Estimated}
	if s := d.Session(); s != nil && !s.Estimated() {
		f.Kind = figure.Counted
	}
	return f
}

// WhoSays is the speaker of a row and the tool a call names.
func WhoSays(r session.Row) string {
	m := r.Msg
	switch {
	case r.Kind == session.RowFound:
		return words.T("row.found")
	case r.Kind == session.RowDamaged:
		return words.T("row.damaged", "line", r.Note.Line)
	case m == nil:
		return words.T("role.summary")
	case m.Step > 0 && m.Name != "":
		return words.T("row.step", "n", m.StepNumber(), "phase", phaseWord(m.Name))
	}
	who := speaker(m)
	if len(m.Calls) == 0 {
		return who
	}
	return who + " · " + callNames(m.Calls)
}

func speaker(m *model.Message) string {
	switch m.Kind {
	case model.KindSystem:
		return words.T("role.system")
	case model.KindAssistant:
		if m.Name != "" { // one of several agents that speak in one history
			return Shortened(m.Name, 40)
		}
		return words.T("role.assistant")
	case model.KindResult:
		return words.T("role.result")
	case model.KindSummary:
		return words.T("role.summary")
	case model.KindUser:
		switch m.Origin {
		case model.OriginInjected:
			return words.T("role.context")
		case model.OriginObservation:
			return words.T("role.observation")
		}
		return words.T("role.user")
	}
	return words.T("role.other")
}

func phaseWord(name string) string {
	switch name {
	case "analysis":
		return words.T("phase.analysis")
	case "execution":
		return words.T("phase.execution")
	case "supervision":
		return words.T("phase.supervision")
	}
	return name
}

// callNames names the tools of parallel calls: "read_file ×3", "read_file +1".
func callNames(calls []model.Call) string {
	same := 0
	for _, c := range calls {
		if c.Name == calls[0].Name {
			same++
		}
	}
	s := calls[0].Name
	if same > 1 {
		s += " ×" + strconv.Itoa(same)
	}
	if n := len(calls) - same; n > 0 {
		s += " +" + strconv.Itoa(n)
	}
	return s
}

// RowTitle names a row in the head of the detail pane: "result of read_file".
func RowTitle(r session.Row) string {
	if r.Msg != nil && r.Msg.Kind == model.KindResult && r.Msg.Name != "" {
		return words.T("detail.resultOf", "tool", r.Msg.Name)
	}
	return WhoSays(r)
}

// FoundWords shows a compaction that the file holds: "160.4K → 44.0K · auto".
func FoundWords(f *model.Found) string {
	number := func(n *int) string {
		if n == nil {
			return words.Unknown
		}
		return words.TokensOf(int64(*n), true, model.Exact(f.Counted))
	}
	var parts []string
	switch {
	case f.Clearing && f.Before != nil && f.After != nil: // of the results, not of the context
		went := *f.Before - *f.After
		parts = append(parts, words.T("row.cleared", "went", number(&went), "of", number(f.Before)))
	case f.Clearing:
		parts = append(parts, words.T("row.clearing"))
	case f.Before != nil || f.After != nil:
		parts = append(parts, number(f.Before)+" → "+strings.TrimPrefix(number(f.After), "~"))
	default:
		parts = append(parts, words.T("row.sizesUnknown"))
	}
	if f.Cause != "" {
		parts = append(parts, fileCause(f.Cause))
	}
	return strings.Join(parts, " · ")
}

// FirstOf is the first words of a text without the heading of a summary.
func FirstOf(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			continue
		}
		return line
	}
	return ""
}

// Shortened cuts a text to so many characters.
func Shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// UnitWord is a unit as it is in a field.
func UnitWord(u model.Unit) string { return words.T("unit." + string(u)) }

// CountedWords is a number with its unit: "1 message", "20,000 tok".
func CountedWords(n int64, u model.Unit) string {
	if u == model.Percent {
		return words.Percent(float64(n) / 100)
	}
	return words.T("amount."+string(u), "count", n)
}

// AmountWords is an amount with its unit.
func AmountWords(a model.Amount) string {
	return CountedWords(int64(a.N), a.Unit)
}

// RangeWords is 1-based inclusive numbers of half-open ranges: "3, 17–20".
func RangeWords(list []model.Range) string {
	parts := make([]string, len(list))
	for i, r := range list {
		parts[i] = SpanWords(r.From+1, r.To)
	}
	return strings.Join(parts, ", ")
}

// SpanWords is a span of message numbers, both ends included.
func SpanWords(from, to int) string {
	if from >= to {
		return words.Int(int64(from))
	}
	return words.Int(int64(from)) + "–" + words.Int(int64(to))
}

// RelatedTitle is what a file of the same conversation is called.
func RelatedTitle(r session.Related) string {
	switch {
	case r.Parent:
		return words.T("follow.caller")
	case r.Name != "":
		return r.Name
	}
	return words.T("follow.agent", "id", r.ID)
}

func FateIndex(f model.Fate) int {
	for i, x := range model.Fates {
		if x == f {
			return i
		}
	}
	return 0
}

// RowInWords is a row of the ledger without its bar.
func RowInWords(d Ledger, r session.Row) kit.LedgerRow {
	out := kit.LedgerRow{Who: WhoSays(r), First: r.First, Tokens: TokenCount(d, int64(r.Tokens))}
	if r.Msg != nil && r.Msg.Sealed && r.Msg.Kind == model.KindSummary {
		out.Tokens = "?"
	}
	if r.Num > 0 {
		out.Num = words.Int(int64(r.Num))
	} else {
		out.Num = "§"
	}
	if f, ok := d.RowFigure(r, true); ok {
		out.Total = words.Figure(f)
	}
	if r.Live {
		out.Fate = r.Fate.Letter()
	} else if r.Pinned { // faint: the plan has no say in it
		out.Fate = model.Pinned.Letter()
	}
	switch {
	case r.Kind == session.RowFound:
		n, f := FoundOf(d.Session(), r)
		out.Mark, out.Num, out.Tokens, out.First = true, n, "", FoundWords(&f)
	case r.Kind == session.RowDamaged:
		out.Warn, out.Num, out.Tokens, out.First = true, "", "", NoteWords(r.Note)
	case r.Kind == session.RowSummary:
		if dr := d.Draft(); dr != nil {
			out.First = FirstOf(dr.Text.Text)
		} else {
			out.First, out.Dim, out.Tokens = words.T(ToCome(d)), true, words.Estimate(int64(r.Tokens))
		}
	case r.Msg == nil:
		out.First = FirstOf(d.Session().SummaryText(r.Record))
		out.Dim = r.Fate == model.Summarised
	case !r.Live:
		out.Past, out.Faded = true, true
	case r.Fate == model.Summarised || r.Fate == model.Dropped:
		out.Dim = true
	}
	if note := d.Note(r.Num - 1); note != "" {
		out.Link = words.T("note.row", "note", Shortened(strings.Join(strings.Fields(note), " "), mostNote))
	}
	return out
}

// mostNote bounds what a row shows of a note, in characters.
const mostNote = 40

func LedgerCaptions() [6]string {
	return [6]string{words.T("column.total"), words.T("column.fate"), words.T("column.number"),
		words.T("column.who"), words.T("column.first"), words.T("column.tokens")}
}

// BarScale is what the bars of one session are drawn to.
type BarScale struct {
	Of      *session.Session
	Largest int64
}

// Share is the length of a bar. The square root lets small messages be seen
// beside large ones.
func (b BarScale) Share(tokens int64) float32 {
	if b.Largest <= 0 || tokens <= 0 {
		return 0
	}
	return float32(math.Sqrt(math.Min(1, float64(tokens)/float64(b.Largest))))
}

// FoundOf is the compaction of a row with its sizes, and the number under which the chart marks it.
func FoundOf(s *session.Session, r session.Row) (number string, f model.Found) {
	list := s.Thread().Found
	for i := range list {
		if &list[i] == r.Found {
			return strconv.Itoa(i + 1), session.SizedFound(s)[i]
		}
	}
	return "", *r.Found
}

// ToCome explains why the row of a summary has no text: it is being made, or a model
// is to be asked for it.
func ToCome(d Ledger) string {
	if d.Params().Strategy.Asks() && !d.Writing() {
		return "row.notAsked"
	}
	return "row.summaryToCome"
}

// RoundFrom walks over all n places of a list once, from the one behind a place
// (or with −1 before it) and round at the ends; from no place (−1) it begins at the
// first or the last.
func RoundFrom(place, by, n int) iter.Seq[int] {
	if place < 0 && by < 0 {
		place = 0
	}
	return func(yield func(int) bool) {
		for k := 1; k <= n; k++ {
			if i := ((max(-1, place)+by*k)%n + n) % n; !yield(i) {
				return
			}
		}
	}
}
