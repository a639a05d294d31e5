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
	if i := slices.IndexFunc(c.entries, func(e cachedAnswer) bool { return e.request == r }); i >= 0 {
		return c.entries[i].answer, true
	}
	return "", false
}

// put adds the answer to a request that has none.
func (c *answerCache) put(r SummaryRequest, answer string) {
	c.entries = append(c.entries[max(0, len(c.entries)-cachedAnswers+1):], cachedAnswer{r, answer})
}
