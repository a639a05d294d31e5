package drafts

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/gui/state"
	"palimpsest/model"
)

// kept is a draft that a person edited or a model wrote, as it outlives the program.
type kept struct {
	Policy model.Policy     `json:"policy"`
	At     int              `json:"at"`              // history position of its plan
	Stack  []string         `json:"stack,omitempty"` // the records that it was made on
	Text   string           `json:"text"`
	Edited bool             `json:"edited,omitempty"` // by a person
	Asked  *model.Asked     `json:"asked,omitempty"`
	Flaws  []summarize.Flaw `json:"flaws,omitempty"`
}

// keptSetting is the name under which the drafts of a history are stored.
func keptSetting(s *session.Session) string { return fmt.Sprint("drafts:", s.File().Doc.Path, s.Ref()) }

// keep stores the drafts of a history as they are made.
func (d *Set) keep(s *session.Session) {
	if s == nil || d.rest[s] == nil {
		return
	}
	list := slices.Clone(*d.rest[s])
	for _, m := range d.drafts {
		if asked := m.draft.Asked; m.s == s && (m.edited() || asked != nil) {
			list = append(list, kept{m.policy, m.draft.Plan.Line.At(), m.stack, m.draft.Text.Text, m.edited(), asked, m.draft.Flaws})
		}
	}
	list = list[max(0, len(list)-30):] // the newest
	if !reflect.DeepEqual(list, d.stored[s]) {
		d.stored[s] = list
		d.core.Keep(keptSetting(s), list)
	}
}

// recall makes the drafts again that were kept of a history as it is compacted now.
func (d *Set) recall(s *session.Session) {
	if d.core.Store == nil || d.rest[s] != nil {
		return
	}
	at, stack, own := s.At(), state.RecordIDs(s.Stack()), d.plan.Params()
	var rest []kept
	state.Run(d.core, "kept drafts", func(ctx context.Context) (list []made, err error) {
		var all []kept
		_, err = d.core.Store.Setting(ctx, keptSetting(s), &all)
		for _, k := range all {
			if k.At != at || !slices.Equal(k.Stack, stack) {
				rest = append(rest, k)
				continue
			}
			p := k.Policy
			if p.Strategy.Asks() {
				p.Strategy = model.NoteText
			}
			p.Window, p.Fixed = own.Window, own.Fixed
			dr, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
			if err != nil || dr.Plan.Outcome != compaction.WouldApply {
				rest = append(rest, k)
				continue
			}
			if k.Asked != nil {
				dr = session.Witnessed(s, dr, k.Text, "")
				dr.Asked, dr.Flaws = k.Asked, k.Flaws
			}
			m := d.made(s, k.Policy, dr)
			m.policy.Window, m.policy.Fixed = p.Window, p.Fixed
			if k.Edited {
				m.draft = s.Edit(dr, k.Text)
			}
			list = append(list, m)
		}
		return list, err
	}, func(list []made) {
		d.rest[s], d.stored[s] = &rest, nil
		d.drafts = append(d.drafts, list...)
		if s == d.open() && len(list) > 0 {
			d.showLatest(d.plan.Params())
		}
		d.keep(s)
	})
}
