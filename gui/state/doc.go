// Package state is what the subjects of a window share: background work, the store and
// the topics that panes listen to. Each subject has a package of its own below. They
// reach each other through small interfaces that each declares for itself.
package state
