package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// met is how our live totals meet the last reported call of the sessions of a format.
type met struct {
	off   []float64 // shares
	first []float64 // what the first call holds beyond its messages, of whole histories
}

// usage compares the last reported call of each session with our estimate of it. The
// long sessions are in archives beside the transcripts.
func usage(ctx context.Context, root string) (string, error) {
	list, err := threads(ctx, root, reportsUsage)
	if err != nil {
		return "", err
	}
	files, err := realdata.SessionFiles(filepath.Join(filepath.Dir(root), "sessions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, path := range files {
		long, err := threads(ctx, path, reportsUsage)
		if err != nil {
			return "", err
		}
		list = append(list, long...)
	}
	by, all, loud := map[model.Format]*met{}, &met{}, []string{}
	for _, t := range list {
		c := t.CrossCheck(t.Policy().Fixed)
		if c.At < 0 {
			continue
		}
		format := t.File().Doc.Format
		if by[format] == nil {
			by[format] = &met{}
		}
		for _, m := range []*met{by[format], all} {
			m.off = append(m.off, math.Abs(c.Off()))
			if f := t.Calibration(); f.Factor > 0 && f.Split == session.SplitNone && f.Fixed > 0 {
				m.first = append(m.first, float64(f.Fixed))
			}
		}
		if c.Loud() {
			loud = append(loud, fmt.Sprintf("| %s | %s | %s | %+.0f %% |\n",
				t.name, thousands(c.Reported), thousands(c.Estimated), 100*c.Off()))
		}
	}
	var b strings.Builder
	b.WriteString("| format | sessions with usage | median | 95th percentile | above 20 % | system prompt and tools, median |\n" +
		"|---|---|---|---|---|---|\n")
	for _, f := range slices.Sorted(keys(by)) {
		b.WriteString(by[f].row(string(f)))
	}
	all.first = nil // of different programs
	b.WriteString(all.row("all"))
	b.WriteString("\n| above 20 % | reported | estimated | off |\n|---|---|---|---|\n")
	for _, l := range loud {
		b.WriteString(l)
	}
	return b.String(), nil
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func reportsUsage(t *model.Thread) bool {
	return slices.ContainsFunc(t.History, func(i int32) bool { return t.Messages[i].Usage != nil && t.Messages[i].Usage.Input > 0 })
}

func (m *met) row(name string) string {
	slices.Sort(m.off)
	slices.Sort(m.first)
	n, loud, fixed := len(m.off), 0, "–"
	for _, x := range m.off {
		if x > .2 {
			loud++
		}
	}
	if k := len(m.first); k >= 3 {
		fixed = "~" + thousands(int64(m.first[k/2]))
	}
	return fmt.Sprintf("| %s | %d | %.1f %% | %.1f %% | %d | %s |\n", name, n, 100*m.off[n/2], 100*m.off[min(n-1, n*95/100)], loud, fixed)
}
