package tokens

import (
	"cmp"
	"slices"
	"strings"
)

// ModelWindow is a model of the table of context windows.
type ModelWindow struct {
	Model  string
	Tokens int
	Source string // where the number is from, with the date
}

// family of models whose windows have the same sizes.
type windowFamily struct {
	in    func(name string) bool
	sizes []int
}

// windowFamilies: the sizes in which a model of a family is offered, by vendors'
// documentation and, for OpenAI, by what Codex reports of its models.
var windowFamilies = []windowFamily{
	{func(n string) bool { return claudeName(n) != "" }, []int{200_000, 1_000_000}},
	{func(n string) bool { return strings.HasPrefix(n, "gemini") }, []int{1_048_576, 2_097_152}},
	{openAIName, []int{128_000, 200_000, 272_000, 400_000, 1_047_576, 1_050_000}},
}

// otherSizes are the usual ones where the family is not known.
var otherSizes = []int{8_192, 16_384, 32_768, 65_536, 131_072, 200_000, 262_144, 400_000, 1_000_000, 2_000_000}

func openAIName(n string) bool {
	return slices.ContainsFunc([]string{"gpt-", "chatgpt-", "o1", "o3", "o4", "codex"},
		func(p string) bool { return strings.HasPrefix(n, p) })
}

// windowFamilyOf is the family of a model; of one that is not known it has the usual sizes, and no name.
func windowFamilyOf(model string) windowFamily {
	name := bareName(model)
	for _, f := range windowFamilies {
		if f.in(name) {
			return f
		}
	}
	return windowFamily{sizes: otherSizes}
}

// WindowFor is the smallest context window of the family of a model that holds so many
// tokens. only reports whether no larger one would do as well; ok is false where
// none is large enough.
func WindowFor(model string, tokens int64) (window int, only, ok bool) {
	sizes := windowFamilyOf(model).sizes
	for i, n := range sizes {
		if int64(n) >= tokens {
			return n, i == len(sizes)-1, true
		}
	}
	return 0, false, false
}

// WindowTable lists the models of the table whose maker is that of a model, newest
// first, each under one spelling; all models where the maker is not known.
func WindowTable(model string) (out []ModelWindow) {
	same := windowFamilyOf(model).in
	for _, w := range limits().Limits {
		for _, m := range w.Models {
			if m = strings.TrimSuffix(m, "*"); same == nil || same(m) {
				out = append(out, ModelWindow{m, w.Tokens, limits().Sources[w.Source]})
			}
		}
	}
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b ModelWindow) int { return -cmp.Compare(a.Tokens, b.Tokens) })
	return out
}
