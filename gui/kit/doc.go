// Package kit is the set of widgets that the screens are built of, in the look
// of this program: small, calm, one accent colour.
//
// Widgets show values and report what a person did through callbacks; they never
// compute, touch files or start work. A setter never calls back; only a person
// does. All of it runs on the UI goroutine, except [Clean] and
// [ParseNumber], which any may call. Colours and sizes are read from the theme
// whenever a widget is refreshed, so that [Use] changes theme and text size of
// a running window.
//
// Widgets:
//
//	Text, Label, Caption      a line of text; Fit, Bold, Mono, Right, Center
//	Fill, NewRule             a plain area; a line one unit thick
//	Sign, Badge               a small drawn sign; the badge of a fate
//	Button, IconButton, Link  what can be pressed; NewReset, NewMenuLink
//	PressRow                  a line of objects that can be pressed as one
//	Segments, Check, NewRadio a choice of one; a box to tick
//	Slider, NumberField       a number by dragging, by typing
//	Select, TextField         a choice of many; NewFilter, NewSecret
//	Tag, Bar, StackBar        a short label; a share; shares on a common scale
//	Pane, Split, Host         a framed region; two with a gap to drag; the root
//	MenuStrip, StatusBar      the lines at the top and the bottom of a window
//	ShowMenu, Dialog, Ask     pop-up menu; framed question
//	Banner, Notice, Host.Toast a row, a block, a floating line that says what happened
//	Ledger, List              the list of messages; a list of rows of one's own
//	Columns, Form             a list that is a table, with its header; the rows of a dialog
//
// Layout: Row and Column with Spring and Stretch, Pad, Sized; Panes, Margin and
// Split paint the background between panes. Lengths handed to
// the kit are units of the design (text is 13); the kit scales them by [Px].
//
// A window is put together like this:
//
//	host := kit.NewHost(kit.Column(0, menu, kit.Stretch(kit.Margin(6, 6, 6, 6, panes)), status))
//	window.SetPadded(false)
//	window.SetContent(host)
//
// Keys that a focused widget has no use for reach the handlers of the window's
// canvas (SetOnTypedKey, SetOnTypedRune), so that single letters work as
// shortcuts unless a text is being typed. That handler asks [OverlayKey] first.
//
// Three rules keep Fyne fast here. No large rectangle with round corners, and
// none where the window is cleared to its colour: each pixel is computed again in
// every frame. No ThemeOverride: each one loads all fonts
// again. No text to a widget that was not cleaned (the kit's own widgets do
// it): a character that no font has makes every later drawing slower.
//
// The program in the folder gallery shows all of it.
package kit
