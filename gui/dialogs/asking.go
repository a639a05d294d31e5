package dialogs

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// AskingDialog goes with a question to a model: what it will cost and what is
// withheld, then how far the answer is, then how it failed. A good answer closes
// it and shows the draft.
type AskingDialog struct {
	w   *screen.Host
	Dlg *kit.Dialog
	of  *desk.Asking // whom the dialog shows
	was string       // the state it was built for

	Instruction *kit.TextField
	sendNext    bool // what was added is worded first, then sent
	bar         *kit.Bar
	phase, got  *kit.Text
	parts       *kit.Segments  // of an answer that comes in several
	chosen      int            // the part whose text is shown; -1: the one that was heard of last
	why         *kit.Paragraph // why a part waits for another attempt, and how long
	now         *kit.Button
	text        *reading.View
	announced   *desk.Asking // whose end was announced
}

func NewAskingDialog(w *screen.Host) *AskingDialog {
	x := &AskingDialog{w: w, announced: w.Desk.Asking()}
	w.Desk.Listen(desk.TopicAsking, x.update)
	return x
}

// Ask words the question, or says that there is nobody to ask.
func (x *AskingDialog) Ask() {
	d := x.w.Desk
	if p := d.Provider(); !p.Set() {
		x.w.Commands.Run(commands.SummaryModel)
		return
	}
	if a := d.Asking(); a.Running() {
		x.was = ""
		x.open(a)
		return
	}
	d.Enquire(session.Asking{Fresh: len(d.DraftSet.Drafts()) > 0})
}

// Compact compacts with the parameters on the screen. A model is asked first,
// and what it cost.
func (x *AskingDialog) Compact() {
	d := x.w.Desk
	if !d.Planning.Params().Strategy.Asks() {
		dr, _ := d.DraftSet.Edited()
		askEdited(x.w, dr != nil, d.CompactNow)
		return
	}
	if d.DraftSet.Draft() != nil {
		x.w.Commands.Run(commands.Preview)
		return
	}
	x.Ask()
}

func (x *AskingDialog) update() {
	a := x.w.Desk.Asking()
	switch {
	case a == nil:
		x.hide()
	case a.Ready() && x.sendNext:
		x.sendNext = false
		x.w.Desk.Send()
	case a.Ready():
		x.open(a)
	case a.Running():
		if x.Dlg != nil {
			x.open(a)
			x.progress(a)
		}
	case !a.Ended.IsZero() && x.announced != a:
		x.announced = a
		x.ended(a)
	}
}

func (x *AskingDialog) hide() {
	if x.Dlg != nil {
		dlg := x.Dlg
		x.Dlg, x.was = nil, ""
		dlg.OnClose = nil
		dlg.Hide()
	}
}

// open builds the dialog for the state of the question.
func (x *AskingDialog) open(a *desk.Asking) {
	state := "ready"
	if a.Running() {
		state = "running"
	}
	if x.Dlg != nil && x.of == a && x.was == state {
		return
	}
	x.hide()
	x.of, x.was = a, state
	if state == "ready" {
		x.ready(a)
	} else {
		x.running(a)
	}
	x.Dlg.ShowOn(x.w.Win.Canvas())
}

// ready shows what would be sent.
func (x *AskingDialog) ready(a *desk.Asking) {
	e := a.Enquiry
	if e.Enquiry == nil { // the plan does not apply, or leaves no text to make
		x.Dlg = kit.NewDialog(words.T("asking.title"), "",
			kit.Pad(14, 16, 14, 16, kit.NewParagraph(show.RefusedWords(show.Of(x.w.Desk), e.Plan), kit.ColorText, 13, 4)), 560, 0)
		x.Dlg.OnClose = func() { x.Dlg = nil; x.w.Desk.Forget() }
		x.Dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, x.Dlg.Close))
		return
	}
	window, assumed := e.Model.ContextWindow()
	parts := words.T("asking.whole", "window", words.Int(int64(window)))
	if n := len(e.Questions); n > 1 {
		parts = words.T("asking.parts", "n", n, "window", words.Int(int64(window)))
	}
	if assumed {
		parts += " " + words.T("asking.assumed")
	}
	if left := 1 - e.Share; left >= .005 {
		parts += " " + words.T("asking.leftOut", "share", words.Percent(left))
	}
	cost := words.T("asking.cost", "count", e.Calls, "input", words.Estimate(int64(e.Input)), "output", words.Tokens(int64(e.Output)))
	price := words.T("asking.noPrice")
	if most, known := e.Price(); known {
		price = words.T("asking.price", "price", fmt.Sprintf("%.4f", most), "currency", e.Model.Price.Currency, "date", e.Model.Price.Date)
	}
	x.Instruction = kit.NewTextField(words.T("asking.instructionHint"), nil)
	x.Instruction.SetText(a.Instruction())
	sentence := func(text string) fyne.CanvasObject { return kit.NewParagraph(text, kit.ColorText, 13, 5) }
	form := kit.NewForm().
		Wide(words.T("asking.range"),
			kit.Label(words.T("asking.messages", "what", show.Went(session.Went(e.Plan)), "tokens",
				show.TokenCount(x.w.Desk, e.Plan.Removed.Tokens)))).
		Wide(words.T("asking.sent"), kit.Flow(4, sentence(parts), kit.NewCheck(words.T("asking.uncut"), a.Whole(), func(on bool) {
			said := x.Instruction.Text()
			x.w.Desk.Reword(func(q *session.Asking) { q.Whole, q.Instruction = on, said })
		}))).
		Wide(words.T("asking.atMost"), sentence(cost)).
		Wide("", kit.NewParagraph(price, kit.ColorMuted, 12, 2)).
		Wide(words.T("asking.instruction"), x.Instruction).
		Wide(words.T("asking.withheld"), x.withheld(a))
	x.Dlg = kit.NewDialog(words.T("asking.title"), words.T("asking.at", "model", e.Model.Name, "host", e.Model.Host), form.Body(), 680, 0)
	caption := "asking.caption"
	if len(e.Withheld) == 0 {
		caption = "asking.unsent"
	}
	x.Dlg.SetCaption(words.T(caption))
	x.Dlg.OnClose = func() { x.Dlg = nil; x.w.Desk.Forget() }
	settings := func() { x.Dlg.Close(); x.w.Commands.Run(commands.SummaryModel) }
	x.Dlg.SetButtons(kit.NewButton(words.T("asking.settings"), kit.Secondary, settings).WithTip("asking.settings.tip"),
		kit.NewButton(words.T("do.cancel"), kit.Secondary, x.Dlg.Close),
		kit.NewButton(words.T("asking.send"), kit.Primary, x.Send))
}

// withheld is the list of what is not sent, to be looked through: a mark lets
// one through. The secret itself is shown by its beginning only.
func (x *AskingDialog) withheld(a *desk.Asking) fyne.CanvasObject {
	list := a.Enquiry.Withheld
	kinds := kindChecks(x.w.Desk.OwnRules(), a.LooksFor, x.w.Desk.Also)
	if len(list) == 0 {
		return kit.Flow(4, kit.NewParagraph(words.T("asking.nothingFound"), kit.ColorMuted, 13, 3), kinds)
	}
	rows := make([]fyne.CanvasObject, len(list))
	for i, f := range list {
		text := findingWords("asking.finding", &f)
		rows[i] = kit.NewCheck(text, !a.Kept(f.Secret), func(on bool) { x.w.Desk.Let(f.Secret, !on) })
	}
	scroll := container.NewVScroll(kit.Column(2, rows...))
	return kit.Column(4, kit.Sized(0, min(150, float32(len(list))*26), scroll), kinds)
}

// findingWords are the sentence of a name about a finding: enough of it to recognise it,
// and where it is.
func findingWords(name string, f *session.Withheld) string {
	if f.Num == 0 {
		name += "Summary"
	}
	return words.T(name, "rule", f.Rule, "secret", redact.Mask(f.Secret), "length", utf8.RuneCountInString(f.Secret),
		"bits", fmt.Sprintf("%.1f", f.Entropy()), "n", f.Num, "as", f.As, "count", f.Times)
}

func (x *AskingDialog) Send() {
	a := x.w.Desk.Asking()
	if !a.Ready() {
		return
	}
	if said := strings.TrimSpace(x.Instruction.Text()); said != a.Instruction() {
		x.sendNext = true
		x.w.Desk.Reword(func(q *session.Asking) { q.Instruction = said })
		return
	}
	x.w.Desk.Send()
}

// running shows how far the answer is.
func (x *AskingDialog) running(a *desk.Asking) {
	x.bar = kit.NewBar(0, kit.ColorAccent)
	x.phase, x.got = kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Right()
	x.text = reading.New(x.w.Desk.Scheduler())
	x.chosen = -1
	x.parts = kit.NewSegments([]string{""}, 0, func(i int) { x.chosen = i; x.progress(a) }).Folding()
	x.why = kit.NewParagraph("", kit.ColorWarning, 12, 2)
	x.now = kit.NewButton(words.T("asking.now"), kit.Secondary, a.Again).WithTip("asking.now.tip").Small()
	body := kit.Column(8, kit.Sized(0, 10, x.bar), kit.Row(10, kit.Stretch(x.phase), kit.Sized(200, 22, x.got)),
		kit.Sized(0, 36, kit.Row(10, kit.Stretch(x.why), x.now)), kit.Sized(0, 26, kit.Row(0, x.parts, kit.Spring())),
		kit.Sized(0, 220, x.text))
	m := a.Enquiry.Model
	x.Dlg = kit.NewDialog(words.T("asking.running"), words.T("asking.at", "model", m.Name, "host", m.Host),
		kit.Pad(12, 16, 12, 16, body), 680, 0)
	x.Dlg.SetCaption(words.T("asking.unchanged"))
	x.Dlg.OnClose = func() { x.Dlg, x.was = nil, "" } // it goes on in the background
	x.Dlg.SetButtons(kit.NewButton(words.T("asking.background"), kit.Secondary, x.Dlg.Close).WithTip("asking.background.tip"),
		kit.NewButton(words.T("do.cancel"), kit.Danger, x.w.Desk.CancelAsking))
	x.progress(a)
}

func (x *AskingDialog) progress(a *desk.Asking) {
	if x.was != "running" {
		return
	}
	h := a.Heard()
	phase := words.T("asking.waiting")
	switch {
	case h.Merging:
		phase = words.T("asking.merging", "count", h.Calls, "n", h.Done, "m", h.Calls)
	case h.Calls > 1:
		phase = words.T("asking.partsDone", "count", h.Calls, "n", h.Done, "m", h.Calls)
	case h.Chars > 0:
		phase = words.T("asking.receiving")
	}
	x.phase.SetText(phase)
	x.pausing(&h)
	received := x.w.Desk.Session().CountText(h.Text())
	if h.Calls > 1 {
		received = h.Chars / 4
	}
	x.got.SetText(words.T("asking.received", "time", words.Elapsed(time.Since(a.Started)), "tokens", words.Estimate(int64(received))))
	share := 0.
	if h.Calls > 0 {
		share = (float64(h.Done) + min(.95,
			float64(received%max(1, a.Enquiry.Ceiling))/float64(max(1, a.Enquiry.Ceiling)))) / float64(h.Calls)
	}
	x.bar.Set(min(1, share), kit.ColorAccent)
	text := h.Text()
	x.nameParts(&h)
	if x.chosen >= 0 && x.chosen < len(h.Parts) {
		text = h.Parts[x.chosen].Text
	}
	x.text.Follow(text)
}

// pausing says why a part is asked again, and when.
func (x *AskingDialog) pausing(h *desk.Heard) {
	i := h.Pausing()
	show.SetVisible(x.now, i >= 0)
	if i < 0 {
		x.why.SetText("")
		return
	}
	p := h.Parts[i]
	what := show.UpperFirst(show.FailureWords(p.After))
	if h.Calls > 1 {
		what = words.T("asking.part", "n", i+1) + ": " + show.FailureWords(p.After)
	}
	x.why.SetText(words.T("asking.again", "what", what, "time", p.Again.Format(time.TimeOnly), "n", secondsTo(p.Again)))
}

func secondsTo(t time.Time) int { return max(0, int(math.Ceil(time.Until(t).Seconds()))) }

// nameParts shows how far each part is; there is nothing to choose in an answer of one.
func (x *AskingDialog) nameParts(h *desk.Heard) {
	several := len(h.Parts) > 1
	if show.SetVisible(x.parts, several); !several {
		return
	}
	names := make([]string, len(h.Parts))
	for i, p := range h.Parts {
		state := "asking"
		switch {
		case p.Answered:
			state = "answered"
		case !p.Again.IsZero():
			state = "pausing"
		case p.Text != "":
			state = "receiving"
		case !p.Begun:
			state = "next"
		}
		names[i] = words.T("asking.part."+state, "n", i+1, "seconds", secondsTo(p.Again))
	}
	x.parts.SetNames(names)
	at := x.chosen
	if at < 0 {
		at = h.Last
	}
	x.parts.Select(at)
}

// ended shows the draft, or says in one sentence what happened.
func (x *AskingDialog) ended(a *desk.Asking) {
	x.hide()
	if a.Err == nil {
		if x.w.Commands.Enabled(commands.Preview) {
			x.w.Commands.Run(commands.Preview)
		}
		if as := x.w.Desk.DraftSet.Draft(); as != nil && as.Asked != nil && as.Asked.Calls == 0 {
			x.w.Commands.Toast(words.T("asking.free"), "", nil)
		}
		return
	}
	if a.Instead != "" {
		x.w.Desk.Say(desk.Notice{Severity: desk.Warning, Code: desk.NoticeAskedInstead, Args: []any{"what", a.Instead}})
		return
	}
	x.w.Desk.Say(desk.Notice{Severity: desk.Failure, Code: desk.NoticeAskFailed, Args: []any{"reason", show.FailureWords(a.Err)}})
}

// ApplyDraft applies the draft on the screen. One with flaws needs a second
// word.
func ApplyDraft(w *screen.Host) {
	dr := w.Desk.DraftSet.Draft()
	if dr == nil {
		return
	}
	_, others := w.Desk.DraftSet.Edited()
	askEdited(w, others && w.Desk.DraftSet.Unedited() == nil, func() { applyDraft(w, dr) })
}

// askEdited goes on; where a person's edits would not be used, it asks first.
func askEdited(w *screen.Host, edited bool, goOn func()) {
	if !edited {
		goOn()
		return
	}
	var dlg *kit.Dialog
	use := func() {
		w.Desk.DraftSet.ShowEdited()
		w.Commands.Run(commands.Preview)
	}
	dlg = kit.Ask(w.Win.Canvas(), words.T("edited.title"), words.T("edited.means"), words.T("edited.use"), words.T("do.cancel"),
		kit.Primary, use, kit.NewButton(words.T("edited.goOn"), kit.Secondary, func() { dlg.Hide(); goOn() }))
}

// applyDraft applies a draft that is on the screen.
func applyDraft(w *screen.Host, dr *session.Draft) {
	if len(dr.Flaws) == 0 || dr.Accepted {
		w.Desk.ApplyDraft()
		return
	}
	kit.Ask(w.Win.Canvas(), words.T("flaw.title"), words.T("flaw.ask", "flaws", flawWords(dr)), words.T("flaw.apply"),
		words.T("do.cancel"), kit.Danger, func() {
			w.Desk.DraftSet.AcceptDraft()
			w.Desk.ApplyDraft()
		})
}

// flawWords lists what is wrong with a draft.
func flawWords(dr *session.Draft) string {
	list := make([]string, len(dr.Flaws))
	for i, f := range dr.Flaws {
		list[i] = words.T("flaw." + string(f.Code))
		if f.Detail != "" {
			list[i] += " (" + f.Detail + ")"
		}
	}
	return strings.Join(list, "; ")
}
