package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

func TestWhoWhenFiles(t *testing.T) {
	want := map[string]string{
		"whowhen_hand_30.json": "Orchestrator WebSurfer FileSurfer Assistant",
		"whowhen_algo_1.json":  "Excel_Expert BusinessLogic_Expert DataVerification_Expert",
	}
	for _, s := range samples(t, "multi_agent") {
		d := checkSample(t, s, "who-and-when", 12)
		c := d.Conversations[0]
		var names []string
		for _, a := range c.Agents {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); got != want[s.File[len("multi_agent/"):]] {
			t.Errorf("%s: agents %s", s.File, got)
		}
	}
}

func TestADKFile(t *testing.T) {
	for _, s := range samples(t, "gemini") {
		if !strings.HasSuffix(s.File, "adk_session_complex.json") {
			continue
		}
		d := checkSample(t, s, model.FormatADK, 20)
		c := d.Conversations[0]
		if got := liveShape(c.Main()); got != "typed, assistant transfer_to_other_agent, result #1, assistant, assistant, assistant, assistant, assistant transfer_to_other_agent, result #1" {
			t.Error(got)
		}
		if len(c.Agents) != 5 || c.Agents[0].Name != "spark_assistant" || c.Main().Messages[3].Name != "research_plan_agent" {
			t.Errorf("%+v", c.Agents)
		}
	}
}

// adkSession follows the kit's camel-case spelling: parallel calls answered in
// one event, reasoning, a change of state, a compaction of the first events.
const adkSession = `{"id":"s","appName":"a","userId":"u","state":{},"events":[
 {"id":"e1","invocationId":"i1","author":"user","timestamp":1767261601.5,"content":{"role":"user","parts":[{"text":"old"}]}},
 {"id":"e2","invocationId":"i1","author":"a","timestamp":1767261602.5,"content":{"role":"model","parts":[{"text":"old answer"}]}},
 {"id":"e3","invocationId":"i2","author":"user","timestamp":1767261603.5,"content":{"role":"user","parts":[{"text":"new"},{"inlineData":{"mimeType":"image/png","data":"AA"}}]}},
 {"id":"e4","invocationId":"i2","author":"a","timestamp":1767261604.5,"actions":{"compaction":{"startTimestamp":1767261601.5,"endTimestamp":1767261602.5,"compactedContent":{"role":"model","parts":[{"text":"they met"}]}}}},
 {"id":"e5","invocationId":"i2","author":"a","timestamp":1767261605.5,"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":5,"thoughtsTokenCount":2},"content":{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"c1","name":"f","args":{"x":1}},"thoughtSignature":"sig"},{"functionCall":{"id":"c2","name":"g","args":{}}}]}},
 {"id":"e6","invocationId":"i2","author":"a","timestamp":1767261606.5,"content":{"role":"user","parts":[{"functionResponse":{"id":"c2","name":"g","response":{"result":"G"}}},{"functionResponse":{"id":"c1","name":"f","response":{"error":"no","code":1}}}]}},
 {"id":"e7","invocationId":"i2","author":"b","timestamp":1767261607.5,"actions":{"stateDelta":{"k":1}}},
 {"id":"e8","invocationId":"i2","author":"b","timestamp":1767261608.5,"content":{"role":"model","parts":[{"text":"done"}]}}]}`

func TestADKSession(t *testing.T) {
	d := checkFixture(t, adkSession, model.FormatADK, 60)
	th := d.Conversations[0].Main()
	if got := liveShape(th); got != "summary, typed, assistant f g, result c2, result c1, assistant" {
		t.Error(got)
	}
	if got := shapeOf(th, th.History); got != "typed, assistant, typed, assistant f g, result c2, result c1, assistant" {
		t.Error(got)
	}
	if text := messageText(t, d, &th.Messages[5]); text != "G" || !th.Messages[6].Error {
		t.Errorf("%q %+v", text, th.Messages[6])
	}
	if u := th.Messages[4].Usage; u == nil || u.Input != 50 || u.Output != 7 {
		t.Errorf("%+v", u)
	}
	// the summary's text is replaced where it is: its event goes on hiding
	live := th.Live(len(th.History))
	r, err := Rewrite(d, &edit.Change{Drop: live[:2], Summaries: []edit.Summary{{Text: "S", Before: live[0], UID: testUID}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); !strings.Contains(got, `"parts":[{"text":"S"}]`) || strings.Contains(got, `"new"`) || !strings.Contains(got, `"old answer"`) {
		t.Error(got)
	}
	lines := strings.Split(strings.TrimSuffix(adkSession[strings.Index(adkSession, "\n")+1:], "]}"), ",\n")
	checkFixture(t, strings.Join(lines, "\n"), model.FormatADK, 10)
}

func FuzzReadADK(f *testing.F) { fuzzRead(f, model.FormatADK, []string{adkSession}) }

func FuzzReadWhoWhen(f *testing.F) {
	fuzzRead(f, "who-and-when", []string{`{"history":[{"content":"a","role":"human"},{"content":"b","role":"X (-> Y)"},{"content":["c"],"name":"T_terminal","role":"user"}],"mistake_agent":"X","mistake_step":"1"}`})
}
