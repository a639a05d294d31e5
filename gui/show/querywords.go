package show

import (
	"strings"

	"palimpsest/gui/words"
	"palimpsest/model/query"
)

// QueryProblem says what is wrong with a query, in the person's language.
func QueryProblem(e *query.Error) string {
	text := words.T("find.wrong."+e.Code, "key", string(e.Key), "found", e.Found)
	if e.Meant != "" {
		return text + " " + words.T("find.meant", "meant", e.Meant)
	}
	if k := e.Key.Info(); e.Code == query.BadValue && k != nil && len(k.Values) > 0 {
		var names []string
		for _, v := range k.Values {
			names = append(names, v.Name)
		}
		return text + " " + words.T("find.oneOf", "values", strings.Join(names, ", "))
	}
	return text
}
