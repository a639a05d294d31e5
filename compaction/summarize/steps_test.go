package summarize

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"palimpsest/internal/vectors"
	"palimpsest/model"
)

type unitCase struct {
	Kind, ID, Form, Marker string
	Text                   *string
	Max, N                 int
	A, E, S                *string
	Expect                 json.RawMessage
}

func unitCases(t *testing.T, kind string) []unitCase {
	t.Helper()
	var out []unitCase
	for _, c := range vectors.Cases[unitCase](t, "a_units") {
		if c.Kind == kind {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no cases of kind %s", kind)
	}
	return out
}

func or(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func expected(t *testing.T, c unitCase) string {
	t.Helper()
	var s *string
	if err := json.Unmarshal(c.Expect, &s); err != nil {
		t.Fatal(c.ID, err)
	}
	return or(s)
}

var compat = StepCompat{FieldEnd: true, Markers: true, Unit: true}

// Every vector, exactly as the first authors' program answered.
func TestA18A19A20VectorCompat(t *testing.T) {
	for _, c := range unitCases(t, "extract_field") {
		if got, want := fieldOf(t, c.Marker).behind(c.Marker, or(c.Text), compat), expected(t, c); got != want {
			t.Errorf("%s: field %q, want %q", c.ID, got, want)
		}
	}
	for _, c := range unitCases(t, "truncate") {
		if got, want := truncateUTF16(or(c.Text), c.Max), expected(t, c); got != want {
			t.Errorf("%s: truncated %q, want %q", c.ID, got, want)
		}
		if got, want := Truncate(or(c.Text), c.Max), expected(t, c); got != want {
			t.Errorf("%s: Truncate %q, want %q", c.ID, got, want)
		}
	}
	for _, c := range unitCases(t, "extract_key_info") {
		s := Step{Number: c.N, Analysis: or(c.A), Execution: or(c.E), Supervision: or(c.S)}
		f := s.facts(compat)
		if got, want := chinese.keyInfo(c.N, &f), expected(t, c); got != want {
			t.Errorf("%s: key information\n%s\nwant\n%s", c.ID, got, want)
		}
	}
}

// fieldOf finds the field of a marker.
func fieldOf(t *testing.T, marker string) *field {
	t.Helper()
	name := strings.Trim(marker, "*:")
	for i := range fieldTable {
		for _, n := range fieldTable[i].names {
			if n == name {
				return &fieldTable[i]
			}
		}
	}
	t.Fatalf("no field has the marker %q", marker)
	return nil
}

// The vectors in which the corrected behaviour is that of the seed: all forms
// but those that the corrections F6 and F7 are about.
func TestA19VectorFields(t *testing.T) {
	// What stands behind the marker in each corrected form is the whole value.
	spelled := map[string]func(marker string) string{
		"fullwidth":  func(m string) string { return strings.Replace(m, ":", "：", 1) },
		"spacecolon": func(m string) string { return strings.Replace(m, ":", " :", 1) },
		"bold":       func(m string) string { return m },
		"adjacent":   func(m string) string { return m + "**" },
	}
	same, corrected := 0, map[string]int{}
	for _, c := range unitCases(t, "extract_field") {
		got, want := fieldOf(t, c.Marker).extract(or(c.Text), StepCompat{}), expected(t, c)
		if spell, ok := spelled[c.Form]; ok {
			_, rest, found := strings.Cut(or(c.Text), spell(c.Marker))
			if !found {
				t.Errorf("%s: %q has no marker in form %s", c.ID, or(c.Text), c.Form)
			}
			want = Trim(rest)
			corrected[c.Form]++
		} else {
			same++
		}
		if got != want {
			t.Errorf("%s (%s): field %q, want %q in %q", c.ID, c.Form, got, want, or(c.Text))
		}
	}
	if same == 0 || len(corrected) != len(spelled) {
		t.Errorf("%d cases as the seed, %v corrected: the vectors are not what this test was written for", same, corrected)
	}
}

func TestBoldWordsAtTheStartOfAValueStay(t *testing.T) {
	for text, want := range map[string]string{
		"**Execution Result:** **3** files":  "**3** files",
		"**Execution Result:**** 3 files":    "3 files",
		"**Execution Result:****3** files":   "**3** files",
		"**Execution Result:** 3 of **all**": "3 of **all**",
		"**Execution Result:** ** ":          "",
	} {
		if got := fieldOf(t, "**Execution Result:**").extract(text, StepCompat{}); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestA18VectorKeyInfo(t *testing.T) {
	same := 0
	for _, c := range unitCases(t, "extract_key_info") {
		s := Step{Number: c.N, Analysis: or(c.A), Execution: or(c.E), Supervision: or(c.S)}
		f := s.facts(StepCompat{})
		got, want := chinese.keyInfo(c.N, &f), expected(t, c)
		if got == want {
			same++
			continue
		}
		all := or(c.A) + or(c.E) + or(c.S)
		none := strings.Count(want, chinese.absent) == 6
		if !none && !strings.Contains(all, "：**") && !boldInside(all) && !overlong(want) {
			t.Errorf("%s: key information\n%s\nwant\n%s", c.ID, got, want)
		}
	}
	if same == 0 {
		t.Error("no case as the seed")
	}
}

// boldInside reports asterisks in a value, at which the seed ended it (F6).
func boldInside(s string) bool {
	return strings.Contains(markerShape.ReplaceAllString(s, ""), "**")
}

var markerShape = regexp.MustCompile(`(?m)^\*\*[^*\n]+:\*\*`)

// overlong reports a field whose value is longer than the limit, which the seed
// did not hold for all fields (F9).
func overlong(s string) bool {
	for _, l := range strings.Split(s, "\n  ") { // as each field begins; a value may have lines
		if _, value, _ := strings.Cut(l, ": "); chars(value) > fieldLimit {
			return true
		}
	}
	return false
}

func TestF6F7Fields(t *testing.T) {
	for _, c := range []struct {
		name  string
		field int
		text  string
		want  string
	}{
		{"bold inside a value stays", fieldResult, "**执行结果:** 生成了 **3** 个文件\n**下一步:** x", "生成了 **3** 个文件"},
		{"full-width colon", fieldStatus, "**任务状态：** 进行中", "进行中"},
		{"colon outside", fieldStatus, "**任务状态**: 进行中", "进行中"},
		{"full-width colon outside", fieldStatus, "**任务状态**：进行中", "进行中"},
		{"spaces", fieldProgress, "** 完成度评估 : ** 40 %", "40 %"},
		{"English", fieldGoal, "**Execution Goal:** fit the curve\n**Execution Result:** done", "fit the curve"},
		{"English in lower case", fieldResult, "**execution result**: τ = 3.17 ms", "τ = 3.17 ms"},
		{"an alias", fieldResult, "**结果:** ok", "ok"},
		{"the exact marker wins over an earlier alias", fieldStatus, "**状态：** 旧\n**任务状态:** 新", "新"},
		{"plain text", fieldScore, "评分: 8/10\n是否通过: 是", "8/10"},
		{"a heading", fieldPassed, "### Passed: yes\nbecause", "yes\nbecause"},
		{"a longer name is another field", fieldStatus, "**任务状态分析:** x", ""},
		{"an empty marker before a full one", fieldScore, "**质量评分:**\n**质量评分:** 7/10", "7/10"},
		{"a marker in the middle of a line", fieldGoal, "**执行目标:** a **执行结果:** b", "a"},
		{"unknown bold with colon in the middle of a line stays", fieldGoal, "**执行目标:** see **note:** b", "see **note:** b"},
		{"a list of fields", fieldProgress, "- **任务状态:** x\n- **完成度评估:** 50%\n- **下一步:** y", "50%"},
		{"text in several lines", fieldResult, "**执行结果:**\n1. a\n2. b\n\n**质量检查:** c", "1. a\n2. b"},
		{"nothing", fieldResult, "no markers here", ""},
	} {
		if got := fieldTable[c.field].extract(c.text, StepCompat{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestX1F10ErrorSteps(t *testing.T) {
	for _, c := range []struct {
		name string
		step Step
		want string
	}{
		{"the exception branch", Step{Number: 3, Analysis: "异常", Execution: "执行异常", Supervision: "connect timed out: db-2:5432"},
			"步骤3:\n  任务状态: 异常\n  错误: connect timed out: db-2:5432\n"},
		{"without a message", Step{Number: 3, Analysis: "异常", Execution: "执行异常"},
			"步骤3:\n  任务状态: 异常\n  错误: 未提供\n"},
		{"flagged, with fields", Step{Number: 4, Analysis: "**任务状态:** FAILED", Execution: "**执行目标:** x", Supervision: "disk full", Failed: true},
			"步骤4:\n  任务状态: FAILED\n  执行目标: x\n  错误: disk full\n"},
		{"text without any marker is told", Step{Number: 5, Execution: "copied 12 files to /srv/out"},
			"步骤5:\n  关键结果: copied 12 files to /srv/out\n"},
		{"the result is what was executed", Step{Number: 2, Analysis: "分析一下", Execution: "执行了 rm", Supervision: "没问题"},
			"步骤2:\n  关键结果: 执行了 rm\n"},
		{"an empty step", Step{Number: 6},
			"步骤6:\n  任务状态: 未提供\n  完成度: 未提供\n  执行目标: 未提供\n  关键结果: 未提供\n  质量评分: 未提供\n  是否通过: 未提供\n"},
	} {
		f := c.step.facts(StepCompat{})
		if got := chinese.keyInfo(c.step.Number, &f); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestF9F12FieldLimitCountsCodePoints(t *testing.T) {
	s := Step{Number: 1, Analysis: "**任务状态:** " + strings.Repeat("🙂", 201), Supervision: "**质量评分:** " + strings.Repeat("分", 200)}
	f := s.facts(StepCompat{})
	if want := strings.Repeat("🙂", 200) + "..."; f.field[fieldStatus] != want {
		t.Errorf("status has %d code points", chars(f.field[fieldStatus]))
	}
	if want := strings.Repeat("分", 200); f.field[fieldScore] != want {
		t.Errorf("score has %d code points", chars(f.field[fieldScore]))
	}
}

func TestA16StepSummaryText(t *testing.T) {
	steps := []Step{
		{Number: 1, Analysis: "**Task Status:** CONTINUE", Execution: "**Execution Result:** 12 rows"},
		{Number: 2, Analysis: "error", Execution: "exception", Supervision: "boom"},
	}
	want := "Summary of steps 1-2:\nStep 1:\n  Task status: CONTINUE\n  Progress: not provided\n  Goal: not provided\n" +
		"  Key result: 12 rows\n  Quality score: not provided\n  Passed: not provided\n\n\nStep 2:\n  Task status: error\n  Error: boom"
	got, points, err := SummariseSteps(steps, model.Extract, English, StepCompat{})
	if err != nil || got != want {
		t.Errorf("%q, %v\nwant\n%q", got, err, want)
	}
	if len(points) != 2 || points[0] != (StepPoint{Number: 1, Status: "CONTINUE", Result: "12 rows"}) ||
		points[1] != (StepPoint{Number: 2, Result: "boom", Failed: true}) {
		t.Errorf("key points %+v", points)
	}
	if got, _, err := SummariseSteps(nil, model.Extract, English, StepCompat{}); got != "" || err != nil {
		t.Errorf("no steps give %q, %v", got, err)
	}
	if _, _, err := SummariseSteps(steps, model.Drop, English, StepCompat{}); err == nil {
		t.Error("a strategy without text made one")
	}
}

func TestA6StructuredForms(t *testing.T) {
	steps := []Step{
		{Number: -4, Analysis: "**任务状态:** 完成", Execution: "**执行结果:** a|b 12 行"},
		{Number: 1 << 40, Analysis: "异常", Supervision: "磁盘已满"},
	}
	for form, want := range map[model.Strategy]string{
		model.StructuredJSON: "步骤-4-1099511627776执行摘要:\n{\"steps\":[\n" +
			`{"step":-4,"status":"完成","result":"a|b 12 行"}` + ",\n" + `{"step":1099511627776,"status":"异常","error":"磁盘已满"}` + "\n]}",
		model.StructuredTable: "步骤-4-1099511627776执行摘要:\n| 步骤 | 状态 | 完成度 | 目标 | 结果 | 评分 | 通过 | 错误 |\n|---|---|---|---|---|---|---|---|\n" +
			`| -4 | 完成 |  |  | a\|b 12 行 |  |  |  |` + "\n| 1099511627776 | 异常 |  |  |  |  |  | 磁盘已满 |",
	} {
		got, _, err := SummariseSteps(steps, form, Chinese, StepCompat{})
		if err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", form, err, got, want)
		}
	}
}

// The limits in UTF-16 units and in code points, on text beyond the BMP.
func TestF12VectorAstral(t *testing.T) {
	type astral struct {
		ID, Text string
		Max      int
		Seed     struct{ Result string } `json:"seed_utf16"`
		Intended struct{ Result string } `json:"intended_runes"`
	}
	for _, c := range vectors.Cases[astral](t, "a_units_astral") {
		if got := truncateUTF16(c.Text, c.Max); got != c.Seed.Result {
			t.Errorf("%s: in UTF-16 units %q, want %q", c.ID, got, c.Seed.Result)
		}
		if got := Truncate(c.Text, c.Max); got != c.Intended.Result {
			t.Errorf("%s: in code points %q, want %q", c.ID, got, c.Intended.Result)
		}
	}
}

func TestStepLinesFit(t *testing.T) {
	s := StepLines{From: 3, To: 5, Lang: English, Points: []StepPoint{
		{Number: 3, Status: "done", Result: "wrote /srv/out/a.csv with 12 rows"},
		{Number: 4, Status: "done", Result: "wrote /srv/out/b.csv with 13 rows"},
		{Number: 5, Failed: true, Result: "disk full"},
	}}
	for _, c := range []struct {
		limit int
		gone  *StepRange
		want  string
		left  int
	}{
		{1000, nil, "Summary of steps 3-5:\nStep 3: done; wrote /srv/out/a.csv with 12 rows\nStep 4: done; wrote /srv/out/b.csv with 13 rows\nStep 5: error; disk full", 0},
		{114, nil, "Summary of steps 3-5:\nStep 3: done; wrote /srv/out/a.c…\nStep 4: done; wrote /srv/out/b.c…\nStep 5: error; disk full", 0},
		{80, nil, "[steps 3-3 omitted]\nStep 4: done; wrote…\nStep 5: error; disk full", 1},
		{50, nil, "[steps 3-4 omitted]\nStep 5: error; disk full", 2},
		{30, nil, "[steps 3-5 omitted]", 3},
		{18, nil, "", 3},
		{1000, &StepRange{1, 2}, "[steps 1-2 omitted]\nStep 3: done; wrote /srv/out/a.csv with 12 rows\nStep 4: done; wrote /srv/out/b.csv with 13 rows\nStep 5: error; disk full", 0},
		{50, &StepRange{1, 2}, "[steps 1-4 omitted]\nStep 5: error; disk full", 2},
	} {
		s.Gone = c.gone
		got, left := s.Fit(c.limit, chars)
		if got != c.want || left != c.left {
			t.Errorf("in %d: %q without %d\nwant %q without %d", c.limit, got, left, c.want, c.left)
		}
	}
	if got, left := (StepLines{Lang: Chinese, Gone: &StepRange{1, 9}}).Fit(8, chars); got != "" || left != 0 {
		t.Errorf("an announcement without room: %q, %d", got, left)
	}
}

// Of a cut line the result stays rather than a long status, but for that of a failure.
func TestStepLinesTellTheResult(t *testing.T) {
	s := StepLines{From: 3, To: 4, Lang: English, Points: []StepPoint{
		{Number: 3, Status: "in progress", Result: "wrote /srv/out/a.csv with 12 rows"},
		{Number: 4, Status: "in progress", Result: "disk full while it wrote /srv/out/b.csv", Failed: true},
	}}
	for limit, want := range map[int]string{
		69: "Summary of steps 3-4:\nStep 3: wrote /srv/out/a…\nStep 4: in progress;…",
		87: "Summary of steps 3-4:\nStep 3: in progress; wrote…\nStep 4: in progress; disk full while…",
	} {
		if got, left := s.Fit(limit, chars); got != want || left != 0 {
			t.Errorf("in %d: %q without %d, want %q", limit, got, left, want)
		}
	}
}

// The line of a run goes before those of its steps, and is no omission of them,
// whatever their numbers are.
func TestStepLinesWithoutTheRun(t *testing.T) {
	for _, n := range []int{3, 0, math.MinInt, math.MaxInt} {
		own := StepPoint{Number: n, Result: "done"}
		want := own.Line(English)[:len(fmt.Sprintf("Step %d:", n))] + " done"
		for _, c := range []struct {
			points []StepPoint
			limit  int
			want   string
			left   int
		}{
			{[]StepPoint{PointOf(n, n, "It went on."), own}, chars(want), want, 1},
			{[]StepPoint{PointOf(n, n, "It went on."), own}, chars(want) - 1, "", 2},
			{[]StepPoint{PointOf(min(n, 1), max(n, 1), "It went on.")}, 5, "", 1},
		} {
			s := StepLines{From: n, To: n, Points: c.points, Lang: English}
			text, left := s.Fit(c.limit, chars)
			if text != c.want || left != c.left {
				t.Errorf("step %d in %d: %q without %d, want %q without %d", n, c.limit, text, left, c.want, c.left)
			}
			if gap := s.Gap(left); (gap == nil) != (c.want != "") {
				t.Errorf("step %d in %d: %+v is omitted", n, c.limit, gap)
			}
		}
	}
}
