package find

import (
	"strings"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/query"
)

// Snippet is the text around the first place of a hit, on one line, and where in it
// the places are.
type Snippet struct {
	Text  string
	Marks []Mark // in order
}

// Mark is bytes From to To of a snippet's text.
type Mark struct{ From, To int }

// How much of a text a snippet holds, in bytes: the first place is near its begin.
const (
	before = 36
	most   = 240
)

// snippetOf cuts the text around the first place.
func snippetOf(parts []model.Part, places []query.Place) Snippet {
	return SnippetOf(query.TextOf(&parts[places[0].Part]), places)
}

// SnippetOf cuts a text around the first place; places in other parts are left out.
func SnippetOf(text string, places []query.Place) (out Snippet) {
	first := places[0]
	from, to := max(0, first.From-before), len(text)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	if i := strings.LastIndexAny(text[from:first.From], " \n\t"); from > 0 && i >= 0 && first.From-(from+i) > before/2 {
		from += i + 1
	} else if i := strings.IndexAny(text[from:first.From], " \n\t"); from > 0 && i >= 0 {
		from += i + 1
	}
	if to-from > most {
		for to = from + most; !utf8.RuneStart(text[to]); {
			to--
		}
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	at := 0
	mark := -1
	space := false
	for i, r := range text[from:to] {
		i += from
		for at < len(places) && places[at].Part == first.Part && i >= places[at].To {
			if mark >= 0 {
				out.Marks, mark = append(out.Marks, Mark{mark, b.Len()}), -1
			}
			at++
		}
		blank := r == ' ' || r == '\n' || r == '\t' || r == '\r'
		if inside := at < len(places) && places[at].Part == first.Part && i >= places[at].From; inside && mark < 0 {
			mark, space = b.Len(), false
		}
		switch {
		case !blank:
			b.WriteRune(r)
		case !space:
			b.WriteByte(' ')
		}
		space = blank
	}
	if mark >= 0 {
		out.Marks = append(out.Marks, Mark{mark, b.Len()})
	}
	if to < len(text) {
		b.WriteString("…")
	}
	out.Text = b.String()
	return out
}
