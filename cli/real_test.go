package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// faults counts what a provider would refuse in the live lists of a file.
func faults(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range f.Doc.Conversations {
		th := c.Main()
		var items []model.Item
		for _, m := range th.Live(len(th.History)) {
			items = append(items, model.Item{Msg: m})
		}
		n += len(compaction.Faults(th, items))
	}
	return n
}

// Every real file: compacting makes it smaller, it loads again, no call or
// result is torn from its other half, and restoring gives the input's bytes.
func TestRealFiles(t *testing.T) {
	applied := 0
	for _, f := range realdata.Files(t, "claude_code", "codex_rollout", "openai_chat", "anthropic_messages", "malformed",
		"openai_responses", "gemini", "swe_agent", "mini_swe_agent", "sharegpt", "tau_bench", "cline", "chatgpt_export", "claude_ai_export",
		"pi", "copilot_cli", "openhands", "langchain", "inspect", "atif", "multi_agent") {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b := newBench(t)
			in := b.run("inspect", f, "--json")
			if in.code != exitDone {
				in.ends(exitFailed, "conversation")
				return
			}
			before := value[inspection](in)
			if before.Conversations > 60 {
				t.Skip("many small conversations")
			}
			d, err := transcript.Open(t.Context(), f, transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			why := transcript.ReadOnly(d)
			out := b.path("out")
			compact := []string{"compact", f, "--all", "--window", "2", "--min-gain", "0", "--no-keep-first-user", "--summary-budget", "400", "--json"}
			list := value[[]compacted](b.run(append(slices.Clip(compact), "-o", out)...))
			export := false // the records' transcripts, one by one
			if why != "" && slices.ContainsFunc(list, func(c compacted) bool { return c.Outcome == model.Failed }) {
				// Several conversations are no file of OpenAI Chat: none is compacted, and their records can be exported.
				for _, c := range list {
					if c.Outcome != model.Refused && (c.Outcome != model.Failed || c.Record != nil || !strings.Contains(c.Reason, why)) {
						t.Errorf("conversation %d: %s: %s", c.Conversation, c.Outcome, c.Reason)
					}
				}
				b.missing(out)
				list, export = value[[]compacted](b.run(compact...)), true
			}
			done := 0
			for _, c := range list {
				if c.Record == nil {
					t.Fatalf("conversation %d has no record: %s: %s", c.Conversation, c.Outcome, c.Reason)
				}
				switch c.Outcome {
				case model.Applied:
					done++
					if export {
						b.run("export", *c.Record, "-f", "openai-chat", "-o", out, "--force").ends(exitDone)
					}
					if c.After.Tokens >= c.Before.Tokens || c.After.Messages > c.Before.Messages {
						t.Errorf("%+v → %+v", c.Before, c.After)
					}
				case model.Refused:
				default:
					t.Errorf("conversation %d: %s: %s", c.Conversation, c.Outcome, c.Reason)
				}
				b.run("restore", *c.Record, "-o", b.path("back"), "--force").ends(exitDone)
				b.same(b.path("back"), f)
			}
			if done == 0 {
				b.missing(out)
				return
			}
			applied++
			after := value[inspection](b.run("inspect", out, "--json").ends(exitDone))
			switch {
			case why != "":
				if after.Format != model.FormatOpenAI || after.Conversations != 1 {
					t.Errorf("from %+v to %+v", before, after)
				}
			case after.Format != before.Format || after.Conversations != before.Conversations || after.Continues == nil:
				t.Errorf("from %+v to %+v", before, after)
			}
			if was, is := faults(t, f), faults(t, out); is > was {
				t.Errorf("%d faults, before %d", is, was)
			}
		})
	}
	if applied < 25 {
		t.Errorf("only %d files could be compacted", applied)
	}
}
