// Package find looks a thread through for the messages that meet a query. It reads
// no more of a source than it has to: the bytes are looked through for what every hit
// holds, and only messages that have it are decoded and matched.
//
//	messages ─pieces─▶ needle? ─Parts─▶ Matcher ─▶ Found
//	                   no: next message      no hit: next message
//
// A [Searcher] is made once for a thread and is immutable, so that any number of
// searches may run on it. What it finds is exact; a needle only saves work.
package find
