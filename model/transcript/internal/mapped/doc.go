// Package mapped reads formats that are data: a file of rules in maps says how a
// format is recognised, where its conversations and messages are, and what the parts
// of a message are. docs/formats.md describes such a file.
//
//	source ─▶ talks ─▶ list ─▶ each element: rules ─▶ messages ─▶ parts
//	                             │                       └ a result is a message of its own
//	                             └ a turn: rules for what is in it
package mapped
