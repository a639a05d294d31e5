package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
)

// settings is what the window remembers of itself: its look, its language and
// how its panes stand. It lies in the toolkit's preferences, which are there
// before the first frame; histories and records are the store's.
type settings struct{ p fyne.Preferences }

func (s settings) language() string     { return s.p.String("language") }
func (s settings) setLanguage(l string) { s.p.SetString("language", l) }

func (s settings) mode() kit.Mode {
	switch m := kit.Mode(s.p.String("theme")); m {
	case kit.Light, kit.Dark:
		return m
	}
	return kit.Auto
}
func (s settings) setMode(m kit.Mode) { s.p.SetString("theme", string(m)) }

func (s settings) scale() float32 {
	return min(kit.MaxScale, max(kit.MinScale, float32(s.p.FloatWithFallback("textScale", 1))))
}
func (s settings) setScale(v float32) { s.p.SetFloat("textScale", float64(v)) }

// size is that of the window; large enough for what it holds.
func (s settings) size() fyne.Size {
	w, h := s.p.FloatWithFallback("window.width", 1600), s.p.FloatWithFallback("window.height", 1000)
	return fyne.NewSize(float32(min(8000, max(900, w))), float32(min(8000, max(560, h))))
}
func (s settings) setSize(z fyne.Size) {
	s.p.SetFloat("window.width", float64(z.Width))
	s.p.SetFloat("window.height", float64(z.Height))
}

// splitAt is where a gap between panes stands.
func (s settings) splitAt(name string, fallback float32) float32 {
	return float32(s.p.FloatWithFallback("split."+name, float64(fallback)))
}
func (s settings) setSplitAt(name string, at float32) { s.p.SetFloat("split."+name, float64(at)) }

func (s settings) hidden(pane string) bool          { return s.p.Bool("hidden." + pane) }
func (s settings) setHidden(pane string, hide bool) { s.p.SetBool("hidden."+pane, hide) }

// following says whether open files are followed while they grow.
func (s settings) following() bool      { return s.p.BoolWithFallback("following", true) }
func (s settings) setFollowing(on bool) { s.p.SetBool("following", on) }

func (s settings) order() desk.Order {
	return desk.Order(min(len(desk.Orders)-1, max(0, s.p.Int("sessions.order"))))
}
func (s settings) setOrder(o desk.Order) { s.p.SetInt("sessions.order", int(o)) }

// welcomed reports whether the steps for a beginner were closed.
func (s settings) welcomed() bool { return s.p.Bool("welcomed") }
func (s settings) setWelcomed()   { s.p.SetBool("welcomed", true) }

// last is the path of the file looked at when the window was closed; "" for a
// sample.
func (s settings) last() string        { return s.p.String("last") }
func (s settings) setLast(path string) { s.p.SetString("last", path) }

// database is what a person chose in the place of the usual database: a path or
// the address of a server, never with a password; "" is the usual one.
func (s settings) database() string           { return s.p.String("database") }
func (s settings) setDatabase(address string) { s.p.SetString("database", address) }

// folder is where a dialog for files begins.
func (s settings) folder() string        { return s.p.String("folder") }
func (s settings) setFolder(path string) { s.p.SetString("folder", path) }
