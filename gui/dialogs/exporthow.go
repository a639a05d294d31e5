package dialogs

import (
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// howRows let a person choose between a rewritten history and one with the
// compaction shown as its own tool would.
func (x *exportDialog) howRows(form *kit.Form) {
	x.howNote = kit.NewParagraph("", kit.ColorFaint, 12, 3)
	x.how = kit.NewRadio([]string{words.T("export.rewritten"), words.T("export.native", "tool", x.tool())}, 0, func(i int) {
		x.native = i == 1
		x.update()
		x.Redact.look()
	})
	form.Row(words.T("export.how"), Checks(x.how)).Wide("", x.howNote)
}

// toolNames are the words for the tools whose own form of a compaction is known.
var toolNames = map[model.Format]string{model.FormatClaudeCode: "files.claude", model.FormatCodex: "files.codex"}

// tool is the name of the program the history comes from.
func (x *exportDialog) tool() string { return words.T(toolNames[x.w.Desk.Session().File().Doc.Format]) }

// showHow says what the chosen way does. Only the compacted transcript in the
// source's own format has a choice.
func (x *exportDialog) showHow() {
	can := x.what == desk.Compacted && formats[x.format] == ""
	for _, c := range x.how {
		c.SetEnabled(can)
	}
	switch {
	case x.how == nil:
	case !can:
		x.howNote.SetText("")
	case x.native:
		x.howNote.SetText(words.T("export.native.note", "tool", x.tool()))
	default:
		x.howNote.SetText(words.T("export.rewritten.note"))
	}
}

// whatNow is what the choices come to.
func (x *exportDialog) whatNow() desk.What {
	if x.native && x.what == desk.Compacted && formats[x.format] == "" {
		return desk.Native
	}
	return x.what
}
