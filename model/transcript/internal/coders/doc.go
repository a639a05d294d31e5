// Package coders reads and writes the formats of coding agents that are tied to
// no single provider: SWE-agent, mini-swe-agent, OpenHands, opencode, pi,
// Copilot CLI.
package coders
