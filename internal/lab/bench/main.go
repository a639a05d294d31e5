// Command bench measures what a person feels of the program's speed: whole programs as a
// person starts them, and what the window computes at a touch. It prints one table and
// writes it to docs/performance.md.
//
//	scripts/bench.sh [-quick] [-only REGEXP] [-rounds N]
//	scripts/bench.sh -cliffs 64     # what a byte costs in histories of 1, 2, … 64 MB: docs/screenshots/cliffs.svg
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// document has the table, between these marks.
const (
	document   = "docs/performance.md"
	tableBegin = "<!-- bench: begin -->"
	tableEnd   = "<!-- bench: end -->"
)

// row is something that a person does, and how long it may take.
type row struct {
	what    string
	unit    string
	most    float64 // what is wanted at most; 0: for comparison
	least   float64 // or at least
	measure func(context.Context, *lab) (float64, error)
}

// lab is where the rows are measured.
type lab struct {
	dir     string           // of programs and databases
	verbs   string           // the program of the verbs
	mb      int              // size of the large histories
	shrink  int              // by which the numbers of messages are divided
	sampled map[string]usage // what was measured by an earlier row of the round
}

func main() {
	log.SetFlags(0)
	quick := flag.Bool("quick", false, "one round on small histories: whether it works; the document stays as it is")
	rounds := flag.Int("rounds", 3, "how often each row is measured; the median counts")
	only := flag.String("only", "", "regular expression: only these rows; the document stays as it is")
	most := flag.Int("cliffs", 0, "instead: each verb on each of twelve formats, in histories up to so many MB")
	write := flag.String("write", "", "only write one of these histories, as claude-code,16 (MB)")
	to := flag.String("to", "", "where -write writes it")
	flag.Parse()
	if *write != "" {
		if err := writeHistory(*write, *to); err != nil {
			log.Fatal(err)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *quick, *rounds, *only, *most); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, quick bool, rounds int, only string, most int) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "palimpsest-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l := &lab{dir: dir, verbs: filepath.Join(dir, "palimpsest"), mb: 200, shrink: 1}
	if quick {
		l.mb, l.shrink, rounds = 20, 10, 1
	}
	if err := build(ctx, ".", l.verbs, "./cli/palimpsest", "sqlite_fts5"); err != nil {
		return err
	}
	if most > 0 {
		return cliffs(ctx, l, most)
	}
	list := slices.DeleteFunc(rows(l), func(r row) bool { return !chosen.MatchString(r.what) })
	figures := make([][]float64, len(list))
	failed := make([]error, len(list))
	for round := range rounds {
		log.Printf("Round %d of %d", round+1, rounds)
		l.sampled = map[string]usage{}
		for i, r := range list {
			v, err := r.measure(ctx, l)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if failed[i] = err; err == nil {
				figures[i] = append(figures[i], v)
			}
		}
	}
	table := tableOf(list, figures, failed, l.mb)
	fmt.Print(table)
	if quick || only != "" {
		return nil
	}
	return replaceTable(table)
}

// tableOf is the table in Markdown, with what it depends on.
func tableOf(list []row, figures [][]float64, failed []error, mb int) string {
	var b strings.Builder
	b.WriteString("| what a person does | wanted | measured | least–most of the rounds | |\n|---|---|---|---|---|\n")
	for i, r := range list {
		wanted, mark := "", "for comparison"
		switch {
		case r.most > 0:
			wanted = "≤ " + number(r.most) + " " + r.unit
		case r.least > 0:
			wanted = "≥ " + number(r.least) + " " + r.unit
		}
		if len(figures[i]) == 0 {
			fmt.Fprintf(&b, "| %s | %s | – | | not measured: %v |\n", r.what, wanted, failed[i])
			continue
		}
		slices.Sort(figures[i])
		low, middle, top := figures[i][0], figures[i][len(figures[i])/2], figures[i][len(figures[i])-1]
		switch {
		case r.most > 0 && middle > r.most, r.least > 0 && middle < r.least:
			mark = "missed"
		case wanted != "":
			mark = "reached"
		}
		fmt.Fprintf(&b, "| %s | %s | %s %s | %s–%s | %s |\n", r.what, wanted, number(middle), r.unit, number(low), number(top), mark)
	}
	fmt.Fprintf(&b, "\nHistories of %d MB; %d cores, %s/%s, %s; %s.\n", mb,
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(),
		time.Now().UTC().Format("2 January 2006"))
	return b.String()
}

// number has two digits that count, or all before the point.
func number(v float64) string {
	switch {
	case v >= 10 || v == float64(int(v)):
		return fmt.Sprintf("%.0f", v)
	case v >= .1:
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.1g", v)
}

func replaceTable(table string) error {
	old, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(old, []byte(tableBegin))
	_, after, ended := bytes.Cut(rest, []byte(tableEnd))
	if !found || !ended {
		return fmt.Errorf("%s has no marks for the table", document)
	}
	text := slices.Concat(before, []byte(tableBegin+"\n\n"+table+"\n"+tableEnd), after)
	return os.WriteFile(document, text, 0o644)
}

// build builds a program of the module in a folder.
func build(ctx context.Context, module, path, pkg, tags string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-C", module, "-buildvcs=false", "-tags", tags, "-o", path, pkg)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", pkg, err, text)
	}
	return nil
}
