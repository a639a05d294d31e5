// Barelist is the least window that shows a history: Fyne's own list with 100,000
// rows. The start of Palimpsest is measured against it.
package main

import "palimpsest/gui/meter"

func main() { meter.ShowList() }
