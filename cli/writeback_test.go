package cli

import (
	"encoding/json"
	"strings"
	"testing"
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
}
