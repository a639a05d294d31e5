package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Store keeps the states of an application's agents: what
// [palimpsest/compaction/auto.Compactor] writes as JSON.
type Store interface {
	// Load returns a state; nothing and no error: there is none yet.
	Load(id string) ([]byte, error)
	// Save replaces a state, wholly or not at all.
	Save(id string, state []byte) error
	// IDs are those of all states, ascending.
	IDs() ([]string, error)
}

// Folder keeps each state in a file of a folder, which is made when it is needed.
// The window shows such a folder, and follows it while agents run.
func Folder(path string) Store { return folder(path) }

type folder string

const stateSuffix = ".json"

// name is the file of an ID, which may hold any characters.
func (f folder) name(id string) string {
	return filepath.Join(string(f), url.QueryEscape(id)+stateSuffix)
}

func (f folder) Load(id string) ([]byte, error) {
	b, err := os.ReadFile(f.name(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

func (f folder) Save(id string, state []byte) (err error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	t, err := os.CreateTemp(string(f), ".state-*")
	if err != nil {
		return err
	}
	_, err = t.Write(append(slices.Clip(state), '\n'))
	err = errors.Join(err, t.Sync(), t.Close())
	if err == nil {
		err = os.Rename(t.Name(), f.name(id))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("save: %w", err), os.Remove(t.Name()))
	}
	return nil
}

func (f folder) IDs() ([]string, error) {
	list, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range list {
		name, isState := strings.CutSuffix(e.Name(), stateSuffix)
		if id, bad := url.QueryUnescape(name); isState && bad == nil && !e.IsDir() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out, err
}
