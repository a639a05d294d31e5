package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model/transcript/internal/edit"
)

// ccGen writes a random session record by record.
type ccGen struct {
	t     *rapid.T
	n     int
	lines []string
	tip   any // uuid of the record that the next one of the main line follows
	chain []string
}

func (g *ccGen) put(v map[string]any) {
	b, err := json.Marshal(v)
	if err != nil {
		g.t.Fatal(err)
	}
	g.lines = append(g.lines, string(b))
}

func (g *ccGen) id(prefix string) string {
	g.n++
	return fmt.Sprintf("%s-%d", prefix, g.n)
}

// chained writes a record of the chain and returns its uuid.
func (g *ccGen) chained(kind string, parent any, side bool, more map[string]any) string {
	id := g.id(kind)
	v := map[string]any{"type": kind, "uuid": id, "parentUuid": parent, "isSidechain": side, "sessionId": "s", "version": "2.1.0",
		"timestamp": fmt.Sprintf("2026-01-01T00:%02d:%02d.000Z", g.n/60%60, g.n%60)}
	for k, x := range more {
		v[k] = x
	}
	g.put(v)
	return id
}

func (g *ccGen) user(parent any, side bool, text string, more map[string]any) string {
	v := map[string]any{"message": map[string]any{"role": "user", "content": text}}
	for k, x := range more {
		v[k] = x
	}
	return g.chained("user", parent, side, v)
}

// answer writes one answer of the model: blocks that hang on each other, and the
// results of its calls, each on its own block. It returns the last record.
func (g *ccGen) answer(parent any, side bool) string {
	msg := g.id("msg")
	tip := parent
	var calls, callers []string
	for range rapid.IntRange(1, 3).Draw(g.t, "blocks") {
		block := map[string]any{"type": "text", "text": "Answer " + msg}
		if rapid.Bool().Draw(g.t, "call") {
			call := g.id("toolu")
			block = map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": map[string]any{"command": "ls " + call}}
			calls = append(calls, call)
		}
		tip = g.chained("assistant", tip, side, map[string]any{"message": map[string]any{"id": msg, "role": "assistant", "model": "m",
			"content": []any{block}, "usage": map[string]any{"input_tokens": 1, "output_tokens": g.n}}})
		if len(calls) > len(callers) {
			callers = append(callers, tip.(string))
		}
	}
	for i, call := range calls {
		if rapid.IntRange(0, 3).Draw(g.t, "progress") == 0 {
			g.chained("progress", callers[i], side, map[string]any{"parentToolUseID": call, "data": map[string]any{"output": "…"}})
		}
		tip = g.chained("user", callers[i], side, map[string]any{"sourceToolAssistantUUID": callers[i], "toolUseResult": map[string]any{"stdout": "out"},
			"message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": "out of " + call}}}})
	}
	return tip.(string)
}

func (g *ccGen) step() {
	switch rapid.IntRange(0, 9).Draw(g.t, "step") {
	case 0, 1:
		g.tip = g.user(g.tip, false, fmt.Sprintf("Question %d, 漢字?", g.n), nil)
	case 2, 3, 4:
		g.tip = g.answer(g.tip, false)
	case 5:
		g.tip = g.chained("system", g.tip, false, map[string]any{"subtype": "turn_duration", "durationMs": 1})
	case 6:
		g.put(map[string]any{"type": "file-history-snapshot", "messageId": g.tip, "snapshot": map[string]any{"messageId": g.tip}})
	case 7: // an abandoned branch, or a rewind that becomes the main line
		if len(g.chain) == 0 {
			return
		}
		at := rapid.SampledFrom(g.chain).Draw(g.t, "fork")
		end := g.answer(g.user(at, false, fmt.Sprintf("Another way, %d.", g.n), nil), false)
		if rapid.Bool().Draw(g.t, "rewind") {
			g.tip = end
		}
	case 8:
		end := g.user(nil, true, fmt.Sprintf("Task %d", g.n), nil)
		g.answer(end, true)
	case 9:
		b := g.chained("system", nil, false, map[string]any{"subtype": "compact_boundary", "logicalParentUuid": g.tip,
			"compactMetadata": map[string]any{"trigger": "auto", "preTokens": 100}})
		g.tip = g.user(b, false, fmt.Sprintf("This session was summarised, %d.", g.n), map[string]any{"isCompactSummary": true})
		g.chain = nil
		if rapid.Bool().Draw(g.t, "attached") {
			g.tip = g.chained("attachment", g.tip, false, map[string]any{"attachment": map[string]any{"type": "file", "content": "again"}})
		}
	}
	if s, ok := g.tip.(string); ok {
		g.chain = append(g.chain, s)
	}
}

func (g *ccGen) text() string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(g.t, "eol")
	text := strings.Join(g.lines, eol)
	if rapid.Bool().Draw(g.t, "closed") {
		text += eol
	}
	return text
}

func TestClaudeCodeRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &ccGen{t: t}
		g.tip = g.user(nil, false, "The first question.", nil)
		g.tip = g.answer(g.tip, false)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			g.step()
		}
		g.tip = g.answer(g.tip, false) // the main line is the one written last
		d := mustRead(t, g.text())
		checkDocument(t, d)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		starts := append([]int{0}, legalCuts(th, live, 0)...)
		from := starts[rapid.IntRange(0, len(starts)-2).Draw(t, "from")]
		ends := legalCuts(th, live, from)
		to := ends[rapid.IntRange(0, len(ends)-1).Draw(t, "to")]
		back := checkRewrite(t, d, 0, live, from, to)
		checkChain(t, d)
		checkThreadRewrites(t, d)
		// what was rewritten can be rewritten again
		th = back.Conversations[0].Main()
		if live = th.Live(len(th.History)); len(live) > 1 {
			r := mustRewrite(t, back, live, 0, len(live))
			again := mustRead(t, string(written(t, r.Edits)))
			th = again.Conversations[0].Main()
			if live := th.Live(len(th.History)); len(live) != 1 || messageText(t, again, &th.Messages[live[0]]) != testSummary {
				t.Fatalf("after everything was summarised, %q is live", lines(th, live))
			}
		}
	})
}

// TestClaudeCodeOdd reads sessions with records missing, doubled, out of order
// and pointing anywhere.
func TestClaudeCodeOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &ccGen{t: t}
		g.tip = g.user(nil, false, "The first question.", nil)
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			g.step()
		}
		for range rapid.IntRange(1, 5).Draw(t, "faults") {
			i, k := rapid.IntRange(0, len(g.lines)-1).Draw(t, "line"), rapid.IntRange(0, len(g.lines)-1).Draw(t, "other")
			switch rapid.IntRange(0, 4).Draw(t, "fault") {
			case 0:
				g.lines[i] = g.lines[k]
			case 1:
				g.lines[i], g.lines[k] = g.lines[k], g.lines[i]
			case 2:
				g.lines[i] = g.lines[i][:len(g.lines[i])/2]
			case 3:
				g.lines[i] = strings.Replace(g.lines[i], `"parentUuid":`, `"parentUuid":"user-1","x":`, 1)
			case 4:
				g.lines[i] = strings.Replace(g.lines[i], `"uuid":`, `"uuid":"user-1","y":`, 1)
			}
		}
		d, err := readBytes("odd", []byte(g.text()))
		if err != nil {
			return // nothing left to read
		}
		checkDocument(t, d)
		for ti, th := range d.Conversations[0].Threads {
			live := th.Live(len(th.History))
			if len(live) == 0 {
				continue
			}
			r, err := Rewrite(d, &edit.Change{Thread: ti, Drop: live, Summaries: []edit.Summary{{Text: testSummary, Before: live[0], UID: testUID}}})
			if err != nil {
				t.Fatal(err)
			}
			if back, err := readBytes("odd", written(t, r.Edits)); err != nil {
				t.Fatal(err)
			} else {
				checkDocument(t, back)
			}
		}
	})
}

func FuzzReadClaudeCode(f *testing.F) {
	fuzzFormat(f, "claudecode_session.jsonl", "claudecode_loglines.json")
}
