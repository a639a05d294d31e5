// Command skips prints what `go test -json` reports as go test itself would, and keeps an
// account of the tests that were skipped and why, so that a check at the end can list them
// and fail for a reason that nobody allowed.
//
//	go test -json ./... | skips -note build/skipped.tsv     # for each call of go test
//	skips -check build/skipped.tsv scripts/skips.txt        # at the end
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	note := flag.String("note", "", "file to which skipped tests are added")
	check := flag.String("check", "", "such a file; the argument is the list of known reasons")
	flag.Parse()
	var err error
	if *check != "" {
		err = checkFile(os.Stdout, *check, flag.Arg(0))
	} else {
		err = noteFile(*note)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// skipped is a test that was not done.
type skipped struct{ pkg, test, reason string }

func noteFile(path string) error {
	list, err := relay(os.Stdin, os.Stdout)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	for _, s := range list {
		fmt.Fprintf(f, "%s\t%s\t%s\n", s.pkg, s.test, s.reason)
	}
	return f.Close()
}

// relay prints the result of each package, and all that failing tests said.
func relay(in io.Reader, out io.Writer) (list []skipped, err error) {
	said := map[string][]string{}
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil { // not of the protocol: a word of the go command
				_, _ = out.Write(line)
			} else if s := e.relay(out, said); s != nil {
				list = append(list, *s)
			}
		}
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// relay takes one event. said holds what the tests that run have printed.
func (e *event) relay(out io.Writer, said map[string][]string) *skipped {
	key := e.Package + "\t" + e.Test
	switch {
	case e.Action == "build-output", e.Action == "output" && e.Test == "":
		if e.Output != "PASS\n" {
			fmt.Fprint(out, e.Output)
		}
	case e.Action == "output":
		said[key] = append(said[key], e.Output)
	case e.Test == "":
	case e.Action == "fail":
		fmt.Fprint(out, strings.Join(said[key], ""))
		delete(said, key)
	case e.Action == "pass":
		delete(said, key)
	case e.Action == "skip":
		s := &skipped{e.Package, e.Test, reason(said[key])}
		delete(said, key)
		return s
	}
	return nil
}

var place = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: `)

// reason is what a skipped test said last before it ended.
func reason(lines []string) string {
	last := "no reason"
	for _, l := range lines {
		if loc := place.FindString(l); loc != "" {
			last = strings.TrimSpace(l[len(loc):])
		}
	}
	return strings.ReplaceAll(last, "\t", " ")
}

// checkFile lists what was skipped, by reason, and fails where one is not among those of
// the other file, which has the beginning of a reason on each line; # begins a comment.
func checkFile(out io.Writer, path, allowed string) error {
	b, err := os.ReadFile(allowed)
	if err != nil {
		return err
	}
	var known []string
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			known = append(known, l)
		}
	}
	b, err = os.ReadFile(path)
	if err != nil {
		return err
	}
	tests := map[string][]string{}
	total := 0
	for l := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), "\t", 3)
		if len(f) < 3 {
			continue
		}
		why := f[2]
		if i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(why, k) }); i >= 0 {
			why = known[i]
		}
		tests[why] = append(tests[why], f[0]+"."+f[1])
		total++
	}
	fmt.Fprintf(out, "%d tests were skipped:\n", total)
	reasons := slices.SortedFunc(maps.Keys(tests), func(a, b string) int {
		return cmp.Or(len(tests[b])-len(tests[a]), strings.Compare(a, b))
	})
	var unknown []string
	for _, why := range reasons {
		fmt.Fprintf(out, "  %4d  %s\n", len(tests[why]), why)
		if !slices.Contains(known, why) {
			unknown = append(unknown, fmt.Sprintf("%s (%s)", why, tests[why][0]))
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%s knows no such reason to skip a test:\n  %s", allowed, strings.Join(unknown, "\n  "))
	}
	return nil
}
