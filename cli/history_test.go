package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
)

// The history of a step agent is the text that its next prompt holds; of any
// other, the list of messages that the policy leaves.
func TestHistory(t *testing.T) {
	b := newBench(t)
	steps := filepath.Join(realdata.Root(t), "assets", "samples", "lab-notebook.jsonl")
	all := value[historyInfo](b.run("history", steps, "--json").ends(exitDone))
	if !all.Steps || all.Firings == 0 || all.Last == nil || !strings.HasPrefix(all.Text, "Summary of steps 1-") ||
		!strings.Contains(all.Text, "=== Full record of step 30 ===") {
		t.Fatalf("%+v", all)
	}
	covered, changed := 0, 0
	for _, e := range all.Entries {
		if e.Role == "summary" && e.Number != covered+1 {
			t.Errorf("a summary begins with step %d, the one before ends with %d", e.Number, covered)
		}
		covered = max(covered, e.Number, e.To)
		if e.Changed {
			changed++
		}
		if !strings.Contains(all.Text, strings.TrimSpace(e.Text)) {
			t.Errorf("the text does not hold %q", e.Text)
		}
	}
	if covered != 30 || changed == 0 || changed > 3 {
		t.Errorf("it covers %d steps, the last compaction changed %d entries", covered, changed)
	}
	plain := b.run("history", steps, "--plain").ends(exitDone).out
	if plain != all.Text+"\n" {
		t.Errorf("--plain prints %q", plain)
	}
	b.run("history", steps).ends(exitDone).says("+ Summary of steps", "compactions so far")
	early := value[historyInfo](b.run("history", steps, "--at", "4", "--json").ends(exitDone))
	if early.Firings != 0 || early.Last != nil || !strings.HasPrefix(early.Text, "=== Full record of step 1 ===") {
		t.Errorf("%+v", early)
	}
	if compat := b.run("history", steps, "--compat", "--plain").ends(exitDone).out; compat == plain || !strings.Contains(compat, "步骤") {
		t.Errorf("--compat prints %q", compat)
	}

	layer := b.run("history", steps, "--summaries").ends(exitDone).out
	if !strings.HasPrefix(all.Text, strings.TrimSpace(layer)) || strings.Contains(layer, "=== Full record") {
		t.Errorf("--summaries prints %q", layer)
	}
	last := b.run("history", steps, "--last", "2").ends(exitDone).out
	if !strings.HasSuffix(all.Text+"\n", last) || strings.Count(last, "=== Full record") != 2 {
		t.Errorf("--last 2 prints %q", last)
	}
	short := value[historyInfo](b.run("history", steps, "--within", "400", "--json").ends(exitDone)).Text
	if len(short) == 0 || len(short) >= len(all.Text) || len(short) > 400*6 {
		t.Errorf("--within 400 prints %d characters of %d", len(short), len(all.Text))
	}
	b.run("history", steps, "--within", "1").ends(exitUsage, "that short")
	b.run("history", steps, "--last", "1", "--summaries").ends(exitUsage)
	b.run("history", steps, "--max-steps", "40").ends(exitDone).says("Steps taken: 30", "not completed", "30 of 40 (75.0%)")
	b.run("history", steps, "--max-steps", "40", "--completed").ends(exitDone).says("Task: completed")

	chat := b.chat("a.json", 30)
	b.run("history", chat, "--within", "400").ends(exitUsage, "step history is written within")
	b.run("history", chat, "--max-steps", "40").ends(exitUsage, "only a run of steps")
	flags := []string{"history", chat, "--preset", "message-count", "--json"}
	list := value[historyInfo](b.run(flags...).ends(exitDone))
	if list.Steps || list.Firings == 0 || len(list.Entries) >= 40 || !list.Entries[1].Changed || list.Entries[1].Number != 0 {
		t.Errorf("%+v", list)
	}
	if last := list.Entries[len(list.Entries)-1]; last.Changed || last.Number == 0 {
		t.Errorf("%+v", last)
	}
	one := value[historyInfo](b.run(append(flags, "--summaries")...).ends(exitDone))
	if !strings.Contains(one.Text, strings.TrimSpace(list.Entries[1].Text)) || strings.Contains(one.Text, "[user]") {
		t.Errorf("--summaries: %q", one.Text)
	}
	b.run("history", chat, "--at", "9999").ends(exitUsage)
}
