package auto

import (
	"context"
	"strings"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// fallback is the summary made without a model, within the limits of
// a summary; "" when the configuration asks for none.
func (j *job) fallback(list []summarize.Entry) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	switch j.cfg.OnFailure {
	case AnnounceOnly:
		first, last := j.numbers()
		return j.withinLimits(summarize.Announcement(list, j.lang, first, last))
	case model.ExtractInstead:
		return j.make(list, model.Extract)
	}
	return "", nil
}

// numbers are the places in the history, from 1, of the first and the last
// message that goes.
func (j *job) numbers() (first, last int) {
	for i := range j.taken {
		if h := j.taken[i].hist; h >= 0 {
			if first == 0 {
				first = h + 1
			}
			last = h + 1
		}
	}
	return first, last
}

// make is a summary that needs no model. It keeps to both limits; the one in
// characters is tried first.
func (j *job) make(list []summarize.Entry, s model.Strategy) (string, error) {
	r := summarize.Request{
		Entries: list, Strategy: s, Count: j.count, Lang: j.lang,
		Budget: model.Amount{N: j.cfg.SummaryMaxChars, Unit: model.Chars},
	}
	res, err := summarize.Make(context.Background(), r)
	if limit := j.maxTokens(); err == nil && limit > 0 && j.count(res.Text) > limit {
		r.Budget = model.Amount{N: limit, Unit: model.Tokens}
		res, err = summarize.Make(context.Background(), r)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(res.Text, summarize.Heading(res.Lang)+"\n"), nil
}
