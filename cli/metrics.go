package cli

import (
	"cmp"
	"fmt"
	"time"

	"palimpsest/model"
	"palimpsest/model/store"
)

type metricsCmd struct {
	Search string `placeholder:"TEXT" help:"${search}"`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// metricsInfo is the JSON of metrics.
type metricsInfo struct {
	tallyInfo
	Restores int              `json:"restores"`
	By       []metricsRowInfo `json:"by"`
}

type metricsRowInfo struct {
	Strategy model.Strategy `json:"strategy"`
	Model    *string        `json:"model"`
	tallyInfo
}

type tallyInfo struct {
	Compactions int     `json:"compactions"`
	Applied     int     `json:"applied"`
	Refused     int     `json:"refused"`
	Failed      int     `json:"failed"`
	Cancelled   int     `json:"cancelled"`
	SuccessRate float64 `json:"success_rate"`
	Messages    int64   `json:"messages"`
	Before      int64   `json:"tokens_before"`
	After       int64   `json:"tokens_after"`
	Saved       int64   `json:"tokens_saved"`
	SavedShare  float64 `json:"saved_share"`
	MeanMS      int64   `json:"mean_ms"`
	LongestMS   int64   `json:"longest_ms"`
}

func newTallyInfo(t *model.Tally) tallyInfo {
	return tallyInfo{t.Compactions, t.Applied, t.Refused, t.Failed, t.Cancelled, t.SuccessRate(), t.Messages, t.Before, t.After,
		t.Saved(), t.SavedShare(), t.MeanTime().Milliseconds(), t.Longest.Milliseconds()}
}

func (c *metricsCmd) Run(a *app) error {
	st, err := a.existing()
	if err != nil {
		return err
	}
	defer st.Close()
	m, err := st.Metrics(a.ctx, store.Filter{Text: c.Search})
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(metricsInfo{newTallyInfo(&m.Tally), m.Restores, values(m.By, func(r *model.MetricsRow) metricsRowInfo {
			return metricsRowInfo{r.Strategy, optional(r.Model), newTallyInfo(&r.Tally)}
		})})
	}
	if m.Compactions == 0 {
		fmt.Fprintln(a.out, "There are no records of compactions.")
		return nil
	}
	rows := []string{"method\tmodel\ttried\tapplied\tfailed\trefused\tcancelled\tsuccess\tmean\tlongest\ttokens saved"}
	for i := range m.By {
		row := &m.By[i]
		rows = append(rows, string(row.Strategy)+"\t"+printable(cmp.Or(row.Model, "–"))+"\t"+tallyCells(&row.Tally))
	}
	table(a.out, append(rows, "all\t\t"+tallyCells(&m.Tally))...)
	fmt.Fprintf(a.out, "\n%s of records switched off.\n", plural(m.Restores, "restore"))
	return nil
}

func tallyCells(t *model.Tally) string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%.0f %%\t%s\t%s\t%s (%.0f %%)", thousands(t.Compactions), thousands(t.Applied),
		thousands(t.Failed), thousands(t.Refused), thousands(t.Cancelled), 100*t.SuccessRate(), t.MeanTime().Round(time.Millisecond),
		t.Longest.Round(time.Millisecond), thousands(t.Saved()), 100*t.SavedShare())
}
