// Package toolconfig writes a policy as the configuration of another program
// that compacts, and reads such a configuration back into a policy.
//
//	policy ──say──▶ settings ──patch──▶ configuration file
//	   ▲                                        │
//	   └──────────────── read ◀─────────────────┘
//	   └─ compare: a parameter that comes back different is one the program can't do
//
// A configuration is patched, not rewritten: comments, order and everything else
// stay as they are. What a program can't do is found by reading back what was
// written and comparing parameter by parameter, so nothing is lost silently.
//
// The package is pure: it reads no file and no clock.
package toolconfig
