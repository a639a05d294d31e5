package auto

import (
	"encoding/json"
	"fmt"
	"time"

	"palimpsest/model"
)

// Record describes one compaction of an agent's runtime list. It holds
// ranges, not messages: the originals are in the full history, once;
// [Compactor.Originals] returns them.
type Record struct {
	Time          time.Time
	Summary       string      // without the heading of the summary message
	Range         model.Range // half-open, of the runtime list before it
	History       model.Range // half-open, of the full history
	OriginalCount int         // messages of the runtime list before
	NewCount      int         // and after
	LeftOut       bool        // at a hard limit, unsummarised: Summary announces it

	raw json.RawMessage // as it was read
}

type recordJSON struct {
	Time          string    `json:"timestamp"`
	Summary       string    `json:"summary"`
	Range         rangeJSON `json:"compressedRange"`
	History       rangeJSON `json:"historyRange"`
	OriginalCount int       `json:"originalCount"`
	NewCount      int       `json:"newCount"`
	LeftOut       bool      `json:"leftOut,omitempty"`
}

type rangeJSON struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// isoTime is a time as JavaScript's toISOString writes it.
const isoTime = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the record in the form of a saved state; one that was read,
// as it was.
func (r Record) MarshalJSON() ([]byte, error) {
	if r.raw != nil {
		return r.raw, nil
	}
	return model.PlainJSON(recordJSON{r.Time.UTC().Format(isoTime), r.Summary, rangeJSON{r.Range.From, r.Range.To},
		rangeJSON{r.History.From, r.History.To}, r.OriginalCount, r.NewCount, r.LeftOut})
}

// UnmarshalJSON reads a record.
func (r *Record) UnmarshalJSON(b []byte) error {
	var j recordJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	at, _ := time.Parse(time.RFC3339, j.Time) // a time in another form is kept as it is spelled, in raw
	*r = Record{at, j.Summary, model.Range{From: j.Range.Start, To: j.Range.End},
		model.Range{From: j.History.Start, To: j.History.End}, j.OriginalCount, j.NewCount, j.LeftOut, compactJSON(b)}
	return nil
}

// carried are the original messages that a record of another program holds
// itself.
func (r *Record) carried() ([]ChatMessage, error) {
	var j struct {
		Messages []ChatMessage `json:"compressedMessages"`
	}
	if r.raw == nil {
		return nil, nil
	}
	if err := json.Unmarshal(r.raw, &j); err != nil {
		return nil, fmt.Errorf("compressed messages of a record: %w", err)
	}
	return j.Messages, nil
}
