// Package google reads and writes Gemini contents, Gemini CLI sessions and ADK
// sessions.
package google
