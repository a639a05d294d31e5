package dialogs

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/transcript"
)

// mapForm is where a person says which list holds the messages and which fields
// of a message are what. What is chosen is spelled in one line below, where
// anything else can be written.
type mapForm struct {
	obj     *fyne.Container
	lists   []transcript.List
	changed func(string) // told the map; "" while parts of it are still to be chosen

	list   *kit.Select
	fields [len(mapFields)]*kit.Select
	line   *kit.TextField
	now    transcript.FieldMap
}

// mapFields are the parts of a map behind its list: those of messages, and those of turns.
var mapFields = [...]struct {
	key string
	of  func(*transcript.FieldMap) *string
}{
	{"role", func(m *transcript.FieldMap) *string { return &m.Role }},
	{"text", func(m *transcript.FieldMap) *string { return &m.Text }},
	{"name", func(m *transcript.FieldMap) *string { return &m.Name }},
	{"id", func(m *transcript.FieldMap) *string { return &m.ID }},
	{"time", func(m *transcript.FieldMap) *string { return &m.Time }},
	{"calls", func(m *transcript.FieldMap) *string { return &m.Calls }},
	{"answers", func(m *transcript.FieldMap) *string { return &m.Answers }},
	{"model", func(m *transcript.FieldMap) *string { return &m.Model }},
	{"input", func(m *transcript.FieldMap) *string { return &m.Input }},
	{"output", func(m *transcript.FieldMap) *string { return &m.Output }},
	{"user", func(m *transcript.FieldMap) *string { return &m.User }},
	{"answer", func(m *transcript.FieldMap) *string { return &m.Answer }},
	{"system", func(m *transcript.FieldMap) *string { return &m.System }},
	{"by", func(m *transcript.FieldMap) *string { return &m.By }},
}

// mapColumns is how many of them are beside each other.
const mapColumns = 5

func newMapForm(changed func(string)) *mapForm {
	f := &mapForm{changed: changed}
	label := func(key string) fyne.CanvasObject { return kit.NewText(words.T("map."+key), kit.ColorMuted, 12) }
	f.list = kit.NewSelect(nil, -1, func(i int) {
		f.now = transcript.LikelyMap(f.lists[i])
		f.chosen()
	})
	f.list.SetHint(words.T("map.choose"))
	top := kit.Row(8, kit.Sized(62, 24, label("messages")), kit.Stretch(kit.Sized(0, 24, f.list)))
	rows := []fyne.CanvasObject{top}
	var row []fyne.CanvasObject
	for i, p := range mapFields {
		if len(row) == mapColumns {
			rows, row = append(rows, kit.Row(8, row...)), nil
		}
		f.fields[i] = kit.NewSelect(nil, -1, func(at int) { f.chooseField(i, at) })
		f.fields[i].SetHint(words.T("map.none"))
		row = append(row, kit.Stretch(kit.Column(2, label(p.key), kit.Sized(90, 24, f.fields[i]))))
	}
	for len(row) < mapColumns {
		row = append(row, kit.Stretch(kit.Sized(90, 24, container.NewWithoutLayout())))
	}
	f.line = kit.NewTextField("messages=$.log,role=who,text=body", func(s string) { f.written(s) }).Plain()
	f.obj = kit.Column(0, kit.Pad(10, 12, 10, 12, kit.Column(8, append(rows, kit.Row(8, row...),
		kit.Row(8, kit.Sized(62, 24, label("written")), kit.Stretch(f.line)))...)), kit.NewRule())
	return f
}

// set shows a map as it is spelled.
func (f *mapForm) set(text string) {
	f.now = transcript.FieldMap{}
	if m, err := transcript.ParseMap(text); err == nil {
		f.now = *m
	}
	f.line.SetText(text)
	f.line.SetBad(false)
	f.show()
}

// text is the map as it is in the line.
func (f *mapForm) text() string { return f.line.Text() }

// isOf reports whether the map is of a list, or of each of its elements.
func (f *mapForm) isOf(l transcript.List) bool {
	return l.Path == f.now.Messages || l.Path+"[*]" == f.now.Messages
}

// fieldNames are what can be chosen for a part.
func (f *mapForm) fieldNames() []string {
	for _, l := range f.lists {
		if f.isOf(l) {
			return l.Fields
		}
	}
	return nil
}

// show puts the map into the selections.
func (f *mapForm) show() {
	var names []string
	at := -1
	for i, l := range f.lists {
		names = append(names, words.T("map.list", "path", l.Path, "count", l.Len))
		if f.isOf(l) {
			at = i
		}
	}
	f.list.SetNames(names, at)
	fields := f.fieldNames()
	for i, p := range mapFields {
		own := append([]string{words.T("map.none")}, fields...)
		f.fields[i].SetNames(own, slices.Index(own, *p.of(&f.now)))
		f.fields[i].SetEnabled(len(fields) > 0)
	}
}

func (f *mapForm) chooseField(i, at int) {
	p := mapFields[i]
	*p.of(&f.now) = ""
	if at > 0 {
		*p.of(&f.now) = f.fieldNames()[at-1]
	}
	f.chosen()
}

// chosen spells what was chosen and reports it.
func (f *mapForm) chosen() {
	f.line.SetText(f.now.String())
	f.line.SetBad(false)
	f.show()
	if !f.now.Turns() && (f.now.Role == "" || f.now.Text == "") {
		f.changed("") // there is more to choose
		return
	}
	f.changed(f.line.Text())
}

// written takes what a person writes into the line.
func (f *mapForm) written(text string) {
	m, err := transcript.ParseMap(text)
	f.line.SetBad(err != nil)
	if err == nil {
		f.now = *m
		f.show()
	}
	f.changed(text)
}
