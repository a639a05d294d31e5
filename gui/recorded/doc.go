// Package recorded is the screen that shows what the compactions that a file holds kept
// of what the agent went on to use, beside what a ledger of the same size would have.
package recorded
