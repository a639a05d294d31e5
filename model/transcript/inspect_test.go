package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
)

func TestInspectFiles(t *testing.T) {
	for _, s := range fewer(samples(t, "inspect")) {
		t.Run(s.File, func(t *testing.T) {
			d := checkSample(t, s, model.FormatInspect, 12)
			th := d.Conversations[0].Main()
			if strings.HasSuffix(s.File, "inspect_browser.json") {
				for i := range th.Messages {
					if m := &th.Messages[i]; m.Kind == model.KindAssistant && (m.Usage == nil || m.Usage.Input < 1000) {
						t.Errorf("answer %d: usage %+v", i, m.Usage)
					}
				}
				// 5915 tokens, of which 3840 were cached: the total is 6122 with 207 of output
				if u := th.Messages[len(th.Messages)-1].Usage; u == nil || u.Input != 5915 || u.CacheRead != 3840 {
					t.Errorf("%+v", u)
				}
			} else if parts, err := d.Parts(&th.Messages[1]); err != nil || len(parts) != 2 || parts[1].Kind != model.PartMedia {
				t.Errorf("%+v %v", parts, err)
			}
		})
	}
}

// inspectLog follows the log's schema: attached texts, a failing tool, a
// compaction among the events, a sample in its second epoch.
const inspectLog = `{"version":2,"status":"success","eval":{"model":"p/m"},"samples":[
 {"id":"a","epoch":1,"input":"q","target":"","messages":[
  {"id":"m1","role":"system","content":"sys"},
  {"id":"m2","role":"user","content":"attachment://h1","source":"input"},
  {"id":"m3","role":"assistant","content":[{"type":"reasoning","reasoning":"attachment://h2","signature":"s"},{"type":"text","text":"attachment://h3"}],"tool_calls":[{"id":"c1","function":"bash","arguments":{"cmd":"ls"}},{"id":"c2","function":"py","arguments":{}}]},
  {"id":"m4","role":"tool","content":"","error":{"type":"timeout","message":"too late"},"tool_call_id":"c1","function":"bash"},
  {"id":"m5","role":"tool","content":[{"type":"text","text":"x"},{"type":"image","image":"attachment://h4"}],"tool_call_id":"c2","function":"py"},
  {"id":"m6","role":"assistant","content":"attachment://gone"}],
  "output":{"choices":[]},"attachments":{"h1":"the question","h2":"thought","h3":"said","h4":"data:image/png;base64,AAAA"},
  "events":[{"event":"compaction","type":"summary","tokens_before":100,"tokens_after":20,"timestamp":"2026-01-01T10:00:00+00:00"},
   {"event":"model","output":{"choices":[{"message":{"id":"m6"}}],"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":60,"input_tokens_cache_read":50}}}]},
 {"id":"a","epoch":2,"input":"q","target":"","messages":[{"role":"user","content":"u"},{"role":"assistant","content":"v"}],"output":{}}]}`

func TestInspectLog(t *testing.T) {
	d := checkFixture(t, inspectLog, model.FormatInspect, 40)
	th := d.Conversations[0].Main()
	if got := liveShape(th); got != "system, typed, assistant bash py, result c1, result c2, assistant" {
		t.Error(got)
	}
	var texts []string
	for i := range th.Messages {
		parts, err := d.Parts(&th.Messages[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			texts = append(texts, p.Text)
		}
	}
	if got, want := strings.Join(texts, "|"), `sys|the question|thought||said|{"cmd":"ls"}|{}|too late|x||attachment://gone`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if th.Messages[1].Preview != "the question" || !th.Messages[3].Error {
		t.Errorf("%+v", th.Messages[1])
	}
	if u := th.Messages[5].Usage; u == nil || u.Input != 57 {
		t.Errorf("%+v: what was cached is counted beside the input here", u)
	}
	if noteCodes(d) != "map[live-unproven:1]" {
		t.Error(noteCodes(d))
	}
	if d.Conversations[1].ID != "a 2" || d.Conversations[0].Model != "p/m" {
		t.Errorf("%+v", d.Conversations)
	}
	one := strings.ReplaceAll(inspectLog[strings.Index(inspectLog, ` {"id":"a","epoch":1`):strings.Index(inspectLog, `,
 {"id":"a","epoch":2`)], "\n", "")
	checkFixture(t, one, model.FormatInspect, 10)
	checkFixture(t, one+"\n"+one+"\n", model.FormatInspect, 10)
}

func FuzzReadInspect(f *testing.F) {
	fuzzRead(f, model.FormatInspect, []string{inspectLog, `{"version":1,"eval":{},"samples":[{"messages":[{"role":"user","content":1}]},{"messages":[]},3]}`})
}
