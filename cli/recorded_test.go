package cli

import (
	"path/filepath"
	"testing"

	"palimpsest/compaction/session/recorded"
	"palimpsest/internal/realdata"
)

// The verb prints of a real file what the library measures, of a folder the study of
// its files, and refuses what it does not go with.
func TestReplayRecorded(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(realdata.Transcripts(t), "claude_code", "entire_cli_b8e923_2compacts_summaries.jsonl")
	b.run("replay", "--recorded", file).ends(exitDone).says("F-0001", "their summary", "held ÷ (held + brought back)", "lower bound")
	one := value[recordedFile](b.run("replay", "--recorded", "--json", file).ends(exitDone))
	if len(one.Compactions) != 2 || one.All.Scores[recorded.Theirs].Used == 0 ||
		one.Compactions[0].Texts[recorded.Ledger].Tokens > one.Compactions[0].Texts[recorded.Theirs].Tokens {
		t.Errorf("%d compactions, %+v", len(one.Compactions), one.All.Scores)
	}
	all := value[recordedStudyInfo](b.run("replay", "--recorded", "--json", filepath.Dir(file)).ends(exitDone))
	if all.Compactions < 2 || len(all.Means) == 0 {
		t.Errorf("%+v", all)
	}
	b.run("replay", "--recorded", "--recall", file).ends(exitUsage)
}
