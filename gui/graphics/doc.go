// Package graphics sees to the driver that draws the window: that it is loaded ahead, and
// gives memory back.
//
// Where graphics are computed the driver brings a compiler along, and to load and bind it
// takes a seventh of the time until the first frame. The toolkit asks for it when it shows the
// window; until then panes are made, beside which it can be loaded.
package graphics
