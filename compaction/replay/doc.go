// Package replay lives a history again under a policy: it walks the history
// view as the agent did, checks the trigger before every model call, compacts
// when it fires, and tells what every call would have sent.
//
// [Run] gives one [Timeline]; [Sweep] runs a grid of two parameters over one or
// many histories. A history is prepared once ([compaction.NewHistory]) and
// shared by all of them; a replay then costs a plan a firing, and a timeline a
// few operations a call.
//
// # What a replay assumes
//
// The agent is taken to have done what it did, whatever it was shown. The
// compactions that the file holds are left out: the list a call sends is the
// history so far under this policy alone. Without a summariser a summary is
// taken for the size that the plan expects of it: a third of what it replaces,
// at most the budget.
//
// # Tokens
//
// A call sends the live list and the fixed part (the policy's Fixed). Token
// counts are those that the history was prepared with; with a fit to the file's
// own figures (usage = a · counted + F) they carry a, and F is the fixed part,
// so that they can be laid beside what the file reports.
//
// # The prompt cache
//
// A provider is taken to read from its cache the longest beginning that a call
// shares with the call before it, and to write the rest anew. Without a firing
// that beginning is the whole former request. A firing changes the list at its
// first entry that goes or is cleared: what stood there before is still read,
// everything behind is written. Resent is the part of it that stands there word
// for word as before, and would have been read but for the compaction. Prices,
// lifetimes and block sizes of real caches are left out.
//
// # Cost
//
// Nothing is left to a slower way: pins, clearing, adaptive tiers and budgets
// in characters all run on the same track. A firing costs its plan and those
// entries of the live list that the history does not go on like (see
// [compaction.Line]); calls that wait are passed over. A trigger that fires before
// every call while nothing can be compacted costs an attempt a call, a pin near
// the end of the history its messages up to there.
package replay
