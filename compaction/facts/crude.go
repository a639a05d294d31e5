package facts

import (
	"palimpsest/model"
	"palimpsest/model/pattern"
)

// Crude lifts by the patterns of the pilot measurement: paths, URLs, snake and
// camel case, numbers with a unit, hexadecimal of 7 to 40 digits. It is here for
// comparison with figures that were made with it.
var Crude Extractor = crude{}

type crude struct{}

func (crude) Name() string { return "crude" }

var crudePatterns = []struct {
	kind Kind
	expr *pattern.Regexp
}{
	{URL, pattern.New(`https?://[^\s"'<>)\]]+`)},
	{Path, pattern.New(`(?:[\w.@~-]*/)+[\w.@-]+\.\w{1,8}|` +
		`\b[\w-]+\.(?:go|py|js|ts|tsx|jsx|json|md|rs|java|c|h|cpp|yaml|yml|toml|sh|html|css)\b`)},
	{Identifier, pattern.New(`\b[a-zA-Z]+(?:_[a-zA-Z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b`)},
	{Identifier, pattern.New(`\b[0-9a-f]{7,40}\b`)},
	{Number, pattern.New(`\b\d+(?:\.\d+)? ?(?:%|ms|s|MB|GB|KB|kB|px|tokens|lines|bytes|files|tests)\b`)},
}

var places = map[model.PartKind]Where{
	model.PartText: InText, model.PartReasoning: InReasoning, model.PartCall: InCall, model.PartResult: InResult,
}

// Lift implements [Extractor].
func (crude) Lift(m *Message, yield func(Lifted)) {
	for i := range m.Parts {
		p := &m.Parts[i]
		where, ok := places[p.Kind]
		if !ok {
			continue
		}
		for _, c := range crudePatterns {
			for _, t := range c.expr.FindAllString(p.Text, -1) {
				yield(Lifted{Fact: Fact{c.kind, t}, Where: where})
			}
		}
	}
}
