package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/recorded"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// The ledger is judged on each session by the forest that no session of its project
// had a part in.
var (
	unseenFolder = filepath.Join("compaction", "facts", "fit", "unseen")
	inUse        = facts.Likely
)

// judgeUnseen lets the engine use the forest that a project had no part in; the one
// in use for a project that had none.
func judgeUnseen(project string) error {
	if project == "" {
		facts.Likely = inUse
		return nil
	}
	text, err := os.ReadFile(filepath.Join(unseenFolder, realdata.FoldOf(project)+".txt"))
	if os.IsNotExist(err) {
		facts.Likely = inUse
		return nil
	}
	if err != nil {
		return err
	}
	forest, err := facts.ParseForest(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", project, err)
	}
	facts.Likely = forest.Score()
	return nil
}

// allFiles are the transcripts, the long sessions beside them and those of [more], with
// their names.
func allFiles(root string) (paths, names []string, err error) {
	add := func(root string) error {
		return filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.Contains(path, "malformed") {
				name, _ := filepath.Rel(root, path)
				paths, names = append(paths, path), append(names, filepath.ToSlash(name))
			}
			return err
		})
	}
	if err := add(root); err != nil {
		return nil, nil, err
	}
	long, err := realdata.SessionFiles(filepath.Join(filepath.Dir(root), "sessions"))
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	for _, path := range long {
		paths, names = append(paths, path), append(names, filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path))
	}
	if more != "" {
		if err := add(more); err != nil {
			return nil, nil, err
		}
	}
	return paths, names, nil
}

// each opens the main threads of the conversations of all files, one after the other,
// with the forest of their project's own. A session that is in several files is handed
// out once.
func each(ctx context.Context, root string, wanted func(*model.Thread) bool, yield visit) error {
	paths, names, err := allFiles(root)
	if err != nil {
		return err
	}
	return eachOf(ctx, paths, names, wanted, yield)
}

// eachOf is [each] of some files.
func eachOf(ctx context.Context, paths, names []string, wanted func(*model.Thread) bool, yield visit) error {
	seen := map[string]bool{}
	for i, path := range paths {
		f, err := session.Open(ctx, path, session.Options{}, transcript.Options{})
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		err = eachThread(ctx, f, names[i], func(d *model.Document, t *model.Thread) bool {
			key := twinKey(d, t)
			fresh := wanted(t) && !seen[key]
			seen[key] = seen[key] || fresh
			return fresh
		}, yield)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
	}
	return nil
}

// visit is handed a session.
type visit func(name, project string, s *session.Session) error

func eachThread(ctx context.Context, f *session.File, name string, wanted func(*model.Document, *model.Thread) bool, yield visit) error {
	project := realdata.ProjectOf(name)
	if err := judgeUnseen(project); err != nil {
		return err
	}
	for c, conversation := range f.Doc.Conversations {
		for t, th := range conversation.Threads {
			if !wanted(f.Doc, th) {
				continue
			}
			s, err := f.Session(ctx, session.Ref{Conversation: c, Thread: t}, nil)
			if err != nil {
				return err
			}
			if err := yield(name, project, s); err != nil {
				return err
			}
			s.Insight.ForgetFacts()
		}
	}
	return nil
}

// twinKey is the same for a session in two files: its first messages.
func twinKey(d *model.Document, t *model.Thread) string {
	var b strings.Builder
	for _, i := range t.History[:min(12, len(t.History))] {
		parts, _ := d.Parts(&t.Messages[i])
		for _, p := range parts {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// kept is the study of what recorded compactions kept, and of what limits the ledger.
func kept(ctx context.Context, root string) (string, error) {
	r, err := keptBy(ctx, root, nil, nil)
	if err != nil {
		return "", err
	}
	limits, err := bounds(ctx, root, r)
	return r.Markdown() + limits + headlineMark + r.Headline(), err
}

// keptBy is the study with a score of each session's; nil: that of the forest which its
// project had no part in. read changes what is measured before it is summed up.
func keptBy(ctx context.Context, root string, score func(*session.Session) facts.Score,
	read func(*session.Session, *recorded.File)) (r recorded.Result, err error) {
	var st recorded.Study
	compacted := func(t *model.Thread) bool {
		return slices.ContainsFunc(t.Found, func(f model.Found) bool { return !f.Clearing })
	}
	err = each(ctx, root, compacted, func(name, project string, s *session.Session) error {
		if score != nil {
			facts.Likely = score(s)
		}
		f, err := recorded.Measure(ctx, s)
		if err != nil {
			return err
		}
		if read != nil {
			read(s, f)
		}
		st.Add(recorded.Of{Session: name, Tool: string(s.File().Doc.Format), Project: project}, f)
		return nil
	})
	return st.Result(1), err
}

var budgets = []int{500, 1000, 2000}

const (
	leastTokens = 60000 // by the public vocabulary, from which a session is judged
	leastNeeds  = 20
)

// judged is what the engine comes to on a session.
type judged struct {
	name, project string
	needs         int
	tail          float64
	recall        [3]float64
	first         [3]facts.Recall // uses of what the agent had never used, that the tail does not hold
	orders        facts.Recall    // standing orders that stand after each firing, at 1,000
}

// unseen judges the shipped engine on all long sessions.
func unseen(ctx context.Context, root string) (string, error) {
	var all []judged
	err := each(ctx, root, mainThreads,
		func(name, project string, s *session.Session) error {
			j, ok, err := judge(ctx, s)
			if ok {
				j.name, j.project = name, project
				all = append(all, j)
				fmt.Fprintf(os.Stderr, "%s (%s) %d needs: %.3f  %.3f\n", name, project, j.needs, j.tail, j.recall)
			}
			return err
		})
	if err != nil {
		return "", err
	}
	return unseenTable(all), nil
}

// judge replays a session under the setting of the measure, with the strategy ledger.
func judge(ctx context.Context, s *session.Session) (j judged, ok bool, err error) {
	if !longEnough(s) {
		return j, false, nil
	}
	replayed := func(strategy model.Strategy, budget int) (*session.Recall, []facts.Change, error) {
		tl, err := measured(ctx, s, strategy, budget)
		if err != nil {
			return nil, nil, err
		}
		r, err := s.Insight.Recall(ctx, tl.Policy, tl.Firings)
		return r, session.Changes(tl.Firings), err
	}
	none, _, err := replayed(model.Drop, 1000)
	if err != nil || none.Needs.Needs < leastNeeds {
		return j, false, err
	}
	j.tail = none.Share()
	x := s.Insight.KnownFacts()
	for b, budget := range budgets {
		r, changes, err := replayed(model.Ledger, budget)
		if err != nil {
			return j, false, err
		}
		j.needs, j.recall[b] = r.Needs.Needs, r.Share()
		j.first[b] = x.FirstUses(changes)
		if budget == 1000 {
			j.orders = x.StandingOrders(changes)
		}
	}
	return j, true, nil
}

// unseenTable has the mean of all sessions, of each project, and of the frozen ones.
func unseenTable(all []judged) string {
	var b strings.Builder
	projects := map[string]bool{}
	for i := range all {
		projects[all[i].project] = true
	}
	fmt.Fprintf(&b, "%d sessions of %d projects with %d tokens (%s) and %d needs or more.\n\n", len(all), len(projects),
		leastTokens, tokens.O200k, leastNeeds)
	b.WriteString("| sessions of | n | needs | tail alone | 500 tokens | 1,000 tokens | 2,000 tokens | first uses, 1,000 " +
		"| standing orders, 1,000 |\n|---|---|---|---|---|---|---|---|---|\n")
	row := func(name string, of func(*judged) bool) {
		var tail, orders, first mean
		var recall [3]mean
		n, needs := 0, 0
		for i := range all {
			j := &all[i]
			if !of(j) {
				continue
			}
			n, needs = n+1, needs+j.needs
			tail.add(j.tail)
			for k := range recall {
				recall[k].add(j.recall[k])
			}
			if j.first[1].Needs >= leastNeeds/2 {
				first.add(j.first[1].Share())
			}
			if j.orders.Needs > 0 {
				orders.add(j.orders.Share())
			}
		}
		if n > 0 {
			fmt.Fprintf(&b, "| %s | %d | %d | %v | %v | %v | %v | %v | %v |\n", name, n, needs, tail, recall[0], recall[1], recall[2],
				first, orders)
		}
	}
	row("**all**", func(*judged) bool { return true })
	row("in no forest, chosen by name", func(j *judged) bool { return realdata.Frozen(j.name) })
	for _, p := range slices.Sorted(keys(projects)) {
		row(p, func(j *judged) bool { return j.project == p })
	}
	return b.String()
}

// mean is a mean with its standard deviation.
type mean struct{ n, sum, square float64 }

func (m *mean) add(v float64) { m.n, m.sum, m.square = m.n+1, m.sum+v, m.square+v*v }

func (m mean) String() string {
	if m.n == 0 {
		return "–"
	}
	mid := m.sum / m.n
	if m.n == 1 {
		return fmt.Sprintf("%.3f", mid)
	}
	return fmt.Sprintf("%.3f ± %.3f", mid, math.Sqrt(max(0, m.square/m.n-mid*mid)))
}
