package gui

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// transcriptEndings are what the dialog shows of a folder; what a file holds is
// told from its content when it is opened.
var transcriptEndings = []string{".jsonl", ".json", ".ndjson", ".traj"}

// openFile asks for a file.
func (w *window) openFile() {
	dlg := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil {
			w.d.Fail(err)
			return
		}
		if r == nil {
			return // cancelled
		}
		path := r.URI().Path()
		_ = r.Close()
		w.set.setFolder(filepath.Dir(path))
		w.open(path)
	}, w.win)
	dlg.SetFilter(storage.NewExtensionFileFilter(transcriptEndings))
	dlg.SetTitleText(words.T("open.file"))
	dlg.SetConfirmText(words.T("do.open"))
	dlg.SetDismissText(words.T("do.cancel"))
	w.showFiles(dlg)
}

// openFolder asks for a folder, whose transcripts are put into the list.
func (w *window) openFolder() {
	dlg := dialog.NewFolderOpen(func(f fyne.ListableURI, err error) {
		if err != nil {
			w.d.Fail(err)
			return
		}
		if f == nil {
			return
		}
		w.set.setFolder(f.Path())
		w.open(f.Path())
	}, w.win)
	dlg.SetTitleText(words.T("open.folder"))
	dlg.SetConfirmText(words.T("do.open"))
	dlg.SetDismissText(words.T("do.cancel"))
	w.showFiles(dlg)
}

// open looks at files in the workbench.
func (w *window) open(paths ...string) {
	w.hideSheet()
	w.d.Add(paths...)
}

func (w *window) showFiles(dlg *dialog.FileDialog) {
	dlg.SetView(dialog.ListView)
	if dir := w.set.folder(); dir != "" {
		if l, err := storage.ListerForURI(storage.NewFileURI(dir)); err == nil {
			dlg.SetLocation(l)
		}
	}
	w.sizeFiles(dlg)
}

func (w *window) sizeFiles(dlg *dialog.FileDialog) {
	s := w.win.Canvas().Size()
	dlg.Resize(fyne.NewSize(min(kit.Px(980), s.Width-40), min(kit.Px(640), s.Height-40)))
	dlg.Show()
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
