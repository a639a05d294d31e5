package summarize

import (
	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// wordsShare is the part of a budget, one in so many, that a model's words may
// take when a ledger follows them.
const wordsShare = 2

// WordsBudget is how much of a summary's budget a model's words may take: all of
// it, or, when a ledger follows, the share that leaves room for one. A summary
// with a ledger is always bounded, by [DefaultCeiling] tokens if by nothing else.
func WordsBudget(s model.Strategy, b model.Amount) model.Amount {
	if s != model.ModelLedger {
		return b
	}
	b = limited(b)
	b.N = max(1, b.N/wordsShare)
	return b
}

func limited(b model.Amount) model.Amount {
	if b.N <= 0 {
		return model.Amount{N: DefaultCeiling, Unit: model.Tokens}
	}
	return b
}

// AppendLedger puts the ledger of literal facts behind a model's words that the
// words leave room for in the budget. What the words hold already needs no
// listing. Where nothing fits or nothing is left to list, the words are all.
func AppendLedger(text string, f *Facts, b model.Amount, l Lang, count func(string) int) (string, error) {
	m, err := newMeasure(limited(b), count)
	if err != nil {
		return "", err
	}
	if list := f.after(text, m.limit-m.size(text), m, l); list != "" {
		text += ledgerGap + list
	}
	return text, nil
}

// after is the ledger of what a text does not hold, of at most some room, where one fits
// after it within the limit; "": none does.
func (f *Facts) after(text string, room int, m measure, l Lang) string {
	lister := f.Lister
	if m.chars {
		lister = lister.Chars()
	}
	for room > 0 {
		list := lister.Ledger(facts.LedgerRequest{At: f.At, Removed: f.Gone, Kept: f.Kept,
			Remaining: append(f.Texts[:len(f.Texts):len(f.Texts)], text),
			Told:      f.Told, Budget: room, Chinese: l == Chinese})
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
