package dialogs

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// OpenFile asks for a file.
func OpenFile(w *screen.Host) {
	chooseFile(w, words.T("open.file"), words.T("do.open"), w.Settings.Folder(), false, func(path string) {
		w.Settings.SetFolder(filepath.Dir(path))
		openPaths(w, path)
	})
}

// OpenFolder asks for a folder, whose transcripts are put into the list.
func OpenFolder(w *screen.Host) {
	chooseFile(w, words.T("open.folder"), words.T("open.this"), w.Settings.Folder(), true, func(path string) {
		w.Settings.SetFolder(path)
		openPaths(w, path)
	})
}

// open looks at files in the workbench.
func openPaths(w *screen.Host, paths ...string) {
	w.LeaveSheet()
	w.Desk.Add(paths...)
}

// Dropped opens what was dropped on the window: files and folders.
func Dropped(w *screen.Host, list []fyne.URI) {
	var paths []string
	for _, u := range list {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) > 0 && w.Win.Canvas().Overlays().Top() == nil {
		openPaths(w, paths...)
	}
}
