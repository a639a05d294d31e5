package dialogs

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// OpenFile asks for a file.
func OpenFile(w *screen.Host) {
	q := FileQuestion{Title: words.T("open.file"), Do: words.T("do.open"), Dir: w.Settings.Folder()}
	ChooseFile(w, q, func(path string) {
		w.Settings.SetFolder(filepath.Dir(path))
		OpenPaths(w, path)
	})
}

// OpenFolder asks for a folder, whose transcripts are put into the list.
func OpenFolder(w *screen.Host) {
	q := FileQuestion{Title: words.T("open.folder"), Do: words.T("open.this"), Dir: w.Settings.Folder(), Folder: true}
	ChooseFile(w, q, func(path string) {
		w.Settings.SetFolder(path)
		OpenPaths(w, path)
	})
}

// OpenPaths looks at files in the workbench.
func OpenPaths(w *screen.Host, paths ...string) {
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
		OpenPaths(w, paths...)
	}
}
