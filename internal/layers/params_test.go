package layers

import (
	"go/types"
	"path/filepath"
	"slices"
	"testing"
)

// filesThatName is how many files beside the engine may name a parameter: the row of
// the table, and two that say what it does to the open history.
const filesThatName = 3

// meant are the fields that more files name, each for what it means and not to
// handle parameters one by one.
var meant = map[string]string{
	"Preset":   "the name of a policy, no parameter",
	"Window":   "every usage is measured against it, and it belongs to a history",
	"Fixed":    "a part of every usage, and it belongs to a history",
	"Triggers": "clauses are drawn, dragged, added and removed one by one",
	"Tail":     "drawn and dragged in the chart, and offered as a remedy",
	"Pins":     "they belong to a history",
	"Strategy": "decides whether a model is asked",
	"Budget":   "shown beside the size of the summary, and offered as a remedy",
}

// engine holds the rules of parameters, and the presets.
var engine = []string{"compaction", "internal"}

// A parameter is a field, a row of the table and its rule in the engine: verbs,
// screens, sweeps and files read the table and do not name it.
func TestAParameterIsOneRow(t *testing.T) {
	l := load(t)
	policy := l.done["palimpsest/model"].Scope().Lookup("Policy").Type().Underlying().(*types.Struct)
	table := filepath.Join("model", "policy.go")
	for i := range policy.NumFields() {
		f := policy.Field(i)
		var files []string
		for file := range l.uses[f] {
			rel, err := filepath.Rel(l.root, file)
			if err != nil {
				t.Fatal(err)
			}
			if !within(filepath.ToSlash(rel), engine) {
				files = append(files, rel)
			}
		}
		slices.Sort(files)
		switch {
		case f.Name() != "Preset" && !slices.Contains(files, table):
			t.Errorf("%s is in no row of the table", f.Name())
		case meant[f.Name()] == "" && len(files) > filesThatName:
			t.Errorf("%s is named in %d files beside the engine: %v", f.Name(), len(files), files)
		case meant[f.Name()] != "" && len(files) <= filesThatName:
			t.Errorf("%s needs no exception any more: %v", f.Name(), files)
		}
	}
}
