// Package tokens counts tokens: exactly for the models whose vocabulary is
// public, by a stated factor for the others. It never touches the network and
// never makes the tokens themselves.
//
// [Count] is the exact part: byte-pair encoding with the vocabularies
// o200k_base and cl100k_base of openai/tiktoken. Text is ordinary text: what
// looks like a special token ("<|endoftext|>") is counted as it is spelled. A
// byte that is not valid UTF-8 counts as a symbol of one byte. [ForModel] says how the numbers of one model are made,
// and [Counter.Name] and [Counter.Method] say it to a person. [Window] gives
// the context window of the models of which it is known.
//
// Everything may be used by any number of goroutines at once. The first count
// with an encoding loads it, which takes some ten milliseconds, and a first long text
// as much again.
// A count takes time in proportion to the length of the text, however long a
// run without a break is, and allocates nothing once warm.
package tokens

//go:generate ../../scripts/lab.sh vocabulary
