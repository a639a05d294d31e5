package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"palimpsest/model"
)

// A file of history items becomes a recorded conversation, is compacted in its
// place, and what can't be is refused with the reason.
func TestAFileIsRecordedCompactedAndWrittenBack(t *testing.T) {
	b := newBench(t)
	var items []string
	for range 24 {
		items = append(items, `{"message": {"role": "user", "content": [{"text": "deploy the service to the cluster and tell me what its log says, word for word"}]}}`,
			`{"message": {"role": "assistant", "content": [{"text": "deployed; all twelve checks passed and the log is in /var/log/deploy.log"}]}}`)
	}
	path := b.write("talk.json", []byte(`{"historyContext": [`+strings.Join(items, ",")+`]}`))
	b.run("conversations", "--record", path).ends(exitDone).says("conversation:talk")
	b.run("conversations", "--record", path).ends(exitFailed, "already")
	b.run("conversations", "--record", b.chat("chat.jsonl", 3)).ends(exitFailed, "no history items")
	b.run("conversations", "--id", "x").ends(exitUsage)
	b.run("compact", path, "--preset", "message-count", "--write-back").ends(exitFailed, "nothing to write back")
	var done struct {
		Outcome     string
		WrittenBack bool `json:"written_back"`
	}
	if err := json.Unmarshal([]byte(b.run("compact", "conversation:talk", "--preset", "message-count", "--write-back", "--json").ends(exitDone).out), &done); err != nil || done.Outcome != "applied" || !done.WrittenBack {
		t.Errorf("%+v, %v", done, err)
	}
	b.run("inspect", "conversation:talk").ends(exitDone).says("from 19 items")

	// The link to its record is kept, also when it is compacted again, and it can be
	// undone; the numbers of the second summary are those of the whole conversation.
	b.run("compact", "conversation:talk", "--preset", "message-count", "--window", "4", "--trigger", "5msgs", "--write-back").
		ends(exitDone).says("R-0003", "continues R-0002", "written back")
	d := value[recordDetail](b.run("records", "show", "3", "--json").ends(exitDone))
	if d.State != model.WrittenBack {
		t.Errorf("R-0003 is %s", d.State)
	}
	if len(d.Parents) != 1 || d.Parents[0] != "R-0002" || d.Formers != 1 || !strings.Contains(d.Summary, "–44") {
		t.Errorf("parents %v, %d former summaries:\n%s", d.Parents, d.Formers, d.Summary)
	}
	b.run("restore", "2", "--write-back").ends(exitFailed, "is not what")
	b.run("restore", "1", "--write-back").ends(exitFailed, "not written back")
	b.run("restore", "3").ends(exitUsage)
	b.run("restore", "3", "--write-back").ends(exitDone).says("R-0003", "conversation:talk")
	b.run("inspect", "conversation:talk").ends(exitDone).says("from 19 items")
	b.run("restore", "2", "--write-back").ends(exitDone)
	b.run("inspect", "conversation:talk").ends(exitDone).says("from 48 items")
	b.run("restore", "2", "--write-back").ends(exitFailed, "not written back")
	b.run("records", "show", "2").ends(exitDone).says("stored")
}
