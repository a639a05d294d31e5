package gui

import "palimpsest/model/store"

// Options say with what the window begins.
type Options struct {
	// Files are opened at the start; none opens the first sample.
	Files []string
	// Store keeps records, presets, recent files and settings; nil keeps
	// records in memory only. The window does not close it.
	Store *store.Store
	// StoreErr is why there is no store; it is said in a banner.
	StoreErr error
	// Language is one of words.Languages; "" is the one chosen before, else
	// the system's.
	Language string
	// Version is shown in the window about the program.
	Version string
}
