package store

import (
	"encoding/json"
	"fmt"
	"time"

	"palimpsest/model"
)

// recordRow is what lists and filters need of a record.
type recordRow struct {
	Num            int64 `gorm:"primaryKey"`
	UID            string
	Time           int64
	Session        string
	Path           string
	Format         model.Format
	SourceID       int64
	SourceSHA      string
	SourceSize     int64
	Conversation   int
	Thread         int
	Agent          string
	Cause          model.Cause
	Preset         string
	Strategy       model.Strategy
	Model          string
	Position       int
	RangeFrom      int
	RangeTo        int
	RangeSHA       string
	Covered        int
	Edited         bool
	BeforeMessages int
	BeforeTokens   int64
	AfterMessages  int
	AfterTokens    int64
	Counted        string
	Duration       time.Duration
	Outcome        model.Outcome
	Reason         string
	Base           string
	SwitchedOff    bool
	Output         string
	OutputSHA      string
	Verb           bool
	Levels         int
	FactsGone      int
	FactsStanding  int
	Formers        int
	Changed        int // -1: not noted
	Fixed          int
	Compactable    int64
	Trashed        trashTime
}

// bodyRow holds the record itself: JSON packed with zstd.
type bodyRow struct {
	Num  int64 `gorm:"primaryKey"`
	Body []byte
}

func (recordRow) TableName() string { return "records" }
func (bodyRow) TableName() string   { return "record_bodies" }

func newRecordRow(r *model.Record, source int64) recordRow {
	all, changed := r.AllFacts(), -1
	if r.Changed != nil {
		changed = *r.Changed
	}
	return recordRow{
		UID: r.UID, Time: r.Time.UnixMicro(), Session: r.Session, Path: r.Path, Format: r.Format,
		SourceID: source, SourceSHA: r.SourceSHA, SourceSize: r.SourceSize,
		Conversation: r.Conversation, Thread: r.Thread, Agent: r.Agent,
		Cause: r.Cause, Preset: r.Policy.Preset, Strategy: r.Strategy, Model: r.Model,
		Position: r.At, RangeFrom: r.Range.From, RangeTo: r.Range.To, RangeSHA: r.RangeSHA,
		Covered: r.Covered, Edited: r.Edited,
		BeforeMessages: r.Before.Messages, BeforeTokens: r.Before.Tokens,
		AfterMessages: r.After.Messages, AfterTokens: r.After.Tokens, Counted: r.Counted,
		Duration: r.Duration, Outcome: r.Outcome, Reason: r.Reason, Base: r.Base,
		SwitchedOff: r.Off, Output: r.Output, OutputSHA: r.OutputSHA,
		Verb: r.Verb, Levels: r.Levels, FactsGone: all.Gone, FactsStanding: all.Standing,
		Formers: r.Formers, Changed: changed, Fixed: r.Policy.Fixed, Compactable: r.Compactable,
	}
}

// summary is the record as lists show it, without prompt, runs, live list,
// summary, key points and parents; of the policy all but the preset's name and the
// fixed part, of the facts all but their sum.
func (row *recordRow) summary() model.Record {
	r := model.Record{
		ID: formatID(row.Num), UID: row.UID, Time: time.UnixMicro(row.Time).UTC(),
		Session: row.Session, Path: row.Path, Format: row.Format,
		SourceSHA: row.SourceSHA, SourceSize: row.SourceSize,
		Conversation: row.Conversation, Thread: row.Thread, Agent: row.Agent,
		Cause: row.Cause, Policy: model.Policy{Preset: row.Preset, Fixed: row.Fixed}, Strategy: row.Strategy, Model: row.Model,
		At: row.Position, Range: model.Range{From: row.RangeFrom, To: row.RangeTo}, RangeSHA: row.RangeSHA,
		Covered: row.Covered, Formers: row.Formers, Edited: row.Edited,
		Before:  model.Size{Messages: row.BeforeMessages, Tokens: row.BeforeTokens},
		After:   model.Size{Messages: row.AfterMessages, Tokens: row.AfterTokens},
		Counted: row.Counted, Duration: row.Duration, Outcome: row.Outcome, Reason: row.Reason,
		Base: row.Base, Off: row.SwitchedOff, Output: row.Output, OutputSHA: row.OutputSHA,
		Verb: row.Verb, Levels: row.Levels, Compactable: row.Compactable,
	}
	if row.Changed >= 0 {
		r.Changed = &row.Changed
	}
	if row.FactsGone > 0 {
		r.Facts = []model.FactTally{{Gone: row.FactsGone, Standing: row.FactsStanding}}
	}
	return r
}

// record is the whole record. What can change after it was made is taken from
// the row.
func (row *recordRow) record(packed []byte) (model.Record, error) {
	var r model.Record
	plain, err := unpacker().DecodeAll(packed, nil)
	if err == nil {
		err = json.Unmarshal(plain, &r)
	}
	if err != nil {
		return r, &Error{Kind: ErrCorrupt, Detail: fmt.Sprintf("record %s can't be read", formatID(row.Num)), Err: err}
	}
	r.ID, r.Path, r.Off, r.Output, r.OutputSHA = formatID(row.Num), row.Path, row.SwitchedOff, row.Output, row.OutputSHA
	r.Levels, r.Formers, r.Compactable = row.Levels, row.Formers, row.Compactable
	return r, nil
}

func packBody(r *model.Record) ([]byte, error) {
	plain, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("spell the record as JSON: %w", err)
	}
	return packer().EncodeAll(plain, nil), nil
}
