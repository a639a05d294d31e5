package transcript

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
)

// OpenHands keeps a conversation as a folder with one JSON file an event. Such
// a folder is read as one source: its files in the order of their numbers, each
// a line. So it has bytes like any other, and an export of it is one file of
// JSON Lines, which OpenHands' readers of event streams take as well; the
// folder itself is never written to.

// eventName matches the file of an event, numbered by its first group.
var eventName = regexp.MustCompile(`^(?:event-)?(\d+)(?:-[0-9a-fA-F-]+)?\.json$`)

// sdkEventName matches the file of an SDK event, whose name alone says that it
// is one of a folder.
var sdkEventName = regexp.MustCompile(`^event-\d+-[0-9a-fA-F-]{36}\.json$`)

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

// folderSource is the files of a folder one behind the other, each ended by a
// newline. Files are opened when they are read: there may be thousands.
type folderSource struct {
	dir   string
	files []folderFile
	size  int64
}

type folderFile struct {
	name      string
	off, size int64 // size of the file; a newline that it lacks comes behind it
}

func newFolderSource(dir string) (*folderSource, error) {
	names, err := eventFiles(dir)
	if err != nil {
		return nil, err
	}
	s := &folderSource{dir: dir}
	for _, name := range names {
		st, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		f := folderFile{name: name, off: s.size, size: st.Size()}
		s.files = append(s.files, f)
		s.size += f.size
		if ends, err := s.newlineAtEnd(f); err != nil {
			return nil, err
		} else if !ends {
			s.size++
		}
	}
	return s, nil
}

func (s *folderSource) newlineAtEnd(f folderFile) (bool, error) {
	if f.size == 0 {
		return false, nil
	}
	var last [1]byte
	if err := s.readFile(f, last[:], f.size-1); err != nil {
		return false, err
	}
	return last[0] == '\n', nil
}

// readFile reads bytes of one file, which must all be there.
func (s *folderSource) readFile(f folderFile, p []byte, off int64) error {
	file, err := os.Open(filepath.Join(s.dir, f.name))
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.ReadAt(p, off); err != nil {
		return fmt.Errorf("read %s: %w", f.name, err)
	}
	return nil
}

// ReadAt implements [io.ReaderAt].
func (s *folderSource) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	i := sort.Search(len(s.files), func(i int) bool { return i+1 == len(s.files) || s.files[i+1].off > off })
	for ; n < len(p) && i < len(s.files); i++ {
		f := s.files[i]
		at := off + int64(n) - f.off
		if at < f.size {
			k := int(min(int64(len(p)-n), f.size-at))
			if err := s.readFile(f, p[n:n+k], at); err != nil {
				return n, err
			}
			n += k
			at += int64(k)
		}
		end := s.size
		if i+1 < len(s.files) {
			end = s.files[i+1].off
		}
		if n < len(p) && at == f.size && f.off+at < end {
			p[n] = '\n'
			n++
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
