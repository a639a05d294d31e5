package cli

import (
	"testing"

	"palimpsest/assets"
)

// The recall of a ledger on a shipped session: printed, the same as JSON, and as a
// metric of a sweep.
func TestReplayTellsRecall(t *testing.T) {
	b := newBench(t)
	f := b.write("long.jsonl", assets.Samples[0].Bytes())
	flags := []string{"--strategy", "ledger", "--summary-budget", "1000tok", "--context-window", "40000", "--window", "8000tok"}
	b.run(append([]string{"replay", f, "--recall"}, flags...)...).ends(exitDone).says("needed later", " met, ")
	v := value[replayed](b.run(append([]string{"replay", f, "--recall", "--json"}, flags...)...).ends(exitDone))
	if v.Recall == nil || !v.Texts || v.Recall.Needs == 0 || v.Recall.Needs-v.Recall.Met != len(v.Recall.Misses) {
		t.Errorf("%+v", v.Recall)
	}
	b.run(append([]string{"sweep", f, "--x", "trigger=70,80", "--y", "budget=500,1000", "--metric", "recall", "--against", "input"}, flags...)...).
		ends(exitDone).says("recall: share of what the agent needed", "%")
}

// A look-alike is used by its name and listed with where it is from.
func TestLookAlikePresets(t *testing.T) {
	b := newBench(t)
	b.run("presets", "like-codex", "--json").ends(exitDone).says("built-in, after openai/codex", "not the product")
	b.run("preview", b.chat("a.json", 30), "--preset", "like-codex").ends(exitDone)
}
