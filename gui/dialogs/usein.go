package dialogs

import (
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/toolconfig"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/state/plan"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
)

// UseIn is the dialog that hands a policy to another tool: its
// configuration, what changes in its file, and what it can't do.
type UseIn struct {
	w     *screen.Host
	p     model.Policy
	Dlg   *kit.Dialog
	tool  *kit.Select
	field *kit.TextField
	row   *fyne.Container
	text  *reading.View
	lost  *reading.View
	note  *kit.Notice
	Copy  *kit.Button
	Write *kit.Button
	now   plan.ToolConfig
}

// ShowUseIn opens the dialog for a policy: that of the parameters, of a sweep's cell or
// of a record.
func ShowUseIn(w *screen.Host, p model.Policy) *UseIn {
	x := &UseIn{w: w, p: p}
	var names []string
	first := 0
	for i, t := range toolconfig.Tools() {
		names = append(names, t.Name)
		if t.ID == w.Settings.P.StringWithFallback("useIn.tool", "claude-code") {
			first = i
		}
	}
	x.tool = kit.NewSelect(names, first, func(int) { x.choose() })
	x.field = kit.NewTextField("", func(string) { x.refresh() }).Plain()
	x.row = kit.NewForm().Row(words.T("useIn.tool"), kit.Sized(220, 24, x.tool)).Row(words.T("useIn.file"), kit.Stretch(x.field)).Rows()
	x.text, x.lost = reading.New(w.Desk.Scheduler()), reading.New(w.Desk.Scheduler())
	x.note = kit.NewNotice(kit.Info, "", "")
	body := kit.Column(8, x.row, kit.Sized(0, 190, x.text), x.note, kit.Sized(0, 150, x.lost))
	x.Dlg = kit.NewDialog(words.T("useIn.title"), "", kit.Pad(12, 16, 12, 16, body), 760, 0)
	x.Copy = kit.NewButton(words.T("useIn.copy"), kit.Secondary, x.copy).WithTip("useIn.copy.tip")
	x.Write = kit.NewButton(words.T("useIn.write"), kit.Primary, x.write)
	x.Dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Secondary, x.Dlg.Close), x.Copy, x.Write)
	x.choose()
	x.Dlg.ShowOn(w.Win.Canvas())
	return x
}

func (x *UseIn) chosen() *toolconfig.Tool { return toolconfig.Tools()[x.tool.Selected()] }

// Choose selects a tool by its ID.
func (x *UseIn) Choose(id string) {
	for i, t := range toolconfig.Tools() {
		if t.ID == id {
			x.tool.Select(i)
			x.choose()
		}
	}
}

// choose proposes the usual file of the tool.
func (x *UseIn) choose() {
	t := x.chosen()
	x.w.Settings.P.SetString("useIn.tool", t.ID)
	path, err := model.UserPath(t.File)
	if err != nil {
		path = t.File
	}
	x.field.SetText(path)
	x.Dlg.SetCaption(words.T("useIn.checked", "what", words.T("useIn.checked."+t.ID)))
	x.refresh()
}

// refresh makes the configuration anew.
func (x *UseIn) refresh() {
	path := strings.TrimSpace(x.field.Text())
	x.w.Desk.Planning.ConfigureTool(x.chosen(), x.p, path, func(c plan.ToolConfig, err error) {
		x.now = c
		x.Copy.SetEnabled(err == nil)
		x.Write.SetEnabled(err == nil && path != "" && string(c.Old) != string(c.Text))
		if err != nil {
			head, rest, _ := show.ErrorWords(err)
			x.note.Set(kit.Failure, head, rest)
			x.text.Set(&body.Doc{})
			x.lost.Set(&body.Doc{})
			return
		}
		old := c.Old
		if old == nil { // there is no file yet
			old = c.Text
		}
		x.text.Compare(func() *body.Doc { return body.Compared(string(old), string(c.Text), filepath.Base(x.chosen().File)) })
		x.say()
		x.showLost()
	})
}

// say is the sentence between the text and what is lost.
func (x *UseIn) say() {
	name := x.now.Tool.Name
	switch {
	case x.now.Old != nil && string(x.now.Old) == string(x.now.Text):
		x.note.Set(kit.Info, words.T("useIn.same"), x.now.Path)
	case len(x.now.Lost) == 0:
		x.note.Set(kit.Info, words.T("useIn.whole", "tool", name), "")
	default:
		x.note.Set(kit.Warning, words.T("useIn.lost", "tool", name, "count", len(x.now.Lost)), words.T("useIn.lost.rest"))
	}
}

// showLost lists the parameters of which the tool does something else, and its
// rules.
func (x *UseIn) showLost() {
	if x.now.Tool == nil {
		return
	}
	var d body.Doc
	line := func(mark, text string) {
		d.Blocks = append(d.Blocks, body.Block{Marker: mark, Indent: 1, Text: text, Tight: true})
	}
	for _, p := range x.now.Lost {
		text := words.T("useIn.does", "name", words.T(p.Word), "wanted", show.ParamWords(p, &x.now.Policy),
			"does", show.ParamWords(p, &x.now.Does))
		line("–", text)
	}
	for i := range x.now.Tool.Notes {
		text := words.T("useIn.note." + x.now.Tool.ID + "." + strconv.Itoa(i+1))
		line("·", text)
	}
	x.lost.Set(&d)
}

func (x *UseIn) copy() {
	kit.Copy(string(x.now.Text))
	x.w.Overlay.Toast(words.T("useIn.copied", "tool", x.now.Tool.Name), "", nil)
}

func (x *UseIn) write() {
	c := x.now
	x.w.Desk.Planning.WriteToolConfig(c, func(backup string, err error) {
		if err != nil {
			head, rest, _ := show.ErrorWords(err)
			x.note.Set(kit.Failure, head, rest)
			return
		}
		x.Dlg.Hide()
		text := words.T("useIn.written", "name", c.Path)
		if backup != "" {
			text += " " + words.T("useIn.backup", "name", filepath.Base(backup))
		}
		x.w.Overlay.Toast(text, "", nil)
	})
}
