// Package agents is the screen of agents that call each other: tree, lanes, tasks, and one agent in detail.
package agents
