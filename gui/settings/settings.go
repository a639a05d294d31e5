// Package settings is what the window remembers of itself between two runs.
package settings

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
)

// Settings is the window's look, its language and the places of its panes. They
// are kept in the toolkit's preferences, which are there before the first frame;
// histories and records are the store's.
type Settings struct{ P fyne.Preferences }

// New returns the settings that are kept in p.
func New(p fyne.Preferences) Settings { return Settings{P: p} }

func (s Settings) Language() string     { return s.P.String("language") }
func (s Settings) SetLanguage(l string) { s.P.SetString("language", l) }

func (s Settings) Mode() kit.Mode {
	if m := kit.Mode(s.P.String("theme")); slices.Contains(kit.Modes, m) {
		return m
	}
	return kit.Auto
}
func (s Settings) SetMode(m kit.Mode) { s.P.SetString("theme", string(m)) }

func (s Settings) Scale() float32 {
	return min(kit.MaxScale, max(kit.MinScale, float32(s.P.FloatWithFallback("textScale", 1))))
}
func (s Settings) SetScale(v float32) { s.P.SetFloat("textScale", float64(v)) }

// Density is how much room rows of lists have.
func (s Settings) Density() kit.Density {
	if s.P.String("density") == string(kit.Comfortable) {
		return kit.Comfortable
	}
	return kit.Compact
}
func (s Settings) SetDensity(d kit.Density) { s.P.SetString("density", string(d)) }

// Look is how the window is drawn.
func (s Settings) Look() kit.Look {
	return kit.Look{Mode: s.Mode(), Scale: s.Scale(), Density: s.Density()}
}

// Size is that of the window; large enough for what it holds.
func (s Settings) Size() fyne.Size {
	w, h := s.P.FloatWithFallback("window.width", 1600), s.P.FloatWithFallback("window.height", 1000)
	return fyne.NewSize(float32(min(8000, max(900, w))), float32(min(8000, max(560, h))))
}
func (s Settings) SetSize(z fyne.Size) {
	s.P.SetFloat("window.width", float64(z.Width))
	s.P.SetFloat("window.height", float64(z.Height))
}

// SplitAt is where a gap between panes is.
func (s Settings) SplitAt(name string, fallback float32) float32 {
	return float32(s.P.FloatWithFallback("split."+name, float64(fallback)))
}
func (s Settings) SetSplitAt(name string, at float32) { s.P.SetFloat("split."+name, float64(at)) }

// Hidden reports whether a pane is hidden; the history and what is known of a message are
// until a person shows them.
func (s Settings) Hidden(pane string) bool { return s.P.Bool("hidden."+pane) != optional(pane) }

func optional(pane string) bool { return pane == "history" || pane == "about" || pane == "columns" }

// SetHidden hides a pane or shows it.
func (s Settings) SetHidden(pane string, hide bool) {
	s.P.SetBool("hidden."+pane, hide != optional(pane))
}

// Columns is what a person made of the columns of a table, as JSON; "": nothing.
func (s Settings) Columns(table string) string     { return s.P.String("columns." + table) }
func (s Settings) SetColumns(table, layout string) { s.P.SetString("columns."+table, layout) }

// Flat reports whether the rows of a table are not grouped.
func (s Settings) Flat(table string) bool          { return s.P.Bool("flat." + table) }
func (s Settings) SetFlat(table string, flat bool) { s.P.SetBool("flat."+table, flat) }

// Reading is how the texts of messages are shown, see show.Reading, whether with
// the numbers of their lines, and whether edits are side by side.
func (s Settings) Reading() (how int, numbers, sides bool) {
	return min(2, max(0, s.P.Int("reading"))), s.P.Bool("reading.numbers"), s.P.Bool("reading.sides")
}
func (s Settings) SetReading(how int, numbers, sides bool) {
	s.P.SetInt("reading", how)
	s.P.SetBool("reading.numbers", numbers)
	s.P.SetBool("reading.sides", sides)
}

// Following says whether open files are followed while they grow.
func (s Settings) Following() bool      { return s.P.BoolWithFallback("following", true) }
func (s Settings) SetFollowing(on bool) { s.P.SetBool("following", on) }

func (s Settings) Order() desk.Order {
	o := desk.Order(max(0, s.P.Int("sessions.order")))
	return min(o&^desk.Reversed, desk.Order(len(desk.Orders)-1)) | o&desk.Reversed
}
func (s Settings) SetOrder(o desk.Order) { s.P.SetInt("sessions.order", int(o)) }

// Grouping is what the groups of the list of sessions have in common.
func (s Settings) Grouping() desk.Grouping {
	return desk.Grouping(min(len(desk.Groupings)-1, max(0, s.P.Int("sessions.grouping"))))
}
func (s Settings) SetGrouping(g desk.Grouping) { s.P.SetInt("sessions.grouping", int(g)) }

// LastMessage is the message that was selected when the window was closed, from 1; 0:
// none.
func (s Settings) LastMessage() int     { return s.P.Int("last.message") }
func (s Settings) SetLastMessage(n int) { s.P.SetInt("last.message", n) }

// LastSheet is the screen that was open when the window was closed; "" for the
// workbench.
func (s Settings) LastSheet() string        { return s.P.String("last.sheet") }
func (s Settings) SetLastSheet(name string) { s.P.SetString("last.sheet", name) }

// Welcomed reports whether the steps for a beginner were closed.

// Last is the path of the file looked at when the window was closed; "" for a
// sample.
func (s Settings) Last() string        { return s.P.String("last") }
func (s Settings) SetLast(path string) { s.P.SetString("last", path) }

// Database is what a person chose in the place of the usual database: a path or
// the address of a server, never with a password; "" is the usual one.
func (s Settings) Database() string           { return s.P.String("database") }
func (s Settings) SetDatabase(address string) { s.P.SetString("database", address) }

// Folder is where a dialog for files begins.
func (s Settings) Folder() string { return s.P.String("folder") }
func (s Settings) SetFolder(path string) {
	s.P.SetString("folder", path)
	const most = 8
	list := slices.DeleteFunc(s.Folders(), func(f string) bool { return f == path })
	list = append([]string{path}, list...)
	s.P.SetStringList("folders", list[:min(most, len(list))])
}

// Folders are those where a dialog for files ended before, newest first.
func (s Settings) Folders() []string { return slices.Clone(s.P.StringList("folders")) }
