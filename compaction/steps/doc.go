// Package steps is the step history for an agent that works in steps of
// analysis, execution and supervision: recent steps in full, earlier ones as
// short summaries, in batches.
//
// A [History] may be used by any number of goroutines. It holds no lock
// while a summary model or the archive works: appends go on, and one caller
// finishes the work for all. The clock, the model and the archive are handed
// in.
package steps
