package cli

import (
	"cmp"
	"os"
	"path/filepath"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// namesIn are the names that the results of files have in one folder: their own, or, where two
// have the same, with the folders that they are in, below the one that holds all.
func namesIn(files []string) map[string]string {
	names, taken, above := map[string]string{}, map[string]bool{}, filepath.Dir(model.AbsolutePath(files[0]))
	for _, f := range files {
		names[f] = session.BaseName(f)
		taken[names[f]] = true
		for names[f] == filepath.Base(f) && above != filepath.Dir(above) {
			if rel, err := filepath.Rel(above, model.AbsolutePath(f)); err == nil && filepath.IsLocal(rel) {
				break
			}
			above = filepath.Dir(above)
		}
	}
	for f, name := range names {
		if len(taken) < len(names) && name == filepath.Base(f) {
			names[f], _ = filepath.Rel(above, model.AbsolutePath(f))
		}
	}
	return names
}

// into is where a file's result goes: into the folder if out is one, else it is out itself. Of
// several it has the name that names has.
func into(out, file string, names map[string]string) string {
	if !isFolder(out) {
		return out
	}
	path := filepath.Join(out, cmp.Or(names[file], session.BaseName(file)))
	_ = os.MkdirAll(filepath.Dir(path), 0o700) // writing says what is wrong
	return path
}

// isFolder reports whether a path names a folder; one that ends as a folder's does
// and is not there yet is made.
func isFolder(path string) bool {
	st, err := os.Stat(path)
	if err != nil {
		return path != "" && os.IsPathSeparator(path[len(path)-1]) && os.MkdirAll(path, 0o700) == nil
	}
	return st.IsDir()
}
