package show

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/query"
)

// codeName makes the end of a key of what Go says of a regular expression.
var codeName = strings.NewReplacer(" ", "-", ")", "paren", "]", "bracket")

// regexpWords says what Go finds wrong with a regular expression, and where.
func regexpWords(found string) string {
	code, at, _ := strings.Cut(found, ": ")
	key := "find.regexp." + codeName.Replace(strings.ToLower(code))
	if words.T(key) == key {
		return found
	}
	return strings.TrimSpace(words.T(key) + " " + at)
}

// QueryProblem says what is wrong with a query, in the person's language.
func QueryProblem(e *query.Error) string {
	found := e.Found
	if e.Code == query.BadRegexp {
		found = regexpWords(found)
	}
	text := words.T("find.wrong."+e.Code, "key", string(e.Key), "found", found)
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

// Narrowing are chips of terms that narrow a search, with words before them.
func Narrowing(list []query.Offer, take func(query.Offer)) (out []fyne.CanvasObject) {
	out = append(out, kit.NewText(words.T("find.narrow"), kit.ColorFaint, 12))
	for _, o := range list {
		tag := kit.NewTag(o.Text+" "+words.Int(int64(o.N)), kit.ColorMuted)
		tag.OnTapped = func() { take(o) }
		tag.SetTip(words.T("find.narrow.tip"))
		out = append(out, tag)
	}
	return out
}

// MatchSwitches turn on and off how the words of a query are compared: Aa, word, .*
type MatchSwitches struct {
	Obj  fyne.CanvasObject
	tags map[string]*kit.Tag
	text string
}

// NewMatchSwitches makes the switches; take gets the query with one of them turned.
func NewMatchSwitches(take func(text string)) *MatchSwitches {
	m := &MatchSwitches{tags: map[string]*kit.Tag{}}
	row := kit.Row(3)
	for _, how := range []string{"case", "word", "regexp"} {
		tag := kit.NewTag(words.T("find.match."+how), kit.ColorMuted)
		tag.SetTip(words.T("find.match." + how + ".tip"))
		tag.OnTapped = func() {
			q, _ := query.Parse(m.text)
			take(q.Toggle(query.Match, how).String())
		}
		m.tags[how] = tag
		row.Add(tag)
	}
	m.Obj = row
	return m
}

// Set shows which of them a query has on.
func (m *MatchSwitches) Set(text string) {
	m.text = text
	q, _ := query.Parse(text)
	for how, tag := range m.tags {
		on := q.By(how)
		tag.SetOn(on)
		tag.Set(words.T("find.match."+how), map[bool]fyne.ThemeColorName{true: kit.ColorAccent, false: kit.ColorMuted}[on])
	}
}

// FilterMenu offers, below an object, the filters that were kept, and to keep the
// present one or forget it.
func FilterMenu(d *desk.Desk, under fyne.CanvasObject, text string, take func(string)) {
	d.SavedFilters(func(list []string) {
		var items []kit.MenuItem
		for _, f := range list {
			items = append(items, kit.MenuItem{Text: f, Checked: f == text, Run: func() { take(f) }})
		}
		if len(items) > 0 {
			items = append(items, kit.Rule)
		}
		kept := slices.Contains(list, text)
		name := "find.keep"
		if kept {
			name = "find.forget"
		}
		items = append(items, kit.MenuItem{Text: words.T(name), Disabled: text == "", Run: func() { d.KeepFilter(text, !kept) }})
		kit.ShowMenuUnder(under, items)
	})
}
