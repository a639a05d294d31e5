package gui

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"palimpsest/gui/words"
)

// openFile asks for a file.
func openFile(w *Host) {
	chooseFile(w, words.T("open.file"), words.T("do.open"), w.set.folder(), false, func(path string) {
		w.set.setFolder(filepath.Dir(path))
		openPaths(w, path)
	})
}

// openFolder asks for a folder, whose transcripts are put into the list.
func openFolder(w *Host) {
	chooseFile(w, words.T("open.folder"), words.T("open.this"), w.set.folder(), true, func(path string) {
		w.set.setFolder(path)
		openPaths(w, path)
	})
}

// open looks at files in the workbench.
func openPaths(w *Host, paths ...string) {
	w.leaveSheet()
	w.d.Add(paths...)
}

// dropped opens what was dropped on the window: files and folders.
func dropped(w *Host, list []fyne.URI) {
	var paths []string
	for _, u := range list {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) > 0 && w.win.Canvas().Overlays().Top() == nil {
		openPaths(w, paths...)
	}
}
