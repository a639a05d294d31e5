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
	for room := m.limit - m.size(text); room > 0; {
		list := f.ledger(text, room, m, l)
		if list == "" {
			break
		}
		whole := text + ledgerGap + list
		over := m.size(whole) - m.limit
		if over <= 0 {
			return whole, nil
		}
		room -= over
	}
	return text, nil
}

// ledger lists what the other text of the summary does not hold.
func (f *Facts) ledger(text string, room int, m measure, l Lang) string {
	lister := f.Lister
	if m.chars {
		lister = lister.Chars()
	}
	return lister.Ledger(facts.LedgerRequest{At: f.At, Removed: f.Gone, Kept: f.Kept,
		Remaining: append(f.Texts[:len(f.Texts):len(f.Texts)], text),
		Told:      f.Told, Budget: room, Chinese: l == Chinese})
}
