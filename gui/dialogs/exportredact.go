package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// exportRedaction is the switch of an export that takes secrets out, with the
// list of what is found, to be looked through: a mark lets one through.
type exportRedaction struct {
	x     *exportDialog
	On    *kit.Check
	found *fyne.Container
	Keep  map[string]bool
	Also  map[redact.Kind]bool
	asked int // requests so far; only the answer to the last one counts
}

func newExportRedaction(x *exportDialog) *exportRedaction {
	r := &exportRedaction{x: x, Keep: map[string]bool{}, Also: map[redact.Kind]bool{}, found: kit.Column(2)}
	r.On = kit.NewCheck(words.T("export.redact"), false, func(bool) { r.look() })
	return r
}

// look asks what would be taken out of what is chosen now.
func (r *exportRedaction) look() {
	r.asked++
	if !r.On.On() {
		r.show()
		return
	}
	r.show(kit.NewText(words.T("export.looking"), kit.ColorMuted, 12).Fit())
	asked := r.asked
	x := desk.Export{Output: session.Output{Redact: true, Also: r.also()}, What: r.x.whatNow(), Format: r.x.form()}
	r.x.w.Desk.Rehearse(x, false, func(out *session.Written, _ model.Size, err error) {
		if asked != r.asked || !r.On.On() {
			return
		}
		switch {
		case err != nil:
			head, rest, _ := show.ErrorWords(err)
			r.show(kit.NewNotice(kit.Failure, head, rest))
		case len(out.Redacted) == 0:
			r.show(kit.NewText(words.T("asking.nothingFound"), kit.ColorMuted, 12).Fit())
		default:
			r.show(r.list(out.Redacted))
		}
	})
}

func (r *exportRedaction) list(list []session.Withheld) fyne.CanvasObject {
	rows, name := kit.Column(2), "export.finding"
	if r.x.form() == r.x.w.Desk.Session().File().Doc.Format {
		name = "export.findingLine" // of the source's own form lines are looked through
	}
	for _, f := range list {
		text := findingWords(name, &f)
		rows.Add(kit.NewCheck(text, !r.Keep[f.Secret], func(on bool) { r.Keep[f.Secret] = !on }))
	}
	return kit.Sized(0, min(130, float32(len(list))*26), container.NewVScroll(rows))
}

// show puts something below the switch, and above it the kinds that can be taken out,
// too.
func (r *exportRedaction) show(objs ...fyne.CanvasObject) {
	if r.On.On() {
		kinds := kindChecks(r.x.w.Desk.OwnRules(), func(k redact.Kind) bool { return r.Also[k] }, func(k redact.Kind, on bool) {
			r.Also[k] = on
			r.look()
		})
		objs = append([]fyne.CanvasObject{kinds}, objs...)
	}
	r.found.Objects = objs
	r.found.Refresh()
	if r.x.dlg != nil {
		r.x.dlg.Refresh()
	}
}

// also are the kinds that a person has taken out besides what always is.
func (r *exportRedaction) also() (kinds []redact.Kind) {
	for _, k := range redact.ByChoice {
		if r.Also[k] {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// kindChecks are the marks of the kinds that are withheld by choice; those that the rules
// of the settings withhold are.
func kindChecks(rules []redact.Own, is func(redact.Kind) bool, set func(redact.Kind, bool)) fyne.CanvasObject {
	var marks []fyne.CanvasObject
	for _, k := range redact.ByChoice {
		always := redact.LooksFor(rules, k)
		c := kit.NewCheck(words.T("redact.also."+string(k)), always || is(k), func(on bool) { set(k, on) })
		if always {
			c.Disable()
			c.SetTip(words.T("redact.also.rule"))
		}
		marks = append(marks, c)
	}
	return kit.Row(16, marks...)
}
