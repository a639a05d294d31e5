package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// ocSession follows the producer's schema of messages and parts; no real export
// is at hand. Two steps in one answer, a failing and a running tool, a synthetic
// text, a compaction with its summary.
const ocSession = `{
  "info": {"id": "ses_1", "directory": "/w", "title": "A title", "version": "1"},
  "messages": [
    {"info": {"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1767261600000}}, "parts": [{"id": "p0", "type": "text", "text": "<system-reminder>x", "synthetic": true}, {"id": "p1", "type": "text", "text": "first"}, {"id": "p2", "type": "file", "mime": "image/png", "url": "data:x"}]},
    {"info": {"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "parentID": "msg_1", "modelID": "m", "time": {"created": 1767261601000}, "tokens": {"input": 1, "output": 1, "reasoning": 0, "cache": {"read": 0, "write": 0}}}, "parts": [
      {"id": "p3", "type": "step-start"},
      {"id": "p4", "type": "reasoning", "text": "hm"},
      {"id": "p5", "type": "tool", "callID": "c1", "tool": "bash", "state": {"status": "completed", "input": {"command": "ls"}, "output": "a b", "title": "ls", "time": {"start": 1, "end": 2}}},
      {"id": "p6", "type": "tool", "callID": "c2", "tool": "read", "state": {"status": "error", "input": {}, "error": "no file", "time": {"start": 1, "end": 2}}},
      {"id": "p7", "type": "step-finish", "tokens": {"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 30, "write": 4}}},
      {"id": "p8", "type": "step-start"},
      {"id": "p9", "type": "text", "text": "both looked at"},
      {"id": "pa", "type": "step-finish", "tokens": {"input": 12, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}}}]},
    {"info": {"id": "msg_3", "sessionID": "ses_1", "role": "user", "time": {"created": 1767261602000}}, "parts": [{"id": "pb", "type": "compaction", "auto": true}]},
    {"info": {"id": "msg_4", "sessionID": "ses_1", "role": "assistant", "parentID": "msg_3", "summary": true, "finish": "stop", "modelID": "m", "time": {"created": 1767261603000}}, "parts": [{"id": "pc", "type": "step-start"}, {"id": "pd", "type": "text", "text": "we looked"}]},
    {"info": {"id": "msg_5", "sessionID": "ses_1", "role": "user", "time": {"created": 1767261604000}}, "parts": [{"id": "pe", "type": "text", "text": "second"}]},
    {"info": {"id": "msg_6", "sessionID": "ses_1", "role": "assistant", "parentID": "msg_5", "modelID": "m", "time": {"created": 1767261605000}}, "parts": [{"id": "pf", "type": "text", "text": "well"}, {"id": "pg", "type": "tool", "callID": "c3", "tool": "bash", "state": {"status": "completed", "input": {}, "output": "o", "time": {"start": 1}}}]},
    {"info": {"id": "msg_7", "sessionID": "ses_1", "role": "assistant", "parentID": "msg_5", "modelID": "m", "time": {"created": 1767261606000}}, "parts": [{"id": "ph", "type": "tool", "callID": "c4", "tool": "bash", "state": {"status": "running", "input": {}}}]}
  ]
}`

func TestOpenCode(t *testing.T) {
	d := checkFixture(t, ocSession, model.FormatOpenCode, 60)
	c := d.Conversations[0]
	th := c.Main()
	if got, want := liveShape(th), "summary, typed, assistant bash, result c3, assistant bash"; got != want {
		t.Errorf("live    %s\nwant    %s", got, want)
	}
	if got, want := shapeOf(th, th.History), "typed, assistant bash read, result c1, result c2, assistant, typed, assistant bash, result c3, assistant bash"; got != want {
		t.Errorf("history %s\nwant    %s", got, want)
	}
	if c.Title != "A title" || c.Dir != "/w" || len(th.Found) != 1 || th.Found[0].Cause != "auto" {
		t.Errorf("%+v %+v", c, th.Found)
	}
	if u := th.Messages[1].Usage; u == nil || u.Input != 44 || th.Messages[4].Usage.Input != 12 || !th.Messages[3].Error {
		t.Errorf("%+v", u)
	}
	live := th.Live(len(th.History))
	// the person's words go, the answers stay: they answer the summary, which has taken their place and id
	r, err := Rewrite(d, &edit.Change{Drop: live[1:4], Summaries: []edit.Summary{{Text: "S", Before: live[1], UID: "u"}}})
	if err != nil {
		t.Fatal(err)
	}
	got := string(written(t, r.Edits))
	if !strings.Contains(got, `{"info": {"id": "msg_5", "sessionID": "ses_1", "role": "user"`) || strings.Contains(got, "msg_6") || !strings.Contains(got, `"id": "msg_7", "sessionID": "ses_1", "role": "assistant", "parentID": "msg_5"`) {
		t.Error(got)
	}
	// without a summary, the answers that stay follow nothing
	r, err = Rewrite(d, &edit.Change{Drop: live[1:2]})
	if err != nil || len(r.Relinked) != 2 {
		t.Errorf("%+v %v", r, err)
	}
	// the summary is replaced in its message, which goes on hiding the first ones
	r, err = Rewrite(d, &edit.Change{Drop: live[:4], Summaries: []edit.Summary{{Text: "S", Before: live[0], UID: "u"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); !strings.Contains(got, `"text": "S"}]`) || strings.Contains(got, "second") || !strings.Contains(got, "both looked at") {
		t.Error(got)
	}
}

// One step of an answer goes, the other stays.
func TestOpenCodeSteps(t *testing.T) {
	text := ocSession[:strings.Index(ocSession, `    {"info": {"id": "msg_3"`)]
	text = strings.TrimSuffix(strings.TrimSpace(text), ",") + "\n]}"
	d := checkFixture(t, text, model.FormatOpenCode, 40)
	live := d.Conversations[0].Main().Live(5)
	checkRewrite(t, d, 0, live, 4, 5)
	r, err := Rewrite(d, &edit.Change{Drop: live[1:4], Summaries: []edit.Summary{{Text: testSummary, Before: live[1], UID: "u"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); !strings.Contains(got, `"id": "msg_u"`) || strings.Count(got, `"id": "msg_2"`) != 1 || strings.Contains(got, "a b") {
		t.Error(got)
	}
}

// Where the first message of a tail goes, the tail begins with the next one.
func TestOpenCodeTails(t *testing.T) {
	for to, want := range map[int]string{2: "summary sum | assistant a2 | user u3 | user u4", 3: "summary sum | user u3 | user u4",
		4: "summary sum | user u4"} {
		d := openSample(t, "testdata/unseen/g12_opencode_tail.json")
		th := d.Conversations[0].Main()
		r, err := Rewrite(d, &edit.Change{Drop: th.Live(len(th.History))[1:to]})
		if err != nil {
			t.Fatal(err)
		}
		if got := liveOf(mustRead(t, string(written(t, r.Edits)))); got != want {
			t.Errorf("%d: %s", to, got)
		}
	}
}

func FuzzReadOpenCode(f *testing.F) { fuzzRead(f, model.FormatOpenCode, []string{ocSession}) }
