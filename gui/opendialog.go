package gui

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"palimpsest/gui/words"
)

// openFile asks for a file.
func (w *window) openFile() {
	w.chooseFile(words.T("open.file"), words.T("do.open"), w.set.folder(), false, func(path string) {
		w.set.setFolder(filepath.Dir(path))
		w.open(path)
	})
}

// openFolder asks for a folder, whose transcripts are put into the list.
func (w *window) openFolder() {
	w.chooseFile(words.T("open.folder"), words.T("open.this"), w.set.folder(), true, func(path string) {
		w.set.setFolder(path)
		w.open(path)
	})
}

// open looks at files in the workbench.
func (w *window) open(paths ...string) {
	w.leaveSheet()
	w.d.Add(paths...)
}

// dropped opens what was dropped on the window: files and folders.
func (w *window) dropped(list []fyne.URI) {
	var paths []string
	for _, u := range list {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) > 0 && w.win.Canvas().Overlays().Top() == nil {
		w.open(paths...)
	}
}
