//go:build !linux || android || ci

package graphics

import "fyne.io/fyne/v2"

// Load does nothing here.
func Load() {}

// Forget does nothing here.
func Forget(fyne.Window) {}
