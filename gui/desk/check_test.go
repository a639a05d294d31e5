package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session"
)

// What the estimate of the last call is held against is read before the history is shown,
// in the background: nobody who asks for the check waits for texts.
func TestTheCheckOfAHistoryIsMadeBehindTheWindow(t *testing.T) {
	w := newWindow(t)
	file := filepath.Join(t.TempDir(), "a.jsonl")
	source := fmt.Sprintf(`{"parentUuid":null,"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[{"type":"text","text":%q},`+
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":%q}}]}}`+"\n"+
		`{"parentUuid":"u","type":"assistant","uuid":"a","sessionId":"s","message":{"id":"m","model":"claude-sonnet-4-20250514","role":"assistant",`+
		`"content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":%d,"output_tokens":5}}}`+"\n",
		strings.Repeat("alpha beta ", 500), strings.Repeat("QUJD", 30_000), 1600)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Add(file)
	w.settle()
	s := w.Session()
	if err := os.Truncate(file, 0); err != nil { // no text can be read any more
		t.Fatal(err)
	}
	c := s.CrossCheck(s.Policy().Fixed)
	if !c.Loud() || c.Cause.Code != session.CauseMedia || c.Cause.N != 1 {
		t.Errorf("%+v", c)
	}
}
