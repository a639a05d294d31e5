package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/preferences"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// The table of factors keeps what is a factor, marks what is none, and gives a
// family its default back; the window tells how its tokens are made.
func TestTheTableOfFactors(t *testing.T) {
	defer words.Set(words.English)
	for _, lang := range words.Languages {
		words.Set(lang)
		s, _ := askingStage(t)
		page := preferences.ShowTokens(s.Host)
		if text := s.markup(); !strings.Contains(text, "DeepSeek") || !strings.Contains(text, words.T("factors.exact", "encoding", "o200k_base")) {
			t.Errorf("the table is not shown:\n%s", text)
		}
		claude := page.Factors.Rows[0]
		claude.Field.SetText("90")
		s.tap(words.T("do.done"))
		if len(s.Desk.Factors()) != 0 || s.topDialog() == nil || !strings.Contains(s.markup(), words.T("factors.bad", "least", "0.20", "most", "5.00")) {
			t.Error("90 was taken for a factor")
		}
		claude.Field.SetText("1,25")
		s.tap(words.T("do.done"))
		s.closed()
		if got := s.Desk.Factors(); got["Claude"] != 1.25 || len(got) != 1 {
			t.Errorf("%v", got)
		}
		page = preferences.ShowTokens(s.Host)
		if claude = page.Factors.Rows[0]; claude.Field.Text() != "1.25" {
			t.Errorf("the field says %s", claude.Field.Text())
		}
		claude.Reset()
		s.tap(words.T("settings.page.keys")) // another page
		if len(s.Desk.Factors()) != 0 {
			t.Errorf("%v", s.Desk.Factors())
		}
		s.press("Esc")
	}
}

// Every reason for a factor is told in both languages.
func TestCounterWords(t *testing.T) {
	defer words.Set(words.English)
	x, err := tokens.Factors(nil).With("GLM", 1.2)
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range words.Languages {
		words.Set(lang)
		said := map[string]bool{}
		for _, c := range []tokens.Counter{tokens.ForModel("gpt-4o"), tokens.ForModel("glm-4"), x.ForModel("glm-4"), tokens.ForModel("?"), tokens.ForModel("opus").WithFactor(1.2, "fitted to 9 calls")} {
			said[show.CounterWords(c)] = true
		}
		if len(said) != 5 || lang == words.Chinese && said["o200k_base × 1.10 (unknown model, low confidence)"] {
			t.Errorf("%v", said)
		}
	}
}
