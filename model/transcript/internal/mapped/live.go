package mapped

import (
	"slices"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// fixed is how many messages of the live list no compaction takes: the system prompt.
func (c *chat) fixed() int {
	n := slices.IndexFunc(c.Live, func(i int32) bool { return c.Th.Messages[i].Kind != model.KindSystem })
	if n < 0 {
		return len(c.Live)
	}
	return n
}

// compact adds a summary that takes the place of what is live.
func (c *chat) compact(u *rule, m model.Message, v jspan.Value) {
	head, rest := c.Live[:c.fixed()], c.Live[c.fixed():]
	var before, after []int32
	for _, k := range u.Keeps {
		if !hold(k.If, v) {
			continue
		}
		if n := c.said(count(k.From, v), rest); len(k.From) > 0 && n < len(rest) {
			after = rest[n:]
			break
		} else if len(k.From) > 0 {
			continue
		}
		if len(k.Start) > 0 {
			before, after = c.around(count(k.Start, v), count(k.End, v), rest)
			break
		}
		typed := slices.DeleteFunc(slices.Clone(rest), func(i int32) bool { return !c.Th.Messages[i].Typed() })
		oldest := min(count(k.Oldest, v), len(typed))
		newest := oldest
		if k.Typed.one(v).Exists() { // all of them, if it does not say how many
			newest = max(oldest, len(typed)-max(0, count(k.Typed, v)-oldest))
		}
		before = slices.Concat(typed[:oldest], typed[newest:])
		break
	}
	if len(c.hidden) > 0 {
		before = slices.DeleteFunc(slices.Clone(rest), func(i int32) bool { return c.hidden[i] })
		clear(c.hidden)
	}
	c.Pair(&m, v)
	at := c.Store(m)
	f := model.Found{Summary: int(at), Time: m.Time}
	if m.Kind == model.KindResult {
		f.Summary, f.Clearing = -1, true
	}
	c.replace(slices.Concat(head, before, []int32{at}, after), u, v, f)
}

// said is how many of the first n entries of a list are messages: a step in which nothing was
// said is one as well. Those are gone then.
func (c *chat) said(n int, list []int32) int {
	gone := 0
	for k, next := range c.empty {
		if before, _ := slices.BinarySearch(list, next); before+k < n {
			gone++
		}
	}
	c.empty = c.empty[gone:]
	return n - gone
}

// around splits a list into the parts before and after the messages whose numbers are from first to
// last. A message that another one of the list replaced belongs to the part before.
func (c *chat) around(first, last int, list []int32) (before, after []int32) {
	from, to := len(list), len(list)
	for k, i := range list {
		if n, err := strconv.Atoi(c.Th.Messages[i].ID); err == nil && first <= n && n <= last {
			from, to = min(from, k), k+1
		}
	}
	return list[:from], list[to:]
}

// replace makes a list the live one.
func (c *chat) replace(live []int32, u *rule, v jspan.Value, f model.Found) {
	number := func(p places) *int {
		if n := p.one(v); n.Kind == jspan.Number {
			out := int(n.Int())
			return &out
		}
		return nil
	}
	f.Before, f.After = number(u.Before), number(u.After)
	c.AddCompaction(live, f)
}

func count(p places, v jspan.Value) int { return max(0, int(p.one(v).Int())) }

// snapshot reads a compaction that holds the list the model sees from now on.
func (r *reader) snapshot(c *chat, u *rule, v jspan.Value, p model.Piece) {
	c.flush()
	c.Live = slices.Clone(c.Live[:c.fixed()])
	from := len(c.Live)
	c.inside = true
	r.rules(c, u.Each, v, p)
	c.flush()
	c.inside = false
	f := model.Found{Summary: -1}
	for _, i := range c.Live[from:] {
		if c.Th.Messages[i].Kind == model.KindSummary {
			f.Summary, f.Time = int(i), c.Th.Messages[i].Time
			break
		}
	}
	c.replace(c.Live, u, v, f)
}

// insert adds a message that a compaction holds.
func (c *chat) insert(m model.Message, v jspan.Value) {
	c.Pair(&m, v)
	c.Live = append(c.Live, c.Store(m))
}

// change does what a record says that is no message: it takes back what a person said last and
// what followed, or all, or it blanks old results.
func (c *chat) change(u *rule, v jspan.Value) {
	here := len(c.Th.History)
	switch u.Change {
	case "step":
		c.step = true
		return
	case "blank":
		c.Th.Found = append(c.Th.Found, model.Found{At: here, Summary: -1, Clearing: true})
		return
	}
	cut := c.fixed()
	if u.Change == "undo" {
		left := max(1, count(u.Count, v))
		for cut = len(c.Live); cut > c.fixed() && left > 0; cut-- {
			m := &c.Th.Messages[c.Live[cut-1]]
			if m.Kind == model.KindSummary {
				break
			}
			if m.Typed() {
				left--
			}
		}
	}
	if cut < len(c.Live) {
		c.empty = slices.DeleteFunc(c.empty, func(next int32) bool { return next > c.Live[cut] })
	}
	live := slices.Clone(c.Live[:cut])
	for _, i := range c.Live[cut:] {
		if u.Change == "undo" && c.Th.Messages[i].Origin == model.OriginInjected {
			live = append(live, i)
		}
	}
	c.SetLive(live)
}

// settle takes what no model sees out of the live list at the end of a conversation.
func (c *chat) settle() {
	gone := func(i int32) bool {
		m := &c.Th.Messages[i]
		return c.hidden[i] || c.live != nil && !c.live[m.ID] && m.Kind != model.KindSystem
	}
	if slices.ContainsFunc(c.Live, gone) {
		c.AddCompaction(slices.DeleteFunc(slices.Clone(c.Live), gone), model.Found{Summary: -1})
	}
}
