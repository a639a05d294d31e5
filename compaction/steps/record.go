package steps

import (
	"fmt"
	"strings"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Input is a step as it is appended. A phase that did not run is nil.
type Input struct {
	Number                           int
	Analysis, Execution, Supervision *string

	Failed bool   // it ended in an error
	Error  string // the error's text; "" with Failed: it is in a phase, if anywhere

	At time.Time // when it was; zero: it is appended as it happens
}

// Record is a step that is kept in full.
type Record struct {
	Number      int     `json:"stepNumber"`
	Analysis    *string `json:"analysisResult"`
	Execution   *string `json:"executionResult"`
	Supervision *string `json:"supervisionResult"`
	Failed      bool    `json:"failed,omitempty"`
	Error       string  `json:"error,omitempty"`
	Timestamp   int64   `json:"timestamp"`   // of the append, milliseconds since 1970
	Text        string  `json:"stepSummary"` // its text in the history
}

// Summary replaces steps that are not kept in full any more. It is a
// summary of steps, or of older summaries.
type Summary struct {
	StartStep int    `json:"startStep"` // number of the first step it was made of
	EndStep   int    `json:"endStep"`   // of the last
	Summary   string `json:"summary"`
	Timestamp int64  `json:"timestamp"` // of its making, milliseconds since 1970

	// Strategy that made the text; "" when it was merged or shortened, and lists
	// its key points.
	Strategy model.Strategy `json:"strategy,omitempty"`

	// KeyPoints has a point for each step that is not omitted, oldest first;
	// [summarize.StepPoint.Line] writes one as a line. The text of a model
	// becomes one more point, of all its steps, when its summary is merged.
	KeyPoints []summarize.StepPoint `json:"keyPoints"`

	// Omitted is the range of steps that the text announces as omitted.
	Omitted *summarize.StepRange `json:"omitted,omitempty"`

	FirstAt int64 `json:"firstTimestamp"` // of its first step
	LastAt  int64 `json:"lastTimestamp"`  // of its last step
}

// span is the range of the numbers of all steps that the summary lists or omits.
// The first and the last step need not be its ends, since numbers need not
// ascend.
func (s *Summary) span() summarize.StepRange {
	span := summarize.StepRange{From: s.StartStep, To: s.StartStep}.Include(s.EndStep)
	for _, p := range s.KeyPoints {
		span = span.Include(p.Number)
	}
	if s.Omitted != nil {
		span = span.Include(s.Omitted.From).Include(s.Omitted.To)
	}
	return span
}

// recordStyle is how a step is written in full.
type recordStyle struct {
	lang  summarize.Lang
	phase int  // code points of a phase; 0: no limit
	null  bool // a missing phase is "null"
}

func newRecord(in Input, at time.Time, style recordStyle) Record {
	if !in.At.IsZero() {
		at = in.At
	}
	r := Record{Number: in.Number, Failed: in.Failed || in.Error != "", Error: valid(in.Error), Timestamp: at.UnixMilli(),
		Analysis: validCopy(in.Analysis), Execution: validCopy(in.Execution), Supervision: validCopy(in.Supervision)}
	r.Text = r.format(style)
	return r
}

// format writes the full record, each line with its end.
func (r *Record) format(style recordStyle) string {
	w := wordsOf(style.lang)
	cut := func(text string) string {
		if style.phase > 0 {
			return summarize.Truncate(text, style.phase)
		}
		return text
	}
	var b strings.Builder
	fmt.Fprintf(&b, w.record+"\n", r.Number)
	for i, p := range []*string{r.Analysis, r.Execution, r.Supervision} {
		text := cut(deref(p))
		switch {
		case p == nil && style.null:
			text = "null"
		case text == "" && !style.null:
			text = summarize.Absent(style.lang)
		}
		b.WriteString(w.phases[i] + text + "\n")
	}
	if r.Error != "" {
		b.WriteString(w.err + cut(r.Error) + "\n")
	}
	return b.String()
}

// Frame is what the text of a step in full has beside its phases.
func Frame(number int, lang summarize.Lang) string {
	w := wordsOf(lang)
	return fmt.Sprintf(w.record+"\n", number) + strings.Join(w.phases[:], "\n") + "\n"
}

func (r *Record) step() summarize.Step {
	return summarize.Step{Number: r.Number, Analysis: deref(r.Analysis), Execution: deref(r.Execution), Supervision: deref(r.Supervision),
		Failed: r.Failed, Error: r.Error}
}

func cloneRecords(list []Record) []Record {
	out := make([]Record, len(list))
	for i, r := range list {
		r.Analysis, r.Execution, r.Supervision = cloned(r.Analysis), cloned(r.Execution), cloned(r.Supervision)
		out[i] = r
	}
	return out
}

func cloneSummaries(list []Summary) []Summary {
	out := make([]Summary, len(list))
	for i, s := range list {
		s.KeyPoints = append([]summarize.StepPoint{}, s.KeyPoints...)
		s.Omitted = cloned(s.Omitted)
		out[i] = s
	}
	return out
}

func cloned[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

func deref(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// valid is a text as valid UTF-8, which any file can hold.
func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func validCopy(p *string) *string {
	if p == nil {
		return nil
	}
	return new(valid(*p))
}
