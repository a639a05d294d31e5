package gui

import (
	"fyne.io/fyne/v2"
)

// forgetful is preferences that remember nothing, so that every picture begins
// with the window as it is on the first day.
type forgetful struct{ fyne.Preferences }

// String is Fyne's.
func (*forgetful) String(string) string { return "" }

// SetString is Fyne's.
func (*forgetful) SetString(string, string) {}

// Bool is Fyne's.
func (*forgetful) Bool(string) bool { return false }

// SetBool is Fyne's.
func (*forgetful) SetBool(string, bool) {}

// Int is Fyne's.
func (*forgetful) Int(string) int { return 0 }

// SetInt is Fyne's.
func (*forgetful) SetInt(string, int) {}

// FloatWithFallback is Fyne's.
func (*forgetful) FloatWithFallback(_ string, v float64) float64 { return v }

// SetFloat is Fyne's.
func (*forgetful) SetFloat(string, float64) {}
