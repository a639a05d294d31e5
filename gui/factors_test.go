package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/dialogs"
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
		factors := dialogs.ShowFactors(s.Host)
		if text := s.markup(); !strings.Contains(text, "DeepSeek") || !strings.Contains(text, words.T("factors.exact", "encoding", "o200k_base")) {
			t.Errorf("the table is not shown:\n%s", text)
		}
		claude := factors.Rows[0]
		claude.Field.SetText("90")
		factors.Use()
		s.settle()
		if len(s.Desk.Factors()) != 0 || !factors.Dlg.Shown() || !strings.Contains(s.markup(), words.T("factors.bad", "least", "0.20", "most", "5.00")) {
			t.Error("90 was taken for a factor")
		}
		claude.Field.SetText("1,25")
		factors.Use()
		s.settle()
		if got := s.Desk.Factors(); got["Claude"] != 1.25 || len(got) != 1 || factors.Dlg.Shown() {
			t.Errorf("%v", got)
		}
		factors = dialogs.ShowFactors(s.Host)
		if claude = factors.Rows[0]; claude.Field.Text() != "1.25" {
			t.Errorf("the field says %s", claude.Field.Text())
		}
		claude.Reset()
		factors.Use()
		s.settle()
		if len(s.Desk.Factors()) != 0 {
			t.Errorf("%v", s.Desk.Factors())
		}
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
