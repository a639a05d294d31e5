// Package frameworks reads and writes the messages of agent frameworks:
// LangChain and Vercel AI SDK.
package frameworks
