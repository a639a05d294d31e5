// Package openai reads and writes the formats around OpenAI's APIs: Chat,
// Responses, Codex rollouts, ChatGPT exports, ShareGPT.
package openai
