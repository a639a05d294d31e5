// Package frame reports when the window is about to draw.
//
// Fyne's loop takes, each time, either one function that waits in fyne.Do or the
// next frame, and when both are due it chooses by chance. Where a frame takes
// longer than the sixtieth of a second between two of them, both always are due:
// a function then waits for one frame on average, and ten functions one behind
// the other for ten. What has to be in the next frame is therefore done before
// that is drawn.
package frame

import (
	"time"

	"fyne.io/fyne/v2"
)

// Before calls f on the goroutine of the window after each look for input,
// before anything is drawn: about sixty times a second, less often when frames
// take longer. f must be quick when there is nothing to do. It is called until
// the program ends.
func Before(f func()) {
	// An animation is what Fyne calls at that place. It draws nothing by itself.
	beat := fyne.NewAnimation(time.Hour, func(float32) { f() })
	beat.RepeatCount = fyne.AnimationRepeatForever
	beat.Start()
}
