// Package replay replays a history under a policy: it walks the history view as the
// agent did, checks the trigger before every model call, compacts when it fires,
// and notes what every call would have sent.
//
// [Run] returns one [Timeline]; [Sweep] runs a grid of two parameters over one or
// many histories. A history is prepared once ([compaction.NewHistory]) and shared
// by all of them; a replay then costs a plan a firing, and a timeline a few
// operations a call. Its definition, which takes a plan a call, is among the tests.
//
// # What a replay assumes
//
// The agent is assumed to have done what it did, whatever it was shown. The
// compactions that the file holds are left out: a call sends the history so far,
// compacted under this policy alone. Without a summariser a summary has the size
// that the plan estimates: a third of what it replaces, at most the budget.
//
// # Tokens
//
// A call sends the live list and the fixed part (the policy's Fixed). Token
// counts are those that the history was prepared with. If they are fitted to the
// file's own figures (usage = a · counted + F), they include a, F is the fixed part,
// and they can be compared with what the file reports.
//
// # The prompt cache
//
// A provider is assumed to read from its cache the longest beginning that a call
// has in common with the call before it, and to write the rest. Without a firing
// that beginning is the whole former request. A firing changes the list from the
// first entry that goes or is cleared: everything before it is still read,
// everything behind it is written. Resent is the part of that which is word for
// word as before, and would have been read without the compaction. What a pause of
// the agent lets expire is counted beside that; block sizes of real caches are left out.
// [Totals.CostAt] weighs all of it by a provider's rates.
//
// # Cost
//
// Pins, clearing, adaptive tiers and budgets in characters all use the same fast
// track. A firing costs its plan and the entries of the live list that the history
// can't share (see [compaction.Track]); calls that wait are skipped. A trigger that
// fires before every call while nothing can be compacted costs an attempt a call, a
// pin near the end of the history its messages up to there.
package replay
