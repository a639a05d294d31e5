package transcript

import (
	"os"
	"path/filepath"
	"sort"
	"strconv"

	"palimpsest/model/pattern"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/source"
)

// OpenHands keeps a conversation as a folder with one JSON file an event. Such
// a folder is read as one source: its files in the order of their numbers, each
// a line. So it has bytes like any other, and an export of it is one file of
// JSON Lines, which OpenHands' readers of event streams take as well; the
// folder itself is never written to.

// eventName matches the file of an event, numbered by its first group.
var eventName = pattern.New(`^(?:event-)?(\d+)(?:-[0-9a-fA-F-]+)?\.json$`)

// sdkEventName matches the file of an SDK event, whose name alone says that it
// is one of a folder.
var sdkEventName = pattern.New(`^event-\d+-[0-9a-fA-F-]{36}\.json$`)

// Named reports whether a file in a folder may be a history.
func Named(path string) bool { return source.Named(path) }

// eventFolder is the folder that holds the events at path: path itself, its
// folder events, or the folder of the event that path is. "" if there is none.
func eventFolder(path string, dir bool) string {
	if !dir {
		dir := filepath.Dir(path)
		if !sdkEventName.MatchString(filepath.Base(path)) {
			return ""
		}
		if files, err := eventFiles(dir); err != nil || len(files) < 2 {
			return ""
		}
		return dir
	}
	for _, p := range []string{path, filepath.Join(path, "events")} {
		if files, err := eventFiles(p); err == nil && len(files) > 0 {
			return p
		}
	}
	return ""
}

// eventsBeside is how many other files in the folder of a file are numbered as it is; 0 if
// it has no number.
func eventsBeside(path string) int {
	if !eventName.MatchString(filepath.Base(path)) {
		return 0
	}
	files, err := eventFiles(filepath.Dir(path))
	if err != nil {
		return 0
	}
	return len(files) - 1
}

// eventFiles lists the events of a folder in order.
func eventFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	number := map[string]int{}
	var names []string
	for _, e := range entries {
		g := eventName.FindStringSubmatch(e.Name())
		if g == nil || !e.Type().IsRegular() {
			continue
		}
		n, err := strconv.Atoi(g[1])
		if err != nil {
			continue // no event has so long a number
		}
		number[e.Name()] = n
		names = append(names, e.Name())
	}
	sort.SliceStable(names, func(i, j int) bool { return number[names[i]] < number[names[j]] })
	return names, nil
}

// newFolderSource makes one source of the events of a folder, each ended by a
// newline.
func newFolderSource(dir string) (*codec.FilesSource, error) {
	names, err := eventFiles(dir)
	if err != nil {
		return nil, err
	}
	s := &codec.FilesSource{}
	for _, name := range names {
		if err := s.AddFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
		if ends, err := s.EndsWith('\n'); err != nil {
			return nil, err
		} else if !ends {
			s.AddText("\n")
		}
	}
	return s, nil
}

// IsInnerFolder reports whether a folder holds the files of one message each that opencode kept
// before it had a database. None of them is a history.
func IsInnerFolder(path string) bool {
	storage := filepath.Dir(path)
	for _, name := range []string{"session", "message", "part"} {
		if st, err := os.Stat(filepath.Join(storage, name)); err != nil || !st.IsDir() {
			return false
		}
	}
	return true
}

// IsDatabase reports whether a file is an SQLite database.
func IsDatabase(path string) bool { return source.IsDatabase(path) }
