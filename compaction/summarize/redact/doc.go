// Package redact finds what must not leave the machine in a text that is about
// to: secrets by the rules of gitleaks, e-mail addresses, and the names of home
// folders. It is pure and draws no network.
//
// Contract. [Scan] only finds; what is replaced is the caller's choice, so that
// a person can review the list first. [Redactor.Replace] replaces findings by a
// placeholder that holds no quote, backslash or line break: a JSON string stays
// one. The same secret gets the same placeholder in one [Redactor], so that a
// reader can still follow which is which. Strings the caller names as
// identifiers (message ids, call ids) are never findings. [Sieve] hides over a
// run of texts or a whole JSON document and lists what it found. The rules are code
// handed in by a file: if they can't be read, [New] fails and nothing may be
// sent.
//
// A scan finds known shapes. It is a net with holes, and no promise.
package redact
