package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// extracted is what is kept of a session to learn from.
type extracted struct {
	Name, Project string
	Tokens        int
	Frozen        bool
	Examples      []example
	Scenes        []scene
}

func (s *extracted) needs() (n int) {
	for i := range s.Examples {
		if s.Examples[i].Needed == needed {
			n++
		}
	}
	return n
}

// least is the length from which a session gives examples.
const least = 10000

// extractAll reads the transcripts, the long sessions in the archives beside them and
// those of one more folder, and writes their examples.
func extractAll(ctx context.Context, data, more, into string) error {
	folders := []string{data}
	files, err := realdata.SessionFiles(filepath.Join(filepath.Dir(data), "sessions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folders = append(folders, files...)
	if more != "" {
		folders = append(folders, more)
	}
	var out []*extracted
	var all []*session // without their indexes, to know twins
	scenes := map[string]int{}
	for _, folder := range folders {
		sessions, err := load(ctx, folder, facts.Standard, band{least, math.MaxInt})
		if err != nil {
			return err
		}
		for _, s := range sessions {
			if s.maker == "malformed" || slices.ContainsFunc(all, s.same) {
				continue
			}
			e := &extracted{Name: s.name, Project: realdata.ProjectOf(s.name), Tokens: s.total, Frozen: realdata.Frozen(s.name),
				Examples: s.examples()}
			if e.needs() < tooFew {
				continue
			}
			if scenes[e.Project] < mostScenes {
				e.Scenes = s.scenes()
				scenes[e.Project] += min(1, len(e.Scenes))
			}
			fmt.Fprintf(os.Stderr, "%s (%s, %d tokens): %d examples, %d needs, %d scenes\n", s.name, e.Project, s.total,
				len(e.Examples), e.needs(), len(e.Scenes))
			s.index = nil
			all = append(all, s)
			out = append(out, e)
		}
		clear(counted)
	}
	w, err := os.Create(into)
	if err != nil {
		return err
	}
	return errors.Join(gob.NewEncoder(w).Encode(out), w.Close())
}

// mostScenes is how many sessions of a project have their firings kept whole.
const mostScenes = 6

// unseenFolder has the forests that a fold of projects had no part in.
var unseenFolder = filepath.Join("compaction", "facts", "fit", "unseen")

// learnAll learns a forest without each fold of projects, and that of all.
func learnAll(from string, write bool) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	var all []*extracted
	if err := gob.NewDecoder(r).Decode(&all); err != nil {
		return err
	}
	projects, folds := map[string]bool{}, map[string][]*extracted{}
	for _, s := range all {
		s.Project = realdata.ProjectOf(s.Name)
		projects[s.Project] = true
		fold := realdata.FoldOf(s.Project)
		folds[fold] = append(folds[fold], s)
	}
	var sum trialMeans
	for _, fold := range slices.Sorted(maps.Keys(folds)) {
		forest := learn(without(all, func(s *extracted) bool { return realdata.FoldOf(s.Project) == fold || s.Frozen }), shownShare)
		sum.add(fold, forest, folds[fold])
		fmt.Fprint(os.Stderr, sum.rows[len(sum.rows)-1])
		if write {
			if err := os.WriteFile(filepath.Join(unseenFolder, fold+".txt"), []byte(forest.String()), 0o644); err != nil {
				return err
			}
		}
	}
	fmt.Print(sum.String())
	if !write {
		return nil
	}
	seen := without(all, func(s *extracted) bool { return s.Frozen })
	head := fmt.Sprintf("# learned by internal/lab/fit from %d sessions of %d projects, facts of %s\n", len(seen), len(projects),
		facts.Standard.Name())
	forest := learn(seen, shownShare)
	return os.WriteFile(filepath.Join("compaction", "facts", "forest.txt"), []byte(head+forest.String()), 0o644)
}

// shownShare is what a use counts that something else had brought back, of a need.
const shownShare = 0.1

func without(all []*extracted, left func(*extracted) bool) (out []*extracted) {
	for _, s := range all {
		if !left(s) {
			out = append(out, s)
		}
	}
	return out
}

// trialMeans are the means of trials over sessions of projects.
type trialMeans struct {
	rows   []string
	all    [3]spread
	first  [3]spread
	frozen [3]spread
}

func (m *trialMeans) add(project string, f *facts.Forest, sessions []*extracted) {
	var of, first [3]spread
	for _, s := range sessions {
		t := try(f, s.Scenes)
		for b := range budgets {
			if t.needs[b] >= leastNeeds {
				of[b].add(float64(t.met[b]) / float64(t.needs[b]))
				m.all[b].add(float64(t.met[b]) / float64(t.needs[b]))
				if s.Frozen {
					m.frozen[b].add(float64(t.met[b]) / float64(t.needs[b]))
				}
			}
			if t.first[b] >= leastNeeds/2 {
				first[b].add(float64(t.firstMet[b]) / float64(t.first[b]))
				m.first[b].add(float64(t.firstMet[b]) / float64(t.first[b]))
			}
		}
	}
	m.rows = append(m.rows, fmt.Sprintf("| %s (%d) | %.3f | %.3f | %.3f | first uses %.3f | %.3f | %.3f |\n", project,
		of[0].n, of[0].mean(), of[1].mean(), of[2].mean(), first[0].mean(), first[1].mean(), first[2].mean()))
}

func (m *trialMeans) String() string {
	return strings.Join(m.rows, "") + fmt.Sprintf("| all | %v | %v | %v |\n| first uses | %.3f | %.3f | %.3f |\n"+
		"| frozen | %v | %v | %v |\n",
		m.all[0], m.all[1], m.all[2], m.first[0].mean(), m.first[1].mean(), m.first[2].mean(), m.frozen[0], m.frozen[1], m.frozen[2])
}
