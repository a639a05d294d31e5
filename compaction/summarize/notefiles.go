package summarize

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// take takes a change, unless it takes another back.
func (u *undoing) take(e madeEdit) {
	for i := range u.edits {
		if was := &u.edits[i]; was.undone == 0 && e.old != "" && was.file == e.file && was.old == e.new && was.new == e.old {
			was.undone = e.num
			return
		}
	}
	u.edits = append(u.edits, e)
}

// changed counts a change of a file.
func (r *noteReader) changed(file string, num int) {
	f := r.files[file]
	if f == nil {
		f = &changedFile{path: line(file, 300), from: num}
		r.files[file] = f
	}
	f.times++
	f.to = max(f.to, num)
	r.turn.changed = append(r.turn.changed, path.Base(f.path))
	r.resolved(func(clash string) bool { return strings.HasSuffix(f.path, clash) })
	if path.Ext(file) != ".md" { // it may write the plan
		r.planning, r.worked = remark{}, max(r.worked, num)
	}
	for _, b := range r.broken {
		b.edited = true
	}
	r.untested = true
}

func (r *noteReader) lastChange() (last int) {
	for _, f := range r.files {
		last = max(last, f.to)
	}
	return last
}

// latestFiles are the changed files, the latest first.
func (r *noteReader) latestFiles() []*changedFile {
	return slices.SortedFunc(maps.Values(r.files), func(a, b *changedFile) int {
		return cmp.Or(cmp.Compare(b.to, a.to), cmp.Compare(a.path, b.path))
	})
}

// folders are the changed files, the latest first, with how often, in groups of paths:
// src/{a.go ×3, b.go}: one of each folder, or of the folder that most are in, whichever is
// shorter.
func (r *noteReader) folders() []remark {
	files := slices.DeleteFunc(r.latestFiles(), func(f *changedFile) bool {
		return r.after != "" && strings.Contains(r.after, path.Base(f.path))
	})
	out, size := grouped(files, ""), 0
	joined := grouped(files, mostIn(files))
	for i := range out {
		size += len(out[i].text)
	}
	for i := range joined {
		size -= len(joined[i].text)
	}
	if size > 0 {
		return joined
	}
	return out
}

// mostIn is the deepest folder that most of some files are in.
func mostIn(files []*changedFile) (root string) {
	in := map[string]int{}
	for _, f := range files {
		for i, c := range f.path {
			if dir := f.path[:i+1]; c == '/' && i > 0 {
				if in[dir]++; len(dir) > len(root) && 3*in[dir] >= 2*len(files) {
					root = dir
				}
			}
		}
	}
	if strings.Count(root, "/") < leastRoot && path.IsAbs(root) {
		return ""
	}
	return root
}

// leastRoot is how many strokes an absolute folder has that is more than somebody's home.
const leastRoot = 5

// grouped are files in groups: those below a root in its groups, others in those of their folders.
func grouped(files []*changedFile, root string) (out []remark) {
	var groups []string
	at, names := map[string]int{}, map[int][]string{}
	for _, f := range files {
		dir, _ := path.Split(f.path)
		if root != "" && strings.HasPrefix(f.path, root) {
			dir = root
		}
		name := f.path[len(dir):]
		if f.times > 1 {
			name += fmt.Sprintf(" ×%d", f.times)
		}
		i, ok := at[dir]
		if !ok || len(names[i]) >= min(groupOf, firstGroup<<min(i, 4)) {
			i = len(out)
			at[dir], out, groups = i, append(out, remark{}), append(groups, dir)
		}
		names[i] = append(names[i], name)
		out[i].count++
		out[i].span(f.from, f.to)
	}
	for i := range out {
		list := strings.Join(names[i], ", ")
		if len(names[i]) > 1 && groups[i] != "" {
			list = "{" + list + "}"
		}
		out[i].text = groups[i] + list
	}
	return out
}

// groupOf is how many files a group has at most, firstGroup the first one, that twice as many
// follow.
const groupOf, firstGroup = 12, 3
