package tokens

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// What a person sets holds for the models of that family alone, is marked as such,
// and never touches an exact count; the default takes it back.
func TestFactorsOfAPerson(t *testing.T) {
	x, err := Factors(nil).With(" claude ", 1.3)
	if err != nil {
		t.Fatal(err)
	}
	if c := x.ForModel("claude-sonnet-4-5"); c.Name() != "o200k_base × 1.30 (Claude, set by hand)" || c.Method() != Estimated {
		t.Error(c.Name())
	}
	for _, other := range []string{"claude-opus-4-7", "gemini-2.5-pro", "gpt-4o", "gpt-4", ""} {
		if x.ForModel(other) != ForModel(other) {
			t.Errorf("%q: %s", other, x.ForModel(other).Name())
		}
	}
	if y, err := x.With("Claude", 1.18); err != nil || len(y) != 0 || len(x) != 1 {
		t.Errorf("%v, %v, and the former %v", y, err, x)
	}
	if _, err := x.With("OpenAI", 1.1); err == nil {
		t.Error("a family that is counted exactly got a factor")
	}
}

// Every family of the list is one that models have, and the other way round.
func TestFamiliesAreThoseOfTheModels(t *testing.T) {
	names := map[string]string{"Claude": "claude-3-opus", LaterClaude: "claude-opus-4-7", "Gemini": "gemini-1.5", "Gemma": "gemma-3", "Qwen": "qwq-32b",
		"DeepSeek": "deepseek-chat", "GLM": "glm-4.6", UnknownFamily: "llama-3"}
	list := Families()
	for _, f := range list {
		c := ForModel(names[f.Name])
		if c.Family() != f.Name || c.Factor() != f.Factor || Factors(nil).Of(f) != f.Factor {
			t.Errorf("%+v: %s", f, c.Name())
		}
	}
	if len(list) != len(names) || list[len(list)-1].Name != UnknownFamily {
		t.Errorf("%+v", list)
	}
}

// Whatever number is given, a counter never has one outside of the bounds, also
// when the setting was written by somebody else.
func TestFactorsStayInBounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, -1, math.NaN(), math.Inf(1), LeastFactor, MostFactor})).Draw(rt, "factor")
		_, err := Factors(nil).With("GLM", v)
		if good := v >= LeastFactor && v <= MostFactor; (err == nil) != good {
			rt.Fatalf("%g: %v", v, err)
		}
		got := Factors{"GLM": v}.ForModel("glm-4.5").Factor()
		if got < LeastFactor || got > MostFactor {
			rt.Fatalf("%g became %g", v, got)
		}
	})
}
