// Package find looks a thread through for the messages that meet a query. It reads
// no more of a source than it has to: the bytes are looked through for what every hit
// holds, and only messages that have it are decoded and matched.
//
//	source ─chunks─▶ needle? ─piece─▶ message ─Parts─▶ Matcher ─▶ Found
//	                  no: next chunk            no hit: next place in the source
//
// A [Searcher] is made once for a thread and is immutable, so that any number of
// searches may run on it. What it finds is exact; a needle only saves work.
package find
