package main

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// results are the measurements of a run: by name and unit one number a round.
type results struct {
	of    map[string][]float64
	about []string // the lines that say what the numbers depend on
}

// procs is the suffix that Go puts behind a benchmark's name on several cores.
var procs = regexp.MustCompile(`-\d+$`)

// aboutKeys are the lines that go into the table's foot.
var aboutKeys = []string{"only: ", "rounds: ", "history: ", "texts: ", "machine: ", "load: ", "cpu: "}

// readResults reads the format of Go's benchmarks. Names are
// "package:Name/sub unit".
func readResults(r io.Reader) (*results, error) {
	res, pkg := &results{of: map[string][]float64{}}, ""
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if p, ok := strings.CutPrefix(line, "pkg: palimpsest/"); ok {
			pkg = p
			continue
		}
		if slices.ContainsFunc(aboutKeys, func(k string) bool { return strings.HasPrefix(line, k) }) && !slices.Contains(res.about, line) {
			res.about = append(res.about, line)
			continue
		}
		name, rest, ok := strings.Cut(line, "\t")
		name, isBench := strings.CutPrefix(strings.TrimSpace(name), "Benchmark")
		if !ok || !isBench {
			continue
		}
		f := strings.Fields(rest)
		for i := 1; i+1 < len(f); i += 2 { // the first field is the number of runs
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				break
			}
			key := pkg + ":" + procs.ReplaceAllString(name, "") + " " + f[i+1]
			res.of[key] = append(res.of[key], v)
		}
	}
	return res, lines.Err()
}

// rounds is what a name measured round by round: its CPU time where it reports one,
// else the time on the clock; or the unit behind a space in the name.
func (r *results) rounds(name string) []float64 {
	if v, ok := r.of[name]; ok {
		return v
	}
	if v, ok := r.of[name+" cpu-ns/op"]; ok {
		return v
	}
	return r.of[name+" ns/op"]
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}
