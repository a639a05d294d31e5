package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// adviceLine is one suggestion below the result: what to set, and what that keeps and sends.
// It is empty while there is nothing to suggest.
type adviceLine struct {
	p       *ParamPane
	obj     fyne.CanvasObject
	rule    fyne.CanvasObject
	Setting *kit.Text
	Told    *kit.Text
	See     *kit.Link // sets it beside the parameters on the screen
}

// adviceHeight is kept free for the line, so that nothing moves when it comes.
const adviceHeight = 48

func newAdviceLine(p *ParamPane) *adviceLine {
	a := &adviceLine{p: p, rule: kit.NewRule(), Setting: kit.NewText("", kit.ColorText, 12).Fit(),
		Told: kit.NewText("", kit.ColorMuted, 12).Fit()}
	a.See = kit.NewLink(words.T("advice.see"), func() {
		p.d.TrySuggestion()
		p.c.Run("compare")
	}).WithTip("advice.see.tip")
	text := kit.Column(2, kit.Sized(0, 18, a.Setting), kit.Sized(0, 16, kit.Means(a.Told, "advice.means")))
	a.obj = kit.Column(0, a.rule, kit.Pad(5, 12, 4, 12, kit.Row(8, kit.Stretch(text), a.See)))
	p.d.Listen(desk.TopicAdvice, a.update)
	return a
}

func (a *adviceLine) update() {
	d := a.p.d
	found := d.Advice()
	setting, told, see := []string{""}, "", false
	switch {
	case found == nil:
	case found.Advice == nil:
		if found.Asked {
			told = words.T("advice.trying", "n", found.Done, "m", max(1, found.Total))
		}
	case !found.For(d.Planning.Params()): // it was sought for others
	case found.Why == replay.Advised:
		x := &found.Suggestions[0]
		setting = settingWords(x.Policy[0], d.Planning.Params())
		told, see = gainWords(&found.Now, x), true
	case found.Asked:
		told = words.T("advice.why."+string(found.Why), "n", found.Needs, "m", replay.NeedsToCount)
	}
	a.Setting.SetTexts(setting[0], setting[1:]...)
	a.Told.SetText(told)
	show.SetVisible(a.See, see)
	show.SetVisible(a.rule, told != "")
	a.obj.Refresh()
}

// settingWords are what a suggestion sets, from the longest to the shortest: "70 %, tail 40K,
// budget 8K".
func settingWords(p, now model.Policy) []string {
	short := words.T("advice.shortSetting", "trigger", triggersShort(p), "tail", amountShort(p.TailInForce()))
	long := words.T("advice.setting", "trigger", triggersShort(p), "tail", amountShort(p.TailInForce()),
		"budget", amountShort(p.BudgetInForce()))
	if p.Strategy == now.Strategy {
		return []string{long, short}
	}
	name := words.T("strategy." + string(p.Strategy))
	return []string{long + ", " + name, short + ", " + name, short}
}

func triggersShort(p model.Policy) string {
	var at []string
	for _, c := range p.Triggers {
		at = append(at, show.ClauseWords(c))
	}
	return strings.Join(at, " / ")
}

// amountShort is an amount as short as it goes: "40K", "12 messages".
func amountShort(a model.Amount) string {
	if a.Unit == model.Tokens {
		return words.TokensShort(int64(a.N))
	}
	return show.AmountWords(a)
}

// gainWords say what a suggestion keeps and sends beside the present settings: "keeps 95 %,
// now 91 % · input −12 %". Settings that compact nothing lose nothing either.
func gainWords(now, x *replay.Suggestion) string {
	input := "–"
	if now.Input > 0 {
		input = words.PercentChange(float64(x.Input-now.Input) / float64(now.Input))
	}
	if now.Firings == 0 {
		return words.T("advice.gain.first", "recall", words.Percent(x.Recall), "input", input)
	}
	return words.T("advice.gain", "recall", words.Percent(x.Recall), "now", words.Percent(now.Recall), "input", input)
}
