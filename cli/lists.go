package cli

import (
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

type formatsCmd struct {
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// formatInfo is one entry of the JSON of formats.
type formatInfo struct {
	Format       model.Format `json:"format"`
	Title        string       `json:"title"`
	RecognisedBy string       `json:"recognised_by"`
	Read         bool         `json:"read"`
	Write        bool         `json:"write"`
}

func (c *formatsCmd) Run(a *app) error {
	var list []formatInfo
	for _, i := range transcript.Formats() {
		list = append(list, formatInfo{i.Format, i.Title, i.How, true, i.Written})
	}
	for _, i := range transcript.Exports() {
		list = append(list, formatInfo{i.Format, i.Title, i.How, false, true})
	}
	if c.JSON {
		return a.printJSON(list)
	}
	yes := map[bool]string{true: "yes", false: "–"}
	return printRows(a.out, "", "format\ttitle\tread\twrite\trecognised by", 0, values(list, func(f *formatInfo) string {
		return row(string(f.Format), f.Title, yes[f.Read], yes[f.Write], f.RecognisedBy)
	}))
}

type presetsCmd struct {
	Name string `arg:"" optional:"" name:"NAME" help:"Show only this one."`
	JSON bool   `name:"json" help:"Print JSON (docs/json.md). One preset so printed may be kept in a file for --preset."`
}

// presetInfo is one entry of the JSON of presets.
type presetInfo struct {
	compaction.Preset
	Source string `json:"source"` // "built-in", with what it is after, or "stored"
}

func (c *presetsCmd) Run(a *app) error {
	var list []presetInfo
	for _, p := range compaction.Presets() {
		list = append(list, presetInfo{p, "built-in"})
	}
	for _, p := range compaction.LookAlikes() {
		list = append(list, presetInfo{p.Preset, fmt.Sprintf("built-in, after %s, %s", p.Source, p.Date)})
	}
	stored, err := a.storedPresets()
	if err != nil {
		a.say(err) // the built-in ones are there all the same
	}
	list = append(list, stored...)
	if c.Name != "" {
		i := slices.IndexFunc(list, func(p presetInfo) bool {
			return strings.EqualFold(p.ID, c.Name) || strings.EqualFold(p.Title, c.Name)
		})
		if i < 0 {
			names := values(list, func(p *presetInfo) string { return p.ID })
			return usage("There is no preset %q.%s See palimpsest presets.", c.Name, meant(c.Name, names))
		}
		if list = list[i : i+1]; c.JSON {
			return a.printJSON(list[0])
		}
	}
	if c.JSON {
		return a.printJSON(list)
	}
	return printRows(a.out, "", "preset\ttitle\tparameters", 0, values(list, func(p *presetInfo) string {
		return row(clean(p.ID, 30), clean(p.Title, 40), policyText(p.Policy))
	}))
}

// storedPresets are those of the database, none if there is no database.
func (a *app) storedPresets() ([]presetInfo, error) {
	st, err := a.ifThere()
	if st == nil || err != nil {
		return nil, err
	}
	defer st.Close()
	list, err := st.Presets(a.ctx)
	return values(list, func(p *store.Preset) presetInfo {
		p.Policy.Preset = ""
		return presetInfo{compaction.Preset{ID: p.Name, Title: p.Name, Policy: p.Policy}, "stored"}
	}), err
}
