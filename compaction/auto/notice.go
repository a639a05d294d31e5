package auto

import (
	"context"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// What a hard limit leaves out unsummarised is announced in the list: how many
// messages, which turns, and the facts in them that the agent is likeliest to
// need. The next truncation takes the notice in, so that there is one at most:
//
//	S  #  N  u a u a u a …     # a summary, N the notice

// noticeTokens is how much of a limit a notice may take: enough for its sentence,
// and for some facts where there is room.
func noticeTokens(limit int64) int {
	if limit <= 0 {
		return mostNotice
	}
	return int(min(max(limit/16, leastNotice), mostNotice))
}

const leastNotice, mostNotice = 64, 256

// isNotice reports whether an entry is the notice of a truncation.
func isNotice(h *held) bool { return h.summary && summarize.IsLeftOut(h.msg.Content) }

// leaveOut carries out a cut, with its notice and its record.
func (a *Compactor) leaveOut(r *Result, c cut) {
	list := slices.Concat(a.mem.runtime[:c.from], c.rest)
	gone := countMessages(a.mem.runtime[c.from:]) - countMessages(c.rest)
	if c.notice > 0 && c.to > c.from {
		if h, ok := a.notice(&c); ok {
			record := a.record(h.summaryText(), model.Range{From: c.from, To: c.to}, len(list)+1)
			record.LeftOut = true
			made := a.written.leftOut(a, &c, h.msg.Content)
			a.mem.records = append(a.mem.records, record)
			defer func() { a.written.add(a, made) }()
			list = slices.Concat(a.mem.runtime[:c.from], []held{h}, c.rest)
		}
	}
	a.setTruncated(r, list, gone, c.short)
}

// countMessages counts the entries of a list that are no summaries.
func countMessages(list []held) int {
	n := 0
	for i := range list {
		if !list[i].summary {
			n++
		}
	}
	return n
}

// notice is the message in the place of what a cut leaves out; false: there is no
// room for it.
func (a *Compactor) notice(c *cut) (held, bool) {
	gone := except(a.mem.runtime, model.Range{From: c.from, To: c.to}, a.mem.keptBy(&a.cfg))
	covered := a.mem.historyRange(c.from, c.to)
	list := entries(gone, a.redact)
	j := job{cfg: a.cfg, count: a.counter(), lang: a.cfg.languageOf(list)}
	text := summarize.LeftOut(j.lang, summarize.LeftOutRange{
		Messages: model.Range{From: covered.From + 1, To: covered.To},
		Turns:    a.mem.turnsOf(covered),
	})
	h := j.message(text)
	if h.tokens > int64(c.notice) {
		return held{}, false
	}
	room := model.Amount{N: j.count(text) + c.notice - int(h.tokens), Unit: model.Tokens}
	if f, err := goneFacts(list, j.count); err == nil {
		if longer, err := summarize.AppendFacts(text, f, room, j.lang, j.count); err == nil {
			text = a.redact(longer)
		}
	}
	if longer := j.message(text); longer.tokens <= int64(c.notice) { // the parts of a text don't add up to its tokens
		return longer, true
	}
	return h, true
}

// goneFacts are the literal facts in entries that go, those in the notice of an
// earlier truncation among them; count gives the tokens of a text.
func goneFacts(list []summarize.Entry, count func(string) int) (*summarize.Facts, error) {
	x, err := facts.Build(context.Background(), len(list), func(i int) (facts.Message, error) {
		return list[i].FactMessage(), nil
	})
	if err != nil {
		return nil, err
	}
	return &summarize.Facts{Lister: x.Lister(count), At: len(list), Gone: []model.Range{{To: len(list)}}}, nil
}

// turnsOf are the numbers of the turns that a part of the history belongs to, from
// 1, both inclusive; 0: a person has typed nothing yet.
func (m *memory) turnsOf(r model.Range) model.Range {
	if r.To = min(r.To, len(m.history)); r.From >= r.To {
		return model.Range{}
	}
	last := m.history[r.To-1].turn
	return model.Range{From: max(m.history[r.From].turn, min(1, last)), To: last}
}

// summaryText is the text of a summary message without its heading.
func (h *held) summaryText() string {
	_, text, _ := strings.Cut(h.msg.Content, "\n")
	return text
}
