package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"palimpsest/compaction/auto"
)

// Agents are all agents of an application with their histories: each has
// a compactor of its own, and all are loaded and saved together.
type Agents struct {
	store Store
	make  func(id string) (*auto.Compactor, error)

	mu   sync.Mutex
	list map[string]*auto.Compactor
}

// LoadAgents loads every agent that the store holds. make makes the compactor of
// one that is new or loaded; it must not call the agents. States that can't be
// read are left out, never overwritten, and named by the error; the agents beside
// it can be used.
func LoadAgents(store Store, make func(id string) (*auto.Compactor, error)) (*Agents, error) {
	a := &Agents{store: store, make: make, list: map[string]*auto.Compactor{}}
	ids, err := store.IDs()
	errs := []error{err}
	for _, id := range ids {
		_, err := a.Agent(id)
		errs = append(errs, err)
	}
	return a, errors.Join(errs...)
}

// Agent is the compactor of an agent; a new one begins with what the store holds.
func (a *Agents) Agent(id string) (*auto.Compactor, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.list[id]; c != nil {
		return c, nil
	}
	c, err := a.make(id)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", id, err)
	}
	state, err := a.store.Load(id)
	if err == nil {
		err = c.Load(state)
	}
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", id, err)
	}
	a.list[id] = c
	return c, nil
}

// IDs are those of the agents so far, ascending.
func (a *Agents) IDs() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []string
	for id := range a.list {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// Save saves every agent. One that can't be saved keeps no other from it.
func (a *Agents) Save() error {
	var errs []error
	for _, id := range a.IDs() {
		a.mu.Lock()
		c := a.list[id]
		a.mu.Unlock()
		state, err := json.Marshal(c)
		if err == nil {
			err = a.store.Save(id, state)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("agent %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}
