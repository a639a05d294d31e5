package tokens

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Method says where a number of tokens comes from.
type Method uint8

const (
	Reported  Method = iota // by the provider, in the file
	Counted                 // with the model's own vocabulary
	Estimated               // with another vocabulary and a factor
)

var methodNames = [...]string{"reported", "counted", "estimated"}

func (m Method) String() string { return methodNames[m] }

// Counter says how the numbers for one family of models are made. It is a small
// value that may be compared and copied; the zero value is ForModel("").
type Counter struct {
	encoding Encoding
	factor   float64
	family   string
	why      string // "" when the count is exact
}

// ForModel returns the counter for a model's name as a transcript spells it, a
// provider's path before it ("openai/gpt-4o", "us.anthropic.claude-…")
// included. A name that is not known, or empty, gives an estimate of low
// confidence.
//
// OpenAI's models are counted exactly: the table is that of openai/tiktoken
// 0.14 (tiktoken/model.py; gpt-oss's own encoding differs in special tokens only).
// The factors of the others are true tokens per token of o200k_base:
//
//   - Claude before Opus 4.7: 1.18; later versions: 1.53. sammcj/ingest PR 65,
//     measured against the provider's counts; Anthropic's documentation says of
//     the newer tokenizer "about 30 % more", and 1.18 × 1.30 = 1.53. Read 2026-11.
//   - Gemini, Gemma: 1.10. Measured with the Gemma 3 vocabulary, 2026-11: English
//     1.07, code 1.16, JSON 1.13, Chinese and Japanese 0.96.
//   - Qwen: 1.03, DeepSeek: 1.05. Measured with their own vocabularies (Qwen 2.5,
//     DeepSeek V3), 2026-11: between 0.93 (Chinese) and 1.07 (code).
//   - GLM: 1.03. coder/ai-tokenizer finds o200k × 1.0 to be 94–97 % right for
//     GLM 4.5. Read 2026-11.
//   - Anything else: 1.10, between the families above.
//
// A factor does not depend on the text, so that a part of a text never counts
// more than the whole.
func ForModel(model string) Counter {
	name := bareName(model)
	for _, m := range exact {
		if hasModelPrefix(name, m.prefix) {
			return Counter{m.encoding, 1, m.family, ""}
		}
	}
	if claudeName(name) != "" {
		if claudeAtLeast(name, 4, 7) {
			return newClaude
		}
		return claude
	}
	for _, f := range factors {
		if strings.Contains(name, f.word) {
			return Counter{O200k, f.factor, f.family, Usual}
		}
	}
	return unknown
}

// The two vocabularies of Claude, and the counter for every model that is not known.
var (
	claude    = Counter{O200k, 1.18, "Claude", Usual}
	newClaude = Counter{O200k, 1.53, LaterClaude, Usual}
	unknown   = Counter{O200k, 1.10, UnknownFamily, LowConfidence}
)

var exact = []struct {
	prefix   string
	encoding Encoding
	family   string
}{
	{"gpt-4o", O200k, "OpenAI"},
	{"chatgpt-4o", O200k, "OpenAI"},
	{"gpt-4.1", O200k, "OpenAI"},
	{"gpt-4.5", O200k, "OpenAI"},
	{"gpt-5", O200k, "OpenAI"},
	{"gpt-5.", O200k, "OpenAI"},
	{"gpt-oss", O200k, "OpenAI"},
	{"o1", O200k, "OpenAI"},
	{"o3", O200k, "OpenAI"},
	{"o4-mini", O200k, "OpenAI"},
	{"codex-mini", O200k, "OpenAI"},
	{"gpt-4", Cl100k, "OpenAI"},
	{"gpt-3.5", Cl100k, "OpenAI"},
	{"gpt-35", Cl100k, "OpenAI"}, // as Azure spells it
}

var factors = []struct {
	word   string
	factor float64
	family string
}{
	{"gemini", 1.10, "Gemini"},
	{"gemma", 1.10, "Gemma"},
	{"qwen", 1.03, "Qwen"}, // before DeepSeek: its distilled models keep the vocabulary they had
	{"deepseek", 1.05, "DeepSeek"},
	{"qwq", 1.03, "Qwen"},
	{"glm-", 1.03, "GLM"},
}

// WithFactor replaces the factor by one that was fitted to usage the provider
// reported; source says so in a few words ("fitted to 37 calls"). A factor that
// is not a positive number leaves the counter as it is.
func (c Counter) WithFactor(factor float64, source string) Counter {
	c = c.orUnknown()
	if !(factor > 0) || math.IsInf(factor, 1) {
		return c
	}
	c.factor, c.why = factor, source
	if source == "" {
		c.why = "set"
	}
	return c
}

// Count is the number of tokens of the text.
func (c Counter) Count(text string) int {
	c = c.orUnknown()
	return c.Scale(Count(c.encoding, text))
}

// Scale turns a count made with c.Encoding into the counter's number, so that
// counts can be kept and only the factor changes. It is never 0 for a text that
// is not empty, and grows with n.
func (c Counter) Scale(n int) int {
	c = c.orUnknown()
	if c.factor == 1 || n <= 0 {
		return n
	}
	return max(1, int(math.Round(float64(n)*c.factor)))
}

// Encoding is the vocabulary the counter counts with.
func (c Counter) Encoding() Encoding { return c.orUnknown().encoding }

// Factor is what a count with the encoding is multiplied by; 1 if it is exact.
func (c Counter) Factor() float64 { return c.orUnknown().factor }

// Method distinguishes a count from an estimate.
func (c Counter) Method() Method {
	if c.orUnknown().why == "" {
		return Counted
	}
	return Estimated
}

// Why says where the factor is from, as [Usual]; "" if the count is exact.
func (c Counter) Why() string { return c.orUnknown().why }

// Family is the family of models that the factor belongs to.
func (c Counter) Family() string { return c.orUnknown().family }

// Name says how the numbers are made: "o200k_base", or
// "o200k_base × 1.18 (Claude, factor)".
func (c Counter) Name() string {
	c = c.orUnknown()
	if c.why == "" {
		return string(c.encoding)
	}
	return fmt.Sprintf("%s × %.2f (%s, %s)", c.encoding, c.factor, c.family, c.why)
}

func (c Counter) orUnknown() Counter {
	if c.encoding == "" {
		return unknown
	}
	return c
}

// bareName is the name in small letters without what providers put before it.
func bareName(model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimPrefix(name, "ft:")
	return strings.TrimPrefix(name, "openai.")
}

// hasModelPrefix reports whether a name begins with a prefix and is not another model
// ("gpt-4" fits "gpt-4-0613", not "gpt-4o"): the prefix ends with the name
// or before a separator, or is itself open ("gpt-5.").
func hasModelPrefix(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	return rest == "" || strings.HasSuffix(prefix, ".") || strings.ContainsRune("-:@_[", rune(rest[0]))
}

// claudeName is the name from "claude" on: "us.anthropic.claude-opus-4-1" has
// a region before it. The short names of Claude Code are its own.
func claudeName(name string) string {
	if i := strings.Index(name, "claude"); i >= 0 {
		return name[i:]
	}
	switch short, _, _ := strings.Cut(name, "["); short {
	case "opus", "sonnet", "haiku", "opusplan":
		return "claude-" + name
	}
	return ""
}

// claudeAtLeast reads the version out of names of both orders,
// "claude-3-5-sonnet-20241022" and "claude-opus-4-1"; without one it is false.
func claudeAtLeast(name string, major, minor int) bool {
	got, n := [2]int{}, 0
	for _, word := range strings.FieldsFunc(claudeName(name), func(r rune) bool { return strings.ContainsRune("-.@_:[]", r) }) {
		v, err := strconv.Atoi(word)
		if err == nil && len(word) <= 2 {
			got[n] = v
			if n++; n == len(got) {
				break
			}
		} else if n > 0 {
			break // a date, or the family's name after the version
		}
	}
	return n > 0 && (got[0] > major || got[0] == major && got[1] >= minor)
}
