package gui

import (
	"reflect"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/meter"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// measured shows a meter what happens in the window: a parameter that was
// moved is an input, the plan that follows is its result; scrolled rows are both.
func measured(d *desk.Desk, m *meter.Meter, params *workbench.ParamPane, ledger *kit.Ledger) {
	if m == nil {
		return
	}
	var moved model.Policy
	var shown *session.Session
	d.Listen(desk.TopicParams, func() {
		if p := d.Planning.Params(); !reflect.DeepEqual(p, moved) {
			moved = p
			m.Input(p)
		}
	})
	scrolled := ledger.OnScroll
	ledger.OnScroll = func(offset float32) {
		m.Input(offset)
		scrolled(offset)
		m.Result(offset)
	}
	d.Listen(desk.TopicPlan, func() {
		s := d.Session()
		if s == nil || d.Planning.Plan() == nil {
			return
		}
		m.Result(d.Planning.Planned())
		if s != shown {
			shown = s
			m.Shown(d.RowCount())
			m.Place("slider", tailSlider(params))
			m.Place("ledger", ledger)
		}
	})
}

// tailSlider is the slider that is dragged when the window is measured.
func tailSlider(p *workbench.ParamPane) fyne.CanvasObject {
	for _, r := range p.Rows {
		if r.Spec.Label == words.T("parameter.tail") {
			return r.Slider
		}
	}
	return p.Obj
}
