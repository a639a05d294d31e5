package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// exportRedaction is the switch of an export that takes secrets out, with the
// list of what is found, to be looked through: a mark lets one through.
type exportRedaction struct {
	x     *exportDialog
	On    *kit.Check
	found *fyne.Container
	Keep  map[string]bool
	asked int // requests so far; only the answer to the last one counts
}

func newExportRedaction(x *exportDialog) *exportRedaction {
	r := &exportRedaction{x: x, Keep: map[string]bool{}, found: kit.Column(2)}
	r.On = kit.NewCheck(words.T("export.redact"), false, func(bool) { r.look() })
	return r
}

// Object is the switch with its list.
func (r *exportRedaction) object() fyne.CanvasObject { return kit.Column(4, r.On, r.found) }

// look asks what would be taken out of what is chosen now.
func (r *exportRedaction) look() {
	r.asked++
	if !r.On.On() {
		r.show()
		return
	}
	r.show(kit.NewText(words.T("export.looking"), kit.ColorMuted, 12).Fit())
	asked := r.asked
	r.x.w.Desk.FindSecrets(r.x.whatNow(), r.x.form(), func(list []session.Withheld, err error) {
		if asked != r.asked || !r.On.On() {
			return
		}
		switch {
		case err != nil:
			head, rest, _ := show.ErrorWords(err)
			r.show(kit.NewNotice(kit.Failure, head, rest))
		case len(list) == 0:
			r.show(kit.NewText(words.T("asking.nothingFound"), kit.ColorMuted, 12).Fit())
		default:
			r.show(r.list(list))
		}
	})
}

func (r *exportRedaction) list(list []session.Withheld) fyne.CanvasObject {
	rows := kit.Column(2)
	for _, f := range list {
		text := words.T("export.finding", append(findingWords(&f), "count", f.Times)...)
		rows.Add(kit.NewCheck(text, !r.Keep[f.Secret], func(on bool) { r.Keep[f.Secret] = !on }))
	}
	return kit.Sized(0, min(130, float32(len(list))*26), container.NewVScroll(rows))
}

func (r *exportRedaction) show(objs ...fyne.CanvasObject) {
	r.found.Objects = objs
	r.found.Refresh()
	if r.x.dlg != nil {
		r.x.dlg.Refresh()
	}
}

// options say how the export is to be written.
func (r *exportRedaction) options() []session.ExportOption {
	if !r.On.On() {
		return nil
	}
	return []session.ExportOption{session.Redact(r.Keep)}
}
