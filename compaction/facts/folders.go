package facts

import (
	"strings"
	"sync"
	"sync/atomic"
)

// folderTable is the folders of an index's paths, worked out when a ledger first may list a
// path: each plan of groups looks at most of them again.
type folderTable struct {
	l  *Lister
	of []atomic.Pointer[[]placeBelow] // by fact, of paths that were asked for

	mu     sync.Mutex
	byName map[string]*folder
}

// folder is one that a ledger may write once.
type folder struct {
	name   string // with its slash
	number int32
	cost   int
	self   [2]ID // the facts that it is itself, with its slash and without; -1: none
}

// placeBelow is what a path is below one of its folders.
type placeBelow struct {
	*folder
	rest  ID   // the fact that what is left of the path is; -1: none
	cost  int  // of what is left
	found bool // the path is found again in a group below it
}

func newFolderTable(l *Lister) *folderTable {
	return &folderTable{l: l, of: make([]atomic.Pointer[[]placeBelow], len(l.x.facts)), byName: map[string]*folder{}}
}

// below is what a path is below each of its folders, the shortest folder first.
func (f *folderTable) below(id ID) []placeBelow {
	if known := f.of[id].Load(); known != nil {
		return *known
	}
	path := f.l.x.facts[id].Text
	list := []placeBelow{}
	for j := 1; j < len(path)-1; j++ {
		if path[j] == '/' && (word(path[j-1]) || strings.IndexByte("-)]", path[j-1]) >= 0) {
			name, own := path[:j+1], path[j+1:]
			list = append(list, placeBelow{f.named(name), f.path(own), max(1, f.l.count(" "+own)), readAgain(name, own)})
		}
	}
	f.of[id].Store(&list)
	return list
}

// named is a folder by its name.
func (f *folderTable) named(name string) *folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.byName[name]
	if known == nil {
		known = &folder{name, int32(len(f.byName)), f.l.count(" " + name), [2]ID{f.path(name), f.path(name[:len(name)-1])}}
		f.byName[name] = known
	}
	return known
}

// many is how many folders there are by now.
func (f *folderTable) many() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.byName)
}

// path is the path of a text; -1: no fact.
func (f *folderTable) path(text string) ID {
	if id, ok := f.l.x.ids[Fact{Path, text}]; ok && int(id) < len(f.l.x.facts) {
		return id
	}
	return -1
}

// readAgain reports whether a path is found in a group.
func readAgain(folder, own string) (found bool) {
	if !wholePath(folder + own) {
		return false
	}
	Grouped(folder+"{"+own+" x}", func(t string, _, _ int) { found = found || t == folder+own })
	return found
}
