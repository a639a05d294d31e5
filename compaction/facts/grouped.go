package facts

import (
	"strings"
	"unicode/utf8"
)

// A ledger writes a folder once with the paths below it:
//
//	/srv/app/{README.md cmd/{main.go run.go}}    /srv/app, /srv/app/README.md, /srv/app/cmd, /srv/app/cmd/main.go …
//	/srv/app/{go.mod                             names may follow a path on a line of its own
//	- cmd/main.go: main run
//	}
//
// Templates of addresses (/users/{id}) and what shells expand (src/{a,b}) are none.

const (
	groupBytes  = 1 << 16 // of the longest group
	groupsDeep  = 2       // groups in groups
	groupHolds  = 2       // paths, at least
	besideNames = "- "    // before a path that names follow
)

// Grouped calls yield with each path that a text writes in a group, and with the folders
// of groups, with the place in the text where its own part begins and ends.
func Grouped(s string, yield func(path string, from, to int)) {
	for i := 0; ; {
		at := strings.IndexByte(s[i:], '{')
		if at < 0 {
			return
		}
		at += i
		if i = at + 1; at < 2 || s[at-1] != '/' {
			continue
		}
		begin := at
		for begin > 0 && inGroup(s, begin-1) {
			begin--
		}
		g := grouped{s: s, end: min(len(s), at+groupBytes)}
		if begin < at-1 && g.read(at+1, s[begin:at], 1) > 0 && len(g.found) >= groupHolds {
			yield(s[begin:at-1], begin, at-1)
			yield(s[begin:at], begin, at)
			for _, f := range append(g.folders, g.found...) {
				yield(f.path, f.from, f.to)
			}
		}
	}
}

// grouped reads one group.
type grouped struct {
	s              string
	end            int
	found, folders []groupedPath
}

type groupedPath struct {
	path     string
	from, to int
}

// read reads what is behind the bracket of a group below a folder, and returns where
// to go on; 0: it is none.
func (g *grouped) read(i int, folder string, depth int) int {
	line := false // a path with names after it is looked for
	for i < g.end {
		switch c := g.s[i]; {
		case c == '}':
			return i + 1
		case c == ' ':
			i++
			continue
		case c == '\n' && depth == 1:
			i++
			line = strings.HasPrefix(g.s[i:], besideNames)
			if line {
				i += len(besideNames)
			}
			continue
		}
		from := i
		for i < g.end && inGroup(g.s, i) {
			i++
		}
		if i == from || i == g.end {
			return 0
		}
		if g.s[i] == '{' && g.s[i-1] == '/' && depth < groupsDeep {
			g.folders = append(g.folders, groupedPath{folder + g.s[from:i-1], from, i - 1}, groupedPath{folder + g.s[from:i], from, i})
			if i = g.read(i+1, folder+g.s[from:i], depth+1); i == 0 {
				return 0
			}
			continue
		}
		g.found = append(g.found, groupedPath{folder + g.s[from:i], from, i})
		if line && g.s[i] == ':' {
			n := strings.IndexByte(g.s[i:g.end], '\n')
			if n < 0 {
				return 0
			}
			i += n
		}
	}
	return 0
}

// inGroup reports whether a byte may be part of a path in a group.
func inGroup(s string, i int) bool {
	c := s[i]
	return class[c] != 0 || c >= utf8.RuneSelf || strings.IndexByte("()[]+", c) >= 0
}

// wholePath reports whether a string is a path from its first to its last byte.
func wholePath(t string) (whole bool) {
	atoms(t, func(k Kind, found string, _ int) { whole = k == Path && found == t })
	return whole
}
