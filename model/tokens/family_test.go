package tokens

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestForModel(t *testing.T) {
	const (
		o      = "o200k_base"
		c      = "cl100k_base"
		claude = "o200k_base × 1.18 (Claude, factor)"
		later  = "o200k_base × 1.53 (Claude 4.7 and later, factor)"
		low    = "o200k_base × 1.10 (unknown model, low confidence)"
	)
	for model, want := range map[string]string{
		"gpt-4o": o, "gpt-4o-mini-2024-07-18": o, "openai/gpt-4o": o, "ft:gpt-4o-2024-08-06:acme::x": o, "chatgpt-4o-latest": o,
		"gpt-4.1-mini": o, "gpt-4.5-preview": o, "o1": o, "o1-mini": o, "o3": o, "o3-mini": o, "o4-mini": o,
		"gpt-5": o, "gpt-5-codex": o, "GPT-5.1-Codex-Max": o, "gpt-5.2": o, "codex-mini-latest": o, "openai.gpt-oss-120b-1:0": o, "gpt-oss:20b": o,
		"gpt-4": c, "gpt-4-0613": c, "gpt-4-turbo-2024-04-09": c, "gpt-3.5-turbo": c, "gpt-35-turbo-16k": c, "ft:gpt-3.5-turbo-0613:x": c,
		"claude-3-5-sonnet-20241022": claude, "claude-3-opus": claude, "claude-opus-4-20250514": claude, "claude-opus-4-1-20250805": claude,
		"claude-sonnet-4-5": claude, "anthropic/claude-sonnet-4.6": claude, "us.anthropic.claude-sonnet-4-5-20250929-v1:0": claude,
		"claude-opus-4@20250514": claude, "claude-2.1": claude, "opus": claude, "sonnet[1m]": claude, "claude-sonnet-4-5-20250929[1m]": claude,
		"claude-opus-4-7": later, "claude-opus-4.7": later, "claude-opus-4-8[1m]": later, "claude-sonnet-5": later, "anthropic/claude-opus-5.5": later, "claude-fable-5-1": later,
		"gemini-2.5-pro": "o200k_base × 1.10 (Gemini, factor)", "models/gemini-1.5-flash": "o200k_base × 1.10 (Gemini, factor)",
		"Qwen/Qwen3-Coder-480B": "o200k_base × 1.03 (Qwen, factor)", "deepseek-chat": "o200k_base × 1.05 (DeepSeek, factor)",
		"deepseek-r1-distill-qwen-32b": "o200k_base × 1.03 (Qwen, factor)",
		"z-ai/glm-4.6":                 "o200k_base × 1.03 (GLM, factor)",
		"":                             low, "<synthetic>": low, "llama-3.1-70b": low, "gpt-6": low, "o2": low, "gpt-4x": low, "kimi-k2": low, "opusculum": low,
	} {
		counter := ForModel(model)
		if got := counter.Name(); got != want {
			t.Errorf("%q: %s, want %s", model, got, want)
		}
		method := Estimated
		if want == o || want == c {
			method = Counted
		}
		if counter.Method() != method {
			t.Errorf("%q: %s, want %s", model, counter.Method(), method)
		}
	}
}

func TestCounter(t *testing.T) {
	const text = "The quick brown fox jumps over the lazy dog, again and again and again."
	raw := Count(O200k, text)
	if got := ForModel("gpt-5").Count(text); got != raw {
		t.Errorf("exact: %d, want %d", got, raw)
	}
	if got, want := ForModel("claude-sonnet-4-5").Count(text), int(math.Round(float64(raw)*1.18)); got != want {
		t.Errorf("Claude: %d, want %d", got, want)
	}
	if (Counter{}) == ForModel("") || (Counter{}).Name() != ForModel("").Name() || (Counter{}).Count(text) != ForModel("").Count(text) {
		t.Error("the zero value does not behave as ForModel(\"\")")
	}
	if got := ForModel("claude-sonnet-4-5").Count(""); got != 0 {
		t.Errorf("empty text: %d", got)
	}

	fitted := ForModel("claude-sonnet-4-5").WithFactor(1.25, "fitted to 37 calls")
	if got, want := fitted.Name(), "o200k_base × 1.25 (Claude, fitted to 37 calls)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if exact := ForModel("gpt-4").WithFactor(1, ""); exact.Method() != Estimated || exact.Encoding() != Cl100k {
		t.Errorf("a fitted factor makes an estimate, not %s", exact.Method())
	}
	for _, f := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if fitted.WithFactor(f, "x") != fitted {
			t.Errorf("factor %v was taken", f)
		}
	}
}

// TestScaleGrows: a text that holds another never counts less.
func TestScaleGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := ForModel("").WithFactor(rapid.Float64Range(0.01, 5).Draw(t, "factor"), "test")
		a := rapid.IntRange(0, 1e9).Draw(t, "a")
		b := a + rapid.IntRange(0, 1000).Draw(t, "more")
		if c.Scale(a) > c.Scale(b) || (c.Scale(a) == 0) != (a == 0) {
			t.Fatalf("%d gives %d, %d gives %d", a, c.Scale(a), b, c.Scale(b))
		}
	})
}

func TestWindow(t *testing.T) {
	for model, want := range map[string]int{
		"gpt-4o": 128_000, "gpt-4o-2024-11-20": 128_000, "gpt-4o-mini": 128_000, "openai/gpt-4.1-nano": 1_047_576, "gpt-4-0613": 8_192, "gpt-4-1106-preview": 128_000,
		"gpt-4-turbo": 128_000, "o1-preview": 128_000, "o1": 200_000, "o3": 200_000, "o4-mini-2025-04-16": 200_000,
		"gpt-5": 400_000, "gpt-5-2025-08-07": 400_000, "gpt-5-codex": 400_000, "gpt-5.1-codex-max": 400_000, "gpt-5-chat-latest": 128_000,
		"claude-3-5-sonnet-20241022": 200_000, "claude-opus-4-20250514": 200_000, "claude-opus-4-1": 200_000, "us.anthropic.claude-sonnet-4-5-20250929-v1:0": 200_000,
		"claude-haiku-4-5@20251001": 200_000, "claude-sonnet-4-5-20250929[1m]": 1_000_000, "opus[1m]": 1_000_000, "claude-opus-4-7": 1_000_000, "anthropic/claude-sonnet-5": 1_000_000,
		"gemini-1.5-pro-002": 2_097_152, "gemini-2.5-pro-preview-05-06": 1_048_576, "models/gemini-2.0-flash": 1_048_576,
		"gpt-5.4": 1_050_000, "gpt-5.6-sol": 1_050_000, "claude-opus-4-6": 1_000_000, "claude-sonnet-4-6": 1_000_000, "gpt-5.3-codex-spark": 128_000, "gpt-5.3-codex": 400_000, "anthropic/claude-opus-4.6:1m": 1_000_000, "claude-fable-5": 1_000_000,
		"claude-fable-5-1(1m)": 1_000_000, "kimi-k3": 1_048_576, "kimi-k2.6": 262_144, "deepseek-v4-flash": 1_000_000, "glm-5.2": 200_000, "gemini-3.5-pro": 1_048_576,
		// not known, or not without doubt
		"": 0, "<synthetic>": 0, "opus": 0, "gpt-4o-audio-preview": 0, "gpt-6": 0, "claude-opus-4-9": 0,
		"claude": 0, "llama3": 0, "gpt-3.5-turbo": 0, "gpt-4x": 0, "o3-deep-research": 0, "gemini-2.5-flash-image": 0, "deepseek-chat": 0,
	} {
		tokens, source, ok := Window(model)
		if tokens != want || ok != (want > 0) || (source != "") != ok {
			t.Errorf("%q: %d (%s), want %d", model, tokens, source, want)
		}
	}
	for _, w := range limits().Limits {
		for _, m := range w.Models {
			if tokens, source, ok := Window(strings.TrimSuffix(m, "*")); !ok || tokens != w.Tokens || source == "" {
				t.Errorf("%q is hidden by an entry before it, or has no source", m)
			}
		}
	}
}

func TestMedia(t *testing.T) {
	for _, c := range []struct {
		bytes  int
		mime   string
		pixels int
		want   int
	}{
		{0, "image/png", 0, 0},
		{-1, "image/png", 0, 0},
		{100, "image/png", 0, 1_500},
		{100, "image/png", 34 * 30, 255},
		{100, "image/png", 1092 * 1092, 1_589},
		{100, "image/png", 4000 * 3000, 1_600},
		{5_000_000, "IMAGE/JPEG", 0, 1_500},
		{640_000, "audio/wav", 0, 32 * 61},
		{1_000_000, "application/pdf", 0, 1_500 * 11},
		{10, "", 0, 1_500},
	} {
		if got := Media(c.bytes, c.mime, c.pixels); got != c.want {
			t.Errorf("%d bytes of %q: %d, want %d", c.bytes, c.mime, got, c.want)
		}
	}
}

// A limit that a person gave for a model counts before the table, for that model alone.
func TestOwnLimits(t *testing.T) {
	SetOwnLimits(map[string]int{"kimi-k9": 512_000, "gpt-4o": 64_000})
	defer SetOwnLimits(nil)
	for name, want := range map[string]int{"kimi-k9": 512_000, "gpt-4o": 64_000, "gpt-4o-mini": 128_000, "kimi-k8": 0} {
		n, source, ok := Window(name)
		if own := name == "kimi-k9" || name == "gpt-4o"; n != want || ok != (want > 0) || own != (source == OwnLimit) {
			t.Errorf("%s: %d by %q", name, n, source)
		}
	}
}
