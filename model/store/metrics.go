package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"palimpsest/model"
)

// metricsRow is a group of records with one outcome.
type metricsRow struct {
	Strategy model.Strategy
	Model    string
	Outcome  model.Outcome
	Restores bool
	N        int
	Messages int64
	Before   int64
	After    int64
	Time     int64
	Longest  int64
}

// standing are the records of compactions that count in what was saved: those that were not
// undone, and of several of the same messages the last.
const standing = `num IN (SELECT max(num) FROM records WHERE outcome = '` + string(model.Applied) + `' AND cause <> '` +
	string(model.CauseRestore) + `' AND NOT switched_off AND trashed = 0 GROUP BY range_sha)`

// Metrics adds up the records that a filter lets through, whatever its page and
// order: no record is read for it.
func (r records) Metrics(ctx context.Context, f Filter) (model.Metrics, error) {
	return result(ctx, r.view, "add up the records", func(tx *gorm.DB) (m model.Metrics, err error) {
		var rows []metricsRow
		const restores = "cause = '" + string(model.CauseRestore) + "'"
		err = r.matching(tx, f).Where("cause <> ?", model.CauseRepair).Select("strategy, model, outcome, " + restores + ` AS restores,
			count(*) AS n, sum(CASE WHEN ` + standing + ` THEN covered - formers ELSE 0 END) AS messages,
			sum(CASE WHEN ` + standing + ` THEN before_tokens ELSE 0 END) AS before,
			sum(CASE WHEN ` + standing + ` THEN after_tokens ELSE 0 END) AS after, sum(duration) AS time, max(duration) AS longest`).
			Group("strategy, model, outcome, " + restores).Order("strategy, model").Scan(&rows).Error
		for i := range rows {
			row := &rows[i]
			if row.Restores {
				m.Restores += row.N
				continue
			}
			k := len(m.By) - 1
			if k < 0 || m.By[k].Strategy != row.Strategy || m.By[k].Model != row.Model {
				m.By = append(m.By, model.MetricsRow{Strategy: row.Strategy, Model: row.Model})
				k++
			}
			t := row.tally()
			m.Add(t)
			m.By[k].Add(t)
		}
		return m, err
	})
}

func (row *metricsRow) tally() model.Tally {
	t := model.Tally{Compactions: row.N, Time: time.Duration(row.Time), Longest: time.Duration(row.Longest)}
	switch row.Outcome {
	case model.Applied:
		t.Applied, t.Messages, t.Before, t.After = row.N, row.Messages, row.Before, row.After
	case model.Refused:
		t.Refused = row.N
	case model.Failed:
		t.Failed = row.N
	case model.Cancelled:
		t.Cancelled = row.N
	}
	return t
}

// Revision says how much was added to a database, and taken away: two that are equal list
// the same records and conversations, unless some were switched off between.
type Revision struct{ Records, Listed, Events int64 }

// Revision is that of now.
func (r records) Revision(ctx context.Context) (Revision, error) {
	return result(ctx, r.view, "see what is new", func(tx *gorm.DB) (rev Revision, err error) {
		err = tx.Raw(`SELECT (SELECT coalesce(max(num), 0) FROM records) AS records,
			(SELECT count(*) FROM records WHERE trashed = 0) AS listed,
			(SELECT coalesce(sum(seq), 0) FROM conversations) AS events`).Scan(&rev).Error
		return rev, err
	})
}
