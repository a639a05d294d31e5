// Package drafts is the drafts of the plan: the one on the screen, others beside it, and
// what is known of them.
package drafts
