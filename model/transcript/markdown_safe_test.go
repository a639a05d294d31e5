package transcript

import (
	"strings"
	"testing"
)

func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"<script>alert(1)</script>":                   "&lt;script>alert(1)&lt;/script>",
		"<img src=x onerror=alert(1)>":                "&lt;img src=x onerror=alert(1)>",
		"[x](javascript:alert(1))":                    `[x]\(javascript:alert(1))`,
		"[x]( JavaScript:alert(1))":                   `[x]\( JavaScript:alert(1))`,
		"[x](&#106;avascript&colon;alert(1))":         `[x]\(&#106;avascript&colon;alert(1))`,
		"[x](java\\script:alert(1))":                  `[x]\(java\script:alert(1))`,
		"[x](data:text/html,1)":                       `[x]\(data:text/html,1)`,
		"[x]: vbscript:f":                             `\[x]: vbscript:f`,
		"![p](https://evil/p.png) ![q][r]":            `\![p](https://evil/p.png) \![q][r]`,
		"[a](https://h/x) [b](docs/a.md#c) [c](#top)": "[a](https://h/x) [b](docs/a.md#c) [c](#top)",
		"if `a < b` and ``x`<i>``":                    "if `a < b` and ``x`<i>``",
		"open ` <b> ":                                 "open ` &lt;b> ",
		"\\`<b>\\`":                                   "\\`&lt;b>\\`",
		"```go\nif a < b {}\n```\n<b>":                "```go\nif a < b {}\n```\n&lt;b>",
		"```\n<b>\n</details>":                        "\\```\n&lt;b>\n&lt;/details>",
		"~~~\n<b>\n~~~":                               "~~~\n<b>\n~~~",
		"    ```\n<b>\n    ```":                       "    ```\n&lt;b>\n    ```",
		"plain words, 1 > 0, a [list] and (brackets)": "plain words, 1 > 0, a [list] and (brackets)",
	} {
		if got := harmless(text); got != want {
			t.Errorf("%q\nbecame %q\nnot    %q", text, got, want)
		}
	}
}

func FuzzHarmless(f *testing.F) {
	for _, s := range []string{"", "<b>", "```\n<", "`<`", "![", "](x:", "~~~\n~~~"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "`~") {
			harmless(text)
			return
		}
		if out := harmless(text); strings.Contains(out, "<") || strings.Contains(strings.ToLower(out), "](javascript:") {
			t.Fatalf("%q became %q", text, out)
		}
	})
}
