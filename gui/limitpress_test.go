package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// calling is a Claude Code session of one question and answer by a model that the table does not
// know; compacted above 0: its agent compacted it by itself at so many tokens.
func calling(t *testing.T, name, model string, compacted int) string {
	t.Helper()
	lines := fmt.Sprintf(`{"parentUuid":null,"type":"user","uuid":"u","sessionId":%q,"isSidechain":false,"message":{"role":"user","content":"Do it."}}`+"\n"+
		`{"parentUuid":"u","type":"assistant","uuid":"a","sessionId":%[1]q,"isSidechain":false,"message":{"id":"m","model":%q,`+
		`"role":"assistant","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":40000,"output_tokens":5}}}`+"\n", name, model)
	if compacted > 0 {
		lines += fmt.Sprintf(`{"parentUuid":null,"logicalParentUuid":"a","type":"system","subtype":"compact_boundary","uuid":"B","sessionId":%q,`+
			`"isSidechain":false,"compactMetadata":{"trigger":"auto","preTokens":%d}}`+"\n"+
			`{"parentUuid":"B","type":"user","uuid":"S","sessionId":%[1]q,"isSidechain":false,"isCompactSummary":true,`+
			`"message":{"role":"user","content":"This session is being continued."}}`+"\n", name, compacted)
	}
	path := filepath.Join(t.TempDir(), name+".jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Under an assumed model limit stands a link. One press on it takes the larger limit, the link
// goes, and a session of the same model that is opened later has that limit. A session of another
// model is as before.
func TestAPressCorrectsAnAssumedLimit(t *testing.T) {
	t.Cleanup(func() { tokens.SetOwnLimits(nil) })
	s := newStage(t, calling(t, "first", "newcomer-9", 0))
	limit := func(want int, from session.WindowSource) {
		t.Helper()
		if got, w := s.Desk.Planning.Params().Window, s.Desk.Session().Window(); got != want || w.From != from {
			t.Errorf("the limit is %d, of the file %+v; want %d, %s", got, w, want, from)
		}
	}
	link := words.T("window.assumed", "window", words.TokensShort(1_000_000))
	limit(200_000, session.WindowAssumed)
	s.tap(link)
	limit(1_000_000, session.WindowAssumed)
	s.gone(link)
	s.sees(words.T("window.from.set"), "1,000,000")

	s.Desk.Add(calling(t, "second", "newcomer-9", 0))
	s.settle()
	limit(1_000_000, session.WindowSet)
	s.gone(link)
	s.Desk.Add(calling(t, "third", "stranger-1", 0))
	s.settle()
	limit(200_000, session.WindowAssumed)
	s.sees(link)
}

// Where a file's own compaction speaks for another limit than the table, the link takes that one.
func TestAPressTakesTheLimitOfARecordedCompaction(t *testing.T) {
	s := newStage(t, calling(t, "big", "claude-sonnet-4-20250514", 967_000))
	if got := s.Desk.Planning.Params().Window; got != 200_000 {
		t.Fatalf("it begins with %d", got)
	}
	link := words.T("window.suggest", "at", words.Tokens(967_000), "window", words.TokensShort(1_000_000))
	s.tap(link)
	if got := s.Desk.Planning.Params().Window; got != 1_000_000 {
		t.Errorf("after the press the limit is %d", got)
	}
	s.gone(link)
	s.sees("1,000,000", words.T("window.from.set"))
}

// gone fails the test while words are on the screen.
func (s *stage) gone(text string) {
	s.t.Helper()
	if screen := shown(s.top()); strings.Contains(screen, text) {
		s.t.Errorf("%q is shown still; there is\n%s", text, screen)
	}
}
