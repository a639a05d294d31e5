package workbench

import (
	"cmp"
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
		if x, _ := bestOf(p.d.Advice(), p.d.Planning.Params()); x != nil {
			p.d.Try(x)
			p.c.Run("compare")
		}
	}).WithTip("advice.see.tip")
	text := kit.Column(2, kit.Sized(0, 18, a.Setting), kit.Sized(0, 16, kit.Means(a.Told, "advice.means")))
	a.obj = kit.Column(0, a.rule, kit.Pad(5, 12, 4, 12, kit.Row(8, kit.Stretch(text), a.See)))
	p.d.Listen(desk.TopicAdvice, a.update)
	return a
}

func (a *adviceLine) update() {
	d := a.p.d
	found, now := d.Advice(), d.Planning.Params()
	setting, told := []string{""}, ""
	x, more := bestOf(found, now)
	switch {
	case x != nil:
		setting, told = settingWords(x.Policy[0], now), gainWords(x.Cost/found.Now.Cost-1, more)
	case found == nil || !found.Asked:
	case found.Advice == nil:
		told = words.T("advice.trying", "n", found.Done, "m", max(1, found.Total))
	case found.For(now):
		told = words.T("advice.why."+string(cmp.Or(found.Why, replay.NoBetter)), "n", found.Needs, "m", replay.NeedsToCount)
	}
	a.Setting.SetTexts(setting[0], setting[1:]...)
	a.Told.SetText(told)
	show.SetVisible(a.See, x != nil)
	show.SetVisible(a.rule, told != "")
	a.obj.Refresh()
}

// bestOf is the one suggestion that is worth showing for parameters, and whether it keeps
// more; nil: there is none.
func bestOf(a *desk.Advice, p model.Policy) (best *replay.Suggestion, more bool) {
	if a == nil || a.Advice == nil || !a.For(p) {
		return nil, false
	}
	return a.Best()
}

// settingWords name every value that a suggestion changes, with its words or shorter:
// "Compact earlier, at 57 %, window 4K".
func settingWords(p, now model.Policy) []string {
	var values []string
	key := "advice.change"
	if after, was := show.TriggerTokens(p), show.TriggerTokens(now); after != was {
		key = "advice.earlier"
		if after > was {
			key = "advice.later"
		}
		var at []string
		for _, c := range p.Triggers {
			at = append(at, show.ClauseWords(c))
		}
		values = append(values, strings.Join(at, " / "))
	}
	if p.TailInForce() != now.TailInForce() {
		values = append(values, words.T("advice.window", "amount", amountShort(p.TailInForce())))
	}
	if p.BudgetInForce() != now.BudgetInForce() {
		values = append(values, words.T("advice.note", "amount", amountShort(p.BudgetInForce())))
	}
	if p.Strategy != now.Strategy {
		values = append(values, words.T("strategy."+string(p.Strategy)))
	}
	all := strings.Join(values, ", ")
	return []string{words.T(key, "values", all), all}
}

// amountShort is an amount as short as it goes: "40K", "12 messages".
func amountShort(a model.Amount) string {
	if a.Unit == model.Tokens {
		return words.TokensShort(int64(a.N))
	}
	return show.AmountWords(a)
}

// gainWords say what a suggestion keeps and costs: "keeps the same, 24 % cheaper".
func gainWords(cost float64, more bool) string {
	key := "advice.same"
	if more {
		key = "advice.more"
	}
	price := words.T("advice.cheaper", "percent", words.Percent(-cost))
	if cost > 0 {
		price = words.T("advice.dearer", "percent", words.Percent(cost))
	}
	return words.T(key, "price", price)
}
