// Command mutants changes one thing at a time in the source of a package, runs the tests
// that should notice, and says which changes no test noticed.
//
//	scripts/lab.sh mutants [-n 0] [-seed 1] [-only mutants.txt] [-list] [-v] PACKAGE [TESTS…]
//
// PACKAGE is a folder; TESTS are the folders whose tests are run, in this order; without them
// the folder's own. All mutants are built into one program, which is told by the environment
// which of them it is, so that none of them is compiled. Each test is run once alone to learn
// which mutants it reaches; a mutant is then tried with the tests that reach it, quick ones
// first. A mutant whose tests run longer than they may counts as noticed. The files are
// changed by an overlay of the build, so that the folder stays as it is.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 0, "how many mutants to try; 0: all")
	seed := flag.Uint64("seed", 1, "which of them")
	only := flag.String("only", "", "a file of lines file:line: change, as this command prints them; others are not tried")
	jobs := flag.Int("jobs", 2, "how many at a time")
	list := flag.Bool("list", false, "only list the mutants")
	verbose := flag.Bool("v", false, "print what is caught too, and by which test")
	tags := flag.String("tags", "migrated_fynedo,sqlite_fts5,ci", "of the build")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("which package?")
	}
	folder := filepath.Clean(flag.Arg(0))
	tests := flag.Args()[1:]
	if len(tests) == 0 {
		tests = []string{folder}
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	all, err := build(folder, tests, dir, *tags)
	if err != nil {
		log.Fatal(err)
	}
	chosen := choose(all.mutants, *n, *seed, *only)
	fmt.Printf("%d mutants in %s, %d of them tried\n", len(all.mutants), folder, len(chosen))
	if *list {
		for _, m := range chosen {
			fmt.Println(m)
		}
		return
	}
	all.learn(*jobs)
	caught, survived := all.tryAll(chosen, *jobs, *verbose)
	fmt.Printf("%s: %d caught, %d survived (%.1f %%)\n", folder, caught, survived, 100*float64(survived)/float64(max(caught+survived, 1)))
}

// choose draws the mutants that are tried.
func choose(all []mutant, n int, seed uint64, only string) []mutant {
	chosen := slices.Clone(all)
	if only != "" {
		named := map[string]bool{}
		f, err := os.Open(only)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			named[strings.TrimSpace(strings.TrimPrefix(s.Text(), "SURVIVED"))] = true
		}
		chosen = slices.DeleteFunc(chosen, func(m mutant) bool { return !named[m.String()] })
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	if n > 0 && n < len(chosen) {
		chosen = chosen[:n]
	}
	slices.SortFunc(chosen, func(a, b mutant) int { return cmp.Compare(a.id, b.id) })
	return chosen
}

// tryAll tries some mutants and prints those that survive.
func (p *programs) tryAll(chosen []mutant, jobs int, verbose bool) (caught, survived int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan mutant)
	for range jobs {
		wg.Go(func() {
			for m := range work {
				by := p.try(m)
				mu.Lock()
				switch {
				case by == "":
					survived++
					fmt.Printf("SURVIVED  %s\n", m)
				case verbose:
					fmt.Printf("caught    %s (%s)\n", m, by)
					fallthrough
				default:
					caught++
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range chosen {
		work <- m
	}
	close(work)
	wg.Wait()
	return caught, survived
}
