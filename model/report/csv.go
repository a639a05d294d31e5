package report

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/visible"
)

// columns of the CSV, in order. Times are UTC, RFC 3339; durations milliseconds.
var columns = []struct {
	name  string
	value func(r *model.Record) string
}{
	{"id", func(r *model.Record) string { return r.ID }},
	{"uid", func(r *model.Record) string { return r.UID }},
	{"time", func(r *model.Record) string { return stamp(r.Time) }},
	{"session", func(r *model.Record) string { return r.Session }},
	{"agent", func(r *model.Record) string { return r.Agent }},
	{"path", func(r *model.Record) string { return r.Path }},
	{"format", func(r *model.Record) string { return string(r.Format) }},
	{"source_sha256", func(r *model.Record) string { return r.SourceSHA }},
	{"cause", func(r *model.Record) string { return string(r.Cause) }},
	{"outcome", func(r *model.Record) string { return string(r.Outcome) }},
	{"reason", func(r *model.Record) string { return r.Reason }},
	{"preset", func(r *model.Record) string { return r.Policy.Preset }},
	{"strategy", func(r *model.Record) string { return string(r.Strategy) }},
	{"model", func(r *model.Record) string { return r.Model }},
	{"messages_before", func(r *model.Record) string { return known(int64(r.Before.Messages)) }},
	{"messages_after", func(r *model.Record) string { return known(int64(r.After.Messages)) }},
	{"tokens_before", func(r *model.Record) string { return known(r.Before.Tokens) }},
	{"tokens_after", func(r *model.Record) string { return known(r.After.Tokens) }},
	{"counted", func(r *model.Record) string { return r.Counted }},
	{"covered", func(r *model.Record) string { return strconv.Itoa(r.Covered) }},
	{"range_from", func(r *model.Record) string { return strconv.Itoa(r.Range.From) }},
	{"range_to", func(r *model.Record) string { return strconv.Itoa(r.Range.To) }},
	{"duration_ms", func(r *model.Record) string { return known(r.Duration.Milliseconds()) }},
	{"edited", func(r *model.Record) string { return strconv.FormatBool(r.Edited) }},
	{"off", func(r *model.Record) string { return strconv.FormatBool(r.Off) }},
	{"base", func(r *model.Record) string { return r.Base }},
	{"parents", func(r *model.Record) string { return strings.Join(r.Parents, " ") }},
	{"summary", func(r *model.Record) string { return r.Summary }},
	{"state", func(r *model.Record) string { return string(r.State(false)) }},
	{"former_summaries", func(r *model.Record) string { return strconv.Itoa(r.Formers) }},
}

// CSV writes one row a record, under a row of names.
func CSV(w io.Writer, records iter.Seq2[*model.Record, error]) error {
	out := csv.NewWriter(visible.To(w))
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = c.name
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for r, err := range records {
		if err != nil {
			return err
		}
		for i, c := range columns {
			row[i] = visible.Cell(c.value(r))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func known(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
