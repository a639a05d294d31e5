// Package auto compacts the history of a running agent before its calls, as a
// policy says: by number of messages or by share of the context window.
//
// A [Compactor] may be used by any number of goroutines. It starts one for
// each question to a summary model, which lives until that model returns, and
// one for a summary made beside the agent's work. Its clock and its model are
// handed in.
package auto
