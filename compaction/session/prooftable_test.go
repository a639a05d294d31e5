package session

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

var update = flag.Bool("update", false, "write docs/formats.md anew")

// listed is one transcript of the manifest of real files: a file, or a folder of
// events that is one history.
type listed struct {
	name, path   string
	items, calls int
}

// manifest lists the real transcripts; the test is skipped where they are not at
// hand.
func manifest(t *testing.T) (list []listed) {
	t.Helper()
	for _, r := range realdata.Manifest(t) {
		l := listed{name: r.File, path: r.Path, items: r.Messages, calls: r.Calls}
		if dir := filepath.Dir(l.path); transcript.IsEventFolder(context.Background(), dir) {
			l.name, l.path = path.Dir(l.name), dir
			if n := len(list); n > 0 && list[n-1].name == l.name {
				list[n-1].items += l.items
				list[n-1].calls += l.calls
				continue
			}
		}
		list = append(list, l)
	}
	return list
}

// exception says why a file is counted otherwise than the manifest counts it.
type exception struct {
	items, calls int
	why          string
}

const textActions = "the manifest counts actions in the text; they are no tool calls, and what came of them is an observation"

var exceptions = map[string]exception{
	"chatgpt_export/polylogue_native_conversation.json": {8, 1, "the manifest does not count messages to a recipient as calls"},
	"claude_ai_export/polylogue_claude_ai_export.json":  {1, 0, "the manifest counts no messages in it; it has one"},
	"malformed/codex_two_sessions_truncated.jsonl":      {36, 10, "the manifest counts items of the type message only, and no calls"},
	"openai_chat/llamafactory_v1_typed_blocks.jsonl":    {274, 68, "the manifest does not count calls that are typed parts of the content"},
	"openai_chat/openhands_sdk_litellm_proxy__deepseek__deepseek-chat-1757015076.651.json": {18, 1,
		"the manifest also counts the calls of `raw_messages`, which tell the same conversation again"},
	"swe_agent/sweagent_ctf_web.traj":                           {43, 0, textActions},
	"swe_agent/sweagent_v0_pydicom_1458.traj":                   {26, 0, textActions},
	"mini_swe_agent/psf__requests-1142.traj.json":               {144, 0, textActions},
	"mini_swe_agent/django__django-11138.traj.json":             {232, 0, textActions},
	"mini_swe_agent/scikit-learn__scikit-learn-25102.traj.json": {88, 0, textActions},
}

// refusals are the files of the manifest that hold no history, and the problem
// that opening them ends in.
var refusals = map[string]string{
	"claude_code/jessitron_episode8/episode-8-before/subagents/agent-ae20659fd0f63295e.meta.json": "unknown-format",
	"cline/cline_session.json": "unknown-format",
}

// TestFormatsAreProven does with every real file all that may be done with it and
// holds the outcome against the manifest and against docs/formats.md.
func TestFormatsAreProven(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	by := map[model.Format]*proof{}
	refused := map[string]string{}
	for _, l := range manifest(t) {
		t.Run(l.name, func(t *testing.T) {
			d, err := transcript.Open(context.Background(), l.path, transcript.Options{})
			var problem *model.Problem
			if errors.As(err, &problem) {
				refused[l.name] = problem.Code
				t.Log(problem)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			p := prove(t, d, mostThreads, append(compaction.Presets(), onlyTheLast()))
			want := exception{items: l.items, calls: l.calls}
			if x, ok := exceptions[l.name]; ok {
				t.Log(x.why)
				want = x
			}
			if p.items != want.items || p.calls != want.calls {
				t.Errorf("%d items and %d calls instead of %d and %d", p.items, p.calls, want.items, want.calls)
			}
			if by[d.Format] == nil {
				by[d.Format] = &proof{}
			}
			by[d.Format].add(p)
			t.Logf("%s, %d items, %d calls; %d compactions, %d reload, %d restored, refused %v", d.Format, p.items, p.calls, p.applied, p.reloaded, p.restored, p.refused)
		})
	}
	if !maps.Equal(refused, refusals) {
		t.Errorf("refused are %v, expected %v", refused, refusals)
	}
	if t.Failed() {
		return
	}
	checkDocs(t, proofTable(by))
}

const docsFile = "docs/formats.md"

// checkDocs holds the part of docs/formats.md that is written by this test
// against what it found, or writes it.
func checkDocs(t *testing.T, table string) {
	t.Helper()
	const begin, end = "<!-- proof: written by a test -->\n", "<!-- end of proof -->\n"
	file := filepath.Join(realdata.Root(t), filepath.FromSlash(docsFile))
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", docsFile)
	}
	want := head + begin + "\n" + table + "\n" + end + tail
	if want == string(b) {
		return
	}
	if !*update {
		t.Fatalf("%s is no longer what is found; go test ./compaction/session -run TestFormatsAreProven -update writes\n%s", docsFile, table)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func proofTable(by map[model.Format]*proof) string {
	var b strings.Builder
	b.WriteString("| Format | Files | Conversations | Items | Messages | Tool calls | Compacted | Refused |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	all := &proof{}
	for _, info := range transcript.Formats() {
		p := by[info.Format]
		if p == nil {
			continue
		}
		all.add(p)
		row(&b, fmt.Sprintf("%s (`%s`)", info.Title, info.Format), p)
	}
	row(&b, "**All**", all)
	fmt.Fprintf(&b, "\nCopied unchanged are %d of %d files; of the compactions %d of %d load again, and %d of %d are restored.\n",
		all.same, all.files, all.reloaded, all.applied, all.restored, all.applied)
	return b.String()
}

func row(b *strings.Builder, title string, p *proof) {
	refused := 0
	for _, n := range p.refused {
		refused += n
	}
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", title,
		p.files, p.conversations, p.items, p.messages, p.calls, p.applied, refused)
}
