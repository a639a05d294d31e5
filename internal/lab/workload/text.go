package workload

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"palimpsest/assets"
	"palimpsest/internal/realdata"
)

// Texts returns every different string of the real transcripts in the order of
// their files: prose, code, JSON in JSON, terminal output, base64. Where those
// are not there, the strings of the built-in samples are used; real reports which.
func Texts() (texts []string, real bool) {
	t := load()
	return t.texts, t.real
}

type loaded struct {
	texts []string
	real  bool
}

var load = sync.OnceValue(func() loaded {
	var c collector
	dir := filepath.Join(realdata.Above(), "..", "shared", "data", "transcripts")
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(filepath.Ext(path), ".json") {
			return nil // a folder that is not there leaves the samples
		}
		if file, err := os.ReadFile(path); err == nil {
			c.file(file)
		}
		return nil
	})
	if len(c.texts) > 0 {
		return loaded{c.texts, true}
	}
	for _, s := range assets.Samples {
		c.file(s.Bytes())
	}
	return loaded{c.texts, false}
})

// collector keeps each string once.
type collector struct {
	texts []string
	seen  map[string]bool
}

func (c *collector) file(file []byte) {
	if json.Valid(file) {
		c.json(file)
		return
	}
	for line := range bytes.Lines(file) {
		c.json(line)
	}
}

func (c *collector) json(text []byte) {
	var v any
	if json.Unmarshal(text, &v) == nil {
		c.value(v)
	}
}

func (c *collector) value(v any) {
	switch v := v.(type) {
	case string:
		if v == "" || c.seen[v] || !utf8.ValidString(v) {
			return
		}
		if c.seen == nil {
			c.seen = map[string]bool{}
		}
		c.seen[v] = true
		c.texts = append(c.texts, v)
	case []any:
		for _, e := range v {
			c.value(e)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			c.value(v[k])
		}
	}
}
