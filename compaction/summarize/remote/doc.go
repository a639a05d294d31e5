// Package remote asks a model for text over an OpenAI-compatible endpoint. It
// is the one place of the program that talks to a network, and it does so only
// when [Client.Complete] or [Client.Probe] is called.
//
// Contract. A call ends: within the endpoint's timeout for one attempt, at once
// when its context is done, and never later than its last attempt. An answer is
// bounded ([maxAnswer]); a longer one is an error and not a cut text. What fails
// is a [*Failure] with a kind a program can act on and sentences a person can
// read; neither holds the key or the text that was sent. Nothing is tried again
// that would fail the same way, and a server's Retry-After is honoured.
//
// The package knows nothing of histories: prompts and the judgement of answers
// are made above it.
package remote
