// Package histories reads and writes what the history systems of this program
// keep: step records, agent state, history items.
package histories
