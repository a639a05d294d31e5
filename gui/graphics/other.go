//go:build !linux || android || ci

package graphics

import "fyne.io/fyne/v2"

// Begun reports false: nothing is loaded ahead here.
func Begun() bool { return false }

// Load does nothing here.
func Load() {}

// Forget does nothing here.
func Forget(fyne.Window) {}
