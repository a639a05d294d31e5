package compaction_test

import (
	"strings"
	"testing"

	"palimpsest/compaction"
)

// A look-alike is found by its name, is a legal policy, and says that it is none
// of the product and where its numbers are from.
func TestLookAlikesSayWhatTheyAre(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range compaction.LookAlikes() {
		if seen[l.ID] {
			t.Errorf("%s twice", l.ID)
		}
		seen[l.ID] = true
		p, ok := compaction.PresetByID(l.ID)
		if !ok || p.Policy.Preset != l.ID {
			t.Errorf("%s is not found", l.ID)
		}
		if _, said := compaction.Normalise(p.Policy); len(said) > 0 {
			t.Errorf("%s: %v", l.ID, said)
		}
		if !strings.HasSuffix(l.Title, "look-alike") || !strings.Contains(l.About, "not the product") || l.Source == "" || len(l.Date) != 10 || !strings.Contains(l.Differs, "asks a model") {
			t.Errorf("%+v", l)
		}
		if len(p.Policy.Triggers) == 0 && !strings.Contains(l.Differs, "no threshold") {
			t.Errorf("%s never fires and does not say so", l.ID)
		}
	}
}
