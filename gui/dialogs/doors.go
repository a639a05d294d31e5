package dialogs

import (
	"strings"

	"palimpsest/compaction/session/doors"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// ShowDoors shows what the verb doctor says.
//
//	Gateways and hooks
//	gateway  works
//	  http://127.0.0.1:8787 of run claude; in mode ledger; calls: 12
//	Claude Code, hook  off
//	  ~/.claude/settings.json: not installed
//	  → palimpsest hook install --in claude-code records its own compactions …
func ShowDoors(w *screen.Host) {
	view := reading.New(w.Desk.Scheduler())
	dlg := kit.NewDialog(words.T("doctor.title"), "", kit.Pad(4, 8, 4, 8, view), 760, 560)
	again := kit.NewButton(words.T("doctor.again"), kit.Primary, nil)
	again.OnTapped = func() {
		again.SetEnabled(false)
		dlg.SetCaption(words.T("doctor.looking"))
		desk.Doors(w.Desk, func(err error) string {
			head, rest, _ := show.ErrorWords(err)
			return strings.TrimSpace(head + " " + rest)
		}, func(list []doors.Diagnosis) {
			again.SetEnabled(true)
			dlg.SetCaption("")
			view.Set(doorsText(list))
		})
	}
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Secondary, dlg.Close), again)
	dlg.ShowOn(w.Win.Canvas())
	again.OnTapped()
}

// doorsText is a paragraph for each thing, and what to do.
func doorsText(list []doors.Diagnosis) *body.Doc {
	inks := map[doors.State]body.Ink{doors.Works: body.InkGreen, doors.Off: body.InkMuted, doors.Fault: body.InkWarn}
	var d body.Doc
	for _, x := range list {
		of := words.T(x.Of.Key, x.Of.Args...)
		head := of + "  " + words.T("doctor."+string(x.State))
		var says []string
		for _, l := range x.Says {
			says = append(says, words.T(l.Key, l.Args...))
		}
		d.Blocks = append(d.Blocks, body.Block{Text: head, Spans: []body.Span{
			{To: len(of), Style: body.Style{Bold: true}}, {From: len(of) + 2, To: len(head), Style: body.Style{Ink: inks[x.State]}}}},
			body.Block{Indent: 1, Tight: true, Text: strings.Join(says, words.T("doctor.and"))})
		if x.Do != nil {
			d.Blocks = append(d.Blocks, body.Block{Indent: 1, Marker: "→", Tight: true, Text: words.T(x.Do.Key, x.Do.Args...)})
		}
	}
	return &d
}
