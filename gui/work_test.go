package gui

import (
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Every reason that the engine can give has words in every language.
func TestReasonsHaveWords(t *testing.T) {
	defer words.Set(words.English)
	for _, lang := range words.Languages {
		words.Set(lang)
		for _, code := range compaction.ReasonCodes() {
			if key := "reason." + code; words.T(key, "n", 1, "m", 2) == key {
				t.Errorf("%s: no words for %s", lang, key)
			}
		}
		for _, p := range compaction.Presets() {
			if key := "preset." + p.ID; words.T(key) == key {
				t.Errorf("%s: no name for preset %s", lang, p.ID)
			}
		}
		for _, u := range append([]model.Unit{model.Percent}, model.Tokens, model.Messages, model.Groups, model.Steps, model.Turns, model.Chars) {
			if key := "unitChoice." + string(u); words.T(key) == key {
				t.Errorf("%s: no words for unit %s", lang, u)
			}
		}
	}
}

// What a file gives as the cause of its compactions is in the language of the window.
func TestTheCauseThatAFileGives(t *testing.T) {
	defer words.Set(words.English)
	for _, lang := range words.Languages {
		words.Set(lang)
		for cause, want := range map[string]string{"auto": words.T("cause.automatic"), "manual": words.T("cause.manual"), "micro": "micro", "": ""} {
			if got := show.RecordReason(&model.Record{Cause: model.CauseFound, Reason: cause}); got != want {
				t.Errorf("%s: %q is shown as %q, want %q", lang, cause, got, want)
			}
		}
	}
}

// Measured numbers of a history whose tokens are estimated are marked so in every
// language, as in the verbs.
func TestReasonsMarkEstimates(t *testing.T) {
	s := newStage(t)
	if !s.Desk.Session().Estimated() {
		t.Fatal("the history is counted exactly: the test proves nothing")
	}
	defer words.Set(words.English)
	p := s.Desk.Planning.Params()
	for _, lang := range words.Languages {
		words.Set(lang)
		for _, code := range compaction.ReasonCodes() {
			r := compaction.Reason{Code: code, N: 34624, M: 8000}
			got, want := show.ReasonWords(show.Of(s.Desk), r), r.Text(compaction.Sizes{Estimated: true, AtLeast: p.Fixed == 0})
			for _, mark := range []string{"~", "≥"} {
				if strings.Count(got, mark) != strings.Count(want, mark) {
					t.Errorf("%s, %s: %q, the verbs say %q", lang, code, got, want)
				}
			}
		}
	}
}

func TestNumbersAPersonTypes(t *testing.T) {
	tail := []model.Unit{model.Tokens, model.Messages}
	clauseUnits := []model.Unit{model.Percent, model.Tokens, model.Messages, model.Steps, model.Turns}
	for _, c := range []struct {
		text   string
		now    model.Unit
		units  []model.Unit
		window int
		want   model.Amount
		fails  bool
	}{
		{"80%", model.Percent, clauseUnits, 200000, model.Amount{N: 80, Unit: model.Percent}, false},
		{"0.8", model.Percent, clauseUnits, 200000, model.Amount{N: 80, Unit: model.Percent}, false},
		{"120000", model.Percent, clauseUnits, 200000, model.Amount{N: 120000, Unit: model.Tokens}, false},
		{"120", model.Percent, clauseUnits, 200000, model.Amount{}, true},
		{"120k", model.Percent, clauseUnits, 200000, model.Amount{N: 120000, Unit: model.Tokens}, false},
		{"-20k", model.Percent, clauseUnits, 200000, model.Amount{N: 180000, Unit: model.Tokens}, false},
		{"-20k", model.Percent, clauseUnits, 0, model.Amount{}, true},
		{"40 msg", model.Percent, clauseUnits, 0, model.Amount{N: 40, Unit: model.Messages}, false},
		{"10msgs", model.Tokens, tail, 0, model.Amount{N: 10, Unit: model.Messages}, false},
		{"10%", model.Tokens, tail, 200000, model.Amount{N: 20000, Unit: model.Tokens}, false},
		{"7 steps", model.Tokens, tail, 0, model.Amount{}, true},
		{"all", model.Messages, tail, 0, model.Amount{N: 0, Unit: model.Messages}, false},
		{"150%", model.Percent, clauseUnits, 200000, model.Amount{}, true},
		{"lots", model.Tokens, tail, 0, model.Amount{}, true},
	} {
		n, err := show.ParseField(c.text)
		var got model.Amount
		if err == nil {
			got, err = show.AmountOf(n, c.now, c.units, c.window)
		}
		if (err != nil) != c.fails || got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
}

// checkOf checks a parameter that is one number.
func checkOf(key string) func(*model.Policy) *show.Problem {
	return func(q *model.Policy) *show.Problem { return show.CheckParam(key, q, 0) }
}

// Setting the nearest legal value that a problem offers solves it.
func TestTheNearestLegalValueIsLegal(t *testing.T) {
	base := compaction.Default()
	at80(&base)
	base.Window, base.Reserve = 200000, 16000
	for name, c := range map[string]struct {
		change func(q *model.Policy)
		check  func(q *model.Policy) *show.Problem
		want   string
	}{
		"trigger above the room": {func(q *model.Policy) { show.SetClause(q, 0, model.Amount{N: 190000, Unit: model.Tokens}) },
			checkOf("trigger"), "184,000 tok"},
		"share above the room": {func(q *model.Policy) { show.SetClause(q, 0, model.Amount{N: 99, Unit: model.Percent}) },
			checkOf("trigger"), "92 %"},
		"trigger under the fixed part": {func(q *model.Policy) {
			q.Fixed = 14200
			show.SetClause(q, 0, model.Amount{N: 10000, Unit: model.Tokens})
		},
			checkOf("trigger"), "15,000 tok"},
		"tail above the trigger": {func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} }, checkOf("tail"), "159,000"},
		"reserve beside trigger": {func(q *model.Policy) { q.Reserve = 60000 }, checkOf("reserve"), "40,000"},
		"window under reserve": {func(q *model.Policy) { // a trigger in tokens would be above what is left
			q.Window, q.Tail = 10000, model.Amount{N: 10, Unit: model.Messages}
			show.SetClause(q, 0, model.Amount{N: 40, Unit: model.Messages})
		}, checkOf("window"), "16,001"},
		"target above trigger": {func(q *model.Policy) { q.Target = 160000 }, checkOf("target"), "159,999"},
	} {
		q := base
		c.change(&q)
		pr := c.check(&q)
		if pr == nil || pr.Label != c.want {
			t.Errorf("%s: %+v", name, pr)
			continue
		}
		if pr.Fix == nil {
			t.Errorf("%s: %q offers nothing", name, pr.Text)
			continue
		}
		if pr.Fix(&q); c.check(&q) != nil {
			t.Errorf("%s: %s does not solve it", name, pr.Label)
		}
	}
	if len(base.Triggers) != 1 || base.Triggers[0].Share != .8 {
		t.Error("the shared list of clauses was written to")
	}
}

// Why there is no suggestion is said of the settings that it was sought for, and not
// of those that a person has set since.
func TestWhyThereIsNoSuggestionIsOfThePresentSettings(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(func(p *model.Policy) { p.Window = 0 })
	s.settle()
	s.Desk.SeekAdvice()
	s.settle()
	if a := s.Desk.Advice(); a == nil || a.Advice == nil || a.Why != replay.NoWindow {
		t.Fatalf("%+v", a)
	}
	s.sees(words.T("advice.why.window"))
	s.Desk.Planning.Set(func(p *model.Policy) { p.Window = 200000 })
	s.settle()
	if strings.Contains(shown(s.top()), words.T("advice.why.window")) {
		t.Error("the reason is said of other settings")
	}
}

// A suggestion is set beside the parameters on the screen; they stay as they are.
func TestASuggestionIsSeenBesideTheParameters(t *testing.T) {
	s := newStage(t)
	s.Desk.SeekAdvice()
	s.settle()
	a := s.Desk.Advice()
	if a == nil || a.Advice == nil || len(a.Suggestions) == 0 {
		t.Fatalf("%+v", a)
	}
	best, _ := a.Best()
	base := s.Desk.Planning.Params()
	s.tap(words.T("advice.see"))
	s.settle()
	c := s.Desk.Comparing()
	if s.compare == nil || !s.compare.Open || c.B.From != desk.FromAdvice || !reflect.DeepEqual(c.B.Policy, best.Policy[0]) {
		t.Errorf("B is %+v", c.B)
	}
	if !reflect.DeepEqual(s.Desk.Planning.Params(), base) {
		t.Error("the parameters on the screen are others")
	}
}
