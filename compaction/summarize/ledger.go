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
	Told   bool          // the words that the ledger is behind were written to say what was asked and decided
}

// storyShare is the part of a ledger's budget, one in so many, that describes what
// happened; the rest lists facts.
const storyShare = 12

// openLedger bounds a ledger when the budget does not: tokens, or so many code
// points where there is no count of tokens.
const openLedger, openLedgerChars = 4000, 16000

// makeLedger writes a summary that ends in a ledger: a short story as extract
// describes it, which counts what it leaves out, and then literal facts, of which
// those in the story need no listing. Former ledgers are left out of the story:
// their facts are weighed again with all others.
func makeLedger(ctx context.Context, r Request, w *words, m measure) (string, *digest, error) {
	d, err := r.read(ctx, withoutLedgers(r.Entries), w)
	if err != nil {
		return "", nil, err
	}
	limit, room := m.limit, 0 // of the story, for the ledger
	if m.bounded() {
		limit /= storyShare
	}
	stories := &fitter{d: d, lay: textLayout{w}, m: m}
	story, err := stories.fit(ctx, limit)
	if err != nil {
		return "", nil, err
	}
	switch {
	case m.bounded():
		room = m.limit - m.size(story)
	case r.Count != nil:
		m.size, m.chars, room = r.Count, false, openLedger
	default:
		room = openLedgerChars
	}
	src, err := r.facts(ctx)
	if err != nil {
		return "", nil, err
	}
	list := src.after(story, room, m, w.lang)
	switch {
	case list == "":
		return story, d, nil
	case m.bounded():
		story, err = stories.longer(ctx, m.limit, story, ledgerGap+list)
	}
	return story + ledgerGap + list, d, err
}

const ledgerGap = "\n\n"

// longer is a story lengthened by what the ledger after it leaves of the limit.
func (f *fitter) longer(ctx context.Context, limit int, story, ledger string) (string, error) {
	longer, err := f.fit(ctx, limit-f.m.size(ledger))
	if err != nil {
		return story, err
	}
	if n := f.m.size(longer + ledger); n <= limit && n > f.m.size(story+ledger) {
		story = longer
	}
	return story, nil
}

// facts returns what the ledger is made of; without an index, one is made
// of the entries.
func (r *Request) facts(ctx context.Context) (*Facts, error) {
	if r.Facts != nil {
		return r.Facts, nil
	}
	x, err := facts.Build(ctx, len(r.Entries), func(i int) (facts.Message, error) {
		return r.Entries[i].FactMessage(), nil
	})
	if err != nil {
		return nil, err
	}
	return &Facts{Lister: x.Lister(r.Count), At: len(r.Entries), Gone: []model.Range{{To: len(r.Entries)}}}, nil
}

// FactMessage is the entry as an index of facts reads it.
func (e *Entry) FactMessage() facts.Message {
	if e.Former != "" || e.Msg == nil {
		return facts.Message{Author: facts.Tool, Parts: validParts([]model.Part{{Kind: model.PartText, Text: e.Former}})}
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

// withoutLedgers takes the ledgers off former summaries.
func withoutLedgers(entries []Entry) []Entry {
	out := make([]Entry, len(entries))
	for i, e := range entries {
		if at := facts.LedgerStart(e.Former); at >= 0 {
			e.Former = e.Former[:at]
		}
		out[i] = e
	}
	return out
}
