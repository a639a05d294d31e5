package live

import (
	"slices"
	"strings"

	"palimpsest/model/transcript/jspan"
)

// A client that compacts by itself asks a model for a summary, and begins its next request
// with that. The session goes on, in one transcript:
//
//	request   m1 … m9 "Summarize"   the client's own compaction: answered S, which is kept here
//	request   S m8 m9 m10           begins with nothing known, and says S: m10 is new

// ownSummary is what a model answered to a client's own compaction.
type ownSummary struct {
	words string // that only this summary has
	api   *api
	of    *writing // nil: the request did not show of which
}

// mostOwn bounds how many are kept.
const mostOwn = 100

// asked takes over a client's own compaction. What the request asks for and its answer are
// not the session's; what the client had added before is.
func (r *Recorder) asked(b *body, a *answer, t *writing, known int) error {
	words := ""
	for _, m := range a.messages {
		v, err := jspan.Parse(m, 0)
		if err != nil {
			return err
		}
		for _, line := range strings.FieldsFunc(wholeText(said(v)), func(c rune) bool { return strings.ContainsRune("<>\n", c) }) {
			if line = strings.TrimSpace(line); len(line) > len(words) {
				words = line
			}
		}
	}
	if words != "" {
		r.own = append(r.own, ownSummary{words, b.api, t})
		r.own = r.own[max(0, len(r.own)-mostOwn):]
	}
	messages := b.messages()
	if t == nil || known >= len(messages)-1 {
		return nil
	}
	fresh := messages[known : len(messages)-1]
	t.now = r.Now()
	b.api.record(t, fresh[answered(fresh):], &answer{model: a.model})
	r.keep(t, b.keys[len(messages)-1], "")
	t.last = b.sums[len(messages)-2]
	return t.write(r.Dir)
}

// resumed is the conversation that a request goes on with after the client compacted it, the
// message that is the summary, and how many messages stand in the place of all before.
func (r *Recorder) resumed(b *body) (t *writing, summary, known int) {
	if len(r.own) == 0 {
		return nil, -1, 0
	}
	texts := make([]string, len(b.items))
	for i, m := range b.items {
		texts[i] = wholeText(said(m))
	}
	for i, s := range slices.Backward(r.own) {
		summary = slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, s.words) })
		if summary < 0 || s.api != b.api {
			continue
		}
		t, known = s.of, summary+1
		for _, x := range slices.Backward(r.order) { // a client that keeps messages keeps the last
			for at := len(b.sums) - 1; at > summary && x.api == b.api && (t == nil || t == x); at-- {
				if b.sums[at] == x.last {
					t, known = x, max(known, at+1)
				}
			}
		}
		if t != nil {
			r.own[i].of = t
			return t, summary, known
		}
	}
	return nil, -1, 0
}
