// Package chart draws: curves, limits, marks and a cursor over axes. It knows
// no conversation and no compaction; numbers come in as values and go out
// through callbacks, and the functions that it is given put them into words.
//
// All of it runs on the UI goroutine. The curves are painted into one picture
// that is used again, reduced to what the columns of pixels can show, so that a
// frame costs the same for a hundred and for a hundred thousand points. Labels,
// cursor and pointer are canvas objects above that picture and don't draw it
// again.
package chart
