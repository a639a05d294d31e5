// Package compaction is the engine: what a policy would do to a live list of
// messages, and the list that results.
//
// It is pure. The same line and policy give the same plan; nothing here reads
// a file, a clock or the network or draws randomness. What it needs of the
// outside (token counts, summary texts, the time) is handed in.
//
// The way of a compaction: a [Line] is built once from a thread's live view; a
// [Plan] gives each entry of the line a fate and a reason; a summary text makes
// the plan a draft; [Plan.Apply] gives the live list that results. Plans are
// cheap enough to be made on every move of a slider.
package compaction
