package compaction_test

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction"
)

// A look-alike is found by its name, is a legal policy, and says that it is none
// of the product and where its numbers are from.
func TestLookAlikesSayWhatTheyAre(t *testing.T) {
	seen, tails := map[string]bool{}, map[string]string{ // as their sources say
		"like-claude-code": "1 msgs", "like-cline": "20000 tok", "like-codex": "1 msgs", "like-gemini-cli": "157286 tok",
		"like-goose": "1 turns", "like-kimi-cli": "2 steps", "like-langchain": "20 msgs", "like-opencode": "15000 tok",
		"like-openhands": "40 msgs", "like-pi": "20000 tok"}
	for _, l := range compaction.LookAlikes() {
		if seen[l.ID] {
			t.Errorf("%s twice", l.ID)
		}
		seen[l.ID] = true
		p, ok := compaction.PresetByID(l.ID)
		if tail := fmt.Sprint(p.Policy.Tail.N, " ", p.Policy.Tail.Unit); tail != tails[l.ID] {
			t.Errorf("%s keeps %s, not %q", l.ID, tail, tails[l.ID])
		}
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
