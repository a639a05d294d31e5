// Package compaction is the engine: what a policy would do to a live list of
// messages, and the list that results.
//
// It is pure. The same line and policy give the same plan; nothing here reads a
// file, a clock or the network, or draws random numbers. Token counts, summary
// texts and the time are handed in.
//
//	Thread ── NewLine ──> Line ── Plan ──> Plan ── summary ──> Draft ── Apply ──> live list
//	                              └ Policy: Gauges say when it fires
//
// A [Line] is built once from a thread's live view; a [Plan] gives each entry of
// the line a fate and a reason; a summary text makes the plan a [Draft];
// [Plan.Apply] returns the live list that results. Plans are cheap enough to be
// made on every move of a slider. A [Track] does the same along a whole history,
// for replays.
package compaction
