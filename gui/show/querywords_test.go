package show

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"palimpsest/gui/words"
	"palimpsest/model/query"
)

// What is wrong with an expression is said in the person's language, with the part of it.
func TestFaultsOfExpressionsAreTranslated(t *testing.T) {
	words.Set(words.Chinese)
	defer words.Set(words.English)
	quoted := regexp.MustCompile("`[^`]*`")
	for _, bad := range []string{"[a", "(a", "a)", "*a", "a**", "[b-a]", `\8`, "(?z)", "a{2,1}", "(?P<n", "[[:x:]]", strings.Repeat("(", 1001) + strings.Repeat(")", 1001), "((a{100}){100}){100}"} {
		_, err := query.Parse("/" + bad + "/")
		var e *query.Error
		if !errors.As(err, &e) {
			t.Fatalf("%q is a query: %v", bad, err)
		}
		text := quoted.ReplaceAllString(QueryProblem(e), "")
		if strings.ContainsFunc(text, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }) {
			t.Errorf("%.20q: %s", bad, text)
		}
	}
}
