package gui

import (
	"testing"

	"palimpsest/compaction"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
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
		for _, u := range append([]model.Unit{show.Percent}, model.Tokens, model.Messages, model.Groups, model.Steps, model.Turns, model.Chars) {
			if key := "unitChoice." + string(u); words.T(key) == key {
				t.Errorf("%s: no words for unit %s", lang, u)
			}
		}
	}
}

func TestNumbersAPersonTypes(t *testing.T) {
	tail := []model.Unit{model.Tokens, model.Messages}
	for _, c := range []struct {
		text   string
		now    model.Unit
		units  []model.Unit
		window int
		want   model.Amount
		fails  bool
	}{
		{"80%", show.Percent, workbench.ClauseUnits, 200000, model.Amount{N: 80, Unit: show.Percent}, false},
		{"0.8", show.Percent, workbench.ClauseUnits, 200000, model.Amount{N: 80, Unit: show.Percent}, false},
		{"120000", show.Percent, workbench.ClauseUnits, 200000, model.Amount{N: 120000, Unit: model.Tokens}, false},
		{"120k", show.Percent, workbench.ClauseUnits, 200000, model.Amount{N: 120000, Unit: model.Tokens}, false},
		{"-20k", show.Percent, workbench.ClauseUnits, 200000, model.Amount{N: 180000, Unit: model.Tokens}, false},
		{"-20k", show.Percent, workbench.ClauseUnits, 0, model.Amount{}, true},
		{"40 msg", show.Percent, workbench.ClauseUnits, 0, model.Amount{N: 40, Unit: model.Messages}, false},
		{"10msgs", model.Tokens, tail, 0, model.Amount{N: 10, Unit: model.Messages}, false},
		{"10%", model.Tokens, tail, 200000, model.Amount{N: 20000, Unit: model.Tokens}, false},
		{"7 steps", model.Tokens, tail, 0, model.Amount{}, true},
		{"all", model.Messages, tail, 0, model.Amount{N: 0, Unit: model.Messages}, false},
		{"150%", show.Percent, workbench.ClauseUnits, 200000, model.Amount{}, true},
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

// Setting the nearest legal value that a problem offers solves it.
func TestTheNearestLegalValueIsLegal(t *testing.T) {
	base := compaction.Default()
	base.Window, base.Reserve = 200000, 16000
	for name, c := range map[string]struct {
		change func(q *model.Policy)
		check  func(q *model.Policy) *show.Problem
		want   string
	}{
		"trigger above the room": {func(q *model.Policy) { show.SetClause(q, 0, model.Amount{N: 190000, Unit: model.Tokens}) },
			func(q *model.Policy) *show.Problem { return show.CheckTrigger(q, 0) }, "184,000 tok"},
		"share above the room": {func(q *model.Policy) { show.SetClause(q, 0, model.Amount{N: 99, Unit: show.Percent}) },
			func(q *model.Policy) *show.Problem { return show.CheckTrigger(q, 0) }, "92 %"},
		"trigger under the fixed part": {func(q *model.Policy) {
			q.Fixed = 14200
			show.SetClause(q, 0, model.Amount{N: 10000, Unit: model.Tokens})
		},
			func(q *model.Policy) *show.Problem { return show.CheckTrigger(q, 0) }, "15,000 tok"},
		"tail above the trigger": {func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} }, show.CheckTail, "159,000"},
		"reserve beside trigger": {func(q *model.Policy) { q.Reserve = 60000 }, show.CheckReserve, "40,000"},
		"window under reserve":   {func(q *model.Policy) { q.Window = 10000 }, show.CheckWindow, "16,001"},
		"target above trigger":   {func(q *model.Policy) { q.Target = 160000 }, show.CheckTarget, "159,999"},
	} {
		q := base
		c.change(&q)
		pr := c.check(&q)
		if pr == nil || pr.Label != c.want {
			t.Errorf("%s: %+v", name, pr)
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

func TestPagesOfAText(t *testing.T) {
	for _, c := range []struct {
		text        string
		lines, size int
		part        string
		whole       bool
	}{
		{"a\nb\nc", 2, 100, "a\nb\n", false},
		{"a\nb\nc", 3, 100, "a\nb\nc", true},
		{"a\nb\n", 2, 100, "a\nb\n", true},
		{"aaaa\nbbbb\ncc", 9, 7, "aaaa\n", false},
		{"日本語", 9, 4, "日", false},
		{"", 1, 1, "", true},
	} {
		if part, whole := workbench.FirstLines(c.text, c.lines, c.size); part != c.part || whole != c.whole {
			t.Errorf("%q: %q %v", c.text, part, whole)
		}
	}
}
