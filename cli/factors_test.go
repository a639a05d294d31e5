package cli

import (
	"os"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	counting "palimpsest/model/tokens"
)

// A factor that the window keeps is used by every verb; a flag goes before it for one call, and
// what is counted exactly stays.
func TestFactorsThroughTheVerbs(t *testing.T) {
	b := newBench(t)
	text := `{"model":"MODEL","messages":[` + strings.Repeat(`{"role":"user","content":"Look at the folder and its files."},{"role":"assistant","content":"It holds ten files."},`, 20) + `{"role":"user","content":"Bye."}]}`
	glm, exact := b.path("glm.json"), b.path("exact.json")
	for path, model := range map[string]string{glm: "glm-4.6", exact: "gpt-4o"} {
		if err := os.WriteFile(path, []byte(strings.Replace(text, "MODEL", model, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	count := func(args ...string) tokenCount {
		t.Helper()
		return value[inspection](b.run(append(append([]string{"inspect"}, args...), "--json")...).ends(exitDone)).Tokens
	}
	plain := count(glm)
	if plain.Name != "o200k_base × 1.03 (GLM, factor)" {
		t.Errorf("%+v", plain)
	}
	kept := func(x counting.Factors) {
		t.Helper()
		st := b.store()
		defer st.Close()
		if err := st.SetSetting(t.Context(), session.FactorsSetting, x); err != nil {
			t.Fatal(err)
		}
	}
	kept(counting.Factors{"GLM": 2.06})
	if is := count(glm); is.Name != "o200k_base × 2.06 (GLM, set by hand)" || is.Count < 2*plain.Count-41 || is.Count > 2*plain.Count+41 {
		t.Errorf("%+v, and before %+v", is, plain)
	}
	if is := count(glm, "--factor", "GLM=1.5"); is.Name != "o200k_base × 1.50 (GLM, set by hand)" {
		t.Errorf("%+v", is)
	}
	if is := count(exact, "--factor", "GLM=1.5"); is.Name != "o200k_base" || is.Method != "counted" {
		t.Errorf("%+v", is)
	}
	kept(nil)
	if is := count(glm); is != plain {
		t.Errorf("%+v, and before %+v", is, plain)
	}
	b.run("inspect", glm, "--factor", "gpt=1.1").ends(exitUsage, "there are Claude")
	b.run("inspect", glm, "--factor", "glm=90").ends(exitUsage, "0.2 to 5")
	b.run("inspect", glm, "--factor", "glm").ends(exitUsage, "claude=1.25")
}
