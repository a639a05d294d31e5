package show

import (
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/assets"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// RecordTime is when a record was made, to the minute.
func RecordTime(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// Went is what a record took, in full: messages, and former summaries apart from
// them.
func Went(messages, formers int) string {
	switch {
	case formers == 0:
		return words.T("count.messages", "count", messages)
	case messages == 0:
		return words.T("count.formers", "count", formers)
	}
	return words.T("count.and", "a", words.T("count.messages", "count", messages), "b", words.T("count.formers", "count", formers))
}

// WentShort is the same in a cell: "70 + 1 summary".
func WentShort(messages, formers int) string {
	n := words.Int(int64(messages))
	if formers == 0 {
		return n
	}
	return words.T("count.formers.short", "messages", n, "count", formers)
}

// RecordPreset is the preset a record was made with, and how much of it was
// changed; PresetName alone where that was not noted.
func RecordPreset(r *model.Record) string {
	name := PresetName(r.Policy.Preset)
	if r.Changed == nil || *r.Changed == 0 {
		return name
	}
	return words.T("preset.changed", "preset", name, "count", *r.Changed)
}

// RecordSession is what the history of a record is called on the screen.
func RecordSession(r *model.Record) string {
	for _, s := range assets.Samples {
		if s.File == r.Path {
			return words.T(s.Title)
		}
	}
	return r.Session
}

// stateSigns are the sign, colour and word of each state.
var stateSigns = map[model.State]struct {
	glyph kit.Glyph
	color fyne.ThemeColorName
	word  string
}{
	model.InForce:        {kit.GlyphOK, kit.ColorSuccess, "inForce"},
	model.Stored:         {kit.GlyphBox, kit.ColorMuted, "stored"},
	model.SwitchedOff:    {kit.GlyphOff, kit.ColorMuted, "switchedOff"},
	model.WrittenBack:    {kit.GlyphOK, kit.ColorMuted, "writtenBack"},
	model.StateRefused:   {kit.GlyphWarning, kit.ColorWarning, "refused"},
	model.StateFailed:    {kit.GlyphError, kit.ColorError, "failed"},
	model.StateCancelled: {kit.GlyphBar, kit.ColorMuted, "cancelled"},
	model.StateFound:     {kit.GlyphDiamond, kit.ColorAdded, "found"},
	model.StateRestored:  {kit.GlyphReset, kit.ColorMuted, "restored"},
}

// RecordStates says what records are, as seen from the history looked at.
type RecordStates interface {
	RecordState(*model.Record) model.State
	Under(*model.Record) (id string) // the record that took its summary in; "": none
}

// StateLook is the sign, colour and words of the state of a record.
func StateLook(d RecordStates, r *model.Record) (kit.Glyph, fyne.ThemeColorName, string) {
	state := d.RecordState(r)
	x := stateSigns[state]
	if under := d.Under(r); state == model.InForce && under != "" {
		return x.glyph, x.color, words.T("recordState.under", "record", under)
	}
	return x.glyph, x.color, words.T("recordState." + x.word)
}
