package transcript

import (
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
)

// Services refuse a call whose results do not follow it, and a result that follows no call.
// spoken gives a list in that order, wherever its results are in the source: before their
// calls, behind an interjection, in a later answer of the model.
//
//	list      A1 calls a, s    U    result of a    A2: result of s, text
//	spoken    A1 calls a, s    result of a    result of s    U    A2: text
type spoken struct {
	*crossWriter
	results map[int]map[string][]int // by item of a call and its id: the items that hold results
	placed  map[int]bool             // result messages that are given with their calls
	held    map[int]map[string]bool  // by item of an answer: the calls whose results it holds
	taken   map[string]int           // by item of an answer and id: the results in it that were given
	ids     map[string]bool          // of calls that were given
	last    int                      // the last item that is no result of a call before it
}

// eachSpoken calls f with every message that a model sees, its parts without results of
// others, its calls with ids of their own.
func (c *crossWriter) eachSpoken(f func(m *model.Message, parts []model.Part) error) error {
	s := spoken{crossWriter: c, results: map[int]map[string][]int{}, placed: map[int]bool{},
		held: map[int]map[string]bool{}, taken: map[string]int{}, ids: map[string]bool{}}
	s.pair()
	for i := range c.Items {
		if s.placed[i] {
			continue
		}
		m, parts, err := s.read(i)
		if err != nil {
			return err
		}
		if !c.sent(m) {
			continue
		}
		if m.Kind == model.KindResult { // of no call, or of one that has a result
			words := *m
			words.Role, words.Kind = model.RoleUser, model.KindUser
			c.count(LossRoles, true)
			if err := f(&words, parts); err != nil {
				return err
			}
			continue
		}
		if err := s.message(i, m, parts, f); err != nil {
			return err
		}
	}
	return nil
}

// pair finds the results of each call of the list.
func (s *spoken) pair() {
	var pairs model.NamedPairing
	for i, it := range s.Items {
		if it.Msg < 0 {
			s.last = i
			continue
		}
		m := &s.Thread.Messages[it.Msg]
		for _, call := range m.Calls {
			if call.ID == "" {
				continue
			}
			if early := pairs.Call(pairs.ID(call.ID), int32(i)); early >= 0 {
				s.found(i, int(early), call.ID)
			}
		}
		for _, l := range m.Links {
			if call, tie := pairs.Link(pairs.ID(l.ID), l.Result, int32(i)); l.Result && tie == model.TieFirst {
				s.found(int(call), i, l.ID)
			}
		}
		if m.Kind == model.KindResult && m.Answers != "" {
			if call, tie := pairs.Result(pairs.ID(m.Answers), int32(i)); tie == model.TieFirst {
				s.found(int(call), i, m.Answers)
			}
		}
		if !s.placed[i] {
			s.last = i
		}
	}
}

// found notes that an item is or holds the result of a call.
func (s *spoken) found(call, item int, id string) {
	if s.results[call] == nil {
		s.results[call] = map[string][]int{}
	}
	s.results[call][id] = append(s.results[call][id], item)
	if s.Thread.Messages[s.Items[item].Msg].Kind == model.KindResult {
		s.placed[item] = true
		return
	}
	if s.held[item] == nil {
		s.held[item] = map[string]bool{}
	}
	s.held[item][id] = true
}

// read reads an item and counts what the form loses of it.
func (s *spoken) read(i int) (m *model.Message, parts []model.Part, err error) {
	err = eachItem(s.Doc, s.Thread, s.Items[i:i+1], s.Summary, func(msg *model.Message, list []model.Part) error {
		m, parts = msg, slices.Clone(list)
		s.counts(s.Items[i], m, parts)
		return nil
	})
	return m, parts, err
}

// message gives a message with the results of its calls behind it. Where it holds results that
// tools of the provider gave, it is cut: what comes behind one was said when it was known.
func (s *spoken) message(i int, m *model.Message, parts []model.Part, f func(*model.Message, []model.Part) error) error {
	for _, p := range parts {
		unnamed := func(c model.Part) bool { return c.Kind == model.PartCall && c.CallID == "" }
		if p.Kind == model.PartResult && p.CallID == "" && slices.ContainsFunc(parts, unnamed) {
			s.found(i, i, "")
		}
	}
	pieces := [][]model.Part{nil}
	for _, p := range parts {
		if k := len(pieces) - 1; p.Kind == model.PartResult && s.held[i][p.CallID] {
			pieces = append(pieces, nil)
		} else {
			pieces[k] = append(pieces[k], p)
		}
	}
	open := func(p model.Part) bool { return p.Kind != model.PartOpaque }
	for _, piece := range pieces {
		if len(parts) > 0 && !slices.ContainsFunc(piece, open) { // nothing of it can be read
			continue
		}
		if err := s.piece(i, m, piece, f); err != nil {
			return err
		}
	}
	return nil
}

// piece gives a message and the results of its calls.
func (s *spoken) piece(i int, m *model.Message, parts []model.Part, f func(*model.Message, []model.Part) error) error {
	type made struct{ was, is, name string }
	var calls []made
	for k := range parts {
		if p := &parts[k]; p.Kind == model.PartCall && m.Role == model.RoleAssistant {
			was := p.CallID
			if was == "" || strings.HasPrefix(was, "#") || s.ids[was] { // a service asks for one
				s.named++
				p.CallID = fmt.Sprintf("call_%d", s.named)
			}
			s.ids[p.CallID] = true
			calls = append(calls, made{was, p.CallID, p.Name})
		}
	}
	if err := f(m, parts); err != nil {
		return err
	}
	for _, call := range calls {
		result, text, err := s.resultOf(i, call.was)
		if err != nil {
			return err
		}
		if result == nil {
			if i == s.last && call.was != "" && len(s.results[i]) == 0 {
				continue // its results are still to come
			}
			s.count(LossResults, true)
			result, text = &model.Message{}, []model.Part{{Kind: model.PartResult, Text: noResult}}
		}
		answer := model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: call.is, Name: call.name, Error: result.Error,
			Time: result.Time}
		if err := f(&answer, text); err != nil {
			return err
		}
	}
	return nil
}

// noResult stands for the result of a call that has none in the source: its own tool ran it,
// or it was interrupted.
const noResult = "[no result of this call is in the history]"

// resultOf takes the next result of a call of an item; nil: there is none.
func (s *spoken) resultOf(i int, id string) (*model.Message, []model.Part, error) {
	list := s.results[i][id]
	if len(list) == 0 {
		return nil, nil, nil
	}
	s.results[i][id] = list[1:]
	if s.placed[list[0]] {
		return s.read(list[0])
	}
	m := &s.Thread.Messages[s.Items[list[0]].Msg] // an answer that holds the result
	parts, err := s.Doc.Parts(m)
	if err != nil {
		return nil, nil, err
	}
	key := fmt.Sprint(list[0], " ", id)
	next := s.taken[key]
	for _, p := range parts {
		if p.Kind != model.PartResult || p.CallID != id {
			continue
		}
		if next--; next < 0 {
			s.taken[key]++
			return &model.Message{Error: p.Error, Time: m.Time}, []model.Part{p}, nil
		}
	}
	return nil, nil, nil
}
