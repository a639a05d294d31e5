package transcript

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
)

func TestCodexSamples(t *testing.T) {
	for _, s := range fewer(samples(t, "codex_rollout")) {
		t.Run(s.File, func(t *testing.T) {
			d := openSample(t, s.Path)
			if d.Format != model.FormatCodex {
				t.Fatalf("recognised as %s: %s", d.Format, d.Why)
			}
			st := count(d)
			t.Log(st)
			if d.Items != s.Messages || st.Calls != s.Calls {
				t.Errorf("%d items and %d calls, the manifest says %d and %d", d.Items, st.Calls, s.Messages, s.Calls)
			}
			if st.Paired != st.Results {
				t.Errorf("%d of %d results have their call before them", st.Paired, st.Results)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 6)
			checkEvents(t, d)
		})
	}
}

// checkEvents demands that nearly every event that repeats a message was found
// to belong to one: in one real file all 163 do.
func checkEvents(t *testing.T, d *model.Document) {
	t.Helper()
	b := sourceBytes(t, d)
	all := 0
	for _, mark := range []string{`"payload":{"type":"agent_message"`, `"payload":{"type":"user_message"`, `"payload":{"type":"agent_reasoning"`,
		`"payload":{"type":"patch_apply_end"`, `"payload":{"type":"mcp_tool_call_end"`, `"payload":{"type":"web_search_end"`} {
		all += bytes.Count(b, []byte(mark))
	}
	dup := 0
	for _, th := range d.Conversations[0].Threads {
		for i := range th.Messages {
			for _, p := range th.Messages[i].Pieces {
				if p.Duplicate {
					dup++
				}
			}
		}
	}
	if dup < all*9/10 {
		t.Errorf("%d of %d events belong to a message", dup, all)
	}
}

func TestCodexRollout(t *testing.T) {
	d := fixture(t, "codex_rollout.jsonl")
	c := d.Conversations[0]
	if c.ID != "0195-larch" || c.Title != "Find the slow test." || c.Model != "gpt-5.5" || c.Window != 258400 || c.Dir != "/home/mira/larch" {
		t.Errorf("conversation %+v", c)
	}
	th := c.Main()
	want := []string{
		"system <permissions instructions> The sandbox is read-only. </permissions instructions>",
		"user <environment_context> <cwd>/home/mira/larch</cwd> </environment_context>",
		"user Find the slow test.",
		"assistant I will time the tests.",
		"tool result Chunk ID: 1 Process exited with code 0 Output: --- PASS: TestBig (9.10s)",
		"tool result Chunk ID: 2 Process exited with code 2 Output: ls: denied",
		"assistant TestBig takes nine seconds.",
		"user Make it fast.",
		"assistant apply_patch *** Begin Patch *** End Patch",
		`tool result {"output":"Success.","metadata":{"exit_code":0}}`,
		"assistant It takes 40 ms now.",
		"user Good. Commit it.",
		`assistant exec_command {"cmd":"git commit -am fast"}`,
		"tool result 1 file changed",
		"assistant Committed.",
	}
	if got := lines(th, th.History); !reflect.DeepEqual(got, want) {
		t.Errorf("history\n%s", strings.Join(got, "\n"))
	}
	live := lines(th, th.Live(len(th.History)))
	if wantLive := append([]string{want[2], want[7], "summary [encrypted summary]"}, want[10:]...); !reflect.DeepEqual(live, wantLive) {
		t.Errorf("live\n%s", strings.Join(live, "\n"))
	}
	if len(c.Threads) != 2 || c.Threads[1].Kind != model.ThreadBranch || len(c.Threads[1].History) != 2 {
		t.Error("the rolled-back turn is not a branch")
	}
	if f := th.Found; len(f) != 1 || f[0].At != 10 || th.Messages[f[0].Summary].Preview != codec.EncryptedSummary {
		t.Errorf("found %+v", f)
	}
	checkCodexMessages(t, th)
}

func checkCodexMessages(t *testing.T, th *model.Thread) {
	t.Helper()
	at := func(i int) *model.Message { return &th.Messages[th.History[i]] }
	if u := at(3).Usage; u == nil || *u != (model.Usage{Input: 1000, CacheRead: 800, Output: 50, Reasoning: 10}) {
		t.Errorf("usage of the first answer: %+v", u)
	}
	if u := at(6).Usage; u == nil || u.Input != 1200 {
		t.Errorf("usage of the second answer: %+v", u)
	}
	if c := at(6).Calls; len(c) != 1 || c[0].ID != "" || c[0].Name != "web_search" {
		t.Errorf("the provider's own call: %+v", c)
	}
	if !at(5).Error || at(4).Error || at(9).Error || at(5).Name != "exec_command" {
		t.Error("only the second result failed")
	}
	for i, want := range map[int]model.Origin{1: model.OriginInjected, 2: model.OriginTyped, 7: model.OriginTyped} {
		if at(i).Origin != want {
			t.Errorf("origin of message %d is %d", i, at(i).Origin)
		}
	}
	dups := map[int]int{2: 1, 3: 4, 4: 1, 6: 2, 7: 1, 9: 1, 10: 1, 11: 1}
	for i := range th.History {
		n := 0
		for _, p := range at(i).Pieces {
			if p.Duplicate {
				n++
			}
		}
		if n != dups[i] {
			t.Errorf("message %d has %d events, want %d", i, n, dups[i])
		}
	}
}

// A message with an image is a person's: its event repeats the words without the tags around the image.
func TestCodexImageIsTyped(t *testing.T) {
	d := mustRead(t, strings.Join([]string{
		`{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"s1","cwd":"/srv"}}`,
		`{"timestamp":"2026-01-02T03:04:06Z","type":"response_item","payload":{"type":"message","role":"user","content":[` +
			`{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AA=="},` +
			`{"type":"input_text","text":"</image>"},{"type":"input_text","text":"Look at this."}]}}`,
		`{"timestamp":"2026-01-02T03:04:06Z","type":"event_msg","payload":{"type":"user_message","message":"Look at this.","images":[]}}`,
		`{"timestamp":"2026-01-02T03:04:07Z","type":"response_item","payload":{"type":"message","role":"assistant",` +
			`"content":[{"type":"output_text","text":"I see."}]}}`,
	}, "\n")+"\n")
	th := d.Conversations[0].Main()
	m := &th.Messages[th.History[0]]
	if dups := len(m.Pieces) - 1; !m.Typed() || dups != 1 || !m.Pieces[len(m.Pieces)-1].Duplicate {
		t.Errorf("typed %v, pieces %+v", m.Typed(), m.Pieces)
	}
}

func TestCodexFlat(t *testing.T) {
	d := fixture(t, "codex_flat.jsonl")
	th := d.Conversations[0].Main()
	want := []string{"user <environment_context> shell: zsh </environment_context>", "user Count the files.",
		`assistant shell {"command":["ls"]}`, `tool result {"output":"a\nb","metadata":{"exit_code":1,"duration_seconds":0.1}}`, "assistant Two files."}
	if got := lines(th, th.History); !reflect.DeepEqual(got, want) {
		t.Errorf("history\n%s", strings.Join(got, "\n"))
	}
	if th.Messages[0].Typed() || !th.Messages[1].Typed() || !th.Messages[3].Error {
		t.Error("origin or failure")
	}
	checkDocument(t, d)
	checkRewrites(t, d, 10)
}

// TestCodexOldCompaction replaces the text of a compaction without a list of
// items, whose record must stay.
func TestCodexOldCompaction(t *testing.T) {
	d := fixture(t, "codex_old_compaction.jsonl")
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	want := []string{"user First question.", "user Second question.", "summary Two questions were answered.", "user Third question.", "assistant Third answer."}
	if got := lines(th, live); !reflect.DeepEqual(got, want) {
		t.Fatalf("live\n%s", strings.Join(got, "\n"))
	}
	checkDocument(t, d)
	checkRewrites(t, d, 10)
	checkRewrite(t, d, 0, live, 2, 4) // the old summary itself and what follows
	r, err := Rewrite(d, &edit.Change{Drop: live[2:3]})
	if err != nil {
		t.Fatal(err)
	}
	back := mustRead(t, string(written(t, r.Edits)))
	th = back.Conversations[0].Main()
	if got := lines(th, th.Live(len(th.History))); !reflect.DeepEqual(got, append(append([]string{}, want[:2]...), want[3:]...)) {
		t.Errorf("without the old summary\n%s", strings.Join(got, "\n"))
	}
}

// The summary among the items that a compaction left is the text that the record says
// beside them, as Codex 0.169.0 writes it: a plain message of the user.
func TestCodexSummaryAmongItems(t *testing.T) {
	item := func(role, kind, text string) string {
		return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, kind, text)
	}
	line := func(kind, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-11-23T17:21:50.788Z","type":%q,"payload":%s}`+"\n", kind, payload)
	}
	const summary = "Another language model started.\nHandoff: the files were read."
	d := mustRead(t, line("session_meta", `{"id":"01a2096d","timestamp":"2026-11-23T17:21:46Z","cwd":"/x","cli_version":"0.169.0"}`)+
		line("response_item", item("user", "input_text", "Fix the build"))+line("response_item", item("assistant", "output_text", "I read."))+
		line("compacted", fmt.Sprintf(`{"message":%q,"replacement_history":[%s,%s]}`, summary,
			item("user", "input_text", "Fix the build"), item("user", "input_text", summary)))+
		line("response_item", item("assistant", "output_text", "Done.")))
	th := d.Conversations[0].Main()
	if len(th.Found) != 1 || th.Found[0].Summary < 0 || th.Messages[th.Found[0].Summary].Kind != model.KindSummary {
		t.Fatalf("%+v", th.Found)
	}
	live := th.Live(len(th.History))
	if len(live) != 3 || th.Messages[live[0]].Kind != model.KindUser || live[1] != int32(th.Found[0].Summary) {
		t.Errorf("%v", lines(th, live))
	}
	checkDocument(t, d)
}

func TestCodexRewrites(t *testing.T) {
	d := fixture(t, "codex_rollout.jsonl")
	checkDocument(t, d)
	checkRewrites(t, d, 40)
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	got := string(written(t, mustRewrite(t, d, live, 1, 5).Edits))
	item := `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + `[Conversation summary - earlier context]\nIt said \"done\" in C:\\tmp; 漢字 😀 é <&>."}]}`
	if !strings.Contains(got, `"text":"Find the slow test."}]},`+item+`],"window_number":1}`) {
		t.Errorf("the summary is not an item of the compaction: %s", got)
	}
	if strings.Contains(got, "gAAAAABsummary") || strings.Contains(got, "Good. Commit it.") {
		t.Error("a summarised item or an event that repeats one is still there")
	}
	got = string(written(t, mustRewrite(t, d, live, 4, 5).Edits))
	if want := `{"timestamp":"2026-03-04T09:00:35.000Z","type":"response_item","payload":` + item + "}\n"; !strings.Contains(got, want) {
		t.Errorf("no record %s in\n%s", want, got)
	}
}

func TestCodexClear(t *testing.T) {
	d := fixture(t, "codex_rollout.jsonl")
	th := d.Conversations[0].Main()
	change := &edit.Change{Note: func(int32) string { return "[cleared]" }}
	for i := range th.Messages {
		if th.Messages[i].Kind == model.KindResult {
			change.Clear = append(change.Clear, int32(i))
		}
	}
	r, err := Rewrite(d, change)
	if err != nil {
		t.Fatal(err)
	}
	got := written(t, r.Edits)
	for _, text := range []string{"TestBig (9.10s)", "ls: denied", "Success.", "1 file changed"} {
		if bytes.Contains(got, []byte(text)) {
			t.Errorf("%q is still there", text)
		}
	}
	back := mustRead(t, string(got))
	if a, b := count(d), count(back); a != b {
		t.Errorf("now %s, was %s", b, a)
	}
}

func FuzzReadCodex(f *testing.F) {
	fuzzFormat(f, "codex_rollout.jsonl", "codex_flat.jsonl", "codex_old_compaction.jsonl")
}
