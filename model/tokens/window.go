package tokens

import "strings"

// Window returns the context window of a model in tokens, input and output
// together unless the source says else, and where the number is from. It knows
// what vendors' documentation states for a name without doubt; for any other
// name ok is false, and nothing is guessed. A window that the transcript reports
// is better: a tool may use less than the model has.
func Window(model string) (tokens int, source string, ok bool) {
	name := bareName(model)
	if strings.HasSuffix(name, "[1m]") && claudeName(name) != "" {
		return 1_000_000, "the suffix [1m] of Claude Code (code.claude.com/docs, model configuration, 2026-11)", true
	}
	if i := strings.Index(name, "claude"); i > 0 {
		name = name[i:]
	}
	for _, w := range windows {
		if rest, found := strings.CutPrefix(name, w.prefix); found && isStamp(rest) {
			return w.tokens, w.source, true
		}
	}
	return 0, "", false
}

// isStamp reports whether what follows a model's name only dates or numbers a
// release of the same model: "-20241022-v2:0", "@20250929", "-latest", ":free".
func isStamp(rest string) bool {
	if rest == "" {
		return true
	}
	if !strings.ContainsRune("-@:_", rune(rest[0])) {
		return false
	}
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("-@:_", r) }) {
		switch word {
		case "latest", "preview", "exp", "experimental", "free", "v1", "v2":
			continue
		}
		if strings.Trim(word, "0123456789") != "" {
			return false
		}
		if len(word) < 2 && !strings.Contains(rest, ":"+word) { // "-4-1" is another model than "-4"
			return false
		}
	}
	return true
}

const (
	openAIDocs    = "OpenAI, platform.openai.com/docs/models, 2026-01"
	anthropicDocs = "Anthropic, platform.claude.com/docs models overview, 2026-11"
	googleDocs    = "Google, ai.google.dev/gemini-api/docs/models, 2025-12; input only"
)

// windows is searched by prefix, in order; what follows the prefix may only be
// a stamp. Left out on purpose: Claude Opus 4.6 and Sonnet 4.6 (200,000 at
// their release, 1,000,000 later: the name does not say), GPT-5.3 and later
// (the same models have 272,000, 400,000 or a million by product), and open
// models, whose window the server sets.
var windows = []struct {
	prefix string
	tokens int
	source string
}{
	{"gpt-4o", 128_000, openAIDocs},
	{"gpt-4o-mini", 128_000, openAIDocs},
	{"chatgpt-4o", 128_000, openAIDocs},
	{"gpt-4.1", 1_047_576, openAIDocs},
	{"gpt-4.1-mini", 1_047_576, openAIDocs},
	{"gpt-4.1-nano", 1_047_576, openAIDocs},
	{"gpt-4.5", 128_000, openAIDocs},
	{"gpt-4-turbo", 128_000, openAIDocs},
	{"gpt-4-1106", 128_000, openAIDocs},
	{"gpt-4-0125", 128_000, openAIDocs},
	{"gpt-4-32k", 32_768, openAIDocs},
	{"gpt-4-0314", 8_192, openAIDocs},
	{"gpt-4-0613", 8_192, openAIDocs},
	{"gpt-4", 8_192, openAIDocs},
	{"gpt-3.5-turbo-1106", 16_385, openAIDocs},
	{"gpt-3.5-turbo-0125", 16_385, openAIDocs},
	{"gpt-3.5-turbo-16k", 16_385, openAIDocs},
	{"o1-preview", 128_000, openAIDocs},
	{"o1", 200_000, openAIDocs},
	{"o1-pro", 200_000, openAIDocs},
	{"o1-mini", 128_000, openAIDocs},
	{"o3", 200_000, openAIDocs},
	{"o3-mini", 200_000, openAIDocs},
	{"o3-pro", 200_000, openAIDocs},
	{"o4-mini", 200_000, openAIDocs},
	{"codex-mini", 200_000, openAIDocs},
	{"gpt-5", 400_000, openAIDocs},
	{"gpt-5-mini", 400_000, openAIDocs},
	{"gpt-5-nano", 400_000, openAIDocs},
	{"gpt-5-pro", 400_000, openAIDocs},
	{"gpt-5-codex", 400_000, openAIDocs},
	{"gpt-5-chat", 128_000, openAIDocs},
	{"gpt-5.1", 400_000, openAIDocs},
	{"gpt-5.1-codex", 400_000, openAIDocs},
	{"gpt-5.1-codex-mini", 400_000, openAIDocs},
	{"gpt-5.1-codex-max", 400_000, openAIDocs},
	{"gpt-5.1-chat", 128_000, openAIDocs},
	{"gpt-5.2", 400_000, openAIDocs},
	{"gpt-5.2-pro", 400_000, openAIDocs},
	{"gpt-5.2-codex", 400_000, openAIDocs},
	{"gpt-5.2-chat", 128_000, openAIDocs},
	{"claude-2.0", 100_000, anthropicDocs},
	{"claude-2.1", 200_000, anthropicDocs},
	{"claude-instant-1.2", 100_000, anthropicDocs},
	{"claude-3-opus", 200_000, anthropicDocs},
	{"claude-3-sonnet", 200_000, anthropicDocs},
	{"claude-3-haiku", 200_000, anthropicDocs},
	{"claude-3-5-sonnet", 200_000, anthropicDocs},
	{"claude-3.5-sonnet", 200_000, anthropicDocs},
	{"claude-3-5-haiku", 200_000, anthropicDocs},
	{"claude-3.5-haiku", 200_000, anthropicDocs},
	{"claude-3-7-sonnet", 200_000, anthropicDocs},
	{"claude-3.7-sonnet", 200_000, anthropicDocs},
	{"claude-sonnet-4", 200_000, anthropicDocs},
	{"claude-sonnet-4-0", 200_000, anthropicDocs},
	{"claude-opus-4", 200_000, anthropicDocs},
	{"claude-opus-4-0", 200_000, anthropicDocs},
	{"claude-opus-4-1", 200_000, anthropicDocs},
	{"claude-opus-4.1", 200_000, anthropicDocs},
	{"claude-sonnet-4-5", 200_000, anthropicDocs},
	{"claude-sonnet-4.5", 200_000, anthropicDocs},
	{"claude-haiku-4-5", 200_000, anthropicDocs},
	{"claude-haiku-4.5", 200_000, anthropicDocs},
	{"claude-opus-4-5", 200_000, anthropicDocs},
	{"claude-opus-4.5", 200_000, anthropicDocs},
	{"claude-opus-4-7", 1_000_000, anthropicDocs},
	{"claude-opus-4.7", 1_000_000, anthropicDocs},
	{"claude-opus-4-8", 1_000_000, anthropicDocs},
	{"claude-opus-4.8", 1_000_000, anthropicDocs},
	{"claude-opus-5", 1_000_000, anthropicDocs},
	{"claude-opus-5-5", 1_000_000, anthropicDocs},
	{"claude-opus-5.5", 1_000_000, anthropicDocs},
	{"claude-sonnet-5", 1_000_000, anthropicDocs},
	{"claude-sonnet-5-5", 1_000_000, anthropicDocs},
	{"claude-sonnet-5.5", 1_000_000, anthropicDocs},
	{"claude-fable-5-1", 1_000_000, anthropicDocs},
	{"claude-fable-5.1", 1_000_000, anthropicDocs},
	{"gemini-1.5-pro", 2_097_152, googleDocs},
	{"gemini-1.5-flash", 1_048_576, googleDocs},
	{"gemini-2.0-flash", 1_048_576, googleDocs},
	{"gemini-2.0-flash-lite", 1_048_576, googleDocs},
	{"gemini-2.5-pro", 1_048_576, googleDocs},
	{"gemini-2.5-flash", 1_048_576, googleDocs},
	{"gemini-2.5-flash-lite", 1_048_576, googleDocs},
	{"gemini-3-pro", 1_048_576, googleDocs},
}
