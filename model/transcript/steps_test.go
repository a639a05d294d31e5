package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

const stepLines = `{"step":3,"analysis":"A one","execution":"E one","supervision":"S one","timestamp":"2026-01-01T10:00:00Z"}
{"step":4,"analysis":"A two","execution":null,"supervision":""}
{"step":"4","analysis":"","execution":{"ran":["x"]},"supervision":"S three"}
{"note":"not a step"}
{"step":9,"analysis":"A four","execution":"E four","supervision":"S four"}
`

func TestSteps(t *testing.T) {
	d := mustRead(t, stepLines)
	if d.Format != model.FormatSteps || d.Items != 4 || len(d.Notes) != 1 {
		t.Fatalf("%s: %s, %d items, notes %+v", d.Format, d.Why, d.Items, d.Notes)
	}
	var got []string
	for _, m := range d.Conversations[0].Main().Messages {
		got = append(got, fmt.Sprintf("%d/%s/%s/%s", m.Step, m.ID, m.Name, messageText(t, d, &m)))
	}
	want := `1/3/analysis/A one 1/3/execution/E one 1/3/supervision/S one 2/4/analysis/A two 3/4/execution/{"ran":["x"]} 3/4/supervision/S three ` +
		`4/9/analysis/A four 4/9/execution/E four 4/9/supervision/S four`
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
	checkDocument(t, d)
	checkRewrites(t, d, 20)
}

// A compaction of a snapshot takes the steps out of its detailed layer and adds a summary of
// their numbers at the end of its summaries.
func TestStepHistorySnapshot(t *testing.T) {
	const before = `{"version":1,"totalSteps":4,"summaryHistory":[{"startStep":1,"endStep":2,"summary":"Steps 1-2"}],"recentDetailedHistory":[`
	const third, fourth = `{"stepNumber":3,"analysisResult":"Look at file 3","executionResult":"read 3","supervisionResult":"fine 3","timestamp":1767225600000}`,
		`{"stepNumber":4,"analysisResult":"Look at file 4","executionResult":"read 4","supervisionResult":"fine 4","timestamp":1767225600001}`
	d := mustRead(t, before+third+","+fourth+"]}\n")
	th := d.Conversations[0].Main()
	if d.Format != model.FormatStepHistory || d.Items != 3 || th.Messages[0].Kind != model.KindSummary || th.Messages[1].ID != "3" {
		t.Fatalf("%s: %s, %d items", d.Format, d.Why, d.Items)
	}
	checkDocument(t, d)
	checkRewrites(t, d, 20)
	r, err := Rewrite(d, &edit.Change{Drop: []int32{1, 2, 3}, Summaries: []edit.Summary{{Text: "S", Before: 1, Time: time.UnixMilli(1767225600000)}}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"totalSteps":4,"summaryHistory":[{"startStep":1,"endStep":2,"summary":"Steps 1-2"},` +
		`{"startStep":3,"endStep":3,"summary":"S","timestamp":1767225600000,"strategy":"model","keyPoints":[],` +
		`"firstTimestamp":1767225600000,"lastTimestamp":1767225600000}],"recentDetailedHistory":[` + fourth + "]}\n"
	if got := string(written(t, r.Edits)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStepSummaries(t *testing.T) {
	for _, x := range []struct{ name, in, want string }{
		{"lines", stepLines,
			"{\"summary\":\"S\",\"startStep\":3,\"endStep\":4}\n{\"note\":\"not a step\"}\n" +
				`{"step":9,"analysis":"A four","execution":"E four","supervision":"S four"}` + "\n"},
		{"snake case, an array", `[{"step_number": 1, "analysis_result": "a", "execution_result": "e"}, {"step_number": 2, "analysis_result": "a", "execution_result": "e"}, {"step_number": 3, "analysis_result": "b", "execution_result": "f"}, {"step_number": 4, "analysis_result": "b", "execution_result": "f"}]`,
			`[{"summary": "S", "start_step": 1, "end_step": 3}, {"step_number": 4, "analysis_result": "b", "execution_result": "f"}]`},
		{"Chinese names", `[{"步骤":1,"分析":"甲","执行":"乙"},{"步骤":2,"分析":"甲","执行":"乙"},{"步骤":3,"分析":"甲","执行":"乙"},{"步骤":4,"分析":"甲","执行":"乙"}]`,
			`[{"摘要":"S","起始步骤":1,"结束步骤":3},{"步骤":4,"分析":"甲","执行":"乙"}]`},
		{"one letter", `[{"n":1,"a":"x","e":"y","s":"z"},{"n":2,"a":"x","e":"y","s":"z"},{"n":3,"a":"x","e":"y","s":"z"},{"n":4,"a":"x","e":"y","s":"z"}]`,
			`[{"summary":"S","startStep":1,"endStep":3},{"n":4,"a":"x","e":"y","s":"z"}]`},
	} {
		d := mustRead(t, x.in)
		if d.Format != model.FormatSteps {
			t.Fatalf("%s: %s", x.name, d.Format)
		}
		th := d.Conversations[0].Main()
		var drop []int32
		for i, m := range th.Messages {
			if m.Step < 4 {
				drop = append(drop, int32(i))
			}
		}
		r, err := Rewrite(d, &edit.Change{Drop: drop, Summaries: []edit.Summary{{Text: "S", Before: 0}}})
		if err != nil {
			t.Fatal(err)
		}
		got := string(written(t, r.Edits))
		if got != x.want {
			t.Errorf("%s: got\n%s\nwant\n%s", x.name, got, x.want)
		}
		again := mustRead(t, got)
		m := again.Conversations[0].Main().Messages
		if again.Format != model.FormatSteps || m[0].Kind != model.KindSummary || m[1].Step != 1 {
			t.Errorf("%s: read back as %s, %s first", x.name, again.Format, m[0].Kind)
		}
		// a summary of a summary covers from the first step
		r, err = Rewrite(again, &edit.Change{Drop: []int32{0, 1, 2, 3}[:min(4, len(m))], Summaries: []edit.Summary{{Text: "T", Before: 0}}})
		if err != nil {
			t.Fatal(err)
		}
		whole := mustRead(t, string(written(t, r.Edits))).Conversations[0].Main().Messages[0]
		if first, _, _ := strings.Cut(m[0].ID, "-"); !strings.HasPrefix(whole.ID, first+"-") {
			t.Errorf("%s: the second summary covers %s, the first %s", x.name, whole.ID, m[0].ID)
		}
	}
}

func TestStepProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpelling(t)
		names := rapid.SampledFrom([][4]string{
			{"step", "analysis", "execution", "supervision"}, {"stepNumber", "analysisResult", "executionResult", "supervisionResult"},
			{"步骤", "分析", "执行", "监督"}}).Draw(t, "names")
		phase := rapid.SampledFrom([]any{"", nil, "text", "漢字\n😀", ordered{{"x", 1}}})
		var list []any
		for i := range rapid.IntRange(2, 9).Draw(t, "steps") {
			o := ordered{{names[0], i*rapid.IntRange(1, 2).Draw(t, "gap") + 3}, {names[1], "a"}}
			for _, n := range names[2:] {
				if rapid.Bool().Draw(t, "has") {
					o = append(o, member{n, phase.Draw(t, "phase")})
				}
			}
			list = append(list, o)
		}
		text := s.spell(false, list)
		if rapid.Bool().Draw(t, "lines") {
			text = s.spell(true, list...)
		}
		d := mustRead(t, text)
		if d.Format != model.FormatSteps {
			t.Fatalf("%s: %s\n%s", d.Format, d.Why, text)
		}
		checkDocument(t, d)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		cuts := append([]int{0}, legalCuts(th, live, 0)...)
		a := rapid.IntRange(0, len(cuts)-2).Draw(t, "from")
		b := rapid.IntRange(a+1, len(cuts)-1).Draw(t, "to")
		checkRewrite(t, d, 0, live, cuts[a], cuts[b])
	})
}

func FuzzReadSteps(f *testing.F) {
	fuzzRead(f, model.FormatSteps, []string{stepLines,
		`[{"步骤":"x","分析":1,"执行":null},{"summary":"s","startStep":-1,"endStep":{}}]`, `{"n":1,"a":"x","e":"y"}`})
}
