package auto

import (
	"slices"
)

// answerCache remembers the latest answers, so that the same
// question is not paid for twice: a compaction that was given up because the
// list changed, or made again by hand. The key is the whole request: model,
// wording, messages.
type answerCache struct {
	entries []cachedAnswer // newest last
}

type cachedAnswer struct {
	request SummaryRequest
	answer  string
}

const cachedAnswers = 8

func (c *answerCache) get(r SummaryRequest) (string, bool) {
	for i := len(c.entries) - 1; i >= 0; i-- {
		if c.entries[i].request == r {
			return c.entries[i].answer, true
		}
	}
	return "", false
}

func (c *answerCache) put(r SummaryRequest, answer string) {
	c.entries = slices.DeleteFunc(c.entries, func(e cachedAnswer) bool { return e.request == r })
	if len(c.entries) >= cachedAnswers {
		c.entries = slices.Delete(c.entries, 0, len(c.entries)-cachedAnswers+1)
	}
	c.entries = append(c.entries, cachedAnswer{r, answer})
}
