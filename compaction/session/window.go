package session

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Window is a context window and the evidence for it. The first that speaks counts:
//
//	set by a person > reported in the file > the largest reported call, where that is
//	above the table > the table of models > unknown
type Window struct {
	Tokens int // 0: unknown
	From   WindowSource
	// Largest is the largest reported call, in tokens; 0: none is reported.
	Largest int64
	// Table is where the number of the table is from, with its date; "" where the
	// model is not in it.
	Table string
}

// WindowSource is the evidence for a context window.
type WindowSource string

// The evidence.
const (
	WindowUnknown WindowSource = "unknown"
	WindowSet     WindowSource = "set"   // by a person
	WindowOfFile  WindowSource = "file"  // reported in it
	WindowOfCalls WindowSource = "calls" // the largest reported call fits in no smaller one
	WindowOfTable WindowSource = "table" // of models
)

// Why says in a few English words where the number is from.
func (w Window) Why() string {
	switch w.From {
	case WindowSet:
		return "set by hand"
	case WindowOfFile:
		return "reported in the file"
	case WindowOfCalls:
		return fmt.Sprintf("from the file: its largest call has %d tokens", w.Largest)
	case WindowOfTable:
		return "table of models: " + w.Table
	}
	return "the model is not in the table, and the file does not say"
}

// windowOf weighs the evidence of a thread.
func windowOf(c *model.Conversation, modelName string, calls []call) Window {
	w := Window{From: WindowUnknown}
	for _, x := range calls {
		w.Largest = max(w.Largest, x.reported)
	}
	table, source, known := tokens.Window(modelName)
	if known {
		w.Table = source
	}
	room, only, fits := tokens.WindowFor(modelName, w.Largest)
	switch {
	case c.Window > 0:
		w.Tokens, w.From = c.Window, WindowOfFile
	case fits && known && w.Largest > int64(table), fits && !known && only && w.Largest > 0:
		w.Tokens, w.From = room, WindowOfCalls
	case known:
		w.Tokens, w.From = table, WindowOfTable
	}
	return w
}

// Window is the context window that the file or the table of models gives.
func (t *CountedThread) Window() Window { return t.window }

// WindowUnder is the context window that a policy is planned with.
func (t *CountedThread) WindowUnder(p model.Policy) Window {
	w := t.window
	if p.Window != w.Tokens {
		w.Tokens, w.From = p.Window, WindowSet
		if p.Window == 0 {
			w.From = WindowUnknown
		}
	}
	return w
}

// SuggestedWindow is the context window that automatic compactions of the file speak
// for, and the size at which the largest of them began: 167,600 tokens speak for
// 200,000. ok is false where there are none, or where they say what is known.
func (t *CountedThread) SuggestedWindow() (window int, at int64, ok bool) {
	for _, f := range t.thread.Found {
		if f.Cause == "auto" && f.Before != nil && !f.Clearing {
			at = max(at, int64(*f.Before))
		}
	}
	window, _, fits := tokens.WindowFor(t.Model(), max(at, t.window.Largest))
	return window, at, at > 0 && fits && window != t.window.Tokens
}
