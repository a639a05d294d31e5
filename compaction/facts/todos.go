package facts

import (
	"encoding/json"

	"palimpsest/model"
)

// Plan is a to-do list that the agent wrote.
type Plan struct {
	Msg  int      // history position of the call
	Open []string // the items that are not done
}

// OpenItems returns the items of a to-do list that are not done, in their order; ok is
// false for a call that writes none. A list has an array of objects with a status.
func OpenItems(p *model.Part) (open []string, ok bool) {
	if p.Kind != model.PartCall || classOf(p) != ByPlan {
		return nil, false
	}
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(p.Text), &args) != nil {
		return nil, false
	}
	for _, list := range args {
		var items []struct {
			Status                              *string
			Content, Step, Text, Title, Subject string
		}
		if json.Unmarshal(list, &items) != nil {
			continue
		}
		for i := range items {
			it := &items[i]
			if it.Status == nil {
				continue
			}
			ok = true
			if *it.Status == "completed" || *it.Status == "done" || *it.Status == "cancelled" {
				continue
			}
			for _, text := range []string{it.Content, it.Step, it.Text, it.Title, it.Subject} {
				if text != "" {
					open = append(open, text)
					break
				}
			}
		}
	}
	return open, ok
}

// countOpen counts the facts in the open items of the last to-do list before a change that
// it takes away; met are those that the context holds afterwards.
func (w *secondMeasure) countOpen(c *Change, after *standing, r *Recall) {
	last := -1
	for i := range w.Plans {
		if w.Plans[i].Msg < c.At {
			last = i
		}
	}
	if last < 0 {
		return
	}
	gone, seen := w.set(), w.set()
	w.gone(c, gone, func(ID) {})
	for _, text := range w.Plans[last].Open {
		Standard.Lift(&Message{Author: Agent, Parts: []model.Part{{Text: text}}}, func(f Lifted) {
			if id, ok := w.ID(f.Fact); ok && gone.has(id) && !seen.has(id) {
				seen.add(id)
				r.count(after.has(id))
			}
		})
	}
}
