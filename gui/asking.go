package gui

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// askingDialog goes with a question to a model: what it will cost and what is
// withheld, then how far the answer is, then how it failed. A good answer closes
// it and shows the draft.
type askingDialog struct {
	w   *Host
	dlg *kit.Dialog
	of  *desk.Asking // whom the dialog shows
	was string       // the state it was built for

	instruction *kit.TextField
	sendNext    bool // what was added is worded first, then sent
	bar         *kit.Bar
	phase, got  *kit.Text
	text        *kit.TextView
	told        *desk.Asking // whose end was said
}

func newAskingDialog(w *Host) *askingDialog {
	x := &askingDialog{w: w, told: w.d.Asking()}
	w.d.Listen(desk.TopicAsking, x.update)
	return x
}

// ask words the question, or says that there is nobody to ask.
func (x *askingDialog) ask() {
	d := x.w.d
	if p := d.Provider(); !p.Set() {
		showProvider(x.w)
		return
	}
	if a := d.Asking(); a.Running() {
		x.was = ""
		x.open(a)
		return
	}
	d.Enquire(session.Asking{Fresh: len(d.Drafts()) > 0})
}

// compact compacts with the parameters on the screen. A model is asked first,
// and its cost told.
func (x *askingDialog) compact() {
	d := x.w.d
	if !d.Params().Strategy.Asks() {
		d.CompactNow()
		return
	}
	if d.Draft() != nil {
		x.w.c.run("preview")
		return
	}
	x.ask()
}

func (x *askingDialog) update() {
	a := x.w.d.Asking()
	switch {
	case a == nil:
		x.hide()
	case a.Ready() && x.sendNext:
		x.sendNext = false
		x.w.d.Send()
	case a.Ready():
		x.open(a)
	case a.Running():
		if x.dlg != nil {
			x.open(a)
			x.progress(a)
		}
	case !a.Ended.IsZero() && x.told != a:
		x.told = a
		x.ended(a)
	}
}

func (x *askingDialog) hide() {
	if x.dlg != nil {
		dlg := x.dlg
		x.dlg, x.was = nil, ""
		dlg.OnClose = nil
		dlg.Hide()
	}
}

// open builds the dialog for the state of the question.
func (x *askingDialog) open(a *desk.Asking) {
	state := "ready"
	if a.Running() {
		state = "running"
	}
	if x.dlg != nil && x.of == a && x.was == state {
		return
	}
	x.hide()
	x.of, x.was = a, state
	if state == "ready" {
		x.ready(a)
	} else {
		x.running(a)
	}
	x.dlg.ShowOn(x.w.win.Canvas())
}

// ready shows what would be sent.
func (x *askingDialog) ready(a *desk.Asking) {
	e := a.Enquiry
	if e.Enquiry == nil { // the plan does not apply, or leaves no text to make
		x.dlg = kit.NewDialog(words.T("asking.title"), "", kit.Pad(14, 16, 14, 16, kit.NewParagraph(refusedWords(e.Plan), kit.ColorText, 13, 4)), 560, 0)
		x.dlg.OnClose = func() { x.dlg = nil; x.w.d.Forget() }
		x.dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, x.dlg.Close))
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
	cost := words.T("asking.cost", "count", e.Calls, "input", words.Estimate(int64(e.Input)), "output", words.Tokens(int64(e.Output)))
	price := words.T("asking.noPrice")
	if most, known := e.Price(); known {
		price = words.T("asking.price", "price", fmt.Sprintf("%.4f", most), "currency", e.Model.Price.Currency, "date", e.Model.Price.Date)
	}
	x.instruction = kit.NewTextField(words.T("asking.instructionHint"), nil)
	x.instruction.SetText(a.Instruction())
	rows := []fyne.CanvasObject{
		formRow(words.T("asking.range"), kit.Stretch(kit.Label(words.T("asking.messages", "count", e.Plan.Removed.Messages, "tokens", tokenCount(x.w.d, e.Plan.Removed.Tokens))).Fit())),
		formRow(words.T("asking.sent"), kit.Stretch(kit.Label(parts).Fit())),
		formRow(words.T("asking.atMost"), kit.Stretch(kit.Label(cost).Fit())),
		formRow("", kit.Stretch(kit.NewText(price, kit.ColorMuted, 12).Fit())),
		formRow(words.T("asking.instruction"), kit.Stretch(x.instruction)),
		formRow(words.T("asking.withheld"), kit.Stretch(x.withheld(a))),
	}
	x.dlg = kit.NewDialog(words.T("asking.title"), words.T("asking.at", "model", e.Model.Name, "host", e.Model.Host), kit.Pad(12, 16, 12, 16, kit.Column(6, rows...)), 680, 0)
	x.dlg.SetCaption(words.T("asking.caption"))
	x.dlg.OnClose = func() { x.dlg = nil; x.w.d.Forget() }
	x.dlg.SetButtons(kit.NewButton(words.T("asking.settings"), kit.Secondary, func() { x.dlg.Close(); showProvider(x.w) }),
		kit.NewButton(words.T("do.cancel"), kit.Secondary, x.dlg.Close),
		kit.NewButton(words.T("asking.send"), kit.Primary, x.send))
}

// withheld is the list of what is not sent, to be looked through: a mark lets
// one through. The secret itself is shown by its beginning only.
func (x *askingDialog) withheld(a *desk.Asking) fyne.CanvasObject {
	list := a.Enquiry.Withheld
	if len(list) == 0 {
		return kit.NewText(words.T("asking.nothingFound"), kit.ColorMuted, 13).Fit()
	}
	rows := make([]fyne.CanvasObject, len(list))
	for i, f := range list {
		text := words.T("asking.finding", "rule", f.Rule, "secret", redact.Mask(f.Secret), "n", f.Num, "as", f.As)
		rows[i] = kit.NewCheck(text, !a.Kept(f.Secret), func(on bool) { x.w.d.Let(f.Secret, !on) })
	}
	scroll := container.NewVScroll(kit.Column(2, rows...))
	return kit.Sized(0, min(150, float32(len(list))*26), scroll)
}

func (x *askingDialog) send() {
	a := x.w.d.Asking()
	if !a.Ready() {
		return
	}
	if said := strings.TrimSpace(x.instruction.Text()); said != a.Instruction() {
		x.sendNext = true
		x.w.d.Reword(said)
		return
	}
	x.w.d.Send()
}

// running shows how far the answer is.
func (x *askingDialog) running(a *desk.Asking) {
	x.bar = kit.NewBar(0, kit.ColorAccent)
	x.phase, x.got = kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Right()
	x.text = kit.NewTextView(false, false)
	body := kit.Column(8, kit.Sized(0, 10, x.bar), kit.Row(10, kit.Stretch(x.phase), kit.Sized(200, 22, x.got)), kit.Sized(0, 220, x.text))
	m := a.Enquiry.Model
	x.dlg = kit.NewDialog(words.T("asking.running"), words.T("asking.at", "model", m.Name, "host", m.Host), kit.Pad(12, 16, 12, 16, body), 680, 0)
	x.dlg.SetCaption(words.T("asking.unchanged"))
	x.dlg.OnClose = func() { x.dlg, x.was = nil, "" } // it goes on in the background
	x.dlg.SetButtons(kit.NewButton(words.T("asking.background"), kit.Secondary, x.dlg.Close),
		kit.NewButton(words.T("do.cancel"), kit.Danger, x.w.d.CancelAsking))
	x.progress(a)
}

func (x *askingDialog) progress(a *desk.Asking) {
	if x.was != "running" {
		return
	}
	h := a.Heard()
	phase := words.T("asking.waiting")
	switch {
	case h.Merging:
		phase = words.T("asking.merging", "n", h.Done, "m", h.Calls)
	case h.Calls > 1:
		phase = words.T("asking.partsDone", "n", h.Done, "m", h.Calls)
	case h.Chars > 0:
		phase = words.T("asking.receiving")
	}
	if h.Again > 0 && h.Calls <= 1 {
		if h.Text == "" {
			phase = words.T("asking.waiting")
		}
		phase = words.T("asking.again", "what", phase, "n", h.Again+1)
	}
	x.phase.SetText(phase)
	received := x.w.d.Session().CountText(h.Text)
	if h.Calls > 1 {
		received = h.Chars / 4
	}
	x.got.SetText(words.T("asking.received", "time", words.Elapsed(time.Since(a.Started)), "tokens", words.Estimate(int64(received))))
	share := 0.
	if h.Calls > 0 {
		share = (float64(h.Done) + min(.95, float64(received%max(1, a.Enquiry.Ceiling))/float64(max(1, a.Enquiry.Ceiling)))) / float64(h.Calls)
	}
	x.bar.Set(min(1, share), kit.ColorAccent)
	x.text.SetText(h.Text, 0)
	x.text.ScrollToLine(1 + strings.Count(h.Text, "\n"))
}

// ended shows the draft, or says in one sentence what happened.
func (x *askingDialog) ended(a *desk.Asking) {
	x.hide()
	if a.Err == nil {
		if x.w.c.enabled("preview") {
			x.w.c.run("preview")
		}
		if as := x.w.d.Draft(); as != nil && as.Asked() != nil && as.Asked().Calls == 0 {
			x.w.c.toast(words.T("asking.free"), "", nil)
		}
		return
	}
	if a.Instead != "" {
		x.w.d.Say(desk.Notice{Severity: desk.Warning, Code: desk.NoticeAskedInstead, Args: []any{"what", a.Instead}})
		return
	}
	x.w.d.Say(desk.Notice{Severity: desk.Failure, Code: desk.NoticeAskFailed, Args: []any{"reason", failureWords(a.Err)}})
}

// applyDraft applies the draft on the screen. One with flaws needs a second
// word.
func applyDraft(w *Host) {
	dr := w.d.Draft()
	if dr == nil {
		return
	}
	if len(dr.Flaws) == 0 || dr.Accepted() {
		w.d.ApplyDraft()
		return
	}
	kit.Ask(w.win.Canvas(), words.T("flaw.title"), words.T("flaw.ask", "flaws", flawWords(dr)), words.T("flaw.apply"), words.T("do.cancel"), kit.Danger, func() {
		w.d.AcceptDraft()
		w.d.ApplyDraft()
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
