package cli

import (
	"fmt"

	"palimpsest/compaction/session/preferences"
	"palimpsest/model"
)

type preferencesCmd struct {
	Erase string `placeholder:"KEY" help:"Erase a suggestion: what it was learned from counts no more."`
	JSON  bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// preferenceInfo is one entry of the JSON of preferences.
type preferenceInfo struct {
	Key     string           `json:"key"`
	Project string           `json:"project"`
	Kind    preferences.Kind `json:"kind"`
	Times   int              `json:"times"`
	Of      int              `json:"of"`
	Records []string         `json:"records"`
	Says    string           `json:"says"`
}

// suggested are the suggestions in words.
var suggested = map[preferences.Kind]string{
	preferences.LongerTail:   "%s of %s were restored: keep a longer recent tail (--tail).",
	preferences.KeepFacts:    "%s of %s had their summary edited: list literal facts (--strategy ledger or model+ledger).",
	preferences.KeepFirstAsk: "the beginning was pinned in %s of %s: keep the first message of the person (--keep-first-user).",
}

func (c *preferencesCmd) Run(a *app) error {
	open := a.existing
	if c.Erase != "" {
		open = a.writable
	}
	st, err := open()
	if err != nil {
		return err
	}
	defer st.Close()
	list, err := preferences.List(a.ctx, st)
	if err != nil {
		return err
	}
	if c.Erase != "" {
		for i := range list {
			if list[i].Key() == c.Erase {
				return preferences.Erase(a.ctx, st, &list[i])
			}
		}
		return &model.Problem{Code: "no-preference", What: fmt.Sprintf("There is no suggestion %q.", c.Erase),
			Next: "palimpsest preferences lists those there are."}
	}
	out := make([]preferenceInfo, len(list))
	for i := range list {
		s := &list[i]
		says := fmt.Sprintf(suggested[s.Kind], thousands(s.Times), plural(s.Of, "compaction"))
		out[i] = preferenceInfo{s.Key(), s.Project, s.Kind, s.Times, s.Of, s.Records, says}
	}
	if c.JSON {
		return a.printJSON(out)
	}
	if len(out) == 0 {
		fmt.Fprintln(a.out, "There are no suggestions: nothing was restored, edited or pinned often enough.")
	}
	for _, s := range out {
		fmt.Fprintf(a.out, "%s\n  %s\n  erase it: palimpsest preferences --erase %q\n", printable(s.Project), s.Says, s.Key)
	}
	return nil
}
