// Package anthropic reads and writes the formats around Anthropic's Messages:
// Messages, Claude Code, claude.ai exports, Cline.
package anthropic
