package summarize

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// Facts is what a ledger is made of: the whole history up to a compaction, so
// that what former ledgers had no room for has another chance.
type Facts struct {
	Lister *facts.Lister // measures by the request's count
	At     int           // history position of the compaction
	Gone   []model.Range // all that was removed from the context, at any time
	Kept   []model.Range // what stays word for word
	Texts  []string      // other texts in the context: summaries in layers
}

const ledgerGap = "\n\n"

// facts returns what the ledger is made of; without an index, one is made
// of the entries.
func (r *Request) facts(ctx context.Context) (*Facts, error) {
	if r.Facts != nil {
		return r.Facts, nil
	}
	n := len(r.Entries)
	for n > 0 && r.Entries[n-1].Stays {
		n--
	}
	x, err := facts.Build(ctx, n, func(i int) (facts.Message, error) {
		return r.Entries[i].FactMessage(), nil
	})
	if err != nil {
		return nil, err
	}
	return &Facts{Lister: x.Lister(r.Count), At: n, Gone: []model.Range{{To: n}}}, nil
}

// FactMessage is the entry as an index of facts reads it.
func (e *Entry) FactMessage() facts.Message {
	if e.Former != "" || e.Msg == nil {
		text := madeFrom.ReplaceAllString(e.Former, "$1")
		return facts.Message{Author: facts.Tool, Parts: validParts([]model.Part{{Kind: model.PartText, Text: text}})}
	}
	return facts.Message{Author: facts.AuthorOf(e.Msg), Parts: validParts(e.Parts)}
}

// validParts are parts without invalid UTF-8: facts are listed word for word.
func validParts(parts []model.Part) []model.Part {
	invalid := func(p model.Part) bool { return !utf8.ValidString(p.Text) || !utf8.ValidString(p.Name) }
	if !slices.ContainsFunc(parts, invalid) {
		return parts
	}
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Text = strings.ToValidUTF8(parts[i].Text, "\ufffd")
		parts[i].Name = strings.ToValidUTF8(parts[i].Name, "\ufffd")
	}
	return parts
}

// after is the list of facts that a text does not hold, of at most some room, where one fits
// after it within the limit; "": none does.
func (f *Facts) after(text string, room int, m measure, l Lang) string {
	lister := f.Lister
	if m.chars {
		lister = lister.Chars()
	}
	for room > 0 {
		list := lister.Ledger(facts.LedgerRequest{At: f.At, Removed: f.Gone, Kept: f.Kept,
			Remaining: append(f.Texts[:len(f.Texts):len(f.Texts)], text), Budget: room, Chinese: l == Chinese})
		if list == "" {
			break
		}
		size := m.size(text + ledgerGap + list)
		if size <= m.limit {
			return list
		}
		room -= size - m.limit
	}
	return ""
}

// AppendFacts puts the facts after a text that it leaves room for in the budget. What the
// text holds already needs no listing.
func AppendFacts(text string, f *Facts, b model.Amount, l Lang, count func(string) int) (string, error) {
	m, err := newMeasure(limited(b), count)
	if err != nil {
		return "", err
	}
	if list := f.after(text, m.limit-m.size(text), m, l); list != "" {
		text += ledgerGap + list
	}
	return text, nil
}
