package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session/recorded"
	"palimpsest/internal/realdata"
)

// The verb prints of a real file what the library measures, of a folder a line for
// each of its files and all together, and refuses what it does not go with.
func TestReplayRecorded(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(realdata.Transcripts(t), "claude_code", "entire_cli_b8e923_2compacts_summaries.jsonl")
	b.run("replay", "--recorded", file).ends(exitDone).says("F-0001", "their summary", "held ÷ (held + brought back)", "lower bound")
	one := value[recordedFile](b.run("replay", "--recorded", "--json", file).ends(exitDone))
	if len(one.Compactions) != 2 || one.All.Scores[recorded.Theirs].Used == 0 ||
		one.Compactions[0].Texts[recorded.Ledger].Tokens > one.Compactions[0].Texts[recorded.Theirs].Tokens {
		t.Errorf("%d compactions, %+v", len(one.Compactions), one.All.Scores)
	}
	folder := filepath.Dir(file)
	b.run("replay", "--recorded", "-q", folder).says("used again", filepath.Base(file), "all that can be read", "lower bound")
	var held, pages int
	for _, line := range strings.Split(strings.TrimSpace(b.run("replay", "--recorded", "--json", "-q", folder).out), "\n") {
		var v recordedFile
		if json.Unmarshal([]byte(line), &v) == nil {
			held, pages = held+v.All.Held, pages+len(v.Compactions)
		}
	}
	if held < one.All.Held || pages <= len(one.Compactions) {
		t.Errorf("the folder has %d compactions, which held %d facts", pages, held)
	}
	b.run("replay", "--recorded", "--recall", file).ends(exitUsage)
}
