package recorded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// entry is one line of a Claude Code session.
func entry(n int, kind, role, content string, more ...string) string {
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf("%q", fmt.Sprintf("u%02d", n-1))
	}
	message := ""
	if role != "" {
		message = fmt.Sprintf(`,"message":{"role":%q,"model":"claude-sonnet-4-5","id":"m%d","content":%s}`, role, n, content)
	}
	return fmt.Sprintf(`{"type":%q,"uuid":"u%02d","parentUuid":%s,"sessionId":"s","cwd":"/srv/app","timestamp":"2026-03-01T10:%02d:00Z"%s%s}`,
		kind, n, parent, n, message, strings.Join(more, ""))
}

func handmade() string {
	return strings.Join([]string{
		entry(1, "user", "user", `"Never touch deploy/alarm.service, and look at src/queue.go."`),
		entry(2, "assistant", "assistant", `[{"type":"text","text":"drainQueue locks twice, nextAlarm never; lockAll is in src/queue.go."}]`),
		entry(3, "assistant", "assistant", `[{"type":"tool_use","id":"t0","name":"Bash","input":{"command":"make vet-sched"}}]`),
		entry(4, "user", "user", `[{"type":"tool_result","tool_use_id":"t0","content":"sched/clock.go: copyLock"}]`),
		entry(5, "system", "", "", `,"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":167000}`),
		entry(6, "user", "user", `"We mend src/queue.go."`, `,"isCompactSummary":true`),
		entry(7, "assistant", "assistant", `[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"src/queue.go"}}]`),
		entry(8, "user", "user", `[{"type":"tool_result","tool_use_id":"t1","content":"func drainQueue() {}"}]`),
		entry(9, "user", "user", `"And deploy/alarm.service stays."`),
		entry(10, "assistant", "assistant", `[{"type":"text","text":"drainQueue is mended, lockAll too; deploy/alarm.service stays."}]`),
		entry(11, "assistant", "assistant", `[{"type":"text","text":"drainQueue again."}]`),
	}, "\n") + "\n"
}

func opened(t *testing.T, path string) *session.Session {
	t.Helper()
	f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(context.Background(), session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func written(t *testing.T, text string) *session.Session {
	t.Helper()
	d, err := transcript.Read(context.Background(), "s.jsonl", strings.NewReader(text), int64(len(text)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.NewFile(d, session.Options{}).Session(context.Background(), session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A session worked out by hand: what the summary held, what came back and by whom,
// and what came from elsewhere.
func TestPartsByHand(t *testing.T) {
	s := written(t, handmade())
	m, err := Measure(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Pages) != 1 || m.Pages[0].State != Readable || m.Pages[0].Cause != "auto" {
		t.Fatalf("%+v", m.Pages)
	}
	p := m.Pages[0]
	type line struct {
		part   Part
		uses   int
		tool   string
		person bool
		calls  int
	}
	got := map[string]line{}
	for _, r := range p.Rows {
		l := line{part: r.Part, uses: len(r.Uses)}
		if r.Back != nil {
			l.tool, l.person, l.calls = r.Back.Tool, r.Back.Person, r.Back.Calls
		}
		got[r.Fact.Text] = l
	}
	want := map[string]line{
		"src/queue.go":         {part: Held, uses: 1},
		"drainQueue":           {part: BroughtBack, uses: 2, tool: "Read", calls: 1},
		"lockAll":              {part: FromElsewhere, uses: 1},
		"deploy/alarm.service": {part: BroughtBack, uses: 1, person: true, calls: 1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nby hand %+v", got, want)
	}
	theirs := p.Tally.Of[Theirs]
	if theirs != (Score{Held: 1, Used: 3}) {
		t.Errorf("%+v", theirs)
	}
	if !strings.HasPrefix(p.Columns[Plus500].Text, p.Columns[Theirs].Text) || !p.Rows[0].Holds[Plus500] {
		t.Errorf("%+v", p.Columns[Plus500])
	}
}

// Without its summary a compaction is said to hold no text, and the ledger is there
// all the same.
func TestNoSummary(t *testing.T) {
	var lines []string
	for l := range strings.Lines(handmade()) {
		if !strings.Contains(l, "isCompactSummary") {
			lines = append(lines, strings.Replace(l, `"parentUuid":"u06"`, `"parentUuid":"u05"`, 1))
		}
	}
	m, err := Measure(context.Background(), written(t, strings.Join(lines, "")))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Pages) != 1 || m.Pages[0].State != NoText || m.Pages[0].Columns[Ledger].Text == "" || m.All.Pages != 0 {
		t.Errorf("%+v", m.Pages)
	}
}

// Over all real files: sizes, parts and scores agree with each other and with the
// definition of needs.
func TestRealFilesAgree(t *testing.T) {
	files := realdata.Files(t, "claude_code", "codex_rollout", "pi", "cline", "openhands", "gemini")
	pages := 0
	for _, path := range files {
		f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
		if err != nil {
			continue
		}
		for _, thread := range f.Choices() {
			s, err := f.Session(context.Background(), thread.Ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Measure(context.Background(), s)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for i := range m.Pages {
				checkPage(t, path, &m.Pages[i])
				pages++
			}
		}
		f.Close()
	}
	if pages < 10 {
		t.Errorf("%d compactions in the real files", pages)
	}
}

func checkPage(t *testing.T, path string, p *Page) {
	t.Helper()
	if p.State == NothingAt {
		return
	}
	limit := p.Columns[Theirs].Tokens
	if p.State != Readable {
		limit = ledgerInstead
	}
	if p.Columns[Ledger].Tokens > limit || p.Columns[Plus500].Tokens > p.Columns[Theirs].Tokens+505 {
		t.Errorf("%s %s: %d tokens of ledger beside %d, %d with 500", path, p.ID, p.Columns[Ledger].Tokens, limit, p.Columns[Plus500].Tokens)
	}
	if p.State == Encrypted && p.Columns[Theirs].Text != "" {
		t.Errorf("%s %s: encrypted, and it has a text", path, p.ID)
	}
	last := p.At - 1
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Uses[0] < last || r.Uses[0] < p.At || r.Uses[len(r.Uses)-1] >= p.To || r.Last >= p.At {
			t.Fatalf("%s %s: %+v out of order", path, p.ID, r)
		}
		last = r.Uses[0]
		if (r.Part == BroughtBack) != (r.Back != nil) || r.Back != nil && (r.Back.At < p.At || r.Back.At > r.Uses[0] || r.Back.Spent < r.Back.Tokens) {
			t.Errorf("%s %s: %+v came back at %+v", path, p.ID, r.Fact, r.Back)
		}
		if r.Part == Held != r.Holds[Theirs] || r.Holds[Theirs] && !r.Holds[Plus500] {
			t.Errorf("%s %s: %+v", path, p.ID, r)
		}
	}
	if sum := p.Tally.Parts[0] + p.Tally.Parts[1] + p.Tally.Parts[2]; sum != len(p.Rows) || p.Tally.Of[Theirs].Held != p.Tally.Parts[Held] {
		t.Errorf("%s %s: %+v of %d rows", path, p.ID, p.Tally.Parts, len(p.Rows))
	}
	for _, c := range p.Tally.Of {
		if c.Used != p.Tally.Parts[Held]+p.Tally.Parts[BroughtBack] || c.Held > c.Used {
			t.Errorf("%s %s: %+v of %+v", path, p.ID, c, p.Tally.Parts)
		}
	}
}

// The strict rows of all pages are the needs that the index finds by its own walk.
func TestStrictRowsAreNeeds(t *testing.T) {
	for _, path := range realdata.Files(t, "pi") {
		s := opened(t, path)
		m, err := Measure(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		x := s.Insight.KnownFacts()
		var firings []facts.Change
		for _, p := range m.Pages {
			firings = append(firings, facts.Change{At: p.At, Removed: []model.Range{{To: p.At}}})
		}
		if x == nil || len(firings) == 0 {
			continue
		}
		for k := range firings {
			strict := 0
			for _, u := range x.UsedAfter(firings, k) {
				if u.Strict() {
					strict++
				}
			}
			if want := x.NeededLater(firings).Firings[k].Needs; strict != want {
				t.Errorf("%s, firing %d: %d strict uses, %d needs", path, k, strict, want)
			}
		}
	}
}

// The run as the file holds it has its calls and its compactions; what they left and their
// summaries say what was met of what the agent needed later, as in [Measure].
func TestSideIsWhatTheFileHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(handmade()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	if _, err := s.Insight.Facts(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	x, err := Side(context.Background(), s, p)
	if err != nil {
		t.Fatal(err)
	}
	tl := x.Timeline
	var sum, largest int64
	for _, c := range s.Curve(p.Fixed) {
		sum, largest = sum+c.Counted, max(largest, c.Counted)
	}
	if !x.Recorded || tl.Totals.Input != sum || tl.Totals.Largest != largest || tl.Totals.Calls != len(s.History().Calls()) ||
		tl.Totals.Uncompacted <= sum || len(tl.Policy.Triggers) != 0 || len(p.Triggers) == 0 {
		t.Errorf("%+v, want %d", tl.Totals, sum)
	}
	if len(tl.Firings) != 1 || tl.Totals.Firings != 1 {
		t.Fatalf("%d firings", len(tl.Firings))
	}
	f := tl.Firings[0]
	if f.At != s.Thread().Found[0].At || f.Before.Tokens != 167000 || f.Text != "We mend src/queue.go." || int(tl.Calls[f.Call].At) < f.At ||
		f.Call > 0 && int(tl.Calls[f.Call-1].At) >= f.At || f.After.Tokens != tl.Calls[f.Call].Tokens {
		t.Errorf("%+v", f)
	}
	m, err := Measure(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	var want facts.Recall
	for _, r := range m.Pages[0].Rows {
		if r.Strict() {
			want.Needs++
			if r.Holds[Theirs] {
				want.Met++
			}
		}
	}
	if got := x.Needed.Recall; got != want || got.Needs == 0 {
		t.Errorf("%+v, %+v by the page", got, want)
	}
}
