// Package frameworks reads and writes the messages of agent frameworks:
// LangChain, Vercel AI SDK, OpenTelemetry GenAI.
package frameworks
