package auto

import (
	"context"
	"strings"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// instead is the text that stands in for a model's (spec K7), within the limits
// of a summary; "" when none does.
func (j *job) instead(list []summarize.Entry, count func(string) int) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	switch j.cfg.OnFailure {
	case AnnounceOnly:
		first, last := j.numbers()
		text := summarize.Announcement(list, j.lang, first, last)
		return summarize.Answer(text, j.lang, j.cfg.SummaryMaxChars, j.cfg.SummaryMaxTokens, count)
	case model.ExtractInstead:
		return j.extract(list, count)
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

// extract is the summary that needs no model. Both limits hold: that in
// characters is tried first.
func (j *job) extract(list []summarize.Entry, count func(string) int) (string, error) {
	r := summarize.Request{
		Entries: list, Strategy: model.Extract, Count: count, Lang: j.lang,
		TurnsBefore: j.turns,
		Budget:      model.Amount{N: j.cfg.SummaryMaxChars, Unit: model.Chars},
	}
	res, err := summarize.Make(context.Background(), r)
	if limit := j.cfg.SummaryMaxTokens; err == nil && limit > 0 && count(res.Text) > limit {
		r.Budget = model.Amount{N: limit, Unit: model.Tokens}
		res, err = summarize.Make(context.Background(), r)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(res.Text, summarize.Heading(res.Lang)+"\n"), nil
}
