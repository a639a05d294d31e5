package main

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"sort"
	"strings"
)

// root is the folder of the invented project.
const root = "/srv/code/larch"

// project is the source of Larch, an invented configuration language, as far
// as an agent looks at it. Reads, searches, edits and diffs work on it, so that
// what the samples show of it fits together.
type project struct {
	r     *rng
	files map[string]string
	was   map[string]string // text at the last commit
	names []string
}

func newProject(r *rng) *project {
	p := &project{r: r, files: map[string]string{}}
	for _, line := range strings.Split(strings.TrimSpace(read("files.txt")), "\n") {
		f := strings.Fields(line)
		things := strings.Split(f[2], ",")
		p.add(f[0], r.source(f[0], f[1], things))
		p.add(strings.TrimSuffix(f[0], ".go")+"_test.go", r.testSource(f[0], f[1], things))
	}
	for _, name := range []string{"shop", "edge", "fleet", "paths"} {
		p.add("examples/"+name+".larch", r.text("configuration", r.between(9, 16)))
	}
	p.commit()
	return p
}

func (p *project) add(name, text string) {
	p.files[name] = text
	p.names = append(p.names, name)
	sort.Strings(p.names)
}

func (p *project) commit() {
	p.was = maps.Clone(p.files)
}

func (p *project) lines(name string) []string {
	return strings.Split(strings.TrimSuffix(p.files[name], "\n"), "\n")
}

// read is what a Read tool shows: count lines from the given one, numbered.
func (p *project) read(name string, from, count int) string {
	lines := p.lines(name)
	from = max(0, min(from, len(lines)-1))
	to := min(len(lines), from+count)
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%6d\t%s\n", i+1, lines[i])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// find is the line of a function in a file, from 0.
func (p *project) find(name, fn string) int {
	for i, l := range p.lines(name) {
		if strings.HasPrefix(l, "func ") && strings.Contains(l, " "+fn+"(") {
			return i
		}
	}
	panic(name + " has no function " + fn)
}

// grep is what a Grep tool shows for a pattern in all files.
func (p *project) grep(pattern string, limit int) string {
	re := regexp.MustCompile(pattern)
	var out []string
	for _, name := range p.names {
		for i, l := range p.lines(name) {
			if re.MatchString(l) {
				out = append(out, fmt.Sprintf("%s:%d:%s", name, i+1, l))
			}
		}
	}
	if len(out) == 0 {
		return "No matches found"
	}
	if len(out) > limit {
		out = append(out[:limit], fmt.Sprintf("(%d more matches)", len(out)-limit))
	}
	return strings.Join(out, "\n")
}

// replace edits a file. The old text must be there exactly once.
func (p *project) replace(name, old, text string) {
	if n := strings.Count(p.files[name], old); n != 1 {
		panic(fmt.Sprintf("%s holds the text to replace %d times", name, n))
	}
	p.files[name] = strings.Replace(p.files[name], old, text, 1)
}

// diff is what git diff shows for the files that changed since the last commit.
func (p *project) diff() string {
	var b strings.Builder
	for _, name := range p.names {
		if p.files[name] != p.was[name] {
			b.WriteString(unified(p.r, name, p.was[name], p.files[name]))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// stat is the count of changed files and lines, as git commit prints it.
func (p *project) stat() (files, added, removed int) {
	for _, name := range p.names {
		if p.files[name] == p.was[name] {
			continue
		}
		files++
		for _, l := range strings.Split(unified(p.r, name, p.was[name], p.files[name]), "\n")[4:] {
			switch {
			case strings.HasPrefix(l, "+"):
				added++
			case strings.HasPrefix(l, "-"):
				removed++
			}
		}
	}
	return files, added, removed
}

// unified is a diff of one hunk: the middle that differs with three lines
// around it.
func unified(r *rng, name, before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := max(0, head-3)
	endA, endB := min(len(a), len(a)-tail+3), min(len(b), len(b)-tail+3)
	var out strings.Builder
	fmt.Fprintf(&out, "diff --git a/%s b/%s\nindex %s..%s 100644\n--- a/%s\n+++ b/%s\n", name, name, r.hex(7), r.hex(7), name, name)
	fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", from+1, endA-from, from+1, endB-from)
	for i := from; i < head; i++ {
		out.WriteString(" " + a[i] + "\n")
	}
	for i := head; i < len(a)-tail; i++ {
		out.WriteString("-" + a[i] + "\n")
	}
	for i := head; i < len(b)-tail; i++ {
		out.WriteString("+" + b[i] + "\n")
	}
	for i := len(a) - tail; i < endA; i++ {
		out.WriteString(" " + a[i] + "\n")
	}
	return out.String()
}

// folder lists the files below a folder, with their sizes.
func (p *project) folder(dir string) string {
	var out []string
	for _, name := range p.names {
		if dir == "." || path.Dir(name) == dir {
			out = append(out, root+"/"+name)
		}
	}
	return strings.Join(out, "\n")
}
