package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session/doors"
	"palimpsest/model"
	"palimpsest/model/store"
)

// doctorCmd says whether what this program does beside agents works.
type doctorCmd struct {
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// diagnosis is one entry of the JSON of doctor.
type diagnosis struct {
	Of    string      `json:"of"`
	State doors.State `json:"state"`
	Says  string      `json:"says"`
	Do    string      `json:"do"` // one sentence; "": nothing is to be done
}

// Run ends with a failure only for a fault.
func (c *doctorCmd) Run(a *app) error {
	path, err := a.dbPath()
	if err != nil {
		return err
	}
	path, _ = store.WithoutPassword(path)
	found, err := doors.Find(a.ctx, doors.Database{Path: path, Why: sentence, Sessions: a.noted})
	if err != nil {
		return err
	}
	list := values(found, func(d *doors.Diagnosis) diagnosis {
		says := values(d.Says, func(l *doors.Line) string { return l.English() })
		out := diagnosis{d.Of.English(), d.State, strings.Join(says, "; "), ""}
		if d.Do != nil {
			out.Do = d.Do.English()
		}
		return out
	})
	if c.JSON {
		err = a.printJSON(list)
	} else {
		table(a.out, values(list, func(d *diagnosis) string { return row(string(d.State), d.Of, d.Says) })...)
		for _, d := range list {
			if d.Do != "" {
				fmt.Fprintf(a.out, "\n%s: %s\n", d.Of, d.Do)
			}
		}
	}
	if err == nil && slices.ContainsFunc(list, func(d diagnosis) bool { return d.State == doors.Fault }) {
		return silent(exitFailed)
	}
	return err
}

// noted lists the sessions in the database; false: there is none.
func (a *app) noted(ctx context.Context) (list []model.LiveSession, there bool, err error) {
	st, err := a.ifThere()
	if st == nil || err != nil {
		return nil, false, err
	}
	defer st.Close()
	list, err = st.Live(ctx, time.Time{})
	return list, true, err
}
