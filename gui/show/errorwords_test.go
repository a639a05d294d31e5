package show

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// Why a file can't be opened is said in the person's language, and what to do.
func TestWhyAFileCannotBeOpenedIsTranslated(t *testing.T) {
	words.Set(words.Chinese)
	defer words.Set(words.English)
	dir := t.TempDir()
	broken := filepath.Join(dir, "a.jsonl.gz")
	if err := os.WriteFile(broken, []byte("\x1f\x8b\x08\x00 cut off"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "none.jsonl"), broken} {
		_, err := transcript.Open(t.Context(), path, transcript.Options{})
		head, rest, _ := ErrorWords(err)
		if text := head + rest; strings.Contains(text, "cannot") || strings.Contains(text, "could") || rest == "" {
			t.Errorf("%s: %q, %q", filepath.Base(path), head, rest)
		}
	}
}

// Each cause that a database names has words of its own, also one that is a kind of
// another.
func TestEachCauseOfADatabaseHasWords(t *testing.T) {
	defer words.Set(words.English)
	for _, lang := range []string{words.English, words.Chinese} {
		words.Set(lang)
		said := map[string]string{}
		for _, p := range storeProblems {
			head, rest, ok := storeWords(&store.Error{Kind: p.kind})
			if !ok || head == "" || rest == "" || said[head] != "" {
				t.Errorf("%v: %s says %q, %q, as does %s", lang, p.key, head, rest, said[head])
			}
			said[head] = p.key
		}
	}
}

// The window names no flag of a verb: it says what to do in its own words, or nothing.
func TestTheWindowNamesNoFlags(t *testing.T) {
	defer words.Set(words.English)
	for _, lang := range words.Languages {
		words.Set(lang)
		head, rest, _ := ErrorWords(&model.Problem{Code: "is-source", What: "a.jsonl was not replaced.", Why: "It is the source.",
			Next: "Write to another file, or say --replace-source."})
		_, next, _ := strings.Cut(words.T("problem.is-source"), "\n")
		if strings.Contains(head+rest, "--") || !strings.HasSuffix(rest, next) || lang == words.English && head != "a.jsonl was not replaced." {
			t.Errorf("%s: %q, %q", lang, head, rest)
		}
		if _, rest, _ = ErrorWords(&model.Problem{Code: "no-words", What: "A.", Why: "B.", Next: "Say --c."}); rest != "B." {
			t.Errorf("%s: %q", lang, rest)
		}
	}
	if _, rest, _ := ErrorWords(&model.Problem{Code: "no-words", What: "A.", Why: "B.", Next: "Do C."}); rest != "B. Do C." {
		t.Errorf("%q", rest)
	}
}
